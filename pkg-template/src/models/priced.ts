import { type ModelPrices, pricesOf, writePrice } from './prices.js';
import type { Target } from './target.js';

/** The prices that decide about flushes. */
interface FlushPrices {
  readonly cached: number;
  readonly uncached: number;
}

/**
 * The prices without a model, as multiples of the price of input: the core's defaults (`src/defaults.rs`), and twice the input
 * for a cache that lives for an hour.
 */
const USUAL: Pick<ModelPrices, 'cached' | 'write' | 'longCache'> = {
  cached: 0.1,
  write: 1.25,
  longCache: { cacheTtl: 3600, write: 2 },
};

/**
 * The prices that decide flushes, for a cache that lives `cacheTtl` seconds; `undefined` means the core's defaults. Uncached input
 * costs the price of a cache write. Free models have no prices, so the usual ones decide their flushes.
 */
export function flushPrices(prices: ModelPrices | undefined, cacheTtl: number): FlushPrices | undefined {
  const known = prices === undefined || prices.write === 0 ? USUAL : prices;
  const uncached = writePrice(known, cacheTtl);
  return known === USUAL && uncached === USUAL.write ? undefined : { cached: known.cached, uncached };
}

/** Whether a model is named that the price table does not have. */
export function isUnpriced({ model }: Target): boolean {
  return typeof model === 'string' && pricesOf(model).family === 'unknown';
}
