/** What clients of Anthropic's SDK call around each request. */
import { parseJson } from '../../base/json.js';
import type { Bag } from '../../messages/facts.js';
import type { OptimizeOptions } from '../../types.js';
import { hookOf, type SharedHookOptions } from '../hooks.js';
import { requestCache } from '../request-cache.js';
import { sizesOf } from '../requests.js';
import { anthropic } from './format.js';
import type { AnthropicMessageLike, AnthropicOptions } from './types.js';

/** Options of `middleware`. */
export interface HookOptions<M extends AnthropicMessageLike = AnthropicMessageLike>
  extends OptimizeOptions<M>,
    AnthropicOptions,
    SharedHookOptions<M> {}

/** The part of a request that the middleware reads. */
export interface ApiRequestLike {
  readonly url: string;
  readonly method?: string | undefined;
  readonly body?: unknown;
}

/** Where messages are sent, and where their tokens are counted. */
const PATHS = /\/v1\/messages(?:\/count_tokens)?(?:\?|$)/;

/**
 * Makes a middleware for `new Anthropic({ middleware: [middleware()] })`: it optimizes the messages of each request by
 * the rules of the request's model, also those of tool runners. All other requests pass unchanged.
 */
export function middleware<N extends AnthropicMessageLike = AnthropicMessageLike>(
  options?: HookOptions<N>,
): <R extends ApiRequestLike, T>(request: R, next: (request: R) => Promise<T>) => Promise<T> {
  const { options: given, run } = hookOf<
    AnthropicMessageLike,
    OptimizeOptions<AnthropicMessageLike> & AnthropicOptions
  >(options as HookOptions | undefined, { format: anthropic });
  return async (request, next) => {
    const body = bodyOf(request);
    if (body === undefined) return next(request);
    const { messages, model } = body;
    const changed = await run(messages, () => (typeof model === 'string' ? { model } : {}), {
      sizes: (target) => sizesOf(anthropic, body, { ...given, ...target }),
      cache: () => requestCache(body, anthropic.breakpoints),
    });
    if (changed === undefined) return next(request);
    return next({ ...request, body: JSON.stringify({ ...body, messages: changed }) });
  };
}

/** A request for messages, if it is one that can be read. */
interface MessagesBody extends Bag {
  readonly messages: readonly AnthropicMessageLike[];
}

function bodyOf({ url, body, method = 'POST' }: ApiRequestLike): MessagesBody | undefined {
  if (typeof body !== 'string' || method.toUpperCase() !== 'POST' || !PATHS.test(url)) return undefined;
  const found = parseJson(body) as Bag | null | undefined;
  // If the provider keeps the thread, the client sends only new messages: there is nothing before it to rest an edit
  // on.
  const isRest = ((found?.thread ?? undefined) as Bag | undefined)?.type === 'continue';
  return Array.isArray(found?.messages) && !isRest ? (found as MessagesBody) : undefined;
}
