import { optimizeIn, compressIn, estimateIn } from '../functions.js';
import type { Adapter } from '../adapter.js';
import { densifyError } from '../errors.js';
import { jsonText } from '../measure.js';
import { describe, readOption } from '../settings.js';
import { withChanges } from '../share.js';
import { sharedEngine } from '../shared.js';
import type { Callbacks, CompressOptions, CompressResult, OptimizeOptions, Result } from '../types.js';
import { keepBreakpoints } from './breakpoints.js';
import type { Format, Target } from './format.js';
import { take } from './take.js';

/** What goes with every request beside the messages, in tokens. */
export interface RequestOverhead {
  /** Of the system prompt. */
  readonly system: number;
  /** Of the definitions of tools. */
  readonly tools: number;
  /** Each tool, the largest first. */
  readonly byTool: readonly { readonly name: string; readonly tokens: number }[];
  readonly total: number;
}

/** A request with its messages made dense. */
export type RequestResult<R, T> = T extends unknown
  ? Omit<T, 'messages'> & {
      /** The request: the one that was handed in if nothing changed, else a copy with other messages. */
      readonly request: R;
      /** What goes with it beside the messages. */
      readonly overhead: RequestOverhead;
    }
  : never;

/** What densify reads of a request. */
export interface RequestLike<L> {
  readonly messages: readonly L[];
  readonly model?: string | undefined;
  readonly system?: unknown;
  readonly tools?: readonly object[] | undefined;
}

/** The messages of a request. */
export type MessageOf<R extends RequestLike<unknown>> = R['messages'][number];

/** The verbs over whole requests of one format. */
export interface RequestVerbs<L extends object, O extends Target> {
  /**
   * Optimizes the messages of a request, as `optimize` does. `model` is that of the request; what goes with the
   * messages is counted; a breakpoint of the provider's cache whose block goes moves to the block before it.
   */
  optimizeRequest<R extends RequestLike<L>>(
    request: R,
    options?: OptimizeOptions<MessageOf<R>> & O,
  ): RequestResult<R, Result<MessageOf<R>>>;
  /** Makes a request fit, as `compress` does; what goes with the messages is the `overhead`. */
  compressRequest<R extends RequestLike<L>>(
    request: R,
    options: Omit<CompressOptions<MessageOf<R>>, 'overhead'> & O,
  ): RequestResult<R, CompressResult<MessageOf<R>>>;
}

/** Makes `optimizeRequest` of a format. */
export function optimizeRequestOf<L extends object, O extends Target>(
  format: Format<L, O>,
): RequestVerbs<L, O>['optimizeRequest'] {
  return <R extends RequestLike<L>>(request: R, options?: OptimizeOptions<MessageOf<R>> & O) => {
    checkRequest(request);
    const { adapter, rest } = takeFor<L, O, OptimizeOptions<L>>(format, request, options);
    const overhead = overheadOf(adapter, request, rest);
    const result = optimizeIn(sharedEngine(), adapter, request.messages, rest);
    return withRequest(format, request, overhead, result as Result<L>) as RequestResult<R, Result<MessageOf<R>>>;
  };
}

/** Makes `compressRequest` of a format. */
export function compressRequestOf<L extends object, O extends Target>(
  format: Format<L, O>,
): RequestVerbs<L, O>['compressRequest'] {
  return <R extends RequestLike<L>>(request: R, options: Omit<CompressOptions<MessageOf<R>>, 'overhead'> & O) => {
    checkRequest(request);
    const { adapter, rest } = takeFor<L, O, CompressOptions<L>>(format, request, options);
    const overhead = overheadOf(adapter, request, rest);
    const settings = { ...rest, overhead: overhead.total } as CompressOptions<L>;
    const result = compressIn(sharedEngine(), adapter, request.messages, settings);
    return withRequest(format, request, overhead, result) as RequestResult<R, CompressResult<MessageOf<R>>>;
  };
}

/** The model of the request is that of the options, unless they name one. */
function takeFor<L extends object, O extends Target, T extends object>(
  format: Format<L, O>,
  { model }: RequestLike<L>,
  options: object | undefined,
) {
  const isObject = typeof options === 'object' && options !== null;
  const named = isObject && readOption(options, 'model') !== undefined;
  const given = options !== undefined && !isObject ? options : { ...options, ...(named ? {} : { model }) };
  return take<L, L, O, T>(format, given as T & O);
}

function checkRequest(request: unknown): void {
  if (typeof request === 'object' && request !== null) return;
  throw densifyError('invalid-messages', `request: found ${describe(request)}, expected an object with messages`);
}

function overheadOf<L extends object>(
  adapter: Adapter<L>,
  { system, tools }: RequestLike<L>,
  options: Pick<Callbacks, 'countTokens'> | undefined,
): RequestOverhead {
  const { countTokens } = options ?? {};
  const count = (text: string) => (text === '' ? 0 : estimateIn(sharedEngine(), adapter, text, { countTokens }));
  const byTool = (Array.isArray(tools) ? tools : []).map((tool: unknown) => {
    return { name: nameOf(tool), tokens: count(jsonText(tool)) };
  });
  byTool.sort((one, other) => other.tokens - one.tokens);
  const ofSystem = count(textOf(system));
  const ofTools = byTool.reduce((sum, { tokens }) => sum + tokens, 0);
  return { system: ofSystem, tools: ofTools, byTool, total: ofSystem + ofTools };
}

function textOf(system: unknown): string {
  if (typeof system === 'string') return system;
  if (!Array.isArray(system)) return system === undefined || system === null ? '' : jsonText(system);
  return system.map((part: unknown) => String((part as { text?: unknown } | null)?.text ?? '')).join('\n');
}

function nameOf(tool: unknown): string {
  const { name, type, function: made } = (tool ?? {}) as Readonly<Record<string, unknown>>;
  const inner = (made as { name?: unknown } | null | undefined)?.name;
  return [name, inner, type].find((found): found is string => typeof found === 'string') ?? '';
}

function withRequest<L extends object, O extends Target, T extends Result<L> | CompressResult<L>>(
  format: Format<L, O>,
  request: RequestLike<L>,
  overhead: RequestOverhead,
  result: T,
): object {
  const { breakpoints } = format;
  const { messages, edits } = result;
  const kept =
    breakpoints === undefined || messages === request.messages
      ? messages
      : keepBreakpoints(request.messages, messages, edits, breakpoints);
  const made = kept === request.messages ? request : withChanges(request, { messages: kept });
  // Tokens are counted when they are read: a property that is read late is passed on as it is.
  const descriptors = Object.getOwnPropertyDescriptors(result) as Record<string, PropertyDescriptor>;
  const { messages: _, ...rest } = descriptors;
  return Object.defineProperties({ request: made, overhead }, rest);
}
