// When hooks make edits of what was sent before: the policies of `flush` are those of a handle in each of them.
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as pi from 'densify/pi';
import { describe, expect, test, vi } from 'vitest';
import { formatOf, hooks, MARK, markedLast, requestsOf, session } from './support/hooks.js';
import type { Message } from './support/loose.js';
import { thrownBy } from './support/thrown.js';

const text = (messages: readonly unknown[]) => messages.map((message) => JSON.stringify(message));

/** How often a request doesn't begin with the one before it. */
function breaksOf(requests: readonly (readonly unknown[])[]): number {
  const texts = requests.map(text);
  return texts.filter((request, at) => at > 0 && !texts[at - 1]!.every((message, place) => message === request[place]))
    .length;
}

/** The models that formats name have prices of their own. */
const OPTIONS = { preset: 'aggressive', prices: { cached: 0.1, uncached: 1.25 } } as const;

describe.each(hooks.map((hook) => [hook.name, hook] as const))('%s', (_, hook) => {
  const format = formatOf(hook);
  const options = (flush: unknown) => ({ ...OPTIONS, ...format.known, flush });
  const of = (task: string) => requestsOf(format.from(session(task)));
  async function sent(flush: unknown, requests: readonly Message[][], more: object = {}) {
    const send = hook.make({ ...options(flush), ...more });
    const all: (readonly Message[])[] = [];
    for (const request of requests) all.push([...(await send(request))]);
    return all;
  }

  test.each(['when-it-pays', 'never', { tokens: 2_000 }])('%j: sends what a handle gives', async (flush) => {
    const requests = of('one');
    const alone = hook.createOptimizer(options(flush));
    const given = requests.map((request) => [...alone.optimize(request).messages]);
    const all = await sent(flush, requests);
    expect(all.map(text)).toEqual(given.map(text));
    expect(breaksOf(all)).toBe(breaksOf(given));
  });

  test('breaks are few where they must pay, and none where nothing may be edited any more', async () => {
    const requests = of('one');
    const [always, paying, never] = [
      breaksOf(await sent('always', requests)),
      breaksOf(await sent('when-it-pays', requests)),
      breaksOf(await sent('never', requests)),
    ];
    expect(paying).toBeGreaterThan(0);
    expect(paying).toBeLessThan(always / 2);
    expect(never).toBe(0);
  });

  test('a pause makes the cache cold, and so the edits that wait', async () => {
    const requests = of('one');
    const prices = { cached: 0.001, uncached: 1 };
    const pause = Math.floor(requests.length / 2);
    const breaks = async (minutes: number) => {
      let asked = 0;
      const now = () => Date.UTC(2026, 6, 1) + (asked++ < pause ? 0 : minutes * 60_000);
      const all = await sent('when-it-pays', requests, { prices, cacheTtl: 300, now });
      return breaksOf(all);
    };
    expect(await breaks(4)).toBe(0);
    // Messages of pi have times of their own, which tell of no pause.
    expect(await breaks(6)).toBe(hook.name.startsWith('pi ') ? 0 : 1);
  });

  test('runs by turns are each as if it were alone, whether objects are kept or copied', async () => {
    const [one, other] = [of('one'), of('other')];
    const alone = [await sent('when-it-pays', one), await sent('when-it-pays', other)];
    const copy = (messages: Message[]) => structuredClone(messages);
    // The one hook that learns of runs recognises them by objects.
    const given = hook.name === 'ai-sdk prepareStep' ? [one, other] : [one.map(copy), other.map(copy)];
    const mixed = given[0]!.flatMap((request, at) => [request, given[1]![at]!]);
    const all = await sent('when-it-pays', mixed);
    expect(all.filter((_, at) => at % 2 === 0).map(text)).toEqual(alone[0]!.map(text));
    expect(all.filter((_, at) => at % 2 === 1).map(text)).toEqual(alone[1]!.map(text));
  });

  test('what is only observed is forwarded as it is, and what fails too', async () => {
    const requests = of('one');
    const results: boolean[] = [];
    const onResult = ({ changed }: { changed: boolean }) => results.push(changed);
    const watched = await sent('when-it-pays', requests, { observe: true, onResult });
    expect(watched.map(text)).toEqual(requests.map(text));
    expect(results).toContain(true);
    const onWarning = vi.fn();
    const protect = () => {
      throw new Error('odd');
    };
    expect((await sent('when-it-pays', requests.slice(0, 2), { protect, onWarning })).map(text)).toEqual(
      requests.slice(0, 2).map(text),
    );
    expect(onWarning).toHaveBeenCalledTimes(2);
  });
});

describe('a breakpoint that moves with the end', () => {
  const format = formatOf({ format: 'anthropic' });
  const system = [{ type: 'text', text: 'You help.', ...MARK }];
  const made = (options: object) => {
    const hook = anthropic.middleware(options);
    return async (messages: readonly Message[]) => {
      const request = { url: 'https://x/v1/messages', body: JSON.stringify({ messages, system, max_tokens: 9 }) };
      return (JSON.parse((await hook(request, async (sent) => sent)).body) as { messages: Message[] }).messages;
    };
  };
  const bare = (messages: readonly unknown[]) =>
    text(messages).map((said) => said.replaceAll(`,${JSON.stringify(MARK).slice(1, -1)}`, ''));

  test('begins no other run, and has at most one beside it, ahead of the next flush', async () => {
    const requests = requestsOf(format.from(session('one')));
    const options = { ...OPTIONS, ...format.known, flush: 'when-it-pays' };
    const [plain, moving] = [made(options), made(options)];
    for (const request of requests) {
      const expected = await plain(request);
      const sent = await moving(markedLast(request));
      expect(bare(sent)).toEqual(bare(expected));
      expect([2, 3]).toContain(JSON.stringify(sent).split('cache_control').length);
      expect(JSON.stringify(sent.at(-1))).toContain('cache_control');
    }
  });
});

test.each(['when-it-pays', 'always'] as const)('a hook keeps as many runs as it is told, %s', async (flush) => {
  const onWarning = vi.fn();
  const hook = pi.transformContext({ flush, maxRuns: 1, onWarning });
  const requests = ['one', 'other'].map((task) => requestsOf(formatOf({ format: 'pi' }).from(session(task, 4))));
  for (let at = 0; at < 2; at += 1) for (const run of requests) await hook(run[at] as never[]);
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'run-forgotten' }));
});

test('an option that has no effect on a hook is an error', () => {
  expect(thrownBy(() => aiSdk.prepareStep({ flush: 'never', summarize: async () => '' })).key).toBe('summarize');
  expect(thrownBy(() => pi.transformContext({ flush: 'sometimes' as never })).key).toBe('flush');
});
