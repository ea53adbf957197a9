// The AI SDK's messages: demands of its providers, which the messages don't show.
import { modelMessageSchema } from 'ai';
import { modelMessageSchema as newestSchema } from 'ai7';
import { type AiSdkMessageLike, compress, createConversation, estimateTokens, optimize } from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import { validate } from 'densify/validate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history } from './support/arbitrary.js';
import { check } from './support/check.js';
import { aiSdkCase } from './support/formats-ai-sdk.js';
import { goodReply } from './support/replies.js';

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

/** A read that a write makes stale. `beside` is what the model said next to its call. */
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

test('what the provider runs after an approval stays with its result, or goes with it', () => {
  const turn = (at: number) => [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: `m${at}`, toolName: 'mcp', input: {}, providerExecuted: true },
        { type: 'tool-approval-request', approvalId: `ap${at}`, toolCallId: `m${at}` },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: `ap${at}`, approved: true, providerExecuted: true }],
    },
    {
      role: 'assistant',
      content: [
        { type: 'tool-result', toolCallId: `m${at}`, toolName: 'mcp', output: { type: 'json', value: {} } },
        { type: 'text', text: 'some words that fill the window. '.repeat(12) },
      ],
    },
    { role: 'user', content: 'more' },
  ];
  const messages = [{ role: 'user', content: 'Begin.' }, ...Array.from({ length: 8 }, (_, at) => turn(at)).flat()];
  const lengths = new Set<number>();
  for (const model of [undefined, 'gpt-5', 'claude-sonnet-4-5']) {
    for (let contextLimit = 200; contextLimit < 1_600; contextLimit += 100) {
      const options = { strategy: 'top-down-truncation', contextLimit, ...(model && { model }) } as const;
      const result = compress(messages as never[], options);
      lengths.add(result.messages.length);
      expect(validate(result.messages, { format: 'ai-sdk' }).findings.filter(({ level }) => level === 'error')).toEqual(
        [],
      );
    }
  }
  expect(lengths.size).toBeGreaterThan(3);
});

describe('what stays or goes together', () => {
  test('a stale read goes, all others are the caller’s own', () => {
    const messages = stale(text('I look.'));
    const { messages: output } = optimize(messages, { preset: 'seed', model: 'gpt-5' });
    expect(output).toEqual([messages[0], ai(text('I look.')), ...messages.slice(3)]);
    for (const [at, from] of [0, undefined, 3, 4, 5, 6].entries()) {
      if (from !== undefined) expect(output[at]).toBe(messages[from]);
    }
  });

  test('a reasoning item goes with its call where it is known whose it is, and only then', () => {
    const messages = stale(reasoning('Let me see.', { openai: { itemId: 'rs_1' } }));
    expect(optimize(messages, { preset: 'seed', provider: 'openai.responses' }).messages.map(types)).toEqual([
      'Rename the function.',
      ['tool-call'],
      ['tool-result'],
      ['text'],
      'Thanks.',
    ]);
    expect(optimize(messages, { preset: 'seed' }).messages).toBe(messages);
    expect(optimize(messages, { preset: 'seed', model: 'claude-opus-4-1' }).messages).toBe(messages);
  });

  test('what the model said keeps its reasoning item, and the call that follows', () => {
    const messages = stale(reasoning('', { openai: { reasoningEncryptedContent: 'cipher' } }), text('I look.'));
    expect(optimize(messages, { preset: 'seed', provider: 'openai' }).messages).toBe(messages);
    // Its result may be shortened all the same.
    const pruned = optimize(messages, {
      preset: 'seed',
      provider: 'openai',
      rules: { recencyPruning: true, recencyRetention: 1 },
    });
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
    const output = optimize(messages, { preset: 'seed', model: 'gemini-3-pro' }).messages;
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
    expect(optimize(messages, { preset: 'seed', model: 'gpt-5' }).messages).toBe(messages);
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
    const output = optimize(messages, {
      preset: 'seed',
      rules: { recencyPruning: true, recencyRetention: 0 },
      model: 'claude-opus-4-1',
    });
    expect(output.messages[1]).toBe(messages[1]);
  });

  test('thinking that is bound to what precedes it goes behind an edit', () => {
    const signed = { anthropic: { signature: 's' } };
    const messages = stale();
    messages[3] = ai(reasoning('Now I write.', signed), call('w', 'write_file'));
    const output = optimize(messages, { preset: 'seed', model: 'claude-opus-5-5' });
    expect(output.messages.flatMap(types)).not.toContain('reasoning');
    expect(output.edits.some(({ rule }) => rule === 'bound-thinking')).toBe(true);
    const gateway = optimize(messages, { preset: 'seed', model: 'anthropic/claude-sonnet-4.5', provider: 'gateway' });
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
    const { messages: left } = optimize(messages, {
      preset: 'seed',
      rules: { recencyPruning: true, recencyRetention: 1 },
    });
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
      expect(optimize(messages, { preset: 'seed', model: 'gpt-5' }).messages[0]).toBe(message);
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
        const once = prompt.optimize(messages, { preset: 'seed' }).messages;
        expect(prompt.optimize(once, { preset: 'seed' }).messages).toBe(once);
      }),
    );
  });
});
