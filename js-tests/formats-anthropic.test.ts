// Messages of Anthropic's Messages API, as the SDK has them.
import {
  applySummary,
  compress,
  compressRequest,
  createConversation,
  createOptimizer,
  estimateTokens,
  optimize,
  optimizeRequest,
  requestSummary,
  restoreConversation,
} from 'densify/anthropic';
import { describe, expect, test } from 'vitest';
import {
  ai,
  known,
  type Message,
  result,
  SNAPSHOT,
  STALE,
  text,
  thinking,
  use,
  user,
} from './support/formats-anthropic.js';
import { thrownBy } from './support/thrown.js';

describe('optimize', () => {
  test('a stale read goes with its result, the user’s words in the same message stay', () => {
    const before = structuredClone(STALE);
    const output = optimize(STALE, { preset: 'seed', ...known });
    expect(output.messages).toEqual([
      STALE[0],
      ai(text('I look.')),
      user(text('By the way: also the tests.')),
      ...STALE.slice(3),
    ]);
    expect(STALE).toEqual(before);
    for (const at of [0, 3, 4, 5]) expect(output.messages[at]).toBe(STALE[at]);
    expect(output.edits.map(({ kind, index }) => [kind, index])).toEqual([
      ['drop-block', 1],
      ['drop-block', 2],
    ]);
    expect(output.metadata.readWritePairsPruned).toBe(1);
  });

  test('what has nothing to change is handed back', () => {
    const messages = STALE.slice(3);
    const output = optimize(messages, { preset: 'seed', ...known });
    expect(output.messages).toBe(messages);
    expect(output.changed).toBe(false);
  });

  test('old results become pointers, by the tool of their calls', () => {
    const messages = [1, 2, 3].flatMap((n) => [
      ai(use(`a${n}`, 'grep', 'x')),
      user(result(`a${n}`), { type: 'text', text: 'And on.' }),
    ]);
    const output = optimize(messages, {
      preset: 'seed',
      ...known,
      rules: { recencyPruning: true, recencyRetention: 1 },
    });
    const contents = output.messages.flatMap(({ content }) => content as { type: string; content?: unknown }[]);
    const results = contents.filter(({ type }) => type === 'tool_result').map(({ content }) => content);
    expect(results.map((content) => String(content).startsWith('[Result pruned'))).toEqual([true, true, false]);
  });

  test('the texts of a result become one, what else is in it stays', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const long = { type: 'text', text: 'a line\n'.repeat(50) };
    const content = [long, image, { ...long, cache_control: { type: 'ephemeral' } }];
    const messages = [
      ai(use('b1', 'grep', 'x')),
      user(result('b1', content)),
      ai(use('b2', 'grep', 'y')),
      user(result('b2')),
    ];
    const output = optimize(messages, {
      preset: 'seed',
      ...known,
      rules: { recencyPruning: true, recencyRetention: 1 },
    });
    expect(output.messages[1]).toEqual(
      user(
        result('b1', [
          { type: 'text', text: '[Result pruned — re-run tool to retrieve]', cache_control: { type: 'ephemeral' } },
          image,
        ]),
      ),
    );
  });

  test('images are no text: a result with one costs little', () => {
    const data = 'A'.repeat(400_000);
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const messages = [ai(use('b1', 'shot', 'x')), user(result('b1', [text('A picture.'), image]))];
    expect(estimateTokens(messages)).toBeLessThan(5_000);
  });

  test('an inclusion that leaves nothing but white space takes its block with it', () => {
    const file = (words: string) => `--- a.ts ---\n${words}\n--- End of content ---\n`;
    const messages = [
      user(text(`${file('one')}\n`), text('Look.')),
      user(text(`${file('one')}\n`)),
      user(text(file('two'))),
    ];
    const output = optimize(messages, { preset: 'seed', ...known });
    expect(output.messages[0]).toEqual(user(text('Look.')));
    const [, second] = output.messages;
    const [left] = (second as Message).content as unknown as { text: string }[];
    expect(left?.text.trim()).not.toBe('');
  });
});

describe('whole messages', () => {
  const many = Array.from({ length: 12 }, (_, n) => [
    ai(text('Step.'), use(`c${n}`, 'grep', 'x')),
    user(result(`c${n}`), text(`Word ${n} of the user.`)),
  ]).flat();
  const history: Message[] = [{ role: 'user', content: 'Begin, please.' }, ...many, ai(text('Done.'))];

  test('compress drops messages, never a part of one, and opens with the user', () => {
    for (const strategy of ['top-down-truncation', 'high-density'] as const) {
      const output = compress(history, { strategy, contextLimit: 900, ...known });
      if (output.kind !== 'applied') throw new Error(output.reason);
      expect(output.messages[0]?.role).toBe('user');
      expect(output.metadata.originalMessageCount).toBe(history.length);
      expect(output.metadata.compressedMessageCount).toBe(output.messages.length);
      const dropped = output.edits.filter(({ kind }) => kind === 'drop').map(({ index }) => index);
      expect(new Set(dropped).size).toBe(output.metadata.entriesDropped);
      expect(output.edits.some(({ kind }) => kind === 'drop-block')).toBe(false);
    }
  });

  test('a tail of so many messages is one of messages', () => {
    const output = compress(history, {
      strategy: 'high-density',
      contextLimit: 900,
      preserve: { messages: 4 },
      ...known,
    });
    if (output.kind !== 'applied') throw new Error(output.reason);
    // The tail begins at a call: four messages from the end that is a message of results, so one later.
    expect(output.metadata.tailCount).toBe(3);
    expect(output.messages.slice(-3)).toEqual(history.slice(-3));
  });

  test('an optimizer takes turns, and its output, and survives a late count', () => {
    const optimizer = createOptimizer<Message>({
      preset: 'seed',
      ...known,
      rules: { recencyPruning: true, recencyRetention: 2 },
    });
    let stored: readonly Message[] = [];
    for (let at = 0; at < history.length; at += 2) {
      stored = optimizer.optimize([...stored, ...history.slice(at, at + 2)]).messages;
    }
    const whole = optimize(history, { preset: 'seed', ...known, rules: { recencyPruning: true, recencyRetention: 2 } });
    expect(stored).toEqual(whole.messages);
    expect(optimizer.optimize(JSON.parse(JSON.stringify(stored)) as Message[]).messages).toEqual(whole.messages);
  });

  test('a summary is put between messages, and conflicts name messages', () => {
    const request = requestSummary(history, { strategy: 'middle-out', preserve: { messages: 6 } });
    if (request.kind !== 'request') throw new Error(request.reason);
    const { start, end, fingerprint } = request.plan;
    expect(fingerprint).toHaveLength((end - start) * 8);
    expect(request.messages.at(-1)?.role).toBe('user');
    const longer = [...history, user(text('More.'))];
    const applied = applySummary(request, SNAPSHOT, longer);
    if (applied.kind !== 'applied') throw new Error(applied.kind);
    expect(applied.messages.slice(0, start)).toEqual(history.slice(0, start));
    expect(applied.messages.slice(start + 2)).toEqual(longer.slice(end));
    expect(applied.metadata.originalMessageCount).toBe(longer.length);
    expect(applied.metadata.compressedMessageCount).toBe(applied.messages.length);
    const changed = history.with(start + 2, user(text('Other words.')));
    expect(applySummary(request, SNAPSHOT, changed)).toMatchObject({ kind: 'conflict', index: start + 2 });
    expect(applySummary(request, SNAPSHOT, history.slice(0, 4))).toMatchObject({ kind: 'conflict', reason: 'missing' });
  });

  test('a conversation goes over a summary, into a snapshot and back', async () => {
    const options = { strategy: 'middle-out', contextLimit: 6_000, threshold: 0.2, ...known } as const;
    const conversation = createConversation<Message>(options);
    for (const message of history) {
      conversation.add(message);
      await conversation.prepare({ summarize: async () => SNAPSHOT });
    }
    expect(conversation.stats.summaries).toBeGreaterThan(0);
    const snapshot = JSON.parse(JSON.stringify(conversation.snapshot()));
    const restored = restoreConversation<Message>(snapshot, JSON.parse(JSON.stringify(history)) as Message[], options);
    expect(restored.messages).toEqual(conversation.messages);
    restored.rewind(5);
    expect(restored.messages).toEqual(history.slice(0, 5));
    expect(conversation.fork(7).messages).toEqual(history.slice(0, 7));
  });
});

describe('intake', () => {
  const lines = Array.from({ length: 400 }, () => 'same line').join('\n');
  const messages = [
    { role: 'user' as const, content: 'Go.' },
    ai(use('t1', 'read_file', 'a.txt'), use('t2', 'run_shell_command', 'x')),
    user(result('t1', lines), result('t2', lines)),
  ] as Message[];

  test('a result is shrunk as its call’s tool has it, and so it is after a restart', () => {
    const options = { strategy: 'auto', contextLimit: 100_000, ...known } as const;
    const conversation = createConversation<Message>(options);
    conversation.add(...messages);
    const [read, shell] = (conversation.messages[2] as Message).content as unknown as { content: string }[];
    expect(read?.content).toBe(lines);
    expect(shell?.content.length).toBeLessThan(lines.length / 10);
    expect(conversation.messages[1]).toBe(messages[1]);
    const snapshot = JSON.parse(JSON.stringify(conversation.snapshot()));
    const restored = restoreConversation<Message>(snapshot, JSON.parse(JSON.stringify(messages)) as Message[], options);
    expect(restored.messages).toEqual(conversation.messages);
  });
});

describe('requests', () => {
  const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const read = { ...use('t1', 'read_file', 'a.ts'), ...mark };
  const request = {
    model: 'claude-3-5-haiku-latest',
    max_tokens: 100,
    system: [{ type: 'text', text: 'You help with code. '.repeat(20), ...mark }],
    tools: [
      { name: 'read_file', description: 'Reads a file.', input_schema: { type: 'object' } },
      { name: 'write_file', description: 'Writes a file, all of it. '.repeat(9), input_schema: { type: 'object' } },
    ],
    messages: [
      { role: 'user' as const, content: 'Go.' },
      ai(text('I look.'), read),
      user({ ...result('t1'), ...mark }),
      ai(use('t2', 'write_file', 'a.ts')),
      user({ ...result('t2', 'ok'), ...mark }),
    ] as Message[],
  };
  const marks = (messages: readonly Message[]) =>
    messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter((block) => 'cache_control' in block);

  test('a breakpoint whose block goes is on the one before it, and there are never more', () => {
    const before = structuredClone(request);
    const output = optimizeRequest(request, { preset: 'seed' });
    expect(request).toEqual(before);
    expect(output.request.messages).toEqual([
      request.messages[0],
      ai({ ...text('I look.'), ...mark }),
      request.messages[3],
      request.messages[4],
    ]);
    expect(marks(output.request.messages)).toHaveLength(2);
    expect({ ...output.request, messages: [] }).toEqual({ ...request, messages: [] });
    expect(output.request.tools).toBe(request.tools);
    expect(output.tokensAfter).toBeLessThan(output.tokensBefore);
  });

  test('thinking bears none, and a text does', () => {
    const messages = [
      { role: 'user' as const, content: 'Go.' },
      ai(thinking('x'), read),
      user(result('t1')),
      ...request.messages.slice(3),
    ] as Message[];
    const output = optimizeRequest({ ...request, messages }, { preset: 'seed' });
    expect(output.request.messages[0]).toEqual(user({ ...text('Go.'), ...mark }));
  });

  test('what goes with the messages is counted, by tool', () => {
    const { overhead } = optimizeRequest(request, { preset: 'seed' });
    expect(overhead.byTool.map(({ name }) => name)).toEqual(['write_file', 'read_file']);
    expect(overhead.total).toBe(overhead.system + overhead.tools + overhead.request);
    expect(overhead.system).toBeGreaterThan(50);
    const counted = optimizeRequest(request, { preset: 'seed', countTokens: () => 7 });
    expect(counted.overhead).toMatchObject({ system: 7, tools: 14, total: 21 + counted.overhead.request });
  });

  test('the request itself comes back if nothing changes; the model decides what its thinking demands', () => {
    const same = { ...request, messages: request.messages.slice(3) };
    expect(optimizeRequest(same, { preset: 'seed' }).request).toBe(same);
    const thought = [
      request.messages[0]!,
      ai(thinking('x'), text('So.'), read),
      ...request.messages.slice(2, 3),
      ai(thinking('y'), use('t2', 'write_file', 'a.ts')),
      request.messages[4]!,
    ] as Message[];
    const of = (model: string) =>
      JSON.stringify(optimizeRequest({ ...request, model, messages: thought }, { preset: 'seed' }).request.messages);
    expect(of('claude-sonnet-5-5')).not.toContain('"y"');
    expect(of('claude-sonnet-4-5')).toContain('"y"');
    expect(of('some-new-model')).toContain('t1');
  });

  test('a request that must fit is compressed with what goes with it in mind', () => {
    const many = Array.from({ length: 30 }, (_, n) => [ai(use(`c${n}`, 'grep', 'x')), user(result(`c${n}`))]).flat();
    const large = { ...request, messages: [request.messages[0]!, ...many] };
    const output = compressRequest(large, { strategy: 'high-density', contextLimit: 3_000 });
    if (output.kind !== 'applied') throw new Error(output.reason);
    expect(output.metadata.targetTokens).toBeLessThanOrEqual((3_000 - output.overhead.total) * 0.85 * 0.6);
    expect(thrownBy(() => compressRequest(large, { strategy: 'high-density', contextLimit: 50 })).code).toBe(
      'invalid-options',
    );
    expect(thrownBy(() => optimizeRequest(undefined as never, { preset: 'seed' })).code).toBe('invalid-messages');
  });
});
