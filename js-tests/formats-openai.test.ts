// Messages of OpenAI's Chat Completions API, and of the servers that speak it.
import {
  applySummary,
  compress,
  estimateTokens,
  type OpenAIMessageLike,
  optimize,
  requestSummary,
} from 'densify/openai';
import { optimize as optimizeItems } from 'densify/openai-responses';
import { describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';

type Message = OpenAIMessageLike & Readonly<Record<string, unknown>>;

const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const ai = (content: string | null, ...calls: object[]): Message =>
  calls.length > 0 ? { role: 'assistant', content, tool_calls: calls } : { role: 'assistant', content };
const tool = (id: string, content: unknown = `${id}: ${'a line of a file\n'.repeat(20)}`): Message =>
  ({ role: 'tool', tool_call_id: id, content }) as Message;
const user = (content: string): Message => ({ role: 'user', content });

const READ = call('r', 'read_file', '{"file_path":"a.ts"}');
const WRITE = call('w', 'write_file', '{"file_path":"./a.ts","content":"x"}');
const OTHER = call('g', 'grep', '{"pattern": "x" }');

describe('optimize', () => {
  test('of a parallel set the stale read goes with its result, all else stays', () => {
    const messages = [user('Go.'), ai(null, READ, OTHER), tool('r'), tool('g'), ai('Now.', WRITE), tool('w', 'ok')];
    const output = optimize(messages, { preset: 'seed' });
    expect(output.messages).toEqual([messages[0], ai(null, OTHER), ...messages.slice(3)]);
    for (const [at, from] of [
      [0, 0],
      [2, 3],
      [3, 4],
      [4, 5],
    ] as const)
      expect(output.messages[at]).toBe(messages[from]);
    // What wasn't cut is the caller's own, spelled as it was.
    expect((output.messages[1] as { tool_calls?: unknown[] }).tool_calls?.[0]).toBe(OTHER);
  });

  test('the key of the calls goes with the last of them, and the words stay', () => {
    const messages = [ai('I look.', READ), tool('r'), ai(null, WRITE), tool('w', 'ok')];
    const [first] = optimize(messages, { preset: 'seed' }).messages;
    expect(first).toEqual({ role: 'assistant', content: 'I look.' });
    expect(Object.keys(first ?? {})).not.toContain('tool_calls');
    const silent = [user('Go.'), ai(null, READ), tool('r'), ai(null, WRITE), tool('w', 'ok')];
    expect(optimize(silent, { preset: 'seed' }).messages).toEqual([silent[0], silent[3], silent[4]]);
  });

  test('arguments that are no JSON hold nothing up, and stay as they are', () => {
    const broken = call('b', 'read_file', '{"file_path": "a.ts"');
    const messages = [ai('x', broken), tool('b'), ai(null, WRITE), tool('w', 'ok')];
    expect(optimize(messages, { preset: 'seed' }).messages).toBe(messages);
  });

  test('calls and results of the older form are paired by their name', () => {
    const messages: Message[] = [
      { role: 'assistant', content: 'I look.', function_call: { name: 'read_file', arguments: '{"path":"a.ts"}' } },
      { role: 'function', name: 'read_file', content: 'a line\n'.repeat(9) },
      { role: 'assistant', content: null, function_call: { name: 'write_file', arguments: '{"path":"a.ts"}' } },
      { role: 'function', name: 'write_file', content: 'ok' },
    ];
    expect(optimize(messages, { preset: 'seed' }).messages).toEqual([
      { role: 'assistant', content: 'I look.' },
      messages[2],
      messages[3],
    ]);
  });

  test('custom calls, refusals, sound, unknown parts and keys ride along', () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'video_url', video_url: { url: 'x' } },
          { type: 'text', text: 'See.' },
        ] as never,
      },
      { role: 'assistant', content: null, refusal: 'No.', audio: { id: 'sound' }, extra_content: { google: {} } },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'apply', input: 'x' } }],
      },
      tool('c', 'done'),
    ];
    expect(optimize(messages, { preset: 'seed', rules: { recencyPruning: true } }).messages).toBe(messages);
  });

  test('a patch in a custom call is understood as one in the Responses format', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `const value${at} = compute(${at});`);
    const changed = lines.map((line, at) => (at === 12 ? 'const made = anew;' : line));
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '@@',
      `-${lines[12]}`,
      '+const made = anew;',
      '*** End Patch',
    ];
    const shown = { before: `${lines.join('\n')}\n`, after: `${changed.join('\n')}\n` };
    const history = (input: string) => [
      user('Go.'),
      ai(null, READ),
      tool('r', shown.before),
      ai(null, { id: 'p', type: 'custom', custom: { name: 'apply_patch', input } }),
      tool('p', 'Done!'),
      ai(null, { ...READ, id: 's' }),
      tool('s', shown.after),
      ai('Written.'),
    ];
    const read = (id: string, output: string) => [
      { type: 'function_call', call_id: id, name: 'read_file', arguments: READ.function.arguments },
      { type: 'function_call_output', call_id: id, output },
    ];
    const items = (input: string) => [
      { role: 'user' as const, content: 'Go.' },
      ...read('r', shown.before),
      { type: 'custom_tool_call', call_id: 'p', name: 'apply_patch', input },
      { type: 'custom_tool_call_output', call_id: 'p', output: 'Done!' },
      ...read('s', shown.after),
    ];
    for (const [input, rule] of [
      [patch.join('\n'), 'superseded'],
      ['*** Begin', 'repeats'],
    ] as const) {
      const { edits } = optimize(history(input), { model: 'openai/gpt-4.1', flush: 'always' });
      expect(new Set(edits.map((edit) => edit.rule))).toEqual(new Set([rule]));
      const found = optimizeItems(items(input), { model: 'gpt-4.1', flush: 'always' }).edits;
      expect(new Set(found.map((edit) => edit.rule))).toEqual(new Set([rule]));
    }
  });

  test('results of text parts become one string; reasoning stays where its message stays', () => {
    const parts = [1, 2].map(() => ({ type: 'text', text: 'a line\n'.repeat(20) }));
    const thought = { ...ai(null, call('g1', 'grep', '{}')), reasoning_content: 'Hm.', reasoning_details: [{}] };
    const messages = [thought, tool('g1', parts), ai(null, call('g2', 'grep', '{}')), tool('g2')];
    const output = optimize(messages, { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } });
    expect(output.messages[0]).toBe(thought);
    expect(output.messages[1]).toEqual(tool('g1', '[Result pruned — re-run tool to retrieve]'));
  });

  test('images are no text', () => {
    const url = `data:image/png;base64,${'A'.repeat(400_000)}`;
    expect(
      estimateTokens([{ role: 'user', content: [{ type: 'image_url', image_url: { url } } as never] }]),
    ).toBeLessThan(5_000);
  });
});

describe('compress', () => {
  const steps = Array.from({ length: 12 }, (_, n) => [
    ai('Step.', call(`c${n}`, 'grep', '{}')),
    tool(`c${n}`),
    user(`Word ${n}.`),
  ]).flat();
  const history: Message[] = [{ role: 'system', content: 'You help.' }, user('Begin, please.'), ...steps];

  test('the system’s message stays, and behind it the user opens', () => {
    for (const strategy of ['top-down-truncation', 'high-density'] as const) {
      for (const keepFirstRequest of [true, false, undefined]) {
        const output = compress(history, { strategy, contextLimit: 600, keepFirstRequest });
        if (output.kind !== 'applied') throw new Error(output.reason);
        expect(output.messages[0]).toBe(history[0]);
        expect(output.messages[1]?.role).toBe('user');
        expect(output.messages.length).toBeLessThan(history.length);
      }
    }
  });

  test('a summary stands in the role of the user, and the system’s message before it', () => {
    const request = requestSummary(history, { strategy: 'one-shot', preserve: { messages: 3 }, provider: 'openai' });
    if (request.kind !== 'request') throw new Error(request.reason);
    expect(request.messages.every(({ role }) => role === 'user')).toBe(true);
    const applied = applySummary(request, goodReply({ strategy: 'one-shot' }), history);
    if (applied.kind !== 'applied') throw new Error(applied.kind);
    expect(applied.messages[0]).toBe(history[0]);
    expect(applied.messages[1]).toBe(applied.summary);
    expect(applied.summary.role).toBe('user');
  });
});
