/** Optimizers of hooks, one for each run: where edits of what was sent wait, somebody must know what was sent. */
import { optimizerSession } from '../functions.js';
import { DROPPED } from '../live-list.js';
import { SessionOptimizer } from '../optimizer.js';
import { sharedEngine } from '../shared.js';
import type { OptimizerOptions, Result } from '../types.js';
import type { Format, Target } from './format.js';
import { take } from './take.js';

/** An optimizer that belongs to a run. */
export interface RunOptimizer<M> {
  /** Optimizes the messages of a request. The result's lazy parts must be read before the next one. */
  optimize(messages: readonly M[]): Result<M>;
  /** The places of those messages that are gone; `undefined` where the list was no raw history. */
  gone(messages: readonly M[]): ReadonlySet<number> | undefined;
  dispose(): void;
}

/** Makes an optimizer for a run. */
export function runOptimizer<M extends object, O extends Target>(
  format: Format<M, O>,
  options: OptimizerOptions<M> & O,
): RunOptimizer<M> {
  const { adapter, rest } = take<M, M, O, OptimizerOptions<M>>(format, options);
  const { session, verify } = optimizerSession(sharedEngine(), adapter, rest);
  const optimizer = new SessionOptimizer(session, verify);
  return {
    optimize: (messages) => optimizer.optimize(messages),
    gone(messages) {
      const { raw, live } = session;
      if (raw.length !== messages.length || raw.some((message, at) => message !== messages[at])) return undefined;
      return new Set([...raw.keys()].filter((at) => live.entries[at] === DROPPED));
    },
    dispose: () => optimizer.dispose(),
  };
}
