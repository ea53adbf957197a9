/** Optimizers of hooks, one for each run: they remember the messages that were sent, while edits of them wait. */

import type { Target } from '../models/target.js';
import { optimizerSession } from '../optimizer/functions.js';
import { SessionOptimizer } from '../optimizer/optimizer.js';
import { type CoreEngine, sharedEngine } from '../optimizer/shared-engine.js';
import { DROPPED } from '../session/live-list.js';
import type { CacheUse } from '../session/session.js';
import type { OptimizeOptions, Result } from '../types.js';
import type { Format } from './format.js';
import { take } from './take.js';

/** An optimizer that belongs to a run. */
export interface RunOptimizer<M> {
  /** Optimizes the messages of a request. The result's lazy parts must be read before the next one. */
  optimize(messages: readonly M[]): Result<M>;
  /** Notes how the request to come uses the provider's cache. */
  noteCache(use: CacheUse): void;
  /** The places of those messages that are gone; `undefined` where the list was no raw history. */
  gone(messages: readonly M[]): ReadonlySet<number> | undefined;
  /** Another one that knows all of it but the newest messages. */
  branch(back: number): RunOptimizer<M>;
  dispose(): void;
}

/** Makes an optimizer for a run. */
export function runOptimizer<M extends object, O extends Target>(
  format: Format<M, O>,
  options: OptimizeOptions<M> & O,
  engine: () => CoreEngine = sharedEngine,
): RunOptimizer<M> {
  const { adapter, rest } = take<M, M, O, OptimizeOptions<M>>(format, options);
  return runOptimizerOf(() => optimizerSession(engine(), adapter, rest));
}

function runOptimizerOf<M>(
  create: () => ReturnType<typeof optimizerSession<M>>,
  session = create(),
  isBranch = false,
): RunOptimizer<M> {
  let requests = 0;
  const optimizer = new SessionOptimizer(session);
  return {
    optimize(messages) {
      requests += 1;
      return optimizer.optimize(messages);
    },
    noteCache: (use) => session.noteCache(use),
    gone(messages) {
      const { raw, live } = session;
      if (raw.length !== messages.length || raw.some((message, at) => message !== messages[at])) return undefined;
      return new Set([...raw.keys()].filter((at) => live.entries[at] === DROPPED));
    },
    branch(back) {
      const other = create();
      other.resume(session.raw, session.record(true));
      other.rewind(session.raw.length - back);
      // A host that changes its newest message branches each time; another one may have asked a side question.
      other.isFork = !isBranch || requests > 1;
      return runOptimizerOf(create, other, true);
    },
    dispose: () => optimizer.dispose(),
  };
}
