// densify sets a cache breakpoint before the next flush if the host uses breakpoints and leaves one free.
import * as aiSdk from 'densify/ai-sdk';
import * as aiSdkPrompt from 'densify/ai-sdk/prompt';
import * as anthropic from 'densify/anthropic';
import * as langchain from 'densify/langchain';
import { describe, expect, test } from 'vitest';
import { formatOf, MARK, requestsOf, session } from './support/hooks.js';
import type { Message } from './support/loose.js';

const MODEL = 'claude-opus-4-6';
const { from } = formatOf({ format: 'anthropic' });
const messages = from(session('one', 120));
const marked = (message: Message): Message => ({
  ...message,
  content: (message.content as Message[]).map((block, at, all) =>
    at === all.length - 1 ? { ...block, ...MARK } : block,
  ),
});
const count = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;

/** What the provider gets, request by request, if the host marks its system prompt so often, and the end. */
async function sent(system: number, more: object = {}, options: object = {}) {
  const hook = anthropic.middleware({ preset: 'aggressive', ...options });
  const bodies: { readonly messages: Message[] }[] = [];
  for (const list of requestsOf(messages)) {
    const given = list.map((message, at) => (at === list.length - 1 && system >= 0 ? marked(message) : message));
    const texts = Array.from({ length: 4 }, (_, at) => ({
      type: 'text',
      text: `rule ${at}`,
      ...(at < system && MARK),
    }));
    const body = JSON.stringify({ model: MODEL, max_tokens: 9, system: texts, messages: given, ...more });
    const request = await hook({ url: 'https://x/v1/messages', body }, async (forwarded) => forwarded);
    bodies.push(JSON.parse(request.body) as { messages: Message[] });
  }
  return bodies;
}

const places = ({ messages: list }: { readonly messages: Message[] }): number[] =>
  list.flatMap((message, at) => (count(message) > 0 ? [at] : []));

describe('Anthropic’s middleware', () => {
  test('sets one where three are in use, and never more than four', async () => {
    const bodies = await sent(2);
    const anchored = bodies.filter((body) => places(body).length === 2);
    expect(anchored.length).toBeGreaterThan(10);
    for (const body of bodies) {
      expect(count(body)).toBeLessThanOrEqual(4);
      expect(places(body).at(-1)).toBe(body.messages.length - 1);
    }
  });

  test('what changes in a request stands behind one of its breakpoints', async () => {
    const bare = (message: unknown) => JSON.stringify(message).replaceAll(`,${JSON.stringify(MARK).slice(1, -1)}`, '');
    const bodies = await sent(2);
    let flushes = 0;
    bodies.forEach((body, at) => {
      const before = bodies[at - 1]?.messages ?? [];
      const same = before.findIndex((message, place) => bare(message) !== bare(body.messages[place]));
      if (same <= 0) return;
      flushes += 1;
      // The breakpoint before the change was there in the request before, too, or one at most 20 blocks before it.
      const [anchor = -1] = places(body);
      expect(anchor).toBeLessThan(same);
      expect(anchor).toBeGreaterThan(same - 20);
    });
    expect(flushes).toBeGreaterThan(0);
  });

  test('sets none where four are in use, or none', async () => {
    for (const body of await sent(3)) expect(places(body)).toEqual([body.messages.length - 1]);
    for (const body of await sent(-1)) expect(count(body)).toBe(0);
    for (const body of await sent(2, {}, { observe: true })) expect(places(body)).toEqual([body.messages.length - 1]);
  });

  test('sets none where the provider would cache nothing: less than its shortest prefix, and nothing ahead of it', async () => {
    const SHORTEST = 4096 * 4;
    const kept = (bodies: readonly { readonly messages: Message[] }[]) =>
      bodies.flatMap((body) => {
        const [anchor = 0, newest] = places(body);
        return newest === undefined ? [] : [JSON.stringify(body.messages.slice(0, anchor + 1)).length];
      });
    const behindNothing = kept(await sent(0));
    expect(behindNothing.length).toBeGreaterThan(10);
    expect(Math.min(...behindNothing)).toBeGreaterThanOrEqual(SHORTEST);
    // A breakpoint on the system prompt keeps more than the messages.
    expect(Math.min(...kept(await sent(1)))).toBeLessThan(SHORTEST);
  });

  test('one that the provider sets by itself counts', async () => {
    const bodies = await sent(3, MARK);
    for (const body of bodies) expect(count(body)).toBe(5 + places(body).length - 1);
    const few = await sent(1, { ...MARK });
    for (const body of few) expect(count(body)).toBeLessThanOrEqual(4);
  });
});

/** A hook of an SDK, whose host marks the newest message. */
interface Hooked {
  readonly name: string;
  readonly format: string;
  readonly key: string;
  readonly createConversation: unknown;
  make(options: object): (messages: Message[]) => Promise<readonly unknown[]>;
}

const texts = (content: unknown) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

const hooked: readonly Hooked[] = [
  {
    name: 'Anthropic’s middleware',
    format: 'anthropic',
    key: '"cache_control"',
    createConversation: anthropic.createConversation,
    make(options) {
      const hook = anthropic.middleware(options);
      return async (list) => {
        const body = JSON.stringify({
          model: MODEL,
          max_tokens: 9,
          system: [{ type: 'text', text: 'Be brief.', ...MARK }],
          messages: [...list.slice(0, -1), marked(list.at(-1)!)],
        });
        const { body: made } = await hook({ url: 'https://x/v1/messages', body }, async (request) => request);
        return (JSON.parse(made) as { messages: unknown[] }).messages;
      };
    },
  },
  {
    name: 'the AI SDK’s middleware',
    format: 'ai-sdk/prompt',
    key: '"cacheControl"',
    createConversation: aiSdkPrompt.createConversation,
    make(options) {
      const { transformParams } = aiSdk.middleware(options);
      const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
      const model = { modelId: MODEL, provider: 'anthropic.messages' };
      return async (list) => {
        const prompt = [...list.slice(0, -1), { ...list.at(-1)!, providerOptions }];
        const tools = [{ type: 'function', name: 'bash', inputSchema: {}, providerOptions }];
        return (await transformParams({ params: { prompt, tools }, model } as never)).prompt;
      };
    },
  },
  {
    name: 'LangChain’s wrapModelCall',
    format: 'langchain',
    key: '"cache_control"',
    createConversation: langchain.createConversation,
    make(options) {
      const hook = langchain.wrapModelCall({ ...options });
      const model = { model: MODEL, _llmType: () => 'anthropic' };
      return async (list) => {
        // Messages as LangChain stores them.
        const newest = list.at(-1)! as { readonly data: Message };
        const content = (texts(newest.data.content) as Message[]).map((block) => ({ ...block, ...MARK }));
        const given = [...list.slice(0, -1), { ...newest, data: { ...newest.data, content } }];
        return hook({ messages: given as never[], model }, async (request) => request.messages);
      };
    },
  },
];

describe.each(hooked)('$name', ({ format, key, createConversation, make }) => {
  const rules = { preset: 'aggressive' } as const;
  const window = { strategy: 'high-density', contextLimit: 1_000_000, intake: false, optimize: rules } as const;
  const create = createConversation as typeof anthropic.createConversation;

  test.each([
    ['alone', rules],
    ['with a conversation', { conversation: (target: object) => create({ ...target, ...window }) }],
  ])('%s sets one ahead of the next flush, and the newest message keeps its own', async (_, options) => {
    const send = make(options);
    let anchored = 0;
    for (const request of requestsOf(formatOf({ format }).from(session('one', 120)))) {
      const bears = (await send(request)).map((message) => JSON.stringify(message).includes(key));
      const ends = bears.filter(Boolean).length;
      expect(bears.at(-1)).toBe(true);
      expect(ends).toBeLessThanOrEqual(2);
      if (ends === 2) anchored += 1;
    }
    expect(anchored).toBeGreaterThan(10);
  });
});
