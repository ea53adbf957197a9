// I15 and the policies that say when given-out messages may be edited.
import { createOptimizer, type Edit, estimateTokens, type IContent, type Result } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { malformedTurns, options, type Turn, turns } from './support/arbitrary.js';
import { check } from './support/check.js';
import { withEdits } from './support/facts.js';
import { Oracle, type OracleOptions } from './support/oracle.js';
import { expectStable, frozen } from './support/simulation.js';

type Way = 'push' | 'raw' | 'stored';
const ways = fc.array(fc.constantFrom<Way>('push', 'raw', 'stored'), { minLength: 1, maxLength: 5 });
const anyTurns = fc.oneof({ weight: 3, arbitrary: turns() }, { weight: 1, arbitrary: malformedTurns });

/** Splits entries before each answer of the model. Where edits wait, the rules run there. */
function requestsOf(entries: readonly IContent[]): IContent[][] {
  const parts: IContent[][] = [[]];
  for (const entry of entries) {
    // Broken histories hold null.
    if ((entry as IContent | null)?.speaker === 'ai') parts.push([]);
    parts.at(-1)?.push(entry);
  }
  return parts;
}

/** Hands turns in, and shows each result beside the one before it and the oracle, which never waits. */
function goThrough(
  flush: 'always' | 'never' | { tokens: number },
  list: readonly Turn[],
  by: readonly Way[],
  settings: OracleOptions,
  see: (result: Result<IContent>, before: readonly IContent[], oracle: Oracle) => void,
): ReturnType<typeof createOptimizer<IContent>> {
  const optimizer = createOptimizer<IContent>({ preset: 'seed', ...settings, flush });
  const oracle = new Oracle(settings);
  let output: readonly IContent[] = [];
  const raw: IContent[] = [];
  list.forEach((entries, number) => {
    const way = by[number % by.length];
    raw.push(...frozen(entries));
    for (const part of flush === 'always' ? [entries] : requestsOf(entries)) {
      oracle.push(...part);
      oracle.run();
    }
    if (way === 'push') optimizer.push(...entries);
    const result =
      way === 'push' ? optimizer.optimize() : optimizer.optimize(way === 'raw' ? [...raw] : [...output, ...entries]);
    see(result, output, oracle);
    output = result.messages;
  });
  return optimizer;
}

const isPrefix = (before: readonly IContent[], messages: readonly IContent[]): boolean =>
  before.every((message, at) => message === messages[at]);

describe('I15: an output begins with the one before it', () => {
  test('up to the index that a flush names, with the policy `always`', () => {
    check(
      250,
      fc.property(anyTurns, ways, options, (list, by, settings) => {
        goThrough('always', list, by, settings, (result, before) => {
          expectStable(before, result);
          if (!isPrefix(before, result.messages)) expect(result.flush).toBeDefined();
        });
      }),
    );
  });

  test('always, with the policy `never`; a flush then makes all that waits', () => {
    check(
      250,
      fc.property(anyTurns, ways, options, (list, by, settings) => {
        let last: readonly IContent[] = [];
        let all: readonly IContent[] = [];
        const optimizer = goThrough('never', list, by, settings, (result, before, oracle) => {
          expect(result.flush).toBeUndefined();
          expect(isPrefix(before, result.messages)).toBe(true);
          last = result.messages;
          all = oracle.messages;
        });
        const flushed = optimizer.flush();
        expect(flushed.messages).toStrictEqual(all);
        expect(flushed.changed).toBe(!isPrefix(last, flushed.messages) || last.length !== flushed.messages.length);
        expectStable(last, flushed);
      }),
    );
  });

  test('until waiting edits save so many tokens, with the policy `{tokens}`', () => {
    check(
      250,
      fc.property(anyTurns, ways, options, fc.integer({ min: 0, max: 150 }), (list, by, settings, tokens) => {
        let number = 0;
        goThrough({ tokens }, list, by, settings, (result, before, oracle) => {
          expectStable(before, result);
          const saves = estimateTokens(result.messages) - estimateTokens(oracle.messages);
          // A request was made before each answer of the model: a flush there makes no edit that is decided behind it.
          const [, ...others] = list[number++] ?? [];
          const isOneTurn = others.every((entry: Partial<IContent> | null) => entry?.speaker !== 'ai');
          if (result.flush === undefined) expect(isPrefix(before, result.messages)).toBe(true);
          else if (isOneTurn) expect(result.messages).toStrictEqual(oracle.messages);
          // What still waits would save too little.
          if (saves > 0) expect(saves).toBeLessThan(Math.max(tokens, 1));
        });
      }),
    );
  });
});

describe('whatever the policy', () => {
  const policy = fc.oneof(
    fc.constantFrom('always' as const, 'never' as const),
    fc.record({ tokens: fc.integer({ min: 0, max: 150 }) }),
  );

  test('`tokensAfter` are the tokens of `messages`, `tokensBefore` those of the raw history', () => {
    check(
      200,
      fc.property(policy, turns(), ways, options, (flush, list, by, settings) => {
        const raw = list.flat();
        let number = 0;
        let count = 0;
        goThrough(flush, list, by, settings, (result) => {
          count += list[number]?.length ?? 0;
          number += 1;
          expect([number, result.tokensBefore]).toStrictEqual([number, estimateTokens(raw.slice(0, count))]);
          expect([number, result.tokensAfter]).toStrictEqual([number, estimateTokens(result.messages)]);
        });
      }),
    );
  });

  test('the edits so far make the messages of the raw history: those that wait, once they are told again', () => {
    check(
      200,
      fc.property(policy, turns(), ways, options, (flush, list, by, settings) => {
        const raw: IContent[] = [];
        const edits: Edit[] = [];
        let number = 0;
        goThrough(flush, list, by, settings, (result) => {
          raw.push(...(list[number++] ?? []));
          // What waited comes again once it is made.
          edits.push(...result.edits.filter(({ pending }) => !pending));
          expect(result.messages).toStrictEqual(withEdits(raw, edits));
        });
      }),
    );
  });
});
