/** What pi's agents call before each request. */
import type { OptimizeOptions } from '../../types.js';
import { hookOf, type SharedHookOptions } from '../hooks.js';
import { pi } from './format.js';
import type { PiMessageLike, PiOptions } from './types.js';

/** Options of `transformContext`. */
export interface HookOptions<M extends PiMessageLike = PiMessageLike>
  extends OptimizeOptions<M>,
    PiOptions,
    SharedHookOptions<M> {}

/**
 * Makes a `transformContext` for pi's agents: the model gets optimized messages, by the rules of the named model or
 * of all models. The agent's state keeps all messages. It never throws.
 */
export function transformContext<N extends PiMessageLike = PiMessageLike>(
  options?: HookOptions<N>,
): <M extends PiMessageLike>(messages: M[]) => Promise<M[]> {
  const { run } = hookOf<PiMessageLike, OptimizeOptions<PiMessageLike> & PiOptions>(
    options as HookOptions | undefined,
    { format: pi },
  );
  return async <M extends PiMessageLike>(messages: M[]) => {
    const changed = await run(messages, () => ({}));
    return changed === undefined ? messages : ([...changed] as M[]);
  };
}
