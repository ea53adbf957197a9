// A breakpoint of the cache ahead of the next flush: where a host has breakpoints, and leaves one free.
import { middleware } from 'densify/anthropic';
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
  const hook = middleware({ preset: 'aggressive', ...options });
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

  test('one that the provider sets by itself counts', async () => {
    const bodies = await sent(3, MARK);
    for (const body of bodies) expect(count(body)).toBe(5 + places(body).length - 1);
    const few = await sent(1, { ...MARK });
    for (const body of few) expect(count(body)).toBeLessThanOrEqual(4);
  });
});
