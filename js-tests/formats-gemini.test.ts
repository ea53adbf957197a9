// Entries of Gemini's contents, as the SDK has them.
import {
  applySummary,
  compress,
  createConversation,
  type GeminiContentLike,
  optimize,
  requestSummary,
} from 'densify/gemini';
import { describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';

interface Content extends GeminiContentLike {
  readonly role: string;
  readonly parts: readonly Record<string, unknown>[];
}

const user = (...parts: Record<string, unknown>[]): Content => ({ role: 'user', parts });
const model = (...parts: Record<string, unknown>[]): Content => ({ role: 'model', parts });
const text = (words: string) => ({ text: words });
const call = (name: string, path: string, more: object = {}) => ({
  functionCall: { name, args: { file_path: path }, ...more },
});
const response = (name: string, payload: object, more: object = {}) => ({
  functionResponse: { name, response: payload, ...more },
});
const FILE = 'a line of a file\n'.repeat(20);

const STALE: readonly Content[] = [
  user(text('Rename the function.')),
  model({ text: 'I think.', thought: true }, text('I look.'), {
    ...call('read_file', 'a.ts'),
    thoughtSignature: 'signed',
  }),
  user(response('read_file', { output: FILE }), text('By the way: also the tests.')),
  model(call('write_file', 'a.ts')),
  user(response('write_file', { output: 'ok' })),
  model(text('Done.')),
  user(text('Thanks.')),
];

describe('optimize', () => {
  test('calls without ids are paired by their places: a stale read goes with its response', () => {
    const before = structuredClone(STALE);
    const { messages, metadata } = optimize(STALE, { preset: 'seed' });
    expect(messages).toEqual([
      STALE[0],
      model({ text: 'I think.', thought: true }, text('I look.')),
      user(text('By the way: also the tests.')),
      ...STALE.slice(3),
    ]);
    expect(metadata.readWritePairsPruned).toBe(1);
    expect(STALE).toEqual(before);
    for (const at of [0, 3, 4, 5, 6]) expect(messages[at]).toBe(STALE[at]);
  });

  test('calls with ids are paired by them', () => {
    const messages = [
      user(text('Go.')),
      model(call('read_file', 'a.ts', { id: 'one' })),
      user(response('read_file', { output: FILE }, { id: 'one' })),
      model(call('write_file', 'a.ts', { id: 'two' })),
      user(response('write_file', { output: 'ok' }, { id: 'two' })),
    ];
    expect(optimize(messages, { preset: 'seed' }).messages).toEqual([messages[0], ...messages.slice(3)]);
  });

  test('parallel calls stay together: their responses must be as many, and only the first is signed', () => {
    const messages = [
      user(text('Go.')),
      model({ ...call('read_file', 'a.ts'), thoughtSignature: 'signed' }, call('grep', 'x')),
      user(response('read_file', { output: FILE }), response('grep', { output: FILE })),
      model(call('write_file', 'a.ts')),
      user(response('write_file', { output: 'ok' })),
      user(text('Thanks.')),
    ];
    for (const preset of ['seed', 'lossless'] as const) {
      // What grep found isn't lost with a read that went stale, and that one is kept is told.
      const kept = optimize(messages, { preset });
      expect(kept.messages[1]).toBe(messages[1]);
      expect(kept.messages.map(({ parts }) => parts.length)).toEqual([1, 2, 2, 1, 1, 1]);
      if (preset === 'seed') expect(kept.warnings.map(({ code }) => code)).toEqual(['edit-held-back']);
    }
    const both = messages.map((content, at) =>
      at === 1
        ? model({ ...call('read_file', 'a.ts'), thoughtSignature: 'signed' }, call('read_file', 'b.ts'))
        : content,
    );
    const written = [model(call('write_file', 'b.ts')), user(response('write_file', { output: 'ok' }))];
    const { messages: left } = optimize([...both.slice(0, 5), ...written, ...both.slice(5)], { preset: 'seed' });
    expect(left).toEqual([both[0], both[3], both[4], ...written, both[5]]);
  });

  test('a pruned result stands where its output stood', () => {
    const messages = ['result', 'output'].flatMap((key) => [
      user(text('Go.')),
      model(call('grep', key)),
      user(response('grep', { [key]: FILE })),
    ]);
    const pruned = optimize([...messages, ...messages], {
      preset: 'seed',
      rules: { recencyPruning: true, recencyRetention: 1 },
    }).messages;
    const payloads = pruned.flatMap(({ parts }) =>
      parts.flatMap((part) => (part as { functionResponse?: { response: object } }).functionResponse?.response ?? []),
    );
    expect(payloads.slice(0, 2)).toEqual([
      { result: expect.stringContaining('[Result pruned') as string },
      { output: expect.stringContaining('[Result pruned') as string },
    ]);
  });

  test('what code was run and what it said stay together, unknown parts and roles ride along', () => {
    const messages = [
      user(text('Go.')),
      model(
        { executableCode: { language: 'PYTHON', code: '1' } },
        { codeExecutionResult: { outcome: 'OK' } },
        { odd: 1 },
      ),
      { role: 'system', parts: [text('?')] },
      { role: 'user' } as unknown as Content,
      { role: 'user', parts: 'odd' } as unknown as Content,
      null as unknown as Content,
    ];
    expect(optimize(messages, { preset: 'seed' }).messages).toBe(messages);
  });
});

test('compress opens with the user', () => {
  const turn = [user(text('Go on.')), model(call('grep', 'x')), user(response('grep', { output: FILE }))];
  const messages = [user(text('First.')), ...Array.from({ length: 10 }, () => turn).flat()];
  const result = compress(messages, { strategy: 'top-down-truncation', contextLimit: 600 });
  expect(result.kind).toBe('applied');
  const [first] = result.messages;
  expect(first?.role).toBe('user');
  expect(first?.parts[0]).toHaveProperty('text');
});

test('a summary is contents too', () => {
  const turn = [user(text('Go on.')), model(call('grep', 'x')), user(response('grep', { output: FILE }))];
  const messages = Array.from({ length: 10 }, () => turn).flat();
  const request = requestSummary(messages, { strategy: 'structured' });
  if (request.kind !== 'request') throw new Error(request.reason);
  for (const { role, parts } of request.messages) expect([role, parts.length]).toEqual(['user', 1]);
  const applied = applySummary(request, goodReply(request), messages);
  expect(applied.kind).toBe('applied');
});

test('at intake an output is shrunk and what stands beside it stays', () => {
  const conversation = createConversation<Content>({ strategy: 'auto', contextLimit: 100_000 });
  const output = 'the same line\n'.repeat(2_000);
  conversation.add(user(text('Go.')), model(call('run_shell_command', 'x')));
  conversation.add(user(response('run_shell_command', { output, exitCode: 3 })));
  const [payload] =
    conversation.messages[2]?.parts.map((part) => (part.functionResponse as { response: unknown }).response) ?? [];
  expect(payload).toEqual({ output: expect.any(String) as string, exitCode: 3 });
  expect((payload as { output: string }).output.length).toBeLessThan(output.length / 4);
  conversation.dispose();
});

test('a message of nothing stands where it stands: no call moves behind it', () => {
  const part = (name: string, output: string) => ({ functionResponse: { id: name, name, response: { output } } });
  const messages = [
    { role: 'model', parts: [] },
    { role: 'user', parts: [part('grep', 'x')] },
    {
      role: 'model',
      parts: [{ text: 'I write.' }, { functionCall: { id: 'write_file', name: 'write_file', args: {} } }],
    },
    { role: 'user', parts: [part('write_file', 'done')] },
  ];
  for (const strategy of ['high-density', 'top-down-truncation'] as const) {
    const left: readonly unknown[] = compress(messages as never, { strategy, contextLimit: 50 }).messages;
    expect(left[left.indexOf(messages[2]) - 1]).toBe(messages[1]);
  }
});
