/** What a request asks of the provider's prompt cache, beside the breakpoints in its messages. */
import { CAPABILITY } from '../generated/protocol.js';
import type { Bag } from '../messages/facts.js';
import { jsonText } from '../messages/measure.js';
import { claudeOf } from '../models/claude.js';
import { pricesOf } from '../models/prices.js';
import { familyOf } from '../models/profiles.js';
import type { Target } from '../models/target.js';
import type { Ahead } from '../session/session.js';
import { type Breakpoints, isThere, lifetimeOf, marksOf } from './breakpoints.js';
import type { Format } from './format.js';

export interface RequestCache {
  /** Breakpoints on the system prompt, on tools, and one that the provider sets at the end by itself. */
  readonly count: number;
  /** What asks the provider to set one at the end by itself. */
  readonly automatic?: unknown;
  /** Seconds for which it asks the cache to keep the messages; 0 if it names none. */
  readonly keptFor: number;
  /** Whether the request was seen. Else a missing breakpoint proves nothing. */
  readonly isSeen: boolean;
  /** What stands before the messages and has no breakpoint of its own, as text; none if the cache holds it alone. */
  readonly ahead?: string | undefined;
}

/** A hook that sees messages only assumes a breakpoint on the system prompt and one on the tools. */
export const UNSEEN: RequestCache = { count: 2, keptFor: 0, isSeen: false };

/** The day for which OpenAI keeps what `prompt_cache_retention: '24h'` asks for. */
const DAY = 86_400;

/**
 * What a request asks of the cache. A breakpoint on the system prompt or on tools keeps what stands before the messages: its
 * lifetime is not theirs.
 */
export function requestCache(request: object, breakpoints: Breakpoints | undefined): RequestCache {
  const { system, tools } = request as Bag;
  const retention = isKeptForDay(request as Bag) ? DAY : 0;
  if (breakpoints === undefined) return { count: 0, keptFor: retention, isSeen: true };
  const { read } = breakpoints;
  const parts = [system, tools].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const marked = parts.filter((part) => typeof part === 'object' && part !== null && isThere(read(part as Bag)));
  const ahead = marked.length > 0 ? undefined : jsonText(system) + jsonText(tools);
  const automatic = read(request as Bag);
  if (!isThere(automatic)) return { count: marked.length, keptFor: retention, isSeen: true, ahead };
  const keptFor = Math.max(retention, lifetimeOf(automatic));
  return { count: marked.length + 1, automatic, keptFor, isSeen: true, ahead };
}

/** Characters per token, roughly: good enough for shares and sums. */
export const CHARACTERS = 4;

/** What stands before a request's messages, for a model that is cached at breakpoints; nothing if the request was not seen. */
export function aheadOf(
  { ahead, isSeen }: RequestCache,
  { family }: Pick<Format<never, Target>, 'family'>,
  target: Target,
): Ahead | undefined {
  if (!isSeen || (familyOf(target) ?? family) !== 'anthropic') return undefined;
  if (ahead === undefined) return { tokens: 0, isApart: true, least: 0 };
  const tokens = Math.ceil(ahead.length / CHARACTERS);
  return { tokens, isApart: false, least: pricesOf(target.model).minimumCacheable };
}

/** Whether a request has OpenAI keep its prompt for a day, as the API calls it, or an SDK. */
function isKeptForDay({ prompt_cache_retention: retention, providerOptions, modelSettings }: Bag): boolean {
  const settings = [modelSettings, ...Object.values((providerOptions ?? {}) as Bag)];
  const named = settings.map((found) => (found as Bag | null | undefined)?.promptCacheRetention);
  return [retention, ...named].includes('24h');
}

/**
 * Whether the provider caches none of the messages, so that waiting for a flush only costs: Anthropic caches what stands before a
 * breakpoint. Where edits invalidate thinking behind them they wait all the same, or the model would never see its own.
 */
export function isUncached<O extends Target>(
  messages: readonly object[],
  { breakpoints, family, capabilities }: Pick<Format<never, O>, 'breakpoints' | 'family' | 'capabilities'>,
  target: O,
  { automatic, isSeen }: RequestCache,
): boolean {
  const { model, provider } = target;
  const isAnthropic = family === 'anthropic' || provider?.toLowerCase().includes('anthropic') === true;
  // Other models behind Anthropic's API have caches of other kinds.
  const isClaude = isAnthropic && model !== undefined && claudeOf(model) !== undefined;
  if (!isClaude || !isSeen || breakpoints === undefined || isThere(automatic)) return false;
  if ((capabilities(target) & CAPABILITY.thinkingBoundToPrefix) !== 0) return false;
  // Frameworks have the system prompt ahead of the messages. System messages behind it are part of the conversation.
  const start = messages.findIndex((message) => (message as Bag).role !== 'system');
  return start === -1 || messages.slice(start).every((message) => marksOf(message, breakpoints).length === 0);
}

/** The policy for requests of which nothing is cached: edits are made at once, unless the caller chose when. */
export function uncachedFlush(
  options: { readonly flush?: unknown } | undefined,
  isBare: () => boolean,
): { readonly flush: 'always' } | undefined {
  return options?.flush === undefined && isBare() ? { flush: 'always' } : undefined;
}
