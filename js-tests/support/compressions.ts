// What must hold of every compression that was applied.
import {
  type CompressOptions,
  type CompressResult,
  compress,
  createOptimizer,
  estimateTokens,
  type IContent,
  optimize,
} from 'densify';
import { expect } from 'vitest';
import { blocksOf } from './facts.js';
import { Oracle } from './oracle.js';
import { bag, isCompacted } from './oracle-facts.js';

export type Applied = Extract<CompressResult, { kind: 'applied' }>;

export interface Compression {
  readonly before: readonly IContent[];
  readonly options: CompressOptions;
  readonly result: Applied;
  /** Indices of the entries that went. */
  readonly dropped: ReadonlySet<number>;
}

/** Compresses, or checks that nothing was changed. */
export function compressed(before: readonly IContent[], options: CompressOptions): Compression | undefined {
  const result = compress(before, options);
  if (result.kind === 'applied') {
    return {
      before,
      options,
      result,
      dropped: new Set(result.edits.filter(({ kind }) => kind === 'drop').map(({ index }) => index)),
    };
  }
  expect(result.messages).toBe(before);
  expect([result.changed, result.edits]).toStrictEqual([false, []]);
  return undefined;
}

/** I1: a call and its response stay or go together. */
export function keepsPairs({ before, dropped }: Compression): void {
  const oracle = new Oracle();
  oracle.push(...before);
  for (const { call, response } of oracle.pairs())
    expect([response, dropped.has(response)]).toStrictEqual([response, dropped.has(call)]);
}

/** I4: the tail is the caller's own, and something is always left. */
export function keepsTail({ before, result }: Compression): void {
  const { tailCount } = result.metadata;
  for (let back = 1; back <= tailCount; back += 1)
    if (result.messages.at(-back) !== before.at(-back)) expect.fail(`${back} from the end`);
  expect(result.messages.length).toBeGreaterThan(0);
}

/** I4: the tail is as long as asked for; it begins later only to skip tool entries, which follow their calls. */
export function hasTail({ before, options, result }: Compression): void {
  const { preserve = 0.3 } = options;
  if (typeof preserve !== 'number') return;
  const start = before.length - result.metadata.tailCount;
  for (let at = before.length - Math.ceil(before.length * preserve); at < start; at += 1)
    expect(before[at]?.speaker).toBe('tool');
}

/** I5: kept messages stay unchanged, except that results become shorter lines. */
export function changesResultsOnly({ before, options, result, dropped }: Compression): void {
  const left = before.filter((_, index) => !dropped.has(index));
  expect(result.messages).toHaveLength(left.length);
  result.messages.forEach((entry, number) => {
    const original = left[number] as IContent;
    if (entry === original) return;
    expect(options.strategy).toBe('high-density');
    expect({ ...entry, blocks: [] }).toStrictEqual({ ...original, blocks: [] });
    blocksOf(entry).forEach((block, at) => {
      const was = blocksOf(original)[at];
      if (block === was) return;
      const { result: line, toolName } = bag(block) ?? {};
      expect({ ...bag(was), result: line }).toStrictEqual(block);
      expect(isCompacted(line, toolName)).toBe(true);
      expect(JSON.stringify(line).length).toBeLessThan(JSON.stringify(bag(was)?.result).length);
    });
  });
}

/** The first request goes only where it can't stay: it, the newest one and the tail alone are above the target. */
export function keepsRequest({ before, options, result, dropped }: Compression): void {
  const isHuman = (entry: IContent) => bag(entry)?.speaker === 'human';
  const request = before.findIndex(isHuman);
  const newest = before.findLastIndex((entry) => isHuman(entry) && !isSummary(entry));
  if (options.keepFirstRequest === false || options.protect !== undefined || !dropped.has(request)) return;
  const { tailCount, targetTokens } = result.metadata;
  const start = before.length - tailCount;
  const least = before.filter((entry, at) => at === request || at === newest || at >= start || isSummary(entry));
  if (tailCount > 0) expect(estimateTokens(least)).toBeGreaterThan(targetTokens);
}

function isSummary(entry: IContent): boolean {
  const { speaker, metadata } = bag(entry) ?? {};
  return speaker === 'human' && bag(metadata)?.isSummary === true;
}

/** top-down keeps what follows one place, two entries at least, and the newest summary. */
export function keepsEnd({ before, options, result, dropped }: Compression): void {
  if (options.keepFirstRequest !== true && options.protect === undefined) {
    const summary = before.findLastIndex(isSummary);
    expect(dropped.has(summary)).toBe(false);
    const places = [...before.keys()].filter((at) => at !== summary);
    expect([...dropped].sort((left, right) => left - right)).toStrictEqual(places.slice(0, dropped.size));
  }
  expect(result.messages.length).toBeGreaterThanOrEqual(2);
}

/** I9: metadata count the edits, and say whether the target was reached. */
export function tellsTruth({ before, options, result, dropped }: Compression): void {
  const { metadata, messages, tokensBefore, tokensAfter, edits } = result;
  expect(metadata).toMatchObject({
    originalMessageCount: before.length,
    compressedMessageCount: messages.length,
    strategyUsed: options.strategy,
    llmCallMade: false,
    tokensBefore: estimateTokens(before),
    tokensAfter: estimateTokens(messages),
    targetTokens: Math.floor((options.threshold ?? 0.85) * options.contextLimit * 0.6),
    targetReached: metadata.tokensAfter <= metadata.targetTokens,
    entriesDropped: dropped.size,
    resultsSummarized: edits.filter(({ kind }) => kind === 'set').length,
  });
  expect([tokensBefore, tokensAfter]).toStrictEqual([metadata.tokensBefore, metadata.tokensAfter]);
  expect(metadata.tokensBefore).toBeGreaterThan(metadata.targetTokens);
}

/** Nothing is given up once the target is reached: with all that went it would not have been. */
export function isThrifty({ before, result, dropped }: Compression): void {
  if (dropped.size === 0) return;
  const gone = estimateTokens(before.filter((_, index) => dropped.has(index)));
  expect(result.metadata.tokensAfter + gone).toBeGreaterThan(result.metadata.targetTokens);
}

/** I7: lines that one compression wrote stay as they are in the next. */
export function keepsLines({ options, result }: Compression): void {
  const lines = new Set(
    result.messages.flatMap(blocksOf).filter((block) => isCompacted(bag(block)?.result, bag(block)?.toolName)),
  );
  const again = compress(result.messages, options);
  for (const { kind, index, ...edit } of again.edits) {
    if (kind === 'set' && 'block' in edit)
      expect(lines.has(blocksOf(result.messages[index])[edit.block as number])).toBe(false);
  }
}

/** An optimizer compresses as the function does, and goes on from there. */
export function isSameByHandle({ before, options, result }: Compression): void {
  const { protect, ...rest } = options;
  const rulesOff = { preset: 'seed', rules: { readWritePruning: false, fileDedupe: false } } as const;
  const optimizer = createOptimizer<IContent>(protect === undefined ? rulesOff : { ...rulesOff, protect });
  optimizer.push(...before);
  const same = optimizer.compress(rest);
  expect(same.messages).toStrictEqual(result.messages);
  expect(same).toMatchObject({ kind: 'applied', metadata: result.metadata });
  expect(optimizer.optimize(same.messages).messages).toStrictEqual(optimize(same.messages, rulesOff).messages);
  optimizer.dispose();
}

/** All that holds of a strategy, by name. */
export const HOLDS: Readonly<Record<CompressOptions['strategy'], readonly ((compression: Compression) => void)[]>> = {
  'high-density': [
    keepsPairs,
    keepsTail,
    hasTail,
    changesResultsOnly,
    keepsRequest,
    tellsTruth,
    isThrifty,
    keepsLines,
    isSameByHandle,
  ],
  'top-down-truncation': [keepsPairs, keepsTail, changesResultsOnly, keepsEnd, tellsTruth, isThrifty, isSameByHandle],
};
