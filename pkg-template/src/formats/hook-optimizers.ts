/** Hooks that optimize each run, without a conversation. */
import { bindsThinking } from '../messages/adapter.js';
import { isUnpriced } from '../models/priced.js';
import type { Target } from '../models/target.js';
import { alwaysFlushes } from '../optimizer/functions.js';
import type { CoreEngine } from '../optimizer/shared-engine.js';
import type { OptimizeOptions, Result } from '../types.js';
import { BoundThinking } from './bound-thinking.js';
import { type Breakpoints, keepBreakpoints } from './breakpoints.js';
import type { Format } from './format.js';
import type { HookCall } from './hook-call.js';
import type { SharedHookOptions } from './hook-options.js';
import type { HookReports, Replaced } from './hook-reports.js';
import { isUncached, uncachedFlush } from './request-cache.js';
import { type RunOptimizer, runOptimizer } from './run-optimizer.js';
import { type Following, Runs } from './runs.js';
import { take } from './take.js';

/** Makes what passes requests through an optimizer of their run. `rest` has the optimizer's options. */
export function inOptimizers<M extends object>(
  format: Format<M, Target>,
  { observe, maxRuns }: SharedHookOptions<M>,
  rest: object,
  reports: HookReports<M>,
  engine: (() => CoreEngine) | undefined,
): (call: HookCall<M>) => Replaced<M> {
  const branch = (optimizer: RunOptimizer<M>, { back }: { readonly back: number }) =>
    [optimizer.branch(back), optimizer] as const;
  const runs = new Runs<M, RunOptimizer<M>>(branch, maxRuns);
  const thinkingOf = observe === true ? () => undefined : boundThinking(format);
  return (call) => {
    const { messages, target, key, seen, cache } = call;
    const options = { ...rest, ...target } as OptimizeOptions<M> & Target;
    const flush = uncachedFlush(rest, () => seen?.isUncached ?? isUncached(messages, format, options, cache));
    // Requests of another policy are another run: what waits in one was sent by the other.
    const policy = flush === undefined ? key : `${key} ${flush.flush}`;
    const following = runs.follow(messages, policy, () => runOptimizer(format, { ...options, ...flush }, engine));
    if (following.wasForgotten) reports.runForgotten();
    following.keeper.noteCache(call.cacheUse);
    const sent = (list: readonly M[]) => thinkingOf(key, options)?.sent(list) ?? list;
    return flushed(call, following, format.breakpoints, { reports, sent });
  };
}

/** Reports models without prices, where flushes depend on them. */
export function reportUnpriced<M>(rest: object, target: Target, reports: HookReports<M>): void {
  const { prices } = rest as OptimizeOptions<M>;
  if (prices === undefined && !alwaysFlushes(rest) && isUnpriced(target)) reports.modelUnpriced(target.model);
}

/** What keeps thinking where a model's provider accepts it; `undefined` for models that don't bind it to anything. */
function boundThinking<M extends object>(
  format: Format<M, Target>,
): (key: string, options: object) => BoundThinking<M> | undefined {
  const known = new Map<string, BoundThinking<M> | undefined>();
  return (key, options) => {
    if (!known.has(key)) {
      const { adapter } = take<M, M, Target, object>(format, options);
      known.set(key, bindsThinking(adapter) ? new BoundThinking(adapter) : undefined);
    }
    return known.get(key);
  };
}

/** What the optimizer of a run makes of its messages. */
function flushed<M extends object>(
  { messages, anchored }: HookCall<M>,
  { keeper, forwarded, forget }: Following<M, RunOptimizer<M>>,
  breakpoints: Breakpoints | undefined,
  { reports, sent }: { readonly reports: HookReports<M>; sent(list: readonly M[]): readonly M[] },
): Replaced<M> {
  try {
    const result = keeper.optimize(messages);
    const { anchor } = result;
    const marked = markedLive(messages, result, breakpoints, () => keeper.gone(messages));
    const list = sent(reports.result(marked) ?? messages);
    forwarded(list);
    const made = anchored(list, anchor);
    return made === messages ? undefined : made;
  } catch (error) {
    forget();
    throw error;
  }
}

/** A result of a handle in which no breakpoint got lost: its edits are not of the very messages that came in. */
function markedLive<M extends object>(
  given: readonly M[],
  result: Result<M>,
  breakpoints: Breakpoints | undefined,
  gone: () => ReadonlySet<number> | undefined,
): Result<M> {
  const messages = keepBreakpoints(given, result.messages, breakpoints, gone);
  if (messages === result.messages) return result;
  // Values that are read late are passed on unchanged.
  return new Proxy(result, { get: (of, key): unknown => (key === 'messages' ? messages : Reflect.get(of, key)) });
}
