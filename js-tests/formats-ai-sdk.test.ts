// Messages of the AI SDK: what its providers demand, whatever the message says of it.
import { modelMessageSchema, safeValidateUIMessages, convertToModelMessages } from 'ai';
import { modelMessageSchema as newestSchema } from 'ai7';
import { type AiSdkMessageLike, compress, createConversation, estimateTokens, optimize } from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as ui from 'densify/ai-sdk/ui';
import { optimize as optimizeNeutral } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, malformedHistory, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { aiSdkCase, aiSdkPromptCase, aiSdkUiCase, stepwise } from './support/formats-ai-sdk.js';
import { goodReply } from './support/replies.js';
import { frozen } from './support/simulation.js';

type Part = { readonly type: string } & Record<string, unknown>;
interface Message extends AiSdkMessageLike {
  readonly content: string | readonly Part[];
}

const LINES = 'a line of a file\n'.repeat(20);
const user = (content: string): Message => ({ role: 'user', content });
const ai = (...content: Part[]): Message => ({ role: 'assistant', content });
const tool = (...content: Part[]): Message => ({ role: 'tool', content });
const text = (words: string): Part => ({ type: 'text', text: words });
const call = (id: string, name: string, further: object = {}): Part => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: name,
  input: { path: 'a.ts' },
  ...further,
});
const result = (id: string, name: string, output: unknown = { type: 'text', value: LINES }): Part => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: name,
  output,
});
const reasoning = (words: string, providerOptions?: object): Part => ({
  type: 'reasoning',
  text: words,
  ...(providerOptions === undefined ? {} : { providerOptions }),
});

/** A read that a write makes stale; what the model said beside its call is given. */
const stale = (...beside: Part[]): Message[] => [
  user('Rename the function.'),
  ai(...beside, call('r', 'read_file')),
  tool(result('r', 'read_file')),
  ai(call('w', 'write_file')),
  tool(result('w', 'write_file', { type: 'json', value: { ok: true } })),
  ai(text('Done.')),
  user('Thanks.'),
];
const types = ({ content }: Message) => (typeof content === 'string' ? content : content.map(({ type }) => type));

describe('what stays or goes together', () => {
  test('a stale read goes, all others are the caller’s own', () => {
    const messages = stale(text('I look.'));
    const { messages: output } = optimize(messages, { model: 'gpt-5' });
    expect(output).toEqual([messages[0], ai(text('I look.')), ...messages.slice(3)]);
    for (const [at, from] of [0, undefined, 3, 4, 5, 6].entries()) {
      if (from !== undefined) expect(output[at]).toBe(messages[from]);
    }
  });

  test('a reasoning item goes with its call where it is known whose it is, and only then', () => {
    const messages = stale(reasoning('Let me see.', { openai: { itemId: 'rs_1' } }));
    expect(optimize(messages, { provider: 'openai.responses' }).messages.map(types)).toEqual([
      'Rename the function.',
      ['tool-call'],
      ['tool-result'],
      ['text'],
      'Thanks.',
    ]);
    expect(optimize(messages).messages).toBe(messages);
    expect(optimize(messages, { model: 'claude-opus-4-1' }).messages).toBe(messages);
  });

  test('what the model said keeps its reasoning item, and the call that follows', () => {
    const messages = stale(reasoning('', { openai: { reasoningEncryptedContent: 'cipher' } }), text('I look.'));
    expect(optimize(messages, { provider: 'openai' }).messages).toBe(messages);
    // Its result may be shortened all the same.
    const pruned = optimize(messages, { provider: 'openai', recencyPruning: true, recencyRetention: 1 });
    expect(pruned.messages[1]).toBe(messages[1]);
  });

  test('parallel calls of which one carries the signature go together or not at all', () => {
    const signed = { providerOptions: { google: { thoughtSignature: 'sealed' } } };
    const messages = [
      user('Look.'),
      ai(call('r', 'read_file', signed), call('g', 'grep')),
      tool(result('r', 'read_file'), result('g', 'grep')),
      ...stale().slice(3),
    ];
    const output = optimize(messages, { model: 'gemini-3-pro' }).messages;
    const calls = output.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map((p) => p.toolCallId),
    );
    expect(calls.includes('r')).toBe(calls.includes('g'));
  });

  test('what was to be approved stays, with the request and the response', () => {
    const messages: Message[] = [
      user('Look.'),
      ai(call('r', 'read_file'), { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'r' }),
      tool({ type: 'tool-approval-response', approvalId: 'a1', approved: true }),
      tool(result('r', 'read_file')),
      ...stale().slice(3),
    ];
    expect(optimize(messages, { model: 'gpt-5' }).messages).toBe(messages);
    for (const contextLimit of [60, 120, 200, 400]) {
      const { messages: left } = compress(messages, { strategy: 'top-down-truncation', contextLimit, model: 'gpt-5' });
      const has = (type: string) => left.some((message) => types(message).includes(type));
      expect(has('tool-approval-request')).toBe(has('tool-approval-response'));
    }
  });

  test('what the provider’s own tools did is never edited', () => {
    const searched = call('s', 'web_search', { providerExecuted: true });
    const found = result('s', 'web_search', { type: 'json', value: [{ url: 'https://example.com', text: LINES }] });
    const messages = [user('Search.'), ai(searched, found, text('Found.')), user('And?'), ...stale().slice(1)];
    const output = optimize(messages, { recencyPruning: true, recencyRetention: 0, model: 'claude-opus-4-1' });
    expect(output.messages[1]).toBe(messages[1]);
  });

  test('thinking that is bound to what precedes it goes behind an edit', () => {
    const signed = { anthropic: { signature: 's' } };
    const messages = stale();
    messages[3] = ai(reasoning('Now I write.', signed), call('w', 'write_file'));
    const output = optimize(messages, { model: 'claude-opus-5-5' });
    expect(output.messages.flatMap(types)).not.toContain('reasoning');
    expect(output.edits.some(({ rule }) => rule === 'bound-thinking')).toBe(true);
    const gateway = optimize(messages, { model: 'anthropic/claude-sonnet-4.5', provider: 'gateway' });
    expect(gateway.messages.flatMap(types)).toContain('reasoning');
  });

  test('the provider’s own summary stays', () => {
    const compaction = { ...text(LINES), providerOptions: { anthropic: { type: 'compaction' } } };
    const messages = [user('Go.'), ai(compaction), ...Array.from({ length: 10 }, () => stale().slice(1)).flat()];
    const { messages: left } = compress(messages, { strategy: 'top-down-truncation', contextLimit: 300 });
    expect(left).toContain(messages[1]);
  });
});

describe('outputs', () => {
  const pruned = (output: unknown) => {
    const messages = [
      ai(call('1', 'grep')),
      tool(result('1', 'grep', output)),
      ai(call('2', 'grep')),
      tool(result('2', 'grep')),
    ];
    const { messages: left } = optimize(messages, { recencyPruning: true, recencyRetention: 1 });
    const [, answer] = left as readonly Message[];
    return (answer?.content as readonly Part[] | undefined)?.[0]?.output;
  };
  const POINTER = '[Result pruned — re-run tool to retrieve]';

  test.each([
    [
      { type: 'text', value: LINES },
      { type: 'text', value: POINTER },
    ],
    [
      { type: 'json', value: { lines: [LINES] } },
      { type: 'text', value: POINTER },
    ],
    [
      { type: 'json', value: LINES, providerOptions: { x: { y: 1 } } },
      { type: 'json', value: POINTER, providerOptions: { x: { y: 1 } } },
    ],
    [
      { type: 'error-text', value: LINES },
      { type: 'error-text', value: POINTER },
    ],
    [
      { type: 'error-json', value: { lines: [LINES] } },
      { type: 'error-text', value: POINTER },
    ],
    [
      { type: 'execution-denied', reason: LINES },
      { type: 'execution-denied', reason: LINES },
    ],
    [
      {
        type: 'content',
        value: [text(LINES), { type: 'file-data', data: 'AAAA', mediaType: 'image/png' }, text(LINES)],
      },
      { type: 'content', value: [text(POINTER), { type: 'file-data', data: 'AAAA', mediaType: 'image/png' }] },
    ],
    [{ type: 'content', value: [{ type: 'image-url', url: 'https://example.com/a.png' }] }, undefined],
  ])('%j', (given, expected) => {
    const found = pruned(given);
    if (expected === undefined) return expect(found).toBe(given);
    expect(found).toEqual(expected);
    const answer = tool(result('1', 'grep', found));
    expect(modelMessageSchema.safeParse(answer).success).toBe(true);
    expect(newestSchema.safeParse(answer).success).toBe(true);
  });

  test('files cost what media cost, whatever their data are', () => {
    const bytes = new Uint8Array(300_000);
    const forms = [
      bytes,
      bytes.buffer,
      'A'.repeat(400_000),
      new URL('https://example.com/a.png'),
      { type: 'data', data: bytes },
      { type: 'url', url: new URL('https://example.com/a.png') },
      { type: 'reference', reference: { openai: 'file_1' } },
      { type: 'text', text: 'words' },
    ];
    for (const data of forms) {
      const message: Message = { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] };
      expect(estimateTokens([message])).toBeLessThan(5_000);
      const messages = [message, ...stale()];
      expect(optimize(messages, { model: 'gpt-5' }).messages[0]).toBe(message);
    }
  });
});

describe('prompts of providers', () => {
  test('summaries are lists of parts', async () => {
    const conversation = createConversation<Message>({ strategy: 'middle-out', contextLimit: 2_000, threshold: 0.2 });
    const prompts = prompt.createConversation<Message>({ strategy: 'middle-out', contextLimit: 2_000, threshold: 0.2 });
    for (const message of Array.from({ length: 8 }, () => stale()).flat()) {
      const list: Message =
        typeof message.content === 'string' ? { ...message, content: [text(message.content)] } : message;
      conversation.add(message);
      prompts.add(list);
    }
    const summarize = () => Promise.resolve(goodReply({ strategy: 'middle-out' }));
    await conversation.prepare({ summarize });
    await prompts.prepare({ summarize });
    expect(prompts.stats.summaries).toBeGreaterThan(0);
    expect(conversation.stats.summaries).toBe(prompts.stats.summaries);
    for (const { role, content } of prompts.messages) {
      expect(role === 'system' || Array.isArray(content)).toBe(true);
    }
    // No summary is a system message: the SDK refuses those among messages.
    for (const message of conversation.messages) {
      expect(modelMessageSchema.safeParse(message).success).toBe(true);
      expect(message.role).not.toBe('system');
    }
  });

  test('what a call of the model changes, the next doesn’t change again', () => {
    check(
      200,
      fc.property(history(), (entries) => {
        const messages = aiSdkCase.from(entries) as unknown as Message[];
        const once = prompt.optimize(messages).messages;
        expect(prompt.optimize(once).messages).toBe(once);
      }),
    );
  });
});

describe('messages of user interfaces', () => {
  const done = (id: string, name: string, further: object = {}): Part => ({
    type: `tool-${name}`,
    toolCallId: id,
    state: 'output-available',
    input: { path: 'a.ts' },
    output: LINES,
    ...further,
  });
  const asked = { id: 'u1', role: 'user' as const, parts: [text('Go.')] };
  const answer = (...parts: Part[]) => ({ id: 'a1', role: 'assistant' as const, parts });
  const step: Part = { type: 'step-start' };

  test('a stale read goes from the midst of an answer, which keeps its id', () => {
    const source = { type: 'source-url', sourceId: 's', url: 'https://example.com' };
    const messages = [
      asked,
      answer(
        step,
        text('I look.'),
        done('r', 'read_file'),
        source,
        step,
        done('w', 'write_file', { output: 'ok' }),
        step,
        text('Done.'),
      ),
    ];
    const before = structuredClone(messages);
    const { messages: output } = ui.optimize(messages, { model: 'gpt-5' });
    expect(output).toEqual([
      asked,
      answer(step, text('I look.'), source, step, done('w', 'write_file', { output: 'ok' }), step, text('Done.')),
    ]);
    expect(output[0]).toBe(asked);
    expect(messages).toEqual(before);
  });

  test.each([
    { state: 'input-streaming', output: undefined },
    { state: 'input-available', output: undefined },
    { state: 'approval-requested', output: undefined, approval: { id: 'p' } },
    { state: 'approval-responded', output: undefined, approval: { id: 'p', approved: true } },
    { preliminary: true },
    { providerExecuted: true },
  ])('only answers that are final are edited: %j', (further) => {
    const messages = [asked, answer(done('r', 'read_file', further), step, done('w', 'write_file', { output: 'ok' }))];
    const output = ui.optimize(messages, { model: 'gpt-5', recencyPruning: true, recencyRetention: 0 });
    expect(output.messages[1]?.parts[0]).toBe(messages[1]?.parts[0]);
  });

  test('failures stay failures', () => {
    const failed = done('g', 'grep', { state: 'output-error', output: undefined, errorText: LINES });
    const { messages } = ui.optimize([asked, answer(failed, step, done('h', 'grep'))], {
      recencyPruning: true,
      recencyRetention: 1,
    });
    const [part] = messages[1]?.parts ?? [];
    expect(part).toMatchObject({ state: 'output-error', errorText: '[Result pruned — re-run tool to retrieve]' });
  });

  test('whatever comes in: nothing is thrown, ids stay, and the SDK takes what it took', async () => {
    const runs: Promise<void>[] = [];
    check(
      1_000,
      fc.property(fc.oneof(history(10), malformedHistory), options, fc.nat(3), (entries, given, which) => {
        const messages = frozen(aiSdkUiCase.from(entries.filter(isEntry)));
        const { protect: _, ...rest } = given;
        const settings = { ...rest, ...(which < 2 ? aiSdkUiCase.known : {}) } as never;
        const outputs = [
          ui.optimize(messages as never, settings).messages,
          ui.compress(messages as never, { strategy: 'high-density', contextLimit: 40 }).messages,
          ui.compress(messages as never, { strategy: 'top-down-truncation', contextLimit: 40 }).messages,
        ];
        const ids = new Set(messages.map(({ id }) => id));
        for (const output of outputs) {
          for (const message of output) {
            expect(ids.has(message.id)).toBe(true);
            expect(message.parts.length > 0 || messages.includes(message as never)).toBe(true);
          }
          runs.push(takesWhatItTook(messages, output));
        }
      }),
    );
    await Promise.all(runs);
  });
});

describe.each([aiSdkCase, aiSdkPromptCase, aiSdkUiCase])('$name', ({ verbs, known, from, said, isEmpty }) => {
  const isUi = verbs.optimize === (ui.optimize as unknown);

  test('decides what it decides for the neutral form, and nothing more a second time', () => {
    check(
      500,
      fc.property(history(), options, (entries, { protect: _, ...given }) => {
        const contents = isUi ? stepwise(plainly(entries)) : plainly(entries);
        const messages = frozen(from(contents));
        const expected = optimizeNeutral(contents, given as object);
        const settings = { ...given, ...known } as never;
        const output = verbs.optimize(messages as never, settings);
        expect(output.metadata).toEqual(expected.metadata);
        const left = (list: readonly unknown[]) => list.flatMap(said).filter(({ kind }) => kind !== 'text');
        expect(left(output.messages)).toEqual(left(from(isUi ? stepwise(expected.messages) : expected.messages)));
        expect(output.changed).toBe(output.messages !== (messages as unknown));
        const texts = new Set(messages.map((message) => JSON.stringify(message)));
        for (const message of output.messages) {
          expect(messages.includes(message as never) || !texts.has(JSON.stringify(message))).toBe(true);
        }
        expect(verbs.optimize(output.messages, settings).messages).toBe(output.messages);
      }),
    );
  });

  test('whatever comes in: nothing is thrown, no pair is parted, nothing is emptied', () => {
    const odd = fc.array(
      fc.tuple(fc.nat(30), fc.constantFrom('drop', 'twice', 'replace', 'empty'), fc.json({ maxDepth: 2 })),
      {
        maxLength: 4,
      },
    );
    check(
      2_000,
      fc.property(fc.oneof(history(10), malformedHistory), odd, options, fc.nat(3), (entries, wounds, given, which) => {
        const messages = frozen(damaged(from(entries.filter(isEntry)), wounds)) as never[];
        const settings = { ...(which < 2 ? known : {}) };
        const outputs = [
          verbs.optimize(messages, { ...given, ...settings } as never).messages,
          ...(['high-density', 'top-down-truncation'] as const).map(
            (strategy) => verbs.compress(messages, { strategy, contextLimit: 40, ...settings }).messages,
          ),
        ];
        for (const output of outputs) {
          expect(orphans(output.flatMap(said))).toBeLessThanOrEqual(orphans(messages.flatMap(said)));
          for (const message of output) expect(isEmpty(message) && !messages.includes(message as never)).toBe(false);
        }
      }),
    );
  });
});

/** How many calls and results are alone. */
function orphans(said: readonly { readonly kind: string; readonly what: string }[]): number {
  const open = new Map<string, number>();
  let alone = 0;
  for (const { kind, what } of said) {
    const calls = open.get(what) ?? 0;
    if (kind === 'call') open.set(what, calls + 1);
    else if (kind === 'result' && calls > 0) open.set(what, calls - 1);
    else if (kind === 'result') alone += 1;
  }
  return [...open.values()].reduce((sum, count) => sum + count, alone);
}

/** A history after what stores do to histories. */
function damaged(messages: readonly object[], wounds: readonly [number, string, string][]): unknown[] {
  const list: unknown[] = [...messages];
  for (const [at, kind, json] of wounds) {
    const index = at % Math.max(list.length, 1);
    const value: unknown = JSON.parse(json);
    if (kind === 'drop') list.splice(index, 1);
    else if (kind === 'twice') list.splice(index, 0, structuredClone(list[index]));
    else if (kind === 'replace') list[index] = value;
    else list[index] = { ...(list[index] as object | undefined), content: value, parts: value };
  }
  return list;
}

/** Contents that every format can say: results answer a call that is there. */
function plainly(entries: readonly { speaker: string; blocks: readonly unknown[] }[]) {
  const open = new Set<string>();
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const blocks = entry.blocks.flatMap((given) => {
      const block = given as Part;
      if (entry.speaker === 'human') return ['text', 'media'].includes(block.type) ? [block] : [];
      if (entry.speaker === 'tool') {
        if (block.type !== 'tool_response' || !open.delete(block.callId as string)) return [];
        const { error, ...rest } = block;
        return [
          {
            ...rest,
            result: typeof rest.result === 'string' ? rest.result : JSON.stringify(rest.result),
            ...(error ? { error } : {}),
          },
        ];
      }
      if (block.type === 'tool_call') {
        if (seen.has(block.id as string)) return [];
        seen.add(block.id as string);
        open.add(block.id as string);
      }
      return ['text', 'thinking', 'tool_call'].includes(block.type) ? [block] : [];
    });
    return blocks.length > 0 ? [{ ...entry, blocks }] : [];
  }) as never[];
}

function isEntry(entry: unknown): boolean {
  const { speaker, blocks } = (entry ?? {}) as { speaker?: unknown; blocks?: unknown };
  const isKnown = speaker === 'human' || speaker === 'ai' || speaker === 'tool';
  return isKnown && Array.isArray(blocks) && blocks.every((block) => typeof block?.type === 'string');
}

async function takesWhatItTook(input: readonly unknown[], output: readonly unknown[]): Promise<void> {
  if (output.length === 0 || !(await safeValidateUIMessages({ messages: input })).success) return;
  expect((await safeValidateUIMessages({ messages: output })).success).toBe(true);
  await convertToModelMessages(output as never);
}
