/** What agents of LangChain call around each request. */
import type { OptimizeOptions } from '../../types.js';
import { optimizeOf } from '../core-verbs.js';
import { type HookOptions, hookOf } from '../hooks.js';
import { sizesOf } from '../requests.js';
import { langchain } from './format.js';
import { namesOf } from './request.js';
import type { LangChainMessageLike, LangChainOptions } from './types.js';

const optimize = /* @__PURE__ */ optimizeOf(langchain);

/** Options of `wrapModelCall` and `preModelHook`. */
export interface WrapModelCallOptions<M extends LangChainMessageLike = LangChainMessageLike>
  extends OptimizeOptions<M>,
    LangChainOptions,
    HookOptions<M> {}

/** What is read of a request to a model. */
export interface ModelRequestLike<M> {
  readonly messages: M[];
  readonly model?: unknown;
}

/**
 * Makes a `wrapModelCall` for `createMiddleware`: what the model gets is optimized, by its provider's rules; the
 * state of the agent keeps all messages.
 */
export function wrapModelCall<N extends LangChainMessageLike = LangChainMessageLike>(
  options?: WrapModelCallOptions<N>,
): <R extends ModelRequestLike<LangChainMessageLike>, T>(request: R, handler: (request: R) => T) => T {
  const { options: given, run } = hookOf<
    LangChainMessageLike,
    OptimizeOptions<LangChainMessageLike> & LangChainOptions
  >(options as WrapModelCallOptions | undefined, { breakpoints: langchain.breakpoints, format: langchain });
  // Wrong options are an error now.
  optimize([], given);
  return <R extends ModelRequestLike<LangChainMessageLike>, T>(request: R, handler: (request: R) => T) => {
    const handled = (changed: readonly LangChainMessageLike[] | undefined) =>
      handler(changed === undefined ? request : { ...request, messages: [...changed] });
    const changed = run(
      request.messages,
      () => namesOf(request.model),
      (target) => optimize(request.messages, { ...given, ...target }),
      { sizes: (target) => sizesOf(langchain, request, { ...given, ...target }) },
    );
    // Where a summary is awaited the handler's promise comes later; handlers of agents give promises.
    return changed instanceof Promise ? (changed.then(handled) as T) : handled(changed);
  };
}

/** What is read of the state of a graph. */
export interface GraphStateLike<M> {
  readonly messages: readonly M[];
}

/**
 * Makes a `preModelHook` for LangGraph's `createReactAgent`: what the model gets is optimized, and the state of the graph
 * keeps all messages. A graph doesn't tell which model it calls: pass `model` or `provider`.
 */
export function preModelHook<N extends LangChainMessageLike = LangChainMessageLike>(
  options?: WrapModelCallOptions<N>,
): <M extends LangChainMessageLike>(state: GraphStateLike<M>) => Promise<{ llmInputMessages: M[] }> {
  const packed = wrapModelCall(options);
  // The list is always given: the graph would use that of the step before.
  return (state) =>
    Promise.resolve(
      packed({ messages: [...state.messages] }, ({ messages }) => ({ llmInputMessages: messages as never[] })),
    );
}
