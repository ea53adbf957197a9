import type { Facts, Replay } from '../engine/api.js';
import { KIND } from './kinds.js';

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

/**
 * The number of requests that were sent. If a log ends with the model's answer, its last state is shown, but was not sent.
 */
export function sentCalls({ calls, kind }: Pick<Facts, 'calls' | 'kind'>): number {
  const last = kind.at(-1);
  const isAnswered = last === KIND.assistant || last === KIND.thinking || last === KIND.call;
  return calls.length - (isAnswered && calls.length > 1 ? 1 : 0);
}

/** The cost of the first `calls` requests. */
export function billOf({ after, cached }: Pick<Replay, 'after' | 'cached'>, prices: Prices, calls: number): Bill {
  const sum = (values: Uint32Array): number => values.slice(0, calls).reduce((total, value) => total + value, 0);
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
export function billWithout({ before }: Pick<Replay, 'before'>, prices: Prices, calls: number): Bill {
  const cached = before.map((_, call) => before[call - 1] ?? 0);
  return billOf({ after: before, cached }, prices, calls);
}

export const dollars = (value: number): string => `$${value < 1 ? value.toFixed(3) : value.toFixed(2)}`;
