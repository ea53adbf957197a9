/** What all integrations have in common: they fail open, and they can watch without changing anything. */
import { onlyKnown } from '../base/options.js';
import { optimizeKeys } from '../generated/constants.js';
import type { Target } from '../models/target.js';
import { CLOCK } from '../optimizer/clock.js';
import { BESIDE_HOOKS, OF_HOOKS, OF_RULES } from '../optimizer/elsewhere.js';
import type { CoreEngine } from '../optimizer/shared-engine.js';
import type { OptimizerOptions } from '../types.js';
import { targetKeys } from './adapter.js';
import type { Breakpoints } from './breakpoints.js';
import type { Format } from './format.js';
import { hookCall, type Seen, targetOf } from './hook-call.js';
import { inConversations } from './hook-conversations.js';
import { inOptimizers, markedLive, reportUnpriced } from './hook-optimizers.js';
import { readHookOptions, type SharedHookOptions } from './hook-options.js';
import { HookReports, type Replaced } from './hook-reports.js';
import { runOptimizer } from './run-optimizer.js';

export type { HookWarning, SharedHookOptions } from './hook-options.js';

/** An integration's own options, and all others. */
export interface Hook<M, T extends object> {
  readonly options: T;
  /**
   * Makes of messages what the model gets: by the optimizer or the conversation of their run. `names` returns the
   * model's own name and provider, `seen` the rest of the request. The result is a promise only where a summary may be
   * requested.
   */
  run(messages: readonly M[], names: () => Target, seen?: Seen<M>): Replaced<M> | Promise<Replaced<M>>;
}

/** What a hook works with. */
interface Means<M extends object, O extends Target> {
  /**
   * Where breakpoints of the provider's cache are, if they are to be kept here.
   *
   * @default kept by `optimize`, or there are none
   */
  readonly breakpoints?: Breakpoints | undefined;
  /**
   * The format of the messages, where runs are told apart by them.
   *
   * @default none: `run` is given what optimizes each list
   */
  readonly format?: Format<M, O> | undefined;
  /**
   * What may be chosen beside how messages are optimized.
   *
   * @default what says where messages of the format go
   */
  readonly options?: readonly string[];
  /**
   * The engine in which the history of each run is optimized.
   *
   * @default the one that the package's functions share
   */
  readonly engine?: (() => CoreEngine) | undefined;
}

/** Takes an integration's own options; wrong ones are an error here already, not at the first call. */
export function hookOf<M extends object, T extends object>(
  given: (T & SharedHookOptions<M>) | undefined,
  { breakpoints, format, options = format && targetKeys(format), engine }: Means<M, Target>,
): Hook<M, T> {
  onlyKnown(given, [...Object.keys(OF_HOOKS), ...(options ?? []), ...optimizeKeys, ...OF_RULES, 'recall', CLOCK], {
    elsewhere: BESIDE_HOOKS,
  });
  const { own, rest } = readHookOptions<M>(given, format !== undefined);
  // Wrong options are an error now, not at the first request.
  if (format !== undefined) runOptimizer(format, rest as OptimizerOptions<M>, engine).dispose();
  const reports = new HookReports<M>(own);
  const { conversation, observe } = own;
  const converse = conversation && inConversations(own, conversation, reports);
  const optimize = format && inOptimizers(format, own, rest, reports, engine);
  const run: Hook<M, T>['run'] = (messages, names, seen) => {
    try {
      const call = hookCall(messages, targetOf(rest as Target, names), seen, { format, observe });
      if (converse !== undefined) return converse(call);
      reportUnpriced(rest, call.target, reports);
      if (seen?.optimize !== undefined)
        return reports.result(markedLive(messages, seen.optimize(call.target), breakpoints));
      if (optimize === undefined) throw new TypeError('a hook needs a format or an optimizer');
      return optimize(call);
    } catch (error) {
      return reports.failed(error);
    }
  };
  return { options: rest as T, run };
}
