// The rules that know what calls do, through the package: arguments of writes, and messages that are read afresh.
import { createOptimizer, estimateTokens, type IContent, optimize } from 'densify';
import { optimize as optimizeGemini } from 'densify/gemini';
import { optimize as optimizeOpenAi } from 'densify/openai';
import { optimize as optimizeResponses } from 'densify/openai-responses';
import { describe, expect, test } from 'vitest';
import { exchange, lines } from './support/work.js';

const content = lines('a', 0, 30).join('\n');
const history = [
  ...exchange('1', 'write_file', { file_path: '/a.rs', content }, 'written'),
  ...exchange('2', 'read_file', { file_path: '/a.rs' }, content),
];
const shown = '[… shown again later: read_file: /a.rs]';
/** With a parameter that nobody knows it may be the file of another machine. */
const same = '[… the same: read_file: /a.rs]';

describe('arguments of writes', () => {
  test('go once a later result shows them; input stays as it is, and tokens are what the messages cost', () => {
    const before = JSON.stringify(history);
    const { messages, edits, tokensAfter } = optimize(history, { preset: 'lossless', flush: 'always' });
    const [call] = messages[0]?.blocks ?? [];
    expect(call).toMatchObject({ name: 'write_file', parameters: { file_path: '/a.rs', content: shown } });
    expect(edits).toMatchObject([{ kind: 'set', rule: 'write-arguments', index: 0, cause: 3, text: shown }]);
    expect(tokensAfter).toBe(estimateTokens(messages));
    expect(JSON.stringify(history)).toBe(before);
    expect(optimize(messages, { preset: 'lossless', flush: 'always' }).messages).toBe(messages);
    expect(optimize(history, { preset: 'lossless', flush: 'always', rules: { writeArguments: false } }).messages).toBe(
      history,
    );
  });

  test('of several edits in one call too, however deep they stand', () => {
    const edits = [{ oldText: 'short', newText: content }];
    const several = [
      ...exchange('1', 'edit', { path: '/a.rs', edits }, 'changed'),
      ...exchange('2', 'read_file', { file_path: '/a.rs' }, content),
    ];
    const [message] = optimize(several, { preset: 'lossless', flush: 'always' }).messages;
    expect(message?.blocks[0]).toMatchObject({ parameters: { edits: [{ oldText: 'short', newText: shown }] } });
  });

  test('of arguments without a long string nothing is said to be shortened', () => {
    const words = { file_path: '/a.rs', content: 'x'.repeat(140) };
    const brief = [
      ...exchange('1', 'write_file', words, 'written'),
      ...exchange('2', 'read_file', { file_path: '/a.rs' }, words.content),
    ];
    expect(optimize(brief, { preset: 'lossless', flush: 'always' }).edits).toStrictEqual([]);
  });

  test('a caller’s counter counts what is left of them', () => {
    const countTokens = (text: string) => text.length;
    const { messages, tokensAfter } = optimize(history, { preset: 'lossless', flush: 'always', countTokens });
    expect(tokensAfter).toBe(estimateTokens(messages, { countTokens }));
  });

  const sent = (parts: object[]) =>
    optimizeGemini(parts as never, { preset: 'lossless', flush: 'always' }).messages[0] as unknown;

  test('a call that the provider has signed stays as it is', () => {
    const said = (signature: object) => {
      const call = (name: string, args: object) => ({
        role: 'model',
        parts: [{ functionCall: { name, args }, ...signature }],
      });
      const answer = (name: string, output: string) => ({
        role: 'user',
        parts: [{ functionResponse: { name, response: { output } } }],
      });
      return [
        call('write_file', { file_path: '/a.rs', content }),
        answer('write_file', 'written'),
        call('read_file', { file_path: '/a.rs' }),
        answer('read_file', content),
      ];
    };
    expect(sent(said({}))).toMatchObject({
      parts: [{ functionCall: { args: { file_path: '/a.rs', content: shown } } }],
    });
    const signed = said({ thoughtSignature: 's' });
    expect(sent(signed)).toBe(signed[0]);
  });

  test('of arguments as JSON text all else stays letter by letter', () => {
    const result = (id: string, text: string) => ({ role: 'tool', tool_call_id: id, content: text });
    const call = (id: string, name: string, json: string) => ({
      role: 'assistant',
      tool_calls: [{ id, type: 'function', function: { name, arguments: json } }],
    });
    const written = (text: string) => `{ "n": 1.50,\t"file_path":"\\u002fa.rs", "content" : ${JSON.stringify(text)} }`;
    const messages = [
      call('1', 'write_file', written(content)),
      result('1', 'written'),
      call('2', 'read_file', '{"path":"/a.rs"}'),
      result('2', content),
    ];
    const [first] = optimizeOpenAi(messages as never, { preset: 'lossless', flush: 'always' })
      .messages as unknown as typeof messages;
    expect(first).toStrictEqual(call('1', 'write_file', written(same)));
  });

  test('the text of a custom tool stays: which file it changed, and where, no result shows', () => {
    const hunk = content.split('\n').map((line) => `+${line}`);
    const input = ['*** Begin Patch', '*** Add File: /a.rs', ...hunk, '*** End Patch', ''].join('\n');
    const items = [
      { type: 'custom_tool_call', call_id: '1', name: 'apply_patch', input },
      { type: 'custom_tool_call_output', call_id: '1', output: 'Done!' },
      { type: 'function_call', call_id: '2', name: 'read_file', arguments: '{"path":"/a.rs"}' },
      { type: 'function_call_output', call_id: '2', output: content },
    ];
    const [first] = optimizeResponses(items as never, { preset: 'lossless', flush: 'always' }).messages;
    expect(first).toBe(items[0]);
  });

  test('what else stands among arguments stays, as a value and as JSON text', () => {
    const other = lines('other', 0, 30).join('\n');
    const rest = {
      rationale: other,
      backup: { path: '/b.rs', content: other },
      files: [{ path: '/b.rs', content: other }],
      edits: [{ oldText: other, notes: { newText: other }, newText: content }, other],
      contents: [other],
    };
    const parameters = { file_path: '/a.rs', ...rest, content };
    const several = [
      ...exchange('1', 'edit', parameters, 'changed'),
      ...exchange('2', 'read_file', { file_path: '/a.rs' }, content),
    ];
    const edits = [{ ...(rest.edits[0] as object), newText: same }, other];
    const expected = { ...parameters, content: same, edits };
    for (const preset of ['lossless', 'balanced'] as const) {
      const [message] = optimize(several, { preset, flush: 'always' }).messages;
      expect(message?.blocks[0]).toMatchObject({ parameters: expected });
      const call = (id: string, name: string, input: object) => ({
        role: 'assistant',
        tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      });
      const messages = [
        call('1', 'edit', parameters),
        { role: 'tool', tool_call_id: '1', content: 'changed' },
        call('2', 'read_file', { file_path: '/a.rs' }),
        { role: 'tool', tool_call_id: '2', content },
      ];
      const [first] = optimizeOpenAi(messages as never, { preset, flush: 'always' }).messages;
      expect(first).toStrictEqual(call('1', 'edit', expected));
    }
  });

  // A comparison at each place would take minutes.
  test('many equal lines are compared in linear time', () => {
    const [equal, steps] = ['x\n'.repeat(60_000), [1, 2, 3, 4]];
    const edits = steps.flatMap((at) =>
      exchange(`w${at}`, 'edit', { path: '/a.rs', old_string: 'q', new_string: `${equal}y` }, 'changed'),
    );
    const reads = steps.flatMap((at) =>
      exchange(`r${at}`, 'read_file', { path: '/a.rs', offset: at }, equal + equal + at),
    );
    const { messages } = optimize([...edits, ...reads], { preset: 'lossless', flush: 'always' });
    expect(messages[0]).toStrictEqual(edits[0]);
  });
});

test('a superseded read says by which message', () => {
  const other = `${content}\n${lines('b', 0, 30).join('\n')}`;
  const twice = [
    ...exchange('1', 'read_file', { file_path: '/a.rs' }, content),
    ...exchange('2', 'bash', { command: 'cat /a.rs' }, other),
  ];
  const { messages, edits } = optimize(twice, { preset: 'lossless', flush: 'always' });
  expect(edits).toMatchObject([{ rule: 'superseded', index: 1, cause: 3 }]);
  expect(messages[1]?.blocks[0]).toMatchObject({ result: '[… shown again later: bash: cat /a.rs]' });
});

test('a call of the same length with other arguments is another call', () => {
  const optimizer = createOptimizer<IContent>({ preset: 'lossless', flush: 'always', rules: { repeats: false } });
  const of = (path: string): IContent[] => [
    ...exchange('1', 'read_file', { file_path: '/a.rs' }, content),
    ...exchange('2', 'bash', { command: `cat ${path}` }, content),
  ];
  expect(optimizer.optimize(of('/a.rs')).messages[1]?.blocks[0]).toMatchObject({
    result: '[… shown again later: bash: cat /a.rs]',
  });
  expect(optimizer.optimize(of('/c.rs')).messages).toStrictEqual(of('/c.rs'));
});
