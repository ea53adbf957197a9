import type { Replay } from '../engine/api.js';

/** What a million input tokens cost: new ones, and those that the provider still has in its cache. */
export interface Prices {
  readonly fresh: number;
  readonly cached: number;
}

/** The tokens that a whole session sends, and their cost. */
export interface Bill {
  readonly sent: number;
  readonly cached: number;
  readonly cost: number;
  readonly peak: number;
  readonly end: number;
}

export function billOf({ after, cached }: Pick<Replay, 'after' | 'cached'>, prices: Prices): Bill {
  const sum = (values: Uint32Array): number => values.reduce((total, value) => total + value, 0);
  const [sent, reused] = [sum(after), sum(cached)];
  return {
    sent,
    cached: reused,
    cost: (reused * prices.cached + (sent - reused) * prices.fresh) / 1e6,
    peak: after.reduce((most, value) => Math.max(most, value), 0),
    end: after.at(-1) ?? 0,
  };
}

/** The same session without densify: each request begins with the one before it. */
export function billWithout({ before }: Pick<Replay, 'before'>, prices: Prices): Bill {
  const cached = before.map((_, call) => before[call - 1] ?? 0);
  return billOf({ after: before, cached }, prices);
}

export const dollars = (value: number): string => `$${value < 1 ? value.toFixed(3) : value.toFixed(2)}`;
