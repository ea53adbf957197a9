// The invariants I1 to I11 and I14 of `optimize`, on random and on malformed histories.
import { createDensify, estimateTokens, type IContent, optimize, type Result } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, malformedHistory, numberOf, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { blocksOf, countOf, humanText, openCalls, stringsOf, withEdits } from './support/facts.js';
import type { OracleOptions } from './support/oracle.js';
import { bag, POINTER, resolvePath } from './support/oracle-facts.js';
import { frozen, parsed } from './support/simulation.js';

type Settled = Result<IContent> & { readonly before: readonly IContent[]; readonly settings: OracleOptions };

/** Checks an invariant of `optimize` on both kinds of histories; inputs are frozen throughout. */
function invariant(name: string, holds: (result: Settled) => void, runs = 150): void {
  test.each([
    ['random', history()],
    ['malformed', malformedHistory],
  ] as const)(`${name} (%s histories)`, (_, arbitrary) => {
    const settle = (before: IContent[], settings: OracleOptions): void => {
      const { messages, changed, edits, metadata, tokensBefore, tokensAfter, warnings, flush } = optimize(
        frozen(before),
        settings,
      );
      const result = { messages, changed, edits, metadata, tokensBefore, tokensAfter, warnings, before, settings };
      holds(flush === undefined ? result : { ...result, flush });
    };
    check(runs, fc.property(arbitrary, options, settle));
  });
}

/** Pairs of an edited entry and what it was, by their numbers. */
function editedEntries({ before, messages }: Settled): [IContent, IContent][] {
  const was = new Map(before.map((entry) => [numberOf(entry), entry]));
  return messages.flatMap((entry): [IContent, IContent][] => {
    const original = was.get(numberOf(entry));
    return original === undefined || numberOf(entry) === undefined || original === entry ? [] : [[entry, original]];
  });
}

describe('optimize', () => {
  invariant('I1: calls and responses go in pairs only', ({ before, messages }) => {
    expect(openCalls(messages)).toStrictEqual(openCalls(before));
  });

  invariant('I2, I3: entries and blocks keep their order; what stays of a batch stays as it was', (result) => {
    const numbers = result.messages.map(numberOf).filter((number) => number !== undefined);
    const all = result.before.map(numberOf);
    expect(numbers).toStrictEqual(all.filter((number) => number !== undefined && numbers.includes(number)));
    for (const [entry, original] of editedEntries(result)) {
      let at = -1;
      for (const block of blocksOf(entry)) {
        at = blocksOf(original).findIndex((candidate, index) => index > at && isVersionOf(block, candidate));
        expect(at).not.toBe(-1);
      }
    }
  });

  invariant('I5: of what humans wrote only superseded inclusions go', (result) => {
    const { workspaceRoot = '/' } = result.settings;
    const allPaths = (entries: readonly IContent[]): Set<string | undefined> =>
      new Set(
        entries
          .filter(({ speaker }) => speaker === 'human')
          .flatMap((entry) => (humanText(entry)?.paths ?? []).map((path) => resolvePath(workspaceRoot, path))),
      );
    for (const [entry, original] of editedEntries(result)) {
      if (entry.speaker !== 'human') continue;
      const is = humanText(entry);
      const was = humanText(original);
      const others = (list: IContent): unknown[] =>
        list.blocks.filter((block) => !['text', 'tool_call', 'tool_response'].includes(block?.type));
      if (was !== undefined && is !== undefined && !/^\[Earlier inclusion of .* removed\]$/.test(is.text))
        expect(is.text).toBe(was.text);
      expect(others(entry)).toStrictEqual(others(original));
    }
    const isEntry = (entry: unknown): entry is IContent => bag(entry) !== undefined;
    expect(allPaths(result.messages.filter(isEntry))).toStrictEqual(allPaths(result.before.filter(isEntry)));
  });

  invariant('I6: an edit makes an entry shorter', (result) => {
    for (const [entry, original] of editedEntries(result)) {
      expect(JSON.stringify(entry).length).toBeLessThan(JSON.stringify(original).length);
    }
    expect(result.messages.length).toBeLessThanOrEqual(result.before.length);
  });

  invariant('I7: a second run changes nothing', ({ messages, settings }) => {
    const again = optimize(messages, settings);
    expect(again.changed).toBe(false);
    expect(again.messages).toBe(messages);
    expect(again.edits).toStrictEqual([]);
  });

  invariant(
    'I8: what lies before the first edit is the caller’s own, and so is every entry without an edit',
    ({ before, messages, edits, changed }) => {
      const first = Math.min(before.length, ...edits.map(({ index }) => index));
      for (let at = 0; at < first; at += 1) if (messages[at] !== before[at]) expect.fail(`message ${at}`);
      const edited = new Set(edits.map(({ index }) => index));
      const own = new Set(messages);
      before.forEach((entry, index) => {
        if (!edited.has(index) && !own.has(entry)) expect.fail(`entry ${index} has no edit and is not there`);
      });
      expect(changed).toBe(edits.length > 0);
      if (!changed) expect(messages).toBe(before);
    },
  );

  invariant('I9: metadata, edits and messages tell the same', ({ before, messages, edits, metadata, flush }) => {
    const isPointer = ({ result }: { readonly result?: unknown }): boolean => result === POINTER;
    const pointers = countOf(messages, 'tool_response', isPointer);
    const hadPointers = countOf(
      withEdits(
        before,
        edits.filter(({ rule }) => rule === 'stale-reads'),
      ),
      'tool_response',
      isPointer,
    );
    const inclusions = (list: readonly IContent[]): number =>
      list.reduce(
        (sum, entry) => sum + (humanText(bag(entry)?.speaker === 'human' ? entry : undefined)?.paths.length ?? 0),
        0,
      );
    expect(metadata.readWritePairsPruned).toBe(countOf(before, 'tool_response') - countOf(messages, 'tool_response'));
    expect(metadata.recencyPruned).toBe(pointers - hadPointers);
    if (edits.every(({ rule }) => rule !== 'stale-reads'))
      expect(metadata.fileDeduplicationsPruned).toBe(inclusions(before) - inclusions(messages));
    expect(withEdits(before, edits)).toStrictEqual(messages);
    expect(flush === undefined || edits.length > 0).toBe(true);
  });

  invariant('tokens are those of the messages', ({ before, messages, tokensBefore, tokensAfter }) => {
    expect(tokensBefore).toBe(estimateTokens(before));
    expect(tokensAfter).toBe(estimateTokens(messages));
    expect(tokensBefore).toBe(before.reduce((sum, entry) => sum + estimateTokens([entry]), 0));
  });

  invariant('I11: well-formed texts stay well-formed', ({ before, messages }) => {
    const isWhole = (list: readonly IContent[]): boolean =>
      stringsOf(list).every((text) => !/\p{Surrogate}/u.test(text));
    if (isWhole(before)) expect(isWhole(messages)).toBe(true);
  });

  invariant(
    'I14: the same input gives the same bytes, on any instance',
    ({ before, messages, edits, settings }) => {
      const other = createDensify();
      const again = other.optimize(parsed(before), settings);
      expect(JSON.stringify(again.messages)).toBe(JSON.stringify(messages));
      expect(JSON.stringify(again.edits)).toBe(JSON.stringify(edits));
      other[Symbol.dispose]();
    },
    60,
  );
});

/** Whether a block is another one, or what an edit may make of it. */
function isVersionOf(block: unknown, original: unknown): boolean {
  if (block === original) return true;
  const is = bag(block) ?? {};
  const was = bag(original) ?? {};
  const edited = is.type === 'tool_response' ? 'result' : 'text';
  return Object.keys(was).every((key) => key === edited || is[key] === was[key]) && is[edited] !== was[edited];
}
