// Callers' functions, accessors and lists that do something to the history while it is read.
import { compress, createOptimizer, type IContent, type Optimizer, optimize } from 'densify';
import { proposeDensity } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { DENSITY } from './support/hostile.js';
import { ai, human, inclusion, read, turn, write } from './support/say.js';

const stale = (number: number): IContent[] => [
  human(`${inclusion('notes', `${number}`)}request ${number}`),
  ...read(`r${number}`, `${number}.ts`),
  ...write(`w${number}`, `${number}.ts`),
];

describe('a list that changes while it is read', () => {
  /** What a caller's function does to the list, the first time that it is called for an entry near the end. */
  const CHANGES: Readonly<Record<string, (list: IContent[]) => void>> = {
    shrinks: (list) => list.splice(-3),
    'is emptied': (list) => list.splice(0),
    grows: (list) => list.push(human('grown')),
    'grows at its start': (list) => list.unshift(human('grown')),
    'is reversed': (list) => list.reverse(),
  };

  /** Turns by way of a handle; the list of each changes while it is matched with what is known. */
  function goThrough(change: (list: IContent[]) => void): void {
    let victim: IContent[] | undefined;
    const protect = (): boolean => {
      const list = victim;
      victim = undefined;
      if (list !== undefined) change(list);
      return false;
    };
    const optimizer = createOptimizer<IContent>({ preset: 'seed', protect });
    const calm = createOptimizer<IContent>({ preset: 'seed' });
    let raw: IContent[] = [];
    for (let number = 0; number < 4; number += 1) {
      raw = [...raw, ...stale(number)];
      const list = [...raw];
      victim = list;
      optimizer.optimize(list);
      expect(victim).toBeUndefined();
      // Whichever list that was, the handle is well.
      expect(optimizer.optimize([...raw]).messages).toStrictEqual(calm.optimize([...raw]).messages);
    }
  }

  test.each(Object.entries(CHANGES))('%s: what was handed in counts', (_, change) => {
    let victim: IContent[] = [];
    let isDone = false;
    const protect = (): boolean => {
      if (!isDone) change(victim);
      isDone = true;
      return false;
    };
    const history = [...stale(0), ...stale(1)];
    const again = (): IContent[] => {
      isDone = false;
      return (victim = [...history]);
    };
    expect(optimize(again(), { preset: 'seed', protect }).messages).toStrictEqual(
      optimize(history, { preset: 'seed' }).messages,
    );
    const limit = { strategy: 'top-down-truncation', contextLimit: 90 } as const;
    const squeezed = compress(again(), { ...limit, protect });
    expect([squeezed.kind, squeezed.messages]).toStrictEqual(['applied', compress(history, limit).messages]);
    goThrough(change);
  });

  test('tokens: those handed in count', () => {
    const tokens = stale(0).map(() => 30);
    const protect = (): boolean => (tokens.fill(-1), false);
    const result = compress(stale(0), { strategy: 'top-down-truncation', contextLimit: 90, tokens, protect });
    expect(result.tokensBefore).toBe(150);
  });

  test('has accessors that empty it', () => {
    const list: IContent[] = [];
    const trap: IContent = {
      speaker: 'human',
      get blocks() {
        list.length = 0;
        return [];
      },
    };
    list.push(trap, ...stale(0));
    expect(proposeDensity(list, DENSITY).removals).toStrictEqual([2, 3]);
    list.push(trap, ...stale(0));
    expect(optimize(list, { preset: 'seed' }).messages).toHaveLength(4);
  });
});

describe('an accessor that uses the handle that reads it', () => {
  const USES: Readonly<Record<string, (optimizer: Optimizer<IContent>) => unknown>> = {
    optimize: (optimizer) => optimizer.optimize([human('other')]),
    push: (optimizer) => optimizer.push(human('other')),
    flush: (optimizer) => optimizer.flush(),
    compress: (optimizer) => optimizer.compress({ strategy: 'high-density', contextLimit: 1 }),
    dispose: (optimizer) => optimizer.dispose(),
    invalidate: (optimizer) => optimizer.invalidate(),
  };

  test.each(Object.entries(USES))('%s: its message stays, and the handle is well', (_, use) => {
    const optimizer = createOptimizer<IContent>({ preset: 'seed' });
    const trap = { ...ai('x'), metadata: {} };
    Object.defineProperty(trap, 'blocks', { get: () => (use(optimizer), []), enumerable: true });
    const history = [trap, ...stale(0)];
    const { messages } = optimizer.optimize(history);
    expect(messages[0]).toBe(trap);
    expect(messages.slice(1)).toStrictEqual(optimize(stale(0), { preset: 'seed' }).messages);
    expect(optimizer.optimize([...history, human('more')]).messages).toHaveLength(messages.length + 1);
  });

  test.each(Object.entries(USES))('%s, from toJSON: histories that were parsed afresh are compared by it', (_, use) => {
    const optimizer = createOptimizer<IContent>({ preset: 'seed' });
    const make = (): IContent[] => JSON.parse(JSON.stringify([...stale(0), ...stale(1)])) as IContent[];
    optimizer.optimize(make());
    const again = make().map((entry) =>
      Object.defineProperty(entry, 'toJSON', { value: () => (use(optimizer), { speaker: 'human' }) }),
    );
    expect(optimizer.optimize(again).messages).toEqual(optimize(make(), { preset: 'seed' }).messages);
    expect(optimizer.optimize([...again, human('more')]).messages).toEqual(
      optimize([...make(), human('more')], { preset: 'seed' }).messages,
    );
  });
});

test('an accessor that throws one of our errors is odd content like any other', () => {
  for (const thrown of [
    Object.assign(new Error('mine'), { name: 'DensifyError', code: 'disposed' }),
    Object.freeze({}),
  ]) {
    const odd: IContent = {
      speaker: 'human',
      get blocks(): never {
        throw thrown as Error;
      },
    };
    const history = [odd, ...turn('g', 'grep', {}, 'short')];
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
  }
});

test('what a handle was told to read again is read, of pushed messages too', () => {
  const options = { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } } as const;
  const history = [...turn('1', 'grep', {}, 's'), ...turn('2', 'grep', {}, 's'), ...stale(0), ...stale(1), ...stale(2)];
  for (const act of ['optimize', 'flush'] as const) {
    const optimizer = createOptimizer<IContent>(options);
    const own = structuredClone(history);
    optimizer.push(...own);
    optimizer.optimize();
    const [block] = (own[1] as IContent).blocks;
    Object.assign(block as object, { result: 'grown '.repeat(100) });
    optimizer.invalidate(1);
    expect(optimizer[act]().messages).toEqual(optimize(own, options).messages);
    optimizer.invalidate(NaN);
    expect(optimizer[act]().changed).toBe(false);
  }
});
