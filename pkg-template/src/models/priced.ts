import { isObject, readOption } from '../base/options.js';
import { pricesOf } from './prices.js';
import type { Target } from './target.js';

/**
 * Options with the prices of the named model, unless they have their own. Uncached input costs the price of a cache write.
 * Free models have no prices, so the usual ones decide their flushes.
 */
export function priced<T extends object>(options: T | undefined, { model }: Target): T | undefined {
  // The reader of the options refuses anything else.
  const isReadable = options === undefined || isObject(options);
  if (typeof model !== 'string' || !isReadable) return options;
  if (options !== undefined && 'prices' in options && readOption(options, 'prices') !== undefined) return options;
  const { cached, write } = pricesOf(model);
  return write === 0 ? options : ({ ...options, prices: { cached, uncached: write } } as unknown as T);
}

/** Whether a model is named that the price table does not have. */
export function isUnpriced({ model }: Target): boolean {
  return typeof model === 'string' && pricesOf(model).family === 'unknown';
}
