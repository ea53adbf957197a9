/** Which requests of a log met a cold cache, by the times that its entries have. */
import type { IContent } from '../base/content.js';
import { pricesOf } from '../models/prices.js';
import { about } from './odd.js';

/** Below this a number is one of seconds: as milliseconds it would be of 1973. */
const SECONDS = 1e11;

/**
 * The time of an entry in milliseconds, if it has one that can be read. A time without a zone is taken for UTC: all that
 * counts is how far two times lie apart.
 */
export function timeOf(entry: IContent): number | undefined {
  const stamp = about(entry, 'timestamp');
  const time = typeof stamp === 'string' ? Date.parse(zoned(stamp)) : typeof stamp === 'number' ? stamp : Number.NaN;
  if (!Number.isFinite(time) || time <= 0) return undefined;
  return typeof stamp === 'number' && time < SECONDS ? time * 1000 : time;
}

function zoned(stamp: string): string {
  return /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(stamp) ? `${stamp}Z` : stamp;
}

/**
 * The calls, by index, that were made after the cache had died: longer than its lifetime after the reply before them. A
 * clock that runs backwards, or stands still, makes no gap. `cacheTtl` is in seconds; without it the log says how long its
 * entries live, or else the model's provider does.
 */
export function coldCalls(
  entries: readonly IContent[],
  calls: readonly number[],
  cacheTtl: number | undefined,
): ReadonlySet<number> {
  const cold = new Set<number>();
  let [before, lifetime] = [undefined as number | undefined, undefined as number | undefined];
  for (const at of calls) {
    const reply = entries[at]!;
    const now = timeOf(entries[at - 1]!) ?? timeOf(reply);
    if (before !== undefined && now !== undefined && lifetime !== undefined && now - before > lifetime * 1000)
      cold.add(at);
    before = timeOf(reply) ?? now ?? before;
    lifetime = cacheTtl ?? lifetimeOf(reply) ?? lifetime;
  }
  return cold;
}

function lifetimeOf(reply: IContent): number | undefined {
  const [own, model] = [about(reply, 'cacheTtl'), about(reply, 'model')];
  if (typeof own === 'number' && own > 0) return own;
  return typeof model === 'string' ? pricesOf(model).cacheTtl : undefined;
}
