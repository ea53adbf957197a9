/** Which requests of a log met a cold cache, by the times that its entries have. */
import type { IContent } from '../base/content.js';
import { millisecondsOf } from '../base/time.js';
import { pricesOf } from '../models/prices.js';
import { about } from './odd.js';

/** The time of an entry in milliseconds, if it has one that can be read. */
export function timeOf(entry: IContent): number | undefined {
  return millisecondsOf(about(entry, 'timestamp'));
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

/** How long the provider's cache lives, by the first reply that tells. */
export function lifetimeIn(log: readonly IContent[]): number | undefined {
  for (const entry of log) {
    const lifetime = lifetimeOf(entry);
    if (lifetime !== undefined) return lifetime;
  }
  return undefined;
}

function lifetimeOf(reply: IContent): number | undefined {
  const [own, model] = [about(reply, 'cacheTtl'), about(reply, 'model')];
  if (typeof own === 'number' && own > 0) return own;
  return typeof model === 'string' ? pricesOf(model).cacheTtl : undefined;
}
