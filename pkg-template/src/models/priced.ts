import { readOption } from '../base/options.js';
import { pricesOf } from './prices.js';
import type { Target } from './target.js';

/**
 * Options with the prices of the named model, unless they have prices of their own. What isn't in the cache is written to it.
 * Models that are given away have no prices: their flushes go by the usual ones.
 */
export function priced<T extends object>(options: T | undefined, { model }: Target): T | undefined {
  // What is no object is refused by who reads it.
  const isReadable =
    options === undefined || (typeof options === 'object' && options !== null && !Array.isArray(options));
  if (typeof model !== 'string' || !isReadable) return options;
  if (options !== undefined && 'prices' in options && readOption(options, 'prices') !== undefined) return options;
  const { cached, write } = pricesOf(model);
  return write === 0 ? options : ({ ...options, prices: { cached, uncached: write } } as unknown as T);
}

/** Whether a model is named whose prices nobody knows. */
export function isUnpriced({ model }: Target): boolean {
  return typeof model === 'string' && pricesOf(model).family === 'unknown';
}
