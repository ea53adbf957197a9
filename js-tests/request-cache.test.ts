// A request's cache settings decide when edits are made: whether anything is cached, for how long, at what price.
import * as aiSdk from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as anthropic from 'densify/anthropic';
import { createGateway } from 'densify/gateway';
import { pricesOf } from 'densify/replay';
import { describe, expect, test } from 'vitest';
import { formatOf, requestsOf, session } from './support/hooks.js';
import type { Message } from './support/loose.js';

const MODEL = 'claude-opus-4-6';

/** What a request says of the cache: at its top level, on its newest message, on its system prompt, on the newest reminder. */
interface Asked {
  readonly top?: object;
  readonly newest?: object;
  readonly system?: object;
  readonly reminder?: object;
}

/** A way to send Anthropic's models a request, as its cache wants it. */
interface Door {
  readonly name: string;
  readonly format: string;
  make(options: object, model?: string): (messages: readonly Message[], asked: Asked) => Promise<readonly Message[]>;
}

const last = (messages: readonly Message[], change: (message: Message) => Message): Message[] =>
  messages.map((message, at) => (at === messages.length - 1 ? change(message) : message));

/** Messages with a system message behind each of the user and of tools, as Claude Code has them. The newest has a breakpoint. */
const withReminders = (messages: readonly Message[], of: (text: string, isNewest: boolean) => object): Message[] =>
  messages.flatMap((message, at) => {
    const reminder = of(`${9000 - at} tokens left`, at === messages.length - 1);
    return message.role === 'assistant' ? [message] : [message, { role: 'system', ...reminder } as Message];
  });
const withoutReminders = (messages: readonly Message[]) =>
  messages.filter(({ role, content }) => role !== 'system' || !JSON.stringify(content).includes('tokens left'));

/** A body of Anthropic's API. */
function bodyOf(messages: readonly Message[], { top, newest, system, reminder }: Asked, model: string) {
  const text = (text: string, mark?: object) => [{ type: 'text', text, ...(mark && { cache_control: mark }) }];
  const marked = last(messages, (message) => ({
    ...message,
    content: (message.content as Message[]).map((block) => ({ ...block, ...(newest && { cache_control: newest }) })),
  }));
  const list = withReminders(marked, (said, isNewest) => ({ content: isNewest ? text(said, reminder) : said }));
  return {
    model,
    max_tokens: 9,
    system: text('Be brief.', system),
    messages: reminder ? list : marked,
    ...(top && { cache_control: top }),
  };
}

const marksOf = (mark: object | undefined) => mark && { providerOptions: { anthropic: { cacheControl: mark } } };

const doors: readonly Door[] = [
  {
    name: 'middleware',
    format: 'anthropic',
    make(options, model = MODEL) {
      const hook = anthropic.middleware(options);
      return async (messages, asked) => {
        const request = { url: 'https://x/v1/messages', body: JSON.stringify(bodyOf(messages, asked, model)) };
        return (JSON.parse((await hook(request, async (sent) => sent)).body) as { messages: Message[] }).messages;
      };
    },
  },
  {
    name: 'optimizeRequest',
    format: 'anthropic',
    make:
      (options, model = MODEL) =>
      async (messages, asked) => {
        const { request } = anthropic.optimizeRequest(bodyOf(messages, asked, model) as never, options);
        return (request as { messages: Message[] }).messages;
      },
  },
  {
    name: 'gateway',
    format: 'anthropic',
    make(optimize, model = MODEL) {
      let sent: { messages: Message[] } | undefined;
      const gateway = createGateway({
        optimize,
        intake: false,
        upstreams: { anthropic: 'http://provider.example' },
        fetch: async (_, { body }) => {
          sent = JSON.parse(new TextDecoder().decode(body as Uint8Array)) as { messages: Message[] };
          return Response.json({});
        },
      });
      return async (messages, asked) => {
        const body = JSON.stringify(bodyOf(messages, asked, model));
        await gateway(new Request('http://localhost/anthropic/v1/messages', { method: 'POST', body }));
        return sent!.messages;
      };
    },
  },
  {
    name: 'AI SDK middleware',
    format: 'ai-sdk/prompt',
    make(options, modelId = MODEL) {
      const { transformParams } = aiSdk.middleware(options);
      return async (messages, { top, newest, system, reminder }) => {
        const first = { role: 'system', content: 'Be brief.', ...marksOf(system) };
        const marked = last(messages, (message) => ({ ...message, ...marksOf(newest) }));
        const list = withReminders(marked, (content, isNewest) => ({ content, ...(isNewest && marksOf(reminder)) }));
        const prompt = [first, ...(reminder ? list : marked)];
        const params = { prompt: prompt as never[], ...marksOf(top) };
        const model = { modelId, provider: 'anthropic.messages' };
        const made = await transformParams({ params, model } as never);
        return made.prompt.slice(1) as readonly object[] as readonly Message[];
      };
    },
  },
];

const bare = (messages: readonly unknown[]) =>
  messages.map((message) =>
    JSON.stringify(message, (key, value: unknown) =>
      key === 'cache_control' || key === 'providerOptions' ? undefined : value,
    ),
  );

/** All requests of a session through a door. */
async function sent(door: Door, options: object, asked: Asked, model?: string) {
  const send = door.make({ preset: 'aggressive', ...options }, model);
  const all: string[][] = [];
  for (const request of requestsOf(formatOf(door).from(session('one', 50))))
    all.push(bare(withoutReminders(await send(request, asked))));
  return all;
}

/** The same by a handle, which sees messages only. */
function handled(door: Door, options: object, model = MODEL) {
  const { createOptimizer } = door.format === 'anthropic' ? anthropic : prompt;
  const optimizer = (createOptimizer as typeof anthropic.createOptimizer)({ preset: 'aggressive', model, ...options });
  return requestsOf(formatOf(door).from(session('one', 50))).map((request) =>
    bare([...optimizer.optimize(request as never[]).messages]),
  );
}

/** The same by calls without state that make all edits at once. */
function atOnce(door: Door, model = MODEL) {
  const { optimize } = door.format === 'anthropic' ? anthropic : prompt;
  const options = { preset: 'aggressive', flush: 'always', model } as const;
  return requestsOf(formatOf(door).from(session('one', 50))).map((request) =>
    bare((optimize as typeof anthropic.optimize)(request as never[], options).messages),
  );
}

/** How often a request doesn't begin with the one before it. */
const breaksOf = (requests: readonly (readonly string[])[]): number =>
  requests.filter((request, at) => at > 0 && !requests[at - 1]!.every((message, place) => message === request[place]))
    .length;

const EPHEMERAL = { type: 'ephemeral' };
const HOUR = { type: 'ephemeral', ttl: '1h' };
const { cached, uncached } = pricesOf(MODEL);

describe.each(doors)('$name', (door) => {
  test('a request for Claude without a breakpoint caches no message, so that no edit waits', async () => {
    const always = door.name === 'optimizeRequest' ? atOnce(door) : handled(door, { flush: 'always' });
    expect(await sent(door, {}, {})).toEqual(always);
    expect(await sent(door, {}, { system: HOUR })).toEqual(always);
    expect(breaksOf(always)).toBeGreaterThan(10);
  });

  test('with a breakpoint edits wait, as your own policy says, or as another model may want it', async () => {
    const waiting = handled(door, {});
    expect(await sent(door, {}, { top: EPHEMERAL })).toEqual(waiting);
    expect(await sent(door, {}, { newest: EPHEMERAL })).toEqual(waiting);
    // Claude Code ends its requests with a system message, and has its breakpoint there.
    expect(breaksOf(await sent(door, {}, { reminder: EPHEMERAL }))).toBeLessThan(10);
    expect(await sent(door, { flush: 'never' }, {})).toEqual(handled(door, { flush: 'never' }));
    expect(await sent(door, {}, {}, 'glm-5')).toEqual(handled(door, {}, 'glm-5'));
    expect(breaksOf(waiting)).toBeLessThan(10);
  });

  test('a model that binds thinking to what precedes it would lose it with each edit: edits wait', async () => {
    const model = 'claude-opus-5-5';
    expect(await sent(door, {}, {}, model)).toEqual(await sent(door, {}, { top: EPHEMERAL }, model));
  });

  test('a cache for an hour costs twice the input, so that fewer flushes pay', async () => {
    const dear = handled(door, { prices: { cached, uncached: 2 * uncached } });
    expect(await sent(door, {}, { top: HOUR })).toEqual(dear);
    expect(await sent(door, {}, { newest: HOUR })).toEqual(dear);
    expect(dear).not.toEqual(handled(door, {}));
    expect(handled(door, { cacheTtl: 3600 })).toEqual(dear);
    // A cache that never expires says nothing of its price.
    expect(handled(door, { cacheTtl: Infinity })).toEqual(handled(door, {}));
  });
});

test('gateway: a provider that caches requests without a breakpoint gets them from something behind the gateway', async () => {
  const all: string[][] = [];
  const usage = { input_tokens: 9, cache_creation_input_tokens: 900, cache_read_input_tokens: 0, output_tokens: 1 };
  const gateway = createGateway({
    optimize: { preset: 'aggressive' },
    intake: false,
    upstreams: { anthropic: 'http://provider.example' },
    fetch: async (_, { body }) => {
      const { messages } = JSON.parse(new TextDecoder().decode(body as Uint8Array)) as { messages: Message[] };
      all.push(bare(messages));
      return Response.json({ usage });
    },
  });
  for (const messages of requestsOf(formatOf({ format: 'anthropic' }).from(session('one', 50)))) {
    const body = JSON.stringify(bodyOf(messages, {}, MODEL));
    const answer = await gateway(new Request('http://localhost/anthropic/v1/messages', { method: 'POST', body }));
    await answer.text();
  }
  expect(breaksOf(all)).toBeLessThan(10);
});

describe('a pause', () => {
  const MINUTE = 60_000;

  /** Whether the cache is cold after some minutes: then a flush is made that never pays by itself. */
  async function isCold(minutes: number, request: object, model: object): Promise<boolean> {
    let now = Date.UTC(2026, 6, 1);
    const options = { preset: 'aggressive', prices: { cached: 0.001, uncached: 1 }, now: () => now } as const;
    const { transformParams } = aiSdk.middleware(options);
    const requests = requestsOf(formatOf({ format: 'ai-sdk/prompt' }).from(session('one', 30)));
    const all: string[][] = [];
    for (const [at, messages] of requests.entries()) {
      if (at === requests.length - 1) now += minutes * MINUTE;
      const params = { prompt: messages as never[], ...request };
      all.push(bare((await transformParams({ params, model } as never)).prompt));
    }
    return breaksOf(all) > 0;
  }

  const claude = { modelId: MODEL, provider: 'anthropic.messages' };
  const gpt = { modelId: 'gpt-5.1', provider: 'openai.responses' };
  const day = { providerOptions: { openai: { promptCacheRetention: '24h' } } };

  test.each([
    ['the default of Claude', 6, marksOf(EPHEMERAL)!, claude, true],
    ['an hour that the request asks for', 6, marksOf(HOUR)!, claude, false],
    ['an hour that is over', 61, marksOf(HOUR)!, claude, true],
    ['the default of GPT', 11, {}, gpt, true],
    ['a day that the request asks for', 11, day, gpt, false],
  ] as const)('%s', async (_, minutes, request, model, expected) => {
    expect(await isCold(minutes, request, model)).toBe(expected);
  });
});
