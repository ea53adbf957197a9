// When messages that were already sent are edited: the price, the time to pay it back, and a cold cache.
import { createConversation, createOptimizer, type IContent, type OptimizeOptions } from 'densify';
import { describe, expect, test } from 'vitest';
import { exchange, lines } from './support/work.js';

/** Long output of a command, then a file, which stays longer. */
function turn(at: number): IContent[] {
  const text = lines(`t${at}`, 0, 80).join('\n');
  if (at % 2 === 0) return exchange(String(at), 'bash', { command: `make ${at}` }, text);
  return exchange(String(at), 'read_file', { path: `/${at}.rs` }, text);
}

function after(turns: number, options: OptimizeOptions<IContent>) {
  const optimizer = createOptimizer<IContent>({ preset: 'aggressive', ...options });
  const history: IContent[] = [];
  let flushes = 0;
  for (let at = 0; at < turns; at += 1) {
    history.push(...turn(at));
    if (optimizer.optimize(history).flush !== undefined) flushes += 1;
  }
  return { optimizer, history, flushes };
}

test('a plan says what a flush costs; dear input makes it pay back later', () => {
  const { optimizer } = after(8, { flush: 'when-cold' });
  const plan = optimizer.plan();
  expect(plan?.saved).toBeGreaterThan(0);
  expect(plan?.paysBackAfter).toBeCloseTo(((plan?.behind ?? 0) * 1.15) / ((plan?.saved ?? 1) * 0.1), 6);
  const dear = after(8, { flush: 'when-cold', prices: { cached: 0.1, uncached: 2 } }).optimizer.plan();
  expect(dear?.paysBackAfter).toBeGreaterThan(plan?.paysBackAfter ?? Infinity);
  expect(after(8, { flush: 'always' }).optimizer.plan()).toBeUndefined();
  // With `never`, the plan is the same and names the savings of a flush.
  const never = after(8, { flush: 'never' });
  expect(never.optimizer.plan()).toStrictEqual(plan);
  const before = never.optimizer.optimize(never.history).tokensAfter;
  expect(before - never.optimizer.flush().tokensAfter).toBe(plan?.saved);
  expect(never.optimizer.plan()).toBeUndefined();
});

test('a cold cache is told of with pushed messages, too', () => {
  const { history } = after(8, { flush: 'when-cold' });
  using optimizer = createOptimizer<IContent>({ preset: 'aggressive', flush: 'when-cold' });
  optimizer.push(...history);
  expect(optimizer.optimize(undefined, { cold: true }).changed).toBe(true);
  expect(() => optimizer.optimize(undefined, { warm: true } as object)).toThrow(/option warm/);
});

test('a cold cache makes the edits that wait, for once', () => {
  const { optimizer, history, flushes } = after(8, { flush: 'when-cold' });
  expect(flushes).toBe(0);
  expect(optimizer.optimize(history).flush).toBeUndefined();
  const cold = optimizer.optimize(history, { cold: true });
  expect(cold.flush).toBeDefined();
  const always = createOptimizer<IContent>({ preset: 'aggressive', flush: 'always' });
  // What goes out uncached is cut further.
  expect(cold.tokensAfter).toBeLessThanOrEqual(always.optimize(history).tokensAfter);
  expect(optimizer.plan()).toBeUndefined();
  const never = after(8, { flush: 'never' });
  expect(never.optimizer.optimize(never.history, { cold: true }).flush).toBeUndefined();
});

test('when it pays: few flushes, and less is sent than if there were none', () => {
  const { optimizer, history, flushes } = after(60, { flush: 'when-it-pays' });
  expect(flushes).toBeGreaterThan(0);
  expect(flushes).toBeLessThan(after(60, { flush: 'always' }).flushes);
  const never = after(60, { flush: 'never' });
  const tokens = (made: typeof never) => made.optimizer.optimize(made.history).tokensAfter;
  expect(tokens({ optimizer, history, flushes })).toBeLessThanOrEqual(tokens(never));
});

describe('a conversation', () => {
  const options = { strategy: 'auto', contextLimit: 1_000_000, intake: false } as const;
  const history = Array.from({ length: 8 }, (_, at) => turn(at));
  const talk = (flush: 'when-cold' | 'never' | 'always') => {
    const made = createConversation({ ...options, optimize: { preset: 'aggressive', flush } });
    for (const entries of history) {
      made.addAll(entries);
      expect(made.beforeSend().kind).toBe('ready');
    }
    return made;
  };
  const summarize = () => Promise.reject(new Error('none is wanted'));

  test.each([
    ['beforeSend', (made: ReturnType<typeof talk>) => made.beforeSend({ cold: true })],
    ['prepare', (made: ReturnType<typeof talk>) => made.prepare({ summarize, cold: true })],
  ])('makes the edits that wait when it is told that the cache is cold, by %s', async (_, send) => {
    using made = talk('when-cold');
    using always = talk('always');
    expect(made.messages).toStrictEqual(history.flat());
    expect(made.plan()?.saved).toBeGreaterThan(0);
    expect(made.plan()?.paysBackAfter).toBeGreaterThan(0);
    // Nothing was added meanwhile.
    expect(made.isDirty).toBe(false);
    const before = made.tokens.current;
    expect(await send(made)).toMatchObject({ kind: 'ready', messages: made.messages });
    expect(before - made.tokens.current).toBeGreaterThan(0);
    // What goes out uncached is cut further.
    expect(made.tokens.current).toBeLessThanOrEqual(always.tokens.current);
    expect(made.plan()).toBeUndefined();
    expect(made.beforeSend()).toMatchObject({ kind: 'ready', messages: made.messages });
  });

  test('never edits under `never`', () => {
    using never = talk('never');
    using cold = talk('when-cold');
    expect(never.plan()).toStrictEqual(cold.plan());
    expect(never.beforeSend({ cold: true })).toMatchObject({ messages: history.flat() });
  });

  test('refuses what says no more than that', () => {
    using made = talk('always');
    const wrong = (cold: unknown) => () => made.beforeSend({ cold } as never);
    expect(wrong('yes')).toThrow(expect.objectContaining({ code: 'invalid-options', key: 'cold' }));
    expect(made.plan()).toBeUndefined();
  });
});

test.each([
  [{ flush: 'sometimes' }, 'flush'],
  [{ prices: { cached: 1 } }, 'prices'],
  [{ prices: { cached: -1, uncached: 1 } }, 'prices'],
])('%j is an error that names the key', (options, key) => {
  const create = () => createOptimizer(options as unknown as OptimizeOptions<IContent>);
  expect(create).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
});

test('an unknown key of the moment is an error that names it', () => {
  const moment = { warm: true } as unknown as { cold: boolean };
  const call = () => createOptimizer<IContent>().optimize([], moment);
  expect(call).toThrow(expect.objectContaining({ code: 'invalid-options', key: 'warm' }));
});
