/** What all integrations have in common: they fail open, and they can watch without changing anything. */
import { onlyKnown } from '../base/options.js';
import { optimizeKeys } from '../generated/constants.js';
import type { Target } from '../models/target.js';
import { CLOCK } from '../optimizer/clock.js';
import { BESIDE_HOOKS, OF_HOOKS, OF_RULES } from '../optimizer/elsewhere.js';
import type { CoreEngine } from '../optimizer/shared-engine.js';
import type { OptimizeOptions } from '../types.js';
import { targetKeys } from './adapter.js';
import type { Format } from './format.js';
import { hookCall, type Seen, targetOf } from './hook-call.js';
import { inConversations } from './hook-conversations.js';
import { inOptimizers, reportUnpriced } from './hook-optimizers.js';
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
  run(messages: readonly M[], names: () => Target, seen?: Seen): Replaced<M> | Promise<Replaced<M>>;
}

/** What a hook works with. */
interface Means<M extends object, O extends Target> {
  /** The format of the messages, by which runs are told apart. */
  readonly format: Format<M, O>;
  /**
   * Whether the hook sees nothing but the messages of a request. Then it assumes that the provider caches them, and adds no
   * breakpoint.
   *
   * @default false
   */
  readonly seesMessagesOnly?: boolean;
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
  { format, seesMessagesOnly = false, options = targetKeys(format), engine }: Means<M, Target>,
): Hook<M, T> {
  onlyKnown(given, [...Object.keys(OF_HOOKS), ...options, ...optimizeKeys, ...OF_RULES, 'recall', CLOCK], {
    elsewhere: BESIDE_HOOKS,
  });
  const { own, rest } = readHookOptions<M>(given);
  // Wrong options are an error now, not at the first request.
  runOptimizer(format, rest as OptimizeOptions<M>, engine).dispose();
  const reports = new HookReports<M>(own);
  const { conversation, observe } = own;
  const converse = conversation && inConversations(own, conversation, reports);
  const optimize = inOptimizers(format, own, rest, reports, engine);
  const run: Hook<M, T>['run'] = (messages, names, seen) => {
    try {
      const known = seesMessagesOnly ? { isUncached: false } : seen;
      const setsAnchors = observe !== true && !seesMessagesOnly;
      const call = hookCall(messages, targetOf(rest as Target, names), known, { format, setsAnchors });
      if (converse !== undefined) return converse(call);
      reportUnpriced(rest, call.target, reports);
      return optimize(call);
    } catch (error) {
      return reports.failed(error);
    }
  };
  return { options: rest as T, run };
}
