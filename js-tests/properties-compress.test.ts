// What both deterministic strategies of `compress` hold, on random and on malformed histories.
import { type CompressOptions, estimateTokens, type IContent } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, malformedHistory, numberOf } from './support/arbitrary.js';
import { check } from './support/check.js';
import {
  type Compression,
  changesResultsOnly,
  compressed,
  hasTail,
  isSameByHandle,
  isThrifty,
  keepsEnd,
  keepsLines,
  keepsPairs,
  keepsRequest,
  keepsTail,
  tellsTruth,
} from './support/compressions.js';
import { frozen } from './support/simulation.js';

const BOTH = ['high-density', 'top-down-truncation'] as const;
const further = fc.record(
  {
    preserve: fc.constantFrom(0, 0.1, 0.3, 0.5, { messages: 3 }, { tokens: 100 }),
    threshold: fc.constantFrom(0.5, 0.85, 1),
    keepFirstRequest: fc.boolean(),
    protect: fc.constant((entry: unknown) => (numberOf(entry) ?? 1) % 7 === 0),
  },
  { requiredKeys: ['preserve'], noNullPrototype: true },
);

/** Checks what holds for every applied compression. Limits are shares of the history's tokens. */
function invariant(
  name: string,
  strategies: readonly CompressOptions['strategy'][],
  holds: (found: Compression) => void,
  { runs = 150, kinds = ['random', 'malformed'] as readonly string[] } = {},
): void {
  test.each(strategies.flatMap((strategy) => kinds.map((kind) => [strategy, kind] as const)))(
    `${name} (%s, %s histories)`,
    (strategy, kind) => {
      let applied = 0;
      const settle = (before: IContent[], part: number, more: Partial<CompressOptions>): void => {
        const contextLimit = 1 + Math.floor(part * estimateTokens(before) * 3);
        const found = compressed(frozen(before), { ...more, strategy, contextLimit });
        if (found === undefined) return;
        applied += 1;
        holds(found);
      };
      check(
        runs,
        fc.property(
          kind === 'random' ? history() : malformedHistory,
          fc.double({ min: 0, max: 1, noNaN: true }),
          further,
          settle,
        ),
      );
      expect(applied).toBeGreaterThan(runs / 20);
    },
  );
}

const random = { kinds: ['random'] };

describe('compress', () => {
  invariant('I1: a call and its response stay or go together', BOTH, keepsPairs);
  invariant('I4: the tail is the caller’s own', BOTH, keepsTail);
  invariant('I4: the tail is at least as long as asked for', ['high-density'], hasTail);
  invariant('I5: what stays is untouched, but for results', BOTH, changesResultsOnly);
  invariant('the first request goes last, and only if nothing else can go', ['high-density'], keepsRequest, random);
  invariant('top-down keeps what follows one place, two entries at least', ['top-down-truncation'], keepsEnd, random);
  invariant('I9: metadata tell what was done, and whether the target was reached', BOTH, tellsTruth);
  invariant('nothing is given up once the target is reached', BOTH, isThrifty);
  invariant('I7: lines that one compression wrote stay as they are in the next', ['high-density'], keepsLines);
  invariant('an optimizer compresses as the function does, and goes on from there', BOTH, isSameByHandle, {
    runs: 60,
  });
});
