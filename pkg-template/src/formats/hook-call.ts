/** One request on its way through a hook. */
import type { SeenSizes } from '../conversation/options.js';
import { pricesOf } from '../models/prices.js';
import { familyOf } from '../models/profiles.js';
import type { Target } from '../models/target.js';
import type { CacheUse } from '../session/session.js';
import { hasRoom, withAnchor } from './anchors.js';
import type { Format } from './format.js';
import { aheadOf, type RequestCache, UNSEEN } from './request-cache.js';

/** The parts of a request that a hook sees, apart from its messages. */
export interface Seen {
  /** What it asks of the window. */
  sizes?(target: Target): SeenSizes;
  /** What it asks of the provider's cache. */
  cache?(): RequestCache;
  /**
   * Whether the provider caches none of the messages, where the host has found out already.
   *
   * @default the hook finds out, if its flushes depend on it
   */
  readonly isUncached?: boolean | undefined;
}

/** A request, as the parts of a hook read it. */
export interface HookCall<M> {
  readonly messages: readonly M[];
  readonly target: Target;
  /** Lists under different keys belong to different runs. */
  readonly key: string;
  readonly seen: Seen | undefined;
  readonly cache: RequestCache;
  readonly cacheUse: CacheUse;
  /** The list with a breakpoint ahead of the next flush, where there is room for one. */
  anchored(list: readonly M[], anchor: number | undefined): readonly M[];
}

/** Reads a request. */
export function hookCall<M extends object>(
  messages: readonly M[],
  target: Target,
  seen: Seen | undefined,
  { format, setsAnchors }: { readonly format: Format<M, Target>; readonly setsAnchors: boolean },
): HookCall<M> {
  const cache = seen?.cache?.() ?? UNSEEN;
  const places = setsAnchors ? anchorPlaces(format, target, cache) : undefined;
  const keepsAnchor = places !== undefined && hasRoom(messages, places.breakpoints, cache);
  return {
    messages,
    target,
    key: JSON.stringify([target.model, target.provider]),
    seen,
    cache,
    cacheUse: { keptFor: cache.keptFor, ahead: aheadOf(cache, format, target), keepsAnchor },
    anchored: (list, anchor) => (places === undefined ? list : withAnchor(list, anchor, places)),
  };
}

/** Where breakpoints may be set ahead of flushes: the provider looks for its cache there. */
function anchorPlaces<M extends object>(format: Format<M, Target>, target: Target, cache: RequestCache) {
  const { breakpoints, family } = format;
  if (breakpoints === undefined || (familyOf(target) ?? family) !== 'anthropic') return undefined;
  return { breakpoints, cache, least: pricesOf(target.model).minimumCacheable };
}

/** Where messages go: the caller's choice, otherwise the called model's own name, as `names` finds it. */
export function targetOf({ model, provider }: Target, names: () => Target): Target {
  return model !== undefined || provider !== undefined ? { model, provider } : names();
}
