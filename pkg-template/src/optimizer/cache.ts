/** The provider's cache, as the core gets it: its lifetime, and the price of a miss. */
import { isObject, readOption } from '../base/options.js';
import type { Adapter } from '../messages/adapter.js';
import { flushPrices } from '../models/priced.js';
import { type Known, readSettings, type Settings } from './settings.js';

/**
 * The core's options as JSON, if messages or requests ask the cache to keep them for some seconds (0: none does). A longer life
 * may cost more: then a flush must save more.
 */
export type CoreOptions = (keptFor: number) => string;

/** Options, taken apart as by `readSettings`, for a cache that may be asked to live longer. */
export function readCacheSettings<M>(
  options: object | undefined,
  adapter: Pick<Adapter<M>, 'prices'>,
  known: Known,
): Pick<Settings<M>, 'callbacks'> & { readonly core: CoreOptions } {
  const { prices } = adapter;
  const own = isObject(options) ? readOption(options, 'prices') : undefined;
  const { json, callbacks } = readSettings<M>(withCache(options, prices, own), known);
  const core: CoreOptions = (keptFor) => {
    if (keptFor === 0) return json;
    const read = JSON.parse(json) as { prices?: object | undefined; cacheTtl?: number };
    if (read.cacheTtl !== undefined) read.cacheTtl = Math.max(read.cacheTtl, keptFor);
    // Without a model, the caller's lifetime may be any provider's.
    const lifetime = prices === undefined ? keptFor : Math.max(read.cacheTtl ?? 0, keptFor);
    if (own === undefined) read.prices = flushPrices(prices, lifetime);
    return JSON.stringify(read);
  };
  return { core, callbacks };
}

/** Options with the cache of the model, as far as they have none of their own. `Infinity` reaches the core as no lifetime. */
function withCache(options: object | undefined, prices: Adapter<never>['prices'], own: unknown): object | undefined {
  // The reader of the options refuses anything else.
  if (prices === undefined || (options !== undefined && !isObject(options))) return withoutInfinity(options);
  const given = (options && readOption(options, 'cacheTtl')) ?? prices.cacheTtl;
  const cacheTtl = given === Infinity ? undefined : given;
  const lifetime = typeof given === 'number' ? given : 0;
  return { ...options, cacheTtl, prices: own ?? flushPrices(prices, lifetime) };
}

function withoutInfinity(options: object | undefined): object | undefined {
  const isEver = isObject(options) && readOption(options, 'cacheTtl') === Infinity;
  return isEver ? { ...options, cacheTtl: undefined } : options;
}
