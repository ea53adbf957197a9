/** What the AI SDK calls before each request: `prepareStep` of its loops, middleware of its models. */
import type { OptimizeOptions } from '../../types.js';
import { targetKeys } from '../adapter.js';
import { hookOf, type SharedHookOptions } from '../hooks.js';
import { type RequestCache, requestCache } from '../request-cache.js';
import { sizesOf } from '../requests.js';
import { aiSdk, aiSdkPrompt } from './format.js';
import { namesOf } from './request.js';
import type { AiSdkMessageLike, AiSdkOptions } from './types.js';

/** Options of `prepareStep`, `middleware` and `mastraProcessor`. */
export interface HookOptions<M extends AiSdkMessageLike = AiSdkMessageLike>
  extends OptimizeOptions<M>,
    AiSdkOptions,
    SharedHookOptions<M> {}

/** The part of `prepareStep`'s argument that is read. */
export interface StepLike<M> {
  readonly messages: M[];
  readonly model?: unknown;
}

/** The part of a call's parameters that densify reads. */
export interface CallLike<M> {
  readonly prompt: M[];
}

/** What `transformParams` is called with. */
export interface TransformLike<P> {
  readonly params: P;
  readonly model?: unknown;
}

/** What `prepareStep` gives the SDK. */
export interface PreparedMessages<M> {
  messages: M[];
}

/**
 * Makes a `prepareStep` for `generateText`, `streamText` and agents. It serves any number of runs at once. It works with
 * `ai` 7, which passes the returned messages on to later steps, and with `ai` 6, which starts from its own list again.
 */
export function prepareStep<N extends AiSdkMessageLike = AiSdkMessageLike>(
  options?: HookOptions<N>,
): <M extends AiSdkMessageLike>(
  step: StepLike<M>,
) => PreparedMessages<M> | undefined | Promise<PreparedMessages<M> | undefined> {
  const { run } = hookOf<AiSdkMessageLike, OptimizeOptions<AiSdkMessageLike> & AiSdkOptions>(
    options as HookOptions | undefined,
    { format: aiSdk, seesMessagesOnly: true, options: targetKeys(aiSdk) },
  );
  return <M extends AiSdkMessageLike>({ messages, model }: StepLike<M>) => {
    // A list of its own: the SDK may add to it.
    const listed = (changed: readonly AiSdkMessageLike[] | undefined) => {
      return changed && ({ messages: [...changed] } as unknown as PreparedMessages<M>);
    };
    const changed = run(messages, () => namesOf(model));
    return changed instanceof Promise ? changed.then(listed) : listed(changed);
  };
}

/**
 * Makes the middleware of a language model, for `wrapLanguageModel`: the prompt of each call is optimized, by the
 * rules of the model that is called. Between calls it keeps only the conversations that `conversation` makes, and a
 * memory of each run.
 */
export function middleware<N extends AiSdkMessageLike = AiSdkMessageLike>(
  options?: HookOptions<N>,
): {
  readonly specificationVersion: 'v3';
  readonly transformParams: <M extends AiSdkMessageLike, P extends CallLike<M>>(
    call: TransformLike<P & CallLike<M>>,
  ) => Promise<P>;
} {
  const transformed = transforming(options);
  return {
    specificationVersion: 'v3',
    // The system prompt is a message here.
    transformParams: async ({ params, model }) =>
      transformed(params, model, () => requestCache(params, aiSdkPrompt.breakpoints)),
  };
}

/** Makes what optimizes the prompt of a call. */
function transforming<N extends AiSdkMessageLike>(options: HookOptions<N> | undefined) {
  const { options: given, run } = hookOf<AiSdkMessageLike, OptimizeOptions<AiSdkMessageLike> & AiSdkOptions>(
    options as HookOptions | undefined,
    { format: aiSdkPrompt },
  );
  return async <M extends AiSdkMessageLike, P extends CallLike<M>>(
    params: P,
    model: unknown,
    cache: () => RequestCache,
  ): Promise<P> => {
    const changed = await run(params.prompt, () => namesOf(model), {
      sizes: (target) => sizesOf(aiSdkPrompt, params, { ...given, ...target }),
      cache,
    });
    return changed === undefined ? params : { ...params, prompt: [...changed] };
  };
}

/** The argument that Mastra passes to `processLLMRequest`. */
export interface LlmRequestLike<M> {
  readonly prompt: M[];
  readonly model?: unknown;
}

/**
 * Makes an input processor for agents of Mastra: the prompt of each step is optimized, by the rules of the model that is
 * called. It uses `processLLMRequest`: what `processInputStep` changes would be stored in the agent's memory.
 */
export function mastraProcessor<N extends AiSdkMessageLike = AiSdkMessageLike>(
  options?: HookOptions<N>,
): {
  readonly id: 'densify';
  readonly name: 'densify';
  readonly processLLMRequest: <M extends AiSdkMessageLike>(
    request: LlmRequestLike<M>,
  ) => Promise<{ prompt: M[] } | undefined>;
} {
  const transformed = transforming(options);
  return {
    id: 'densify',
    name: 'densify',
    processLLMRequest: async <M extends AiSdkMessageLike>({ prompt, model }: LlmRequestLike<M>) => {
      const given = { prompt };
      // Mastra doesn't show what else the request asks of the cache.
      const cache = () => ({ ...requestCache(given, aiSdkPrompt.breakpoints), isSeen: false });
      const params = await transformed(given, model, cache);
      return params === given ? undefined : { prompt: params.prompt };
    },
  };
}
