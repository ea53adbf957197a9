// Calls from near the end of the stack: they throw or do their work, and never half of it.
import { createDensify, type IContent, isDensifyError } from 'densify';
import { beforeEach, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { Pair, told } from './support/live.js';
import { ai, call, human, inclusion, response, tool, write } from './support/say.js';

let densify: ReturnType<typeof createDensify>;
let pairs: Pair[];

beforeEach(() => {
  const calm = createDensify();
  densify = createDensify();
  pairs = Array.from({ length: 12 }, (_, seed) => new Pair(densify, calm, seed));
  allGoOn(3);
});

function allGoOn(turns = 2): void {
  for (let left = turns; left > 0; left -= 1) {
    pairs.forEach((pair, at) => {
      const [live, expected] = at % 4 === left ? pair.compress() : pair.step();
      expect(live).toEqual(expected);
    });
  }
}

/** Calls an action from so many frames before the end of the stack. */
function nearTheEnd(frames: number, action: () => void): void {
  let level = -1;
  const dive = (): void => {
    try {
      dive();
    } catch (thrown) {
      // This is the end, or what the action threw on its way out.
      if (level >= frames) throw thrown;
    }
    level += 1;
    if (level === frames) action();
  };
  dive();
}

/** Calls an action ever farther from the end of the stack, until it gets through; `between` happens where there is room. */
function fromTheEnd<T>(action: () => T, between: () => void = () => undefined): T {
  for (let frames = 0; ; frames += 1 + Math.floor(frames / 20)) {
    const done: T[] = [];
    try {
      nearTheEnd(frames, () => done.push(action()));
    } catch (thrown) {
      if (!(thrown instanceof RangeError) && !isDensifyError(thrown)) throw thrown;
    }
    if (done.length > 0) return done[0] as T;
    between();
  }
}

test('it is really near the end', () => {
  const frame = (): number => 1 + frame2();
  const frame2 = (): number => 1;
  expect(() => nearTheEnd(0, () => expect(fromTheEnd(frame)).toBe(2))).toThrow(RangeError);
});

test.each(['with an instance that lives', 'with none'])('a whole turn, %s', (how) => {
  for (const pair of pairs.slice(0, 8)) {
    const batch = ai(call('s1', 'read_file', { path: 'src/file-2.ts' }), call('s2', 'glob', {}));
    const answers = tool(response('s1', 'read_file', 'text'), response('s2', 'glob', 'x'.repeat(90)));
    const entries = [
      human(inclusion('src/file-1.ts', 'text')),
      batch,
      answers,
      ...pair.turn(),
      ...write('s3', 'src/file-2.ts'),
    ];
    const revive = how === 'with none' ? () => densify[Symbol.dispose]() : () => densify.estimateTokens('');
    const result = fromTheEnd(() => pair.live.step(entries), revive);
    expect(told(result)).toEqual(pair.expected(entries));
  }
  allGoOn();
});

test('entries that are pushed', () => {
  for (const pair of pairs.slice(0, 6)) {
    const entries = pair.turn();
    const late = fromTheEnd(() => pair.live.optimizer.push(...entries));
    expect(late).toBeUndefined();
    const [live, expected] = [pair.live.optimizer.optimize(), pair.expected(entries)];
    expect(live.messages).toEqual(expected.messages);
    expect(JSON.stringify(live.edits)).toEqual(expected.edits);
  }
});

test('the lazy parts of a result', () => {
  for (const pair of pairs.slice(0, 4)) {
    const entries = pair.turn();
    const result = pair.live.step(entries);
    fromTheEnd(() => [result.tokensBefore, result.tokensAfter, result.messages, result.edits, result.flush]);
    expect(told(result)).toEqual(pair.expected(entries));
  }
  allGoOn(1);
});

test('a change of the past', () => {
  for (const pair of pairs.slice(0, 3)) {
    const other: IContent[] = [...conversation(99, 3), human('another past')];
    const expected = createDensify().optimize(other);
    const optimizer = densify.createOptimizer<IContent>();
    optimizer.optimize([...conversation(99, 4), ...pair.turn()]);
    expect(fromTheEnd(() => optimizer.optimize(other)).messages).toEqual(expected.messages);
    expect(optimizer.optimize([...other]).messages).toEqual(expected.messages);
  }
});

test('functions without state', () => {
  const history = conversation(17, 12);
  const options = { rules: { recencyPruning: true } } as const;
  const expected = createDensify().optimize(history, options);
  for (const tenant of [densify, createDensify()]) {
    expect(fromTheEnd(() => tenant.optimize(history, options)).messages).toEqual(expected.messages);
    expect(fromTheEnd(() => tenant.estimateTokens(history))).toBe(expected.tokensBefore);
  }
  allGoOn(1);
});
