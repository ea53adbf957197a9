import { densifyError } from '../base/errors.js';
import { describe, readOption } from '../base/options.js';
import { withChanges } from '../base/share.js';
import type { Adapter } from '../messages/adapter.js';
import type { Bag } from '../messages/facts.js';
import { jsonText } from '../messages/measure.js';
import { measuredFactor } from '../models/measured.js';
import { familyOf } from '../models/profiles.js';
import type { Target } from '../models/target.js';
import { compressIn, estimateIn, optimizeIn } from '../optimizer/functions.js';
import { sharedEngine } from '../optimizer/shared-engine.js';
import { type OverheadOf, overheads, promptOverhead } from '../tokens/overhead.js';
import type { Callbacks, CompressOptions, CompressResult, OptimizeOptions, Result } from '../types.js';
import { droppedBy, keepBreakpoints } from './breakpoints.js';
import type { Format, RequestShape } from './format.js';
import { aheadOf, isUncached, requestCache, uncachedFlush } from './request-cache.js';
import { take } from './take.js';
import type { RequestOf } from './written.js';

/** The tokens of a request besides its messages. */
export interface RequestOverhead {
  /** Of the system prompt. */
  readonly system: number;
  /** Of the definitions of tools. */
  readonly tools: number;
  /** Of the schema that the answer must keep to. */
  readonly schema: number;
  /**
   * Tokens that the provider adds to each request and for tools (`overheads` of `densify/tokens`), in densify's
   * counts: of Anthropic's 346 for having tools these are 217, since `reported` multiplies again (280 for models
   * before Opus 4.7 and Sonnet 5).
   */
  readonly request: number;
  /** Each tool, the largest first. */
  readonly byTool: readonly { readonly name: string; readonly tokens: number }[];
  /** The sum, by densify's count: pass it to `compress` as `overhead`. */
  readonly total: number;
  /** The same as the provider counts it, times 1.6 for Claude (models before Opus 4.7 and Sonnet 5, and Gemini: 1.24): what conversations and `plan` take as `overhead`. */
  readonly reported: number;
}

/** A request with its messages made dense. */
export type RequestResult<R, T> = T extends unknown
  ? Omit<T, 'messages'> & {
      /** The request: your own if nothing changed, otherwise a copy with other messages. */
      readonly request: R;
      /** The tokens besides the messages. */
      readonly overhead: RequestOverhead;
    }
  : never;

/** What densify reads of a request; what stands beside the messages is read as the provider has it. */
export type RequestLike<L, K extends string = 'messages'> = K extends 'contents'
  ? // The SDK's own type takes contents, parts, texts, and lists of them.
    { readonly contents: unknown }
  : K extends 'input'
    ? { readonly input?: string | readonly L[] | undefined }
    : { readonly [Key in K]: readonly L[] };

/** The messages of a request. */
export type MessageOf<R extends object, L extends object, K extends string = 'messages'> = K extends keyof R
  ? Extract<Extract<R[K], readonly unknown[]>[number], L>
  : L;

/** The verbs over whole requests of one format. */
export interface RequestVerbs<L extends object, O extends Target, K extends string> {
  /**
   * Optimizes the messages of a request, as `optimize` does, for the request's `model`. It counts the system prompt and
   * tools. If an edit removes a block with a cache breakpoint, the breakpoint moves to the block before.
   *
   * @example const { request } = optimizeRequest(params); // the SDK's request, unchanged or packed
   */
  optimizeRequest<const R extends RequestLike<L, K>>(
    request: R,
    options?: OptimizeOptions<MessageOf<R, L, K>> & O,
  ): RequestResult<RequestOf<R, K>, Result<MessageOf<R, L, K>>>;
  /**
   * Makes a request fit, as `compress` does. It counts system prompt and tools as `overhead`.
   *
   * @example
   * const { request } = compressRequest(params, { strategy: 'high-density', contextLimit: 200_000 });
   */
  compressRequest<const R extends RequestLike<L, K>>(
    request: R,
    options: Omit<CompressOptions<MessageOf<R, L, K>>, 'overhead'> & O,
  ): RequestResult<RequestOf<R, K>, CompressResult<MessageOf<R, L, K>>>;
}

/** Makes `optimizeRequest` of a format. */
export function optimizeRequestOf<L extends object, O extends Target, K extends string = 'messages'>(
  format: Format<L, O>,
): RequestVerbs<L, O, K>['optimizeRequest'] {
  return (request, options) => {
    const bag = checked(request);
    const { adapter, rest, target } = takeFor<L, O, OptimizeOptions<L>>(format, bag, options);
    const overhead = overheadOf(format, adapter, bag, { ...rest, ...target });
    const messages = messagesOf(format, bag);
    const cache = requestCache(bag, format.breakpoints);
    const flush = uncachedFlush(rest, () => isUncached(messages, format, target, cache));
    const seen = { keptFor: cache.keptFor, ahead: aheadOf(cache, format, target) };
    const result = optimizeIn(sharedEngine(), adapter, messages, flush ? { ...rest, ...flush } : rest, seen);
    return withRequest(format, { request: bag, messages, overhead }, result) as never;
  };
}

/** Makes `compressRequest` of a format. */
export function compressRequestOf<L extends object, O extends Target, K extends string = 'messages'>(
  format: Format<L, O>,
): RequestVerbs<L, O, K>['compressRequest'] {
  return (request, options) => {
    const bag = checked(request);
    const { adapter, rest, target } = takeFor<L, O, CompressOptions<L>>(format, bag, options);
    const overhead = overheadOf(format, adapter, bag, { ...rest, ...target });
    const messages = messagesOf(format, bag);
    const settings = { ...rest, overhead: overhead.total } as CompressOptions<L>;
    const result = compressIn(sharedEngine(), adapter, messages, settings);
    return withRequest(format, { request: bag, messages, overhead }, result) as never;
  };
}

/** How requests are made where a format says nothing else. */
const SHAPE: RequestShape = { key: 'messages', system: ({ system }) => system };

/** The model of the request is that of the options, unless they name one. */
function takeFor<L extends object, O extends Target, T extends object>(
  format: Format<L, O>,
  request: Bag,
  options: object | undefined,
) {
  const isObject = typeof options === 'object' && options !== null;
  const isNamed = isObject && ['model', 'provider'].some((key) => readOption(options, key) !== undefined);
  const { target = ({ model }: Bag): Target => (typeof model === 'string' ? { model } : {}) } = format.request ?? SHAPE;
  const given = options !== undefined && !isObject ? options : { ...options, ...(isNamed ? {} : target(request)) };
  return take<L, L, O, T>(format, given as T & O);
}

function checked(request: unknown): Bag {
  if (typeof request === 'object' && request !== null && !Array.isArray(request)) return request as Bag;
  const advice = Array.isArray(request) ? '; optimize and compress take lists of messages' : '';
  throw densifyError(
    'invalid-messages',
    `request: found ${describe(request)}, expected an object with messages${advice}`,
  );
}

/** The messages of a request; a single text or message, which APIs take too, is a list of one. */
function messagesOf<L extends object, O extends Target>(format: Format<L, O>, request: Bag): readonly L[] {
  const found = request[(format.request ?? SHAPE).key];
  if (typeof found === 'string') return [format.make('human', found, false)];
  // A prompt of the provider's own, or an earlier response, may stand for all input.
  if (found === undefined && format.request?.isOptional === true) return [];
  const made = format.request?.messages?.(found);
  if (made !== undefined) return made as readonly L[];
  const isOne = typeof found === 'object' && found !== null && !Array.isArray(found);
  return isOne ? [found as L] : (found as readonly L[]);
}

/** The names that APIs have for the most tokens of an answer. */
const ANSWERS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'maxTokens'] as const;

/** What a request asks of the window beside the messages, in the provider's tokens. */
export function sizesOf<L extends object, O extends Target>(
  format: Format<L, O>,
  given: object,
  target: O,
): { readonly overhead: number; readonly reserve: number | undefined } {
  const request = given as Bag;
  const { adapter, format: chosen = format } = take<L, L, O, object>(format, target);
  const { answer } = chosen.request ?? SHAPE;
  const found = [answer?.(request), ...ANSWERS.map((name) => request[name])];
  const reserve = found.find((value): value is number => Number.isInteger(value) && (value as number) > 0);
  return { overhead: overheadOf(chosen, adapter, request, target).reported, reserve };
}

function overheadOf<L extends object, O extends Target>(
  { request: shape = SHAPE, family }: Format<L, O>,
  adapter: Adapter<L>,
  request: Bag,
  options: Pick<Callbacks, 'countTokens'> & Target,
): RequestOverhead {
  const { countTokens } = options;
  const factor = measuredFactor(adapter, options);
  const count = (text: string) => (text === '' ? 0 : estimateIn(sharedEngine(), adapter, text, { countTokens }));
  const tools = shape.tools?.(request) ?? listedTools(request.tools);
  const whose = (familyOf(options) ?? family ?? '').replace(/-.*/, '');
  const ours = (tokens: number) => Math.ceil(tokens / factor);
  const byTool = tools.map(([name, tool]) => {
    const known = whose === 'anthropic' ? ownTokens(tool) : undefined;
    return { name, tokens: known === undefined ? count(jsonText(tool)) : ours(known) };
  });
  byTool.sort((one, other) => other.tokens - one.tokens);
  const ofSystem = count(textOf(shape.system(request)));
  const ofTools = byTool.reduce((sum, { tokens }) => sum + tokens, 0);
  const schema = shape.schema?.(request);
  const ofSchema = schema === undefined || schema === null ? 0 : count(jsonText(schema));
  const isKnown = Object.hasOwn(overheads, whose);
  const added = isKnown ? promptOverhead(whose as OverheadOf, { messages: 0, tools: tools.length > 0 }) : 0;
  const total = ofSystem + ofTools + ofSchema + ours(added);
  const reported = Math.ceil(total * factor);
  return { system: ofSystem, tools: ofTools, schema: ofSchema, request: ours(added), byTool, total, reported };
}

/** What Anthropic says of tools of its own, whose definitions a request only names. ("Bash tool", "Text editor tool", "Computer use tool") */
const OWN_TOOLS = [
  [/^bash_/, 245],
  [/^text_editor_/, 700],
  [/^computer_/, 735],
] as const;

function ownTokens(tool: unknown): number | undefined {
  const { type } = (tool ?? {}) as Bag;
  return typeof type === 'string' ? OWN_TOOLS.find(([types]) => types.test(type))?.[1] : undefined;
}

/** A list of tools, each with the name that it has. */
export function listedTools(tools: unknown): (readonly [string, unknown])[] {
  return (Array.isArray(tools) ? tools : []).map((tool: unknown) => [nameOf(tool), tool]);
}

/** A schema as JSON Schema, if it can say itself so; else as it is. */
export function schemaOf(schema: unknown): unknown {
  try {
    const { jsonSchema, toJSONSchema, '~standard': standard } = (schema ?? {}) as Bag;
    if (jsonSchema !== undefined) return jsonSchema;
    if (typeof toJSONSchema === 'function') return toJSONSchema.call(schema) as unknown;
    const { input } = ((standard as Bag | undefined)?.jsonSchema ?? {}) as Bag;
    return typeof input === 'function' ? (input({ target: 'draft-07' }) as unknown) : schema;
  } catch {
    return undefined; // it can't be said in JSON
  }
}

function textOf(system: unknown): string {
  if (typeof system === 'string') return system;
  if (!Array.isArray(system)) return system === undefined || system === null ? '' : jsonText(system);
  return system.map((part: unknown) => textOfPart(part)).join('\n');
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  const { text, content } = (part ?? {}) as Bag;
  return [text, content].find((found): found is string => typeof found === 'string') ?? jsonText(part);
}

function nameOf(tool: unknown): string {
  const { name, type, function: made } = (tool ?? {}) as Bag;
  const inner = (made as { name?: unknown } | null | undefined)?.name;
  return [name, inner, type].find((found): found is string => typeof found === 'string') ?? '';
}

/** A request as it was read. */
interface ReadRequest<L> {
  readonly request: Bag;
  readonly messages: readonly L[];
  readonly overhead: RequestOverhead;
}

function withRequest<L extends object, O extends Target, T extends Result<L> | CompressResult<L>>(
  { breakpoints, request: shape = SHAPE }: Format<L, O>,
  { request, messages: given, overhead }: ReadRequest<L>,
  result: T,
): object {
  const { messages, edits } = result;
  const kept = keepBreakpoints(given, messages, breakpoints, () => droppedBy(edits));
  const made = kept === given ? request : withChanges(request, { [shape.key]: kept });
  // Tokens are counted when they are read: a property that is read late is passed on as it is.
  const descriptors = Object.getOwnPropertyDescriptors(result) as Record<string, PropertyDescriptor>;
  const { messages: _, ...rest } = descriptors;
  return Object.defineProperties({ request: made, overhead }, rest);
}
