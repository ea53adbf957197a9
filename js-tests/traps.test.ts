// A trap, a stack overflow or exhausted memory ends the instance, not the user.
import { createDensify, type IContent } from 'densify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { Instances } from './support/instances.js';
import { Pair, told } from './support/live.js';
import { ai, call, human, inclusion, read, write } from './support/say.js';

const COUNT = 100;
const instances = new Instances();
let densify: ReturnType<typeof createDensify>;
let pairs: Pair[];

beforeEach(() => {
  const calm = createDensify();
  calm.estimateTokens(''); // so that the newest instance from now on is a live one
  densify = createDensify();
  pairs = Array.from({ length: COUNT }, (_, seed) => new Pair(densify, calm, seed));
  allGoOn(3);
});

afterAll(() => instances.stop());

/** Every conversation gets some more turns, in which it equals its oracle; some are compressed meanwhile. */
function allGoOn(turns = 2): void {
  for (let left = turns; left > 0; left -= 1) {
    pairs.forEach((pair, at) => {
      const [live, expected] = pair.step();
      expect(live).toEqual(expected);
      if (at % 5 !== left) return;
      const [compressed, wanted] = pair.compress();
      expect(compressed).toEqual(wanted);
    });
  }
}

/** Runs something in which so many instances must die, each of which a fresh one follows. */
function dying<T>(count: number, action: () => T): T {
  const before = instances.all.length;
  const result = action();
  expect(instances.all.length - before).toBe(count);
  return result;
}

/** Takes all memory that the newest instance may have, so that its next need of some aborts. */
function exhaust(): void {
  const { memory } = instances.newest;
  for (let pages = 65_536; pages > 0; pages = Math.floor(pages / 2)) {
    try {
      for (;;) memory.grow(pages);
    } catch {
      // Not as many; fewer perhaps.
    }
  }
}

/** An entry that needs more memory in the core than is left. */
const large = (): IContent => ai(...Array.from({ length: 60_000 }, (_, at) => `block ${at}`));

test('while nothing happens all equal their oracles', () => {
  dying(0, () => allGoOn());
});

describe('exhausted memory', () => {
  test.each([0, 1, 2, 3, 50])('in the call of conversation %d', (at) => {
    exhaust();
    const entry = large();
    const [live, expected] = dying(1, () => pairs[at]!.step([entry]));
    expect(live).toEqual(expected);
    dying(0, allGoOn);
  });

  test('again and again', () => {
    for (const pair of pairs.slice(0, 4)) {
      exhaust();
      const [live, expected] = dying(1, () => pair.step([large()]));
      expect(live).toEqual(expected);
    }
    allGoOn(1);
  });

  test('in functions without state', () => {
    const history = [human(inclusion('a', 'one')), large(), human(inclusion('a', 'two'))];
    const expected = createDensify().optimize(history, { preset: 'seed' });
    densify.estimateTokens('');
    exhaust();
    expect(densify.optimize(history, { preset: 'seed' }).messages).toEqual(expected.messages);
    exhaust();
    expect(densify.estimateTokens(history)).toBe(expected.tokensBefore);
    exhaust();
    expect(densify.compress(history, { strategy: 'top-down-truncation', contextLimit: 100 }).kind).toBe('applied');
    allGoOn(1);
  });
});

test('of an instance that died nothing is touched again', () => {
  const histories = pairs.map((_, at) => [human('go'), ...read('r', `${at}.ts`), ai('hm')]);
  const optimizers = histories.map((history) => {
    const optimizer = densify.createOptimizer<IContent>({ preset: 'seed' });
    optimizer.optimize(history);
    return optimizer;
  });
  const dead = instances.newest;
  dead.failIn('chunk', 1, () => new WebAssembly.RuntimeError('unreachable'));
  dying(1, () => optimizers[0]?.optimize([...(histories[0] ?? []), human(inclusion('a', 'text'))]));
  new Uint8Array(dead.memory.buffer).fill(255);
  dying(0, () => {
    histories.forEach((history, at) => {
      // Changed in place, with names that the dead instance never knew.
      history[1]?.blocks.splice(0, 1, call('r', 'ast_read_file', { path: `new/${at}.ts` }));
      history.push(...write('w', `new/${at}.ts`));
      expect(optimizers[at]?.optimize(history).messages).toEqual([
        human('go'),
        ai('hm'),
        ...write('w', `new/${at}.ts`),
      ]);
    });
    allGoOn();
  });
});

describe('a trap in the midst of the core', () => {
  const trap = () => new WebAssembly.RuntimeError('unreachable');
  const included = (at: number) => [
    human(inclusion(`src/file-${at % 7}.ts`, 'the newest text')),
    ...conversation(at, 2),
  ];

  test.each([
    ['chunk', 1, trap],
    ['chunk', 2, trap],
    ['chunk', 3, () => new RangeError('Maximum call stack size exceeded')],
    ['count', 1, trap],
    ['count', 4, trap],
  ])('when %s is called for the %d. time', (name, after, fault) => {
    for (const [at, pair] of pairs.slice(0, 12).entries()) {
      const entries = included(at);
      instances.newest.failIn(name, after, fault);
      const [live, expected] = pair.step(entries);
      expect(live).toEqual(expected);
    }
    expect(instances.all.length).toBeGreaterThan(COUNT / 10);
    allGoOn();
  });

  test('while the lazy parts of a result are read', () => {
    for (const pair of pairs) {
      const entries = pair.turn();
      const result = pair.live.step(entries);
      instances.newest.failIn('chunk', 1, trap);
      instances.newest.failIn('count', 1, trap);
      expect(told(result)).toEqual(pair.expected(entries));
    }
    allGoOn(1);
  });

  test('twice in one call: an error, and all go on', () => {
    const [pair] = pairs as [Pair];
    const entries = included(0);
    instances.failNext('chunk', trap);
    instances.newest.failIn('chunk', 1, trap);
    expect(() => pair.live.step(entries)).toThrow(
      expect.objectContaining({ code: 'core-failed', cause: expect.any(WebAssembly.RuntimeError) as Error }) as Error,
    );
    const [live, expected] = pair.step(entries);
    expect(live).toEqual(expected);
    allGoOn();
  });
});

describe('tenants', () => {
  let other: ReturnType<typeof createDensify>;
  let theirs: Pair[];

  beforeAll(() => {
    other = createDensify();
    theirs = Array.from({ length: 10 }, (_, seed) => new Pair(other, createDensify(), seed));
    for (const pair of theirs) pair.step();
  });

  test("one tenant's trap is nothing to the others", () => {
    const memory = other.memoryBytes();
    exhaust();
    const [live, expected] = dying(1, () => pairs[0]!.step([large()]));
    expect(live).toEqual(expected);
    dying(0, () => {
      for (const pair of theirs) {
        const [ours, oracle] = pair.step();
        expect(ours).toEqual(oracle);
      }
    });
    expect(other.memoryBytes()).toBe(memory);
  });

  test('a tenant that is given up takes its instance along; handles that live make another', () => {
    densify[Symbol.dispose]();
    expect(densify.memoryBytes()).toBe(0);
    dying(1, allGoOn);
    expect(densify.memoryBytes()).toBeGreaterThan(0);
  });
});
