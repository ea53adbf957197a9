/** What all integrations have in common: they fail open, and they can watch without changing anything. */

import { densifyError } from '../base/errors.js';
import { describe, isPromise, onlyKnown, readOption } from '../base/options.js';
import type { SeenSizes } from '../conversation/options.js';
import type { Conversation, ConversationWarning, OverLimitStep, PrepareOptions } from '../conversation/types.js';
import { optimizeKeys } from '../generated/constants.js';
import { bindsThinking } from '../messages/adapter.js';
import { isUnpriced } from '../models/priced.js';
import { pricesOf } from '../models/prices.js';
import { familyOf } from '../models/profiles.js';
import type { Target } from '../models/target.js';
import { CLOCK } from '../optimizer/clock.js';
import { BESIDE_HOOKS, OF_HOOKS, OF_RULES } from '../optimizer/elsewhere.js';
import { alwaysFlushes } from '../optimizer/functions.js';
import type { CoreEngine } from '../optimizer/shared-engine.js';
import type { CacheUse } from '../session/session.js';
import type { OptimizerOptions, Result, Warning } from '../types.js';
import { targetKeys } from './adapter.js';
import { hasRoom, withAnchor } from './anchors.js';
import { BoundThinking } from './bound-thinking.js';
import { type Breakpoints, keepBreakpoints } from './breakpoints.js';
import type { Format } from './format.js';
import { aheadOf, isUncached, type RequestCache, UNSEEN, uncachedFlush } from './request-cache.js';
import { type RunOptimizer, runOptimizer } from './run-optimizer.js';
import { type Following, type Fork, RUNS_AT_MOST, Runs } from './runs.js';
import { take } from './take.js';

/** More runs are active than the hook remembers. */
export interface RunForgotten {
  readonly code: 'run-forgotten';
  readonly message: string;
}

/** Reported once: a conversation can't count all that is sent besides the messages. */
export interface RequestUnseen {
  readonly code: 'request-unseen';
  readonly message: string;
}

/** Reported once: a model isn't in the price table, so flushes assume the most expensive cache. */
export interface ModelUnpriced {
  readonly code: 'model-unpriced';
  readonly message: string;
}

/**
 * A report of a hook: an `Error` if it failed, the step `'over-limit'` (`kind`), or a warning (`code`).
 *
 * @example
 * const onWarning = (warning: HookWarning) => {
 *   if (warning instanceof Error) log.error(warning);
 *   else log.warn('kind' in warning ? warning.kind : warning.code);
 * };
 */
export type HookWarning =
  | RunForgotten
  | RequestUnseen
  | ModelUnpriced
  | ConversationWarning
  | OverLimitStep
  | Warning
  | Error;

/** Options of every integration. */
export interface HookOptions<M> {
  /**
   * Forwards everything unchanged. `onResult` gets what packing would have returned. No summary is made.
   *
   * @default false
   */
  readonly observe?: boolean | undefined;
  /**
   * Called with the result before each model call.
   *
   * @default none
   */
  readonly onResult?: ((result: Result<M>) => void) | undefined;
  /**
   * Called with problems. After an error, your own messages were sent. After a warning of a conversation or the step
   * `'over-limit'`, its remaining messages were sent.
   *
   * @default a warning on the console
   */
  readonly onWarning?: ((warning: HookWarning) => void) | undefined;
  /**
   * Creates the conversation that keeps a run within the model's window, by strategies and summaries. It is called at
   * the beginning of each run, with the model of the first call. All other options then belong to the conversation. If
   * it names no `overhead` or `reserve`, the hook counts the system prompt, the tools and the answer's limit (at most
   * half of the window), if it sees them. Otherwise `onWarning` gets `request-unseen` once.
   *
   * @default none: the messages are optimized, not compressed
   */
  readonly conversation?: ((target: Target) => Conversation<M>) | undefined;
  /**
   * Sends a summary request to a model and returns its text, for conversations that need one.
   *
   * @default none
   */
  readonly summarize?: PrepareOptions<M>['summarize'] | undefined;
  /**
   * The number of runs that the hook remembers: their conversations or their sent messages. It forgets the least recently used run first. If that run continues, it starts again without its
   * summaries, and `onWarning` gets `run-forgotten` once.
   *
   * @default 100
   */
  readonly maxRuns?: number | undefined;
}

/** What came of a hook: messages only where they are to replace the caller's. */
type Replaced<M> = readonly M[] | undefined;

/** An integration's own options, and all others. */
export interface Hook<M, T extends object> {
  readonly options: T;
  /**
   * Makes of messages what the model gets: by the optimizer or the conversation of their run. `names` returns the
   * model's own name and provider, `seen` the rest of the request. The result is a promise only where a summary may be
   * requested.
   */
  run(messages: readonly M[], names: () => Target, seen?: Seen<M>): Replaced<M> | Promise<Replaced<M>>;
}

/** The parts of a request that a hook sees, apart from its messages. */
export interface Seen<M> {
  /** What it asks of the window. */
  sizes?(target: Target): SeenSizes;
  /** What it asks of the provider's cache. */
  cache?(): RequestCache;
  /** What optimizes the messages, where the host says which run they are of. */
  optimize?(target: Target): Result<M>;
}

/** What a hook works with. */
interface Means<M extends object, O extends Target> {
  /**
   * Where breakpoints of the provider's cache are, if they are to be kept here.
   *
   * @default kept by `optimize`, or there are none
   */
  readonly breakpoints?: Breakpoints | undefined;
  /**
   * The format of the messages, where runs are told apart by them.
   *
   * @default none: `run` is given what optimizes each list
   */
  readonly format?: Format<M, O> | undefined;
  /**
   * What may be chosen beside how messages are optimized.
   *
   * @default what says where messages of the format go
   */
  readonly options?: readonly string[];
  /**
   * The engine in which the history of each run is optimized.
   *
   * @default the one that the package's functions share
   */
  readonly engine?: (() => CoreEngine) | undefined;
}

/** Takes an integration's own options; wrong ones are an error here already, not at the first call. */
export function hookOf<M extends object, T extends object>(
  given: (T & HookOptions<M>) | undefined,
  { breakpoints, format, options = format && targetKeys(format), engine }: Means<M, Target>,
): Hook<M, T> {
  onlyKnown(given, [...Object.keys(OF_HOOKS), ...(options ?? []), ...optimizeKeys, ...OF_RULES, 'recall', CLOCK], {
    elsewhere: BESIDE_HOOKS,
  });
  const { own, rest } = split<M>(given, format !== undefined);
  // Wrong options are an error now, not at the first request.
  if (format !== undefined) runOptimizer(format, rest as OptimizerOptions<M>, engine).dispose();
  const { conversation: converse, onWarning = warn, observe } = own;
  const told = (warning: HookWarning): undefined => {
    // A caller's report of a failure must not fail again.
    try {
      later(onWarning(warning), () => undefined);
    } catch {
      // It did.
    }
    return undefined;
  };
  const failed = (thrown: unknown) => told(errorOf(thrown));
  const used = (result: Result<M>): Replaced<M> => {
    later(own.onResult?.(result), failed);
    for (const warning of result.warnings) if (warning.code === 'other-format') told(warning);
    return observe === true || !result.changed ? undefined : result.messages;
  };
  const optimizers =
    format === undefined
      ? undefined
      : new Runs<M, RunOptimizer<M>>((optimizer, { back }) => [optimizer.branch(back), optimizer], own.maxRuns);
  const runs = new Runs<M, Conversation<M>>(branchOf, own.maxRuns);
  let isToldOfForgotten = false;
  const noted = <F extends Following<M, unknown>>(following: F): F => {
    if (following.wasForgotten && !isToldOfForgotten) {
      isToldOfForgotten = true;
      told(forgotten(own.maxRuns));
    }
    return following;
  };
  let isToldOfUnseen = false;
  const sized = (conversation: Sizable<M>, seen: SeenSizes, cache: CacheUse): void => {
    const unknown = conversation.setRequest?.(seen, cache) ?? [];
    if (unknown.length === 0 || isToldOfUnseen) return;
    isToldOfUnseen = true;
    told(unseen(unknown));
  };
  const unpriced = new Set<string | undefined>();
  /** Where breakpoints may be set ahead of flushes: the provider looks for its cache there. */
  const anchoring = (target: Target, cache: RequestCache) => {
    const { breakpoints: found, family } = format ?? {};
    if (found === undefined || (familyOf(target) ?? family) !== 'anthropic') return undefined;
    return { breakpoints: found, cache, least: pricesOf(target.model).minimumCacheable };
  };
  const known = new Map<string, BoundThinking<M> | undefined>();
  /** What keeps thinking where a model's provider accepts it; `undefined` for models that don't bind it to anything. */
  const bound = (key: string, options: object): BoundThinking<M> | undefined => {
    if (observe === true) return undefined;
    if (!known.has(key)) {
      const { adapter } = take<M, M, Target, object>(format!, options);
      known.set(key, bindsThinking(adapter) ? new BoundThinking(adapter) : undefined);
    }
    return known.get(key);
  };
  const run: Hook<M, T>['run'] = (messages, names, seen) => {
    try {
      const target = targetOf(rest as Target, names);
      const key = JSON.stringify([target.model, target.provider]);
      const cache = seen?.cache?.() ?? UNSEEN;
      const places = observe === true ? undefined : anchoring(target, cache);
      const keepsAnchor = places !== undefined && hasRoom(messages, places.breakpoints, places.cache);
      const use: CacheUse = { keptFor: cache.keptFor, ahead: aheadOf(cache, format ?? {}, target), keepsAnchor };
      const anchored = (list: readonly M[], anchor: number | undefined) =>
        places === undefined ? list : withAnchor(list, anchor, places);
      if (converse !== undefined) {
        const following = noted(runs.follow(messages, key, () => checked(converse(target))));
        try {
          sized(following.keeper, seen?.sizes?.(target) ?? {}, use);
        } catch (error) {
          following.forget();
          throw error;
        }
        return kept(messages, following, own, { told, used, anchored });
      }
      const { prices } = rest as OptimizerOptions<M>;
      if (prices === undefined && !alwaysFlushes(rest) && isUnpriced(target) && !unpriced.has(target.model)) {
        unpriced.add(target.model);
        told(ofUnpriced(target.model));
      }
      if (seen?.optimize !== undefined) return used(markedLive(messages, seen.optimize(target), breakpoints));
      if (format === undefined || optimizers === undefined)
        throw new TypeError('a hook needs a format or an optimizer');
      const options = { ...rest, ...target } as OptimizerOptions<M> & Target;
      const flush = uncachedFlush(rest, () => isUncached(messages, format, options, cache));
      // Requests of another policy are another run: what waits in one was sent by the other.
      const policy = flush === undefined ? key : `${key} ${flush.flush}`;
      const create = () => runOptimizer(format, { ...options, ...flush }, engine);
      const following = noted(optimizers.follow(messages, policy, create));
      following.keeper.noteCache(use);
      const sent = (list: readonly M[]) => bound(key, options)?.sent(list) ?? list;
      return flushed(messages, following, format.breakpoints, { used, sent, anchored });
    } catch (error) {
      return failed(error);
    }
  };
  return { options: rest as T, run };
}

/** The host's value, which is a conversation. */
function checked<M>(made: Conversation<M>): Conversation<M> {
  if (typeof (made as Partial<Conversation<M>> | undefined)?.addAll === 'function') return made;
  const message = `option conversation: it returned ${describe(made)}, expected a conversation`;
  throw densifyError('callback-failed', message, { key: 'conversation' });
}

function forgotten(maxRuns = RUNS_AT_MOST): RunForgotten {
  const advice = "Raise 'maxRuns' or create one hook per run.";
  const message = `this run was forgotten because more than ${maxRuns} runs were active. It continues without its summaries. ${advice}`;
  return { code: 'run-forgotten', message };
}

function ofUnpriced(model = ''): ModelUnpriced {
  const message = `no prices known for ${describe(model)}: assuming the most expensive cache; set 'prices'`;
  return { code: 'model-unpriced', message };
}

function unseen(keys: readonly (keyof SeenSizes)[]): RequestUnseen {
  const unseenBy = { overhead: ['the system prompt', 'the tools'], reserve: ['the answer limit'] };
  const what = keys
    .flatMap((key) => unseenBy[key])
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ');
  const options = keys.map((key) => `'${key}'`).join(' and ');
  const message = `the hook can't see ${what}, so requests may exceed the window: set ${options} on the conversation`;
  return { code: 'request-unseen', message };
}

/** The thrown value, which may be anything. */
function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return densifyError('callback-failed', `a callback threw ${describe(thrown)}, expected an Error`, { cause: thrown });
}

/** What a listener does later may fail as well. */
function later(returned: unknown, failed: (error: unknown) => void): void {
  if (isPromise(returned)) returned.then(undefined, failed);
}

/** What the optimizer of a run makes of its messages. */
function flushed<M extends object>(
  messages: readonly M[],
  { keeper, forwarded, forget }: Following<M, RunOptimizer<M>>,
  breakpoints: Breakpoints | undefined,
  { used, sent, anchored }: Pick<Ends<M>, 'used' | 'anchored'> & { sent(list: readonly M[]): readonly M[] },
): Replaced<M> {
  try {
    const result = keeper.optimize(messages);
    const { anchor } = result;
    const list = sent(used(markedLive(messages, result, breakpoints, () => keeper.gone(messages))) ?? messages);
    forwarded(list);
    const made = anchored(list, anchor);
    return made === messages ? undefined : made;
  } catch (error) {
    forget();
    throw error;
  }
}

/** A result of a handle in which no breakpoint got lost: its edits are not of the very messages that came in. */
function markedLive<M extends object>(
  given: readonly M[],
  result: Result<M>,
  breakpoints: Breakpoints | undefined,
  gone: () => ReadonlySet<number> | undefined = () => undefined,
): Result<M> {
  const messages = keepBreakpoints(given, result.messages, breakpoints, gone);
  if (messages === result.messages) return result;
  // Values that are read late are passed on unchanged.
  return new Proxy(result, { get: (of, key): unknown => (key === 'messages' ? messages : Reflect.get(of, key)) });
}

/** An integration's own options, and the others. */
function split<M>(given: object | undefined, mayKeep: boolean): { own: HookOptions<M>; rest: object } {
  const own: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(given ?? {})) {
    const value = readOption(given as object, key);
    if (!Object.hasOwn(OF_HOOKS, key)) {
      rest[key] = value;
      continue;
    }
    const type = OF_HOOKS[key as keyof typeof OF_HOOKS];
    if (value !== undefined && typeof value !== type) {
      throw densifyError('invalid-options', `option ${key}: found ${describe(value)}, expected a ${type}`, { key });
    }
    own[key] = value;
  }
  const misplaced = Object.keys(rest).find((key) => !['model', 'provider'].includes(key) && rest[key] !== undefined);
  if (own.conversation !== undefined && misplaced !== undefined) {
    const message = `option ${misplaced}: pass it to createConversation, not to the hook`;
    throw densifyError('invalid-options', message, { key: misplaced });
  }
  for (const key of ['summarize', 'maxRuns']) {
    if (own[key] === undefined || own.conversation !== undefined || (key === 'maxRuns' && mayKeep)) continue;
    const message = `option ${key}: has no effect here. Pass 'conversation' or remove '${key}'`;
    throw densifyError('invalid-options', message, { key });
  }
  const { maxRuns } = own as { readonly maxRuns?: number };
  if (maxRuns !== undefined && !(Number.isInteger(maxRuns) && maxRuns > 0)) {
    const message = `option maxRuns: found ${describe(maxRuns)}, expected a whole number above 0`;
    throw densifyError('invalid-options', message, { key: 'maxRuns' });
  }
  return { own: own as HookOptions<M>, rest };
}

/** The callbacks of a hook, and its options. */
interface Ends<M> {
  readonly told: (warning: HookWarning) => undefined;
  readonly used: (result: Result<M>) => Replaced<M>;
  /** A list with a breakpoint ahead of the next flush, where there is room for one. */
  readonly anchored: (list: readonly M[], anchor: number | undefined) => readonly M[];
}

/**
 * What goes on as another list does, where the conversation has done more of it than to take it in. Its host may hold the
 * conversation: that goes on with the newest list, and a copy stays behind.
 */
function branchOf<M>(
  conversation: Conversation<M>,
  { back, isOpen }: Fork,
): readonly [Conversation<M>, Conversation<M> | undefined] | undefined {
  const at = conversation.raw.length - back;
  const goBack = (one: Retractable<M>) => {
    if (one.retract === undefined) one.rewind(at);
    else one.retract(at, false);
  };
  const copy: Retractable<M> = conversation.fork();
  goBack(copy);
  const { messages, raw } = copy;
  const isBare = messages.length === raw.length && messages.every((message, place) => message === raw[place]);
  const isOfUse = !isBare || (copy.waits ?? copy.plan() !== undefined);
  if (isOfUse && isOpen) return [copy, conversation];
  copy.dispose();
  if (!isOfUse) return undefined;
  const stays = conversation.fork();
  goBack(conversation);
  return [conversation, stays];
}

/** Conversations of ours can keep a summary that stands for none of the messages that go, and say whether edits wait. */
type Retractable<M> = Conversation<M> & { retract?(at: number, isSaidAgain: boolean): void; readonly waits?: boolean };

/** Our own conversations take the sizes that a hook saw, and return the options that are still missing. */
type Sizable<M> = Conversation<M> & {
  setRequest?(seen: SeenSizes, cache: CacheUse): readonly (keyof SeenSizes)[];
};

/** What the conversation of a run makes of its messages. */
function kept<M>(
  messages: readonly M[],
  following: Following<M, Conversation<M>>,
  { observe, summarize }: HookOptions<M>,
  { told, used, anchored }: Ends<M>,
): Replaced<M> | Promise<Replaced<M>> {
  const { keeper: conversation, forwarded } = following;
  const failed = (error: unknown) => {
    following.forget();
    return told(errorOf(error));
  };
  const ended = (warnings: readonly (ConversationWarning | OverLimitStep)[]): Replaced<M> => {
    for (const warning of warnings) told(warning);
    const replaced = used(resultOf(conversation, messages));
    const list = replaced ?? messages;
    forwarded(list);
    const made = anchored(list, conversation.anchor);
    return made === messages ? undefined : made;
  };
  try {
    if (summarize !== undefined && observe !== true) {
      const close = following.open();
      const prepared = conversation.prepare({ summarize }).finally(close);
      return prepared.then((step) => ended(step.kind === 'ready' ? step.warnings : [step])).catch(failed);
    }
    const step = conversation.beforeSend();
    if (step.kind === 'ready') step.background?.cancel();
    else if (step.kind === 'summarize') step.cancel();
    if (step.kind !== 'summarize' && step.kind !== 'pending')
      return ended(step.kind === 'ready' ? step.warnings : [step]);
    const message =
      "option summarize: found nothing, but the conversation needs a summary; pass 'summarize', or a strategy that needs no model";
    if (observe !== true) told(densifyError('strategy-needs-model', message, { key: 'summarize' }));
    return ended([]);
  } catch (error) {
    return failed(error);
  }
}

/** What a conversation did so far, as a result. */
function resultOf<M>({ messages, anchor, stats }: Conversation<M>, given: readonly M[]): Result<M> {
  const { tokensBefore, tokensAfter, density: metadata } = stats;
  const changed = messages.length !== given.length || messages.some((message, at) => message !== given[at]);
  const result = { messages, changed, edits: [], metadata, warnings: [], tokensBefore, tokensAfter };
  return anchor === undefined ? result : { ...result, anchor };
}

/** Where messages go: the caller's choice, otherwise the called model's own name, as `names` finds it. */
export function targetOf({ model, provider }: Target, names: () => Target): Target {
  return model !== undefined || provider !== undefined ? { model, provider } : names();
}

function warn(warning: HookWarning): void {
  console.warn(warning instanceof Error ? 'densify failed, so your original messages were sent:' : 'densify:', warning);
}
