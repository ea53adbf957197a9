// The rules that know what calls do, through the package: arguments of writes, and messages that are read afresh.
import { createOptimizer, estimateTokens, type IContent, optimize } from 'densify';
import { optimize as optimizeAnthropic } from 'densify/anthropic';
import { optimize as optimizeOpenAi } from 'densify/openai';
import { describe, expect, test } from 'vitest';
import { exchange, lines } from './support/work.js';

const content = lines('a', 0, 30).join('\n');
const history = [
  ...exchange('1', 'write_file', { file_path: '/a.rs', content }, 'written'),
  ...exchange('2', 'read_file', { file_path: '/a.rs' }, content),
];
const shown = '[… shown or rewritten later: read_file: /a.rs]';

describe('arguments of writes', () => {
  test('go once a later result shows them; input stays as it is, and tokens are what the messages cost', () => {
    const before = JSON.stringify(history);
    const { messages, edits, tokensAfter } = optimize(history, { preset: 'lossless' });
    const [call] = messages[0]?.blocks ?? [];
    expect(call).toMatchObject({ name: 'write_file', parameters: { file_path: '/a.rs', content: shown } });
    expect(edits).toMatchObject([{ kind: 'set', rule: 'write-arguments', index: 0, cause: 3, text: shown }]);
    expect(tokensAfter).toBe(estimateTokens(messages));
    expect(JSON.stringify(history)).toBe(before);
    expect(optimize(messages, { preset: 'lossless' }).messages).toBe(messages);
    expect(optimize(history, { preset: 'lossless', writeArguments: false }).messages).toBe(history);
  });

  test('of several edits in one call too, however deep they stand', () => {
    const edits = [{ oldText: 'short', newText: content }];
    const several = [
      ...exchange('1', 'edit', { path: '/a.rs', edits }, 'changed'),
      ...exchange('2', 'read_file', { file_path: '/a.rs' }, content),
    ];
    const [message] = optimize(several, { preset: 'lossless' }).messages;
    expect(message?.blocks[0]).toMatchObject({ parameters: { edits: [{ oldText: 'short', newText: shown }] } });
  });

  test('of arguments without a long string nothing is said to be shortened', () => {
    const words = { file_path: '/a.rs', content: 'x'.repeat(140) };
    const brief = [
      ...exchange('1', 'write_file', words, 'written'),
      ...exchange('2', 'read_file', { file_path: '/a.rs' }, words.content),
    ];
    expect(optimize(brief, { preset: 'lossless' }).edits).toStrictEqual([]);
  });

  test('a caller’s counter counts what is left of them', () => {
    const countTokens = (text: string) => text.length;
    const { messages, tokensAfter } = optimize(history, { preset: 'lossless', countTokens });
    expect(tokensAfter).toBe(estimateTokens(messages, { countTokens }));
  });

  test('formats that can say so shorten them, others keep the call as it is', () => {
    const anthropic = [
      { role: 'user' as const, content: 'Write it.' },
      {
        role: 'assistant' as const,
        content: [{ type: 'tool_use' as const, id: '1', name: 'write_file', input: { file_path: '/a.rs', content } }],
      },
      { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: '1', content: 'written' }] },
      {
        role: 'assistant' as const,
        content: [{ type: 'tool_use' as const, id: '2', name: 'read_file', input: { file_path: '/a.rs' } }],
      },
      { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: '2', content }] },
    ];
    const { messages } = optimizeAnthropic(anthropic, { preset: 'lossless' });
    expect(messages[1]).toMatchObject({ content: [{ input: { file_path: '/a.rs', content: shown } }] });
    const call = (id: string, name: string, parameters: object) => ({
      role: 'assistant' as const,
      tool_calls: [{ id, type: 'function' as const, function: { name, arguments: JSON.stringify(parameters) } }],
    });
    const openai = [
      { role: 'user' as const, content: 'Write it.' },
      call('1', 'write_file', { file_path: '/a.rs', content }),
      { role: 'tool' as const, tool_call_id: '1', content: 'written' },
      call('2', 'read_file', { file_path: '/a.rs' }),
      { role: 'tool' as const, tool_call_id: '2', content },
    ];
    expect(optimizeOpenAi(openai, { preset: 'lossless' }).messages[1]).toBe(openai[1]);
  });
});

test('a superseded read says by which message', () => {
  const other = lines('b', 0, 30).join('\n');
  const twice = [
    ...exchange('1', 'read_file', { file_path: '/a.rs' }, content),
    ...exchange('2', 'bash', { command: 'cat /a.rs' }, other),
  ];
  const { messages, edits } = optimize(twice, { preset: 'lossless' });
  expect(edits).toMatchObject([{ rule: 'superseded', index: 1, cause: 3 }]);
  expect(messages[1]?.blocks[0]).toMatchObject({ result: '[… the file as it is now: bash: cat /a.rs]' });
});

test('a call of the same length with other arguments is another call', () => {
  const optimizer = createOptimizer<IContent>({ preset: 'lossless' });
  const of = (path: string): IContent[] => [
    ...exchange('1', 'read_file', { file_path: '/a.rs' }, content),
    ...exchange('2', 'bash', { command: `cat ${path}` }, lines('b', 0, 30).join('\n')),
  ];
  expect(optimizer.optimize(of('/a.rs')).messages[1]?.blocks[0]).toMatchObject({
    result: '[… the file as it is now: bash: cat /a.rs]',
  });
  expect(optimizer.optimize(of('/c.rs')).messages).toStrictEqual(of('/c.rs'));
});
