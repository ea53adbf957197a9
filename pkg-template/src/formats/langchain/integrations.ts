/** What agents of LangChain call around each request. */
import type { OptimizeOptions } from '../../types.js';
import { hookOf, type SharedHookOptions } from '../hooks.js';
import { type RequestCache, requestCache, UNSEEN } from '../request-cache.js';
import { sizesOf } from '../requests.js';
import { langchain } from './format.js';
import { namesOf } from './request.js';
import type { LangChainMessageLike, LangChainOptions } from './types.js';

/** Options of `wrapModelCall` and `preModelHook`. */
export interface HookOptions<M extends LangChainMessageLike = LangChainMessageLike>
  extends OptimizeOptions<M>,
    LangChainOptions,
    SharedHookOptions<M> {}

/** The part of a model request that densify reads. */
export interface ModelRequestLike<M> {
  readonly messages: M[];
  readonly model?: unknown;
}

/**
 * Makes a `wrapModelCall` for `createMiddleware`: it optimizes the messages that the model gets, by the provider's
 * rules. The agent's state keeps all messages.
 */
export function wrapModelCall<N extends LangChainMessageLike = LangChainMessageLike>(
  options?: HookOptions<N>,
): <R extends ModelRequestLike<LangChainMessageLike>, T>(request: R, handler: (request: R) => T) => T {
  const { options: given, run } = hookOf<
    LangChainMessageLike,
    OptimizeOptions<LangChainMessageLike> & LangChainOptions
  >(options as HookOptions | undefined, { format: langchain });
  return <R extends ModelRequestLike<LangChainMessageLike>, T>(request: R, handler: (request: R) => T) => {
    const handled = (changed: readonly LangChainMessageLike[] | undefined) =>
      handler(changed === undefined ? request : { ...request, messages: [...changed] });
    const changed = run(request.messages, () => namesOf(request.model), {
      sizes: (target) => sizesOf(langchain, request, { ...given, ...target }),
      cache: () => cacheOf(request),
    });
    // Where a summary is awaited the handler's promise comes later; handlers of agents give promises.
    return changed instanceof Promise ? (changed.then(handled) as T) : handled(changed);
  };
}

/** What a request asks of the cache. Middleware behind this one may still add breakpoints. */
function cacheOf({
  model,
  modelSettings,
}: ModelRequestLike<unknown> & { readonly modelSettings?: unknown }): RequestCache {
  const asked = requestCache({ ...(modelSettings as object), modelSettings: model }, langchain.breakpoints);
  return { ...asked, count: asked.count + UNSEEN.count, isSeen: false };
}

/** The part of a graph's state that densify reads. */
export interface GraphStateLike<M> {
  readonly messages: readonly M[];
}

/**
 * Makes a `preModelHook` for LangGraph's `createReactAgent`: it optimizes the messages that the model gets. The graph's
 * state keeps all messages. A graph doesn't name the model that it calls, so pass `model` or `provider`.
 */
export function preModelHook<N extends LangChainMessageLike = LangChainMessageLike>(
  options?: HookOptions<N>,
): <M extends LangChainMessageLike>(state: GraphStateLike<M>) => Promise<{ llmInputMessages: M[] }> {
  const packed = wrapModelCall(options);
  // The list is always given: the graph would use that of the step before.
  return (state) =>
    Promise.resolve(
      packed({ messages: [...state.messages] }, ({ messages }) => ({ llmInputMessages: messages as never[] })),
    );
}
