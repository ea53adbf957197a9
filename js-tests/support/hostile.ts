// Hands odd histories to everything that takes one.
import { compress, createOptimizer, estimateTokens, type IContent, optimize, type Result } from 'densify';
import { applyDensityResult, proposeDensity } from 'densify/host';
import { expect } from 'vitest';
import { ai, call, human, inclusion, response, tool } from './say.js';

const SWITCHES = { readWritePruning: true, fileDedupe: true, recencyPruning: true, recencyRetention: 1 } as const;
export const DENSITY = { ...SWITCHES, workspaceRoot: '/w' } as const;
/** The same for `optimize`. */
export const RULES = { preset: 'seed', rules: SWITCHES, workspaceRoot: '/w' } as const;
export const LONG = 'a result that is long enough to be worth a pointer; '.repeat(12);

/** A history in which every rule has something to do. */
export function plain(): IContent[] {
  return [
    human(inclusion('a.ts', 'old'), 'first request'),
    ai('I read.', call('r', 'read_file', { file_path: 'a.ts' })),
    tool(response('r', 'read_file', LONG)),
    ai(call('g1', 'grep', { pattern: 'x' })),
    tool(response('g1', 'grep', LONG)),
    ai(call('w', 'write_file', { file_path: 'a.ts' })),
    tool(response('w', 'write_file', 'ok')),
    ai(call('g2', 'grep', { pattern: 'y' })),
    tool(response('g2', 'grep', LONG)),
    human(inclusion('a.ts', 'new'), 'go on'),
  ];
}

/** What the rules find in `plain()`. */
export const PLAIN_METADATA = { readWritePairsPruned: 1, fileDeduplicationsPruned: 1, recencyPruned: 1 };

/** A history from anything. */
export const entries = (...list: readonly unknown[]): IContent[] => list as IContent[];

/** `plain()` with something odd before, between and behind its entries. */
export function around(odd: unknown): IContent[] {
  return [odd, ...plain().flatMap((entry) => [entry, odd])] as IContent[];
}

/** Hands a history to everything; nothing may throw, nothing may vanish. Gives back what `optimize` made of it. */
export function throughAll(history: readonly IContent[]): readonly IContent[] {
  const { messages, edits } = touchAll(history);
  expect(messages.length + edits.filter(({ kind }) => kind === 'drop').length).toBe(history.length);
  expect(applyDensityResult(history, proposeDensity(history, DENSITY))).toHaveLength(messages.length);
  const optimizer = createOptimizer<IContent>(RULES);
  const first = optimizer.optimize(history).messages;
  expect(first).toHaveLength(messages.length);
  // Raw again, what was stored, and with something new.
  expect(optimizer.optimize(history).messages).toHaveLength(messages.length);
  expect(optimizer.optimize(first).messages).toHaveLength(messages.length);
  expect(optimizer.optimize([...first, human('more')]).messages).toHaveLength(messages.length + 1);
  optimizer.dispose();
  return messages;
}

/** Hands a history to everything that takes one, and reads all there is of the results; nothing may throw. */
export function touchAll(history: readonly IContent[]): Result<IContent> {
  const result = optimize(history, RULES);
  const { tokensBefore, tokensAfter, warnings, flush } = result;
  for (const count of [tokensBefore, tokensAfter, estimateTokens(history)]) expect(count).toBeGreaterThanOrEqual(0);
  expect(flush).toBeUndefined();
  for (const { index } of warnings) expect(index in history).toBe(true);
  applyDensityResult(history, proposeDensity(history, DENSITY));
  for (const strategy of ['high-density', 'top-down-truncation'] as const) {
    const compressed = compress(history, { strategy, contextLimit: 20 });
    expect(compressed.messages.length).toBeLessThanOrEqual(history.length);
    expect(compressed.messages.length).toBeGreaterThan(history.length === 0 ? -1 : 0);
    expect(compressed.tokensAfter).toBeGreaterThanOrEqual(0);
  }
  const optimizer = createOptimizer<IContent>(RULES);
  for (const list of [history, result.messages, [...history, human('more')]]) optimizer.optimize(list);
  optimizer.push(human('pushed'));
  optimizer.flush();
  expect(optimizer.compress({ strategy: 'high-density', contextLimit: 20 }).messages.length).toBeGreaterThan(0);
  optimizer.dispose();
  return result;
}

/** Checks that something odd among plain entries stays where it is, and keeps no rule from its work. */
export function expectKept(odd: unknown, history: readonly IContent[] = around(odd)): void {
  const isOdd = (entry: unknown): boolean => Object.is(entry, odd);
  const messages = throughAll(history);
  expect(messages.filter(isOdd)).toHaveLength(history.filter(isOdd).length);
  expect(optimize(history, RULES).metadata).toStrictEqual(PLAIN_METADATA);
}
