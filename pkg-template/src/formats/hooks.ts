/** What all integrations have in common: they fail open, and they can watch without changing anything. */
import type { Conversation, ConversationWarning, OverLimitStep, PrepareOptions } from '../conversation/types.js';
import { densifyError } from '../errors.js';
import { describe, readOption } from '../settings.js';
import type { Result } from '../types.js';
import { type Breakpoints, keepBreakpoints } from './breakpoints.js';
import type { Target } from './format.js';
import { type Following, Runs, RUNS_AT_MOST } from './runs.js';

/** Options of every integration. */
export interface HookOptions<M> {
  /**
   * Forwards everything untouched; `onResult` is told what would have been done. No summary is asked for.
   *
   * @default false
   */
  readonly observe?: boolean | undefined;
  /**
   * Is told what was done before each call of the model.
   *
   * @default nobody is told
   */
  readonly onResult?: ((result: Result<M>) => void) | undefined;
  /**
   * Is told what went wrong: an error, and the caller's own messages were forwarded; a warning of a conversation, or the
   * step `'over-limit'`, and what it has left was forwarded.
   *
   * @default a warning on the console
   */
  readonly onWarning?: ((error: unknown) => void) | undefined;
  /**
   * Makes the conversation that keeps a run within the model's window, by strategies and summaries; it is called at the
   * beginning of each run, with the model that is called. All other options are those of the conversation then.
   *
   * @default none: the messages are optimized, not compressed
   */
  readonly conversation?: ((target: Target) => Conversation<M>) | undefined;
  /**
   * Sends a request for a summary to a model and returns what it says, for conversations that ask for one.
   *
   * @default none
   */
  readonly summarize?: PrepareOptions<M>['summarize'] | undefined;
  /**
   * How many runs have their conversations kept at once. The one that rested longest is forgotten for another; if it goes
   * on all the same it begins anew, with its summaries to be made again, and `onWarning` is told once (code `run-forgotten`).
   *
   * @default 100
   */
  readonly maxRuns?: number | undefined;
}

/** Tells that more runs go on at once than are kept. */
export interface RunForgotten {
  readonly code: 'run-forgotten';
  readonly message: string;
}

/** What the integrations read, by name and type. */
const KEYS = {
  observe: 'boolean',
  onResult: 'function',
  onWarning: 'function',
  conversation: 'function',
  summarize: 'function',
  maxRuns: 'number',
} as const;

/** What came of a hook: messages only where they are to replace the caller's. */
type Replaced<M> = readonly M[] | undefined;

/** An integration's own options, and all others. */
export interface Hook<M, T extends object> {
  readonly options: T;
  /**
   * Makes of messages what the model gets: by `optimize`, or by the conversation of their run. `names` says what the
   * model says of itself. What comes later is a promise only where a summary may be asked for.
   */
  run(
    messages: readonly M[],
    names: () => Target,
    optimize: (target: Target) => Result<M>,
  ): Replaced<M> | Promise<Replaced<M>>;
}

/**
 * Takes an integration's own options; wrong ones are an error here already, not at the first call. Breakpoints of the
 * provider's cache are kept; `isLive` says that results' edits are not of the very messages that came in.
 */
export function hookOf<M extends object, T extends object>(
  given: (T & HookOptions<M>) | undefined,
  breakpoints?: Breakpoints,
  isLive = false,
): Hook<M, T> {
  const { own, rest } = split<M>(given);
  const { conversation: create, onWarning = warn, observe } = own;
  const told = (error: unknown): undefined => {
    // Who is told of a failure must not make a second one of it.
    try {
      later(onWarning(error), () => undefined);
    } catch {
      // It did.
    }
    return undefined;
  };
  const used = (result: Result<M>): Replaced<M> => {
    later(own.onResult?.(result), told);
    for (const warning of result.warnings) if (warning.code === 'other-format') told(warning);
    return observe === true || !result.changed ? undefined : result.messages;
  };
  const runs = new Runs<M>(own.maxRuns);
  let isToldOfForgotten = false;
  const run: Hook<M, T>['run'] = (messages, names, optimize) => {
    try {
      const target = targetOf(rest as Target, names);
      if (create === undefined) return used(marked(messages, optimize(target), breakpoints, isLive));
      const following = runs.follow(messages, JSON.stringify([target.model, target.provider]), () => create(target));
      if (following.wasForgotten && !isToldOfForgotten) {
        isToldOfForgotten = true;
        told(forgotten(own.maxRuns));
      }
      return kept(messages, following, own, { told, used });
    } catch (error) {
      return told(error);
    }
  };
  return { options: rest as T, run };
}

function forgotten(maxRuns = RUNS_AT_MOST): RunForgotten {
  const advice = "raise 'maxRuns', or make a hook for each run";
  const message = `a run goes on that was forgotten, since more than ${maxRuns} go on at once: ${advice}`;
  return { code: 'run-forgotten', message };
}

/** What a listener does later may fail as well. */
function later(returned: unknown, failed: (error: unknown) => void): void {
  if (returned instanceof Promise) returned.catch(failed);
}

/** A result in which no breakpoint got lost. */
function marked<M extends object>(
  given: readonly M[],
  result: Result<M>,
  breakpoints: Breakpoints | undefined,
  isLive: boolean,
): Result<M> {
  const messages = keepBreakpoints(given, result.messages, isLive ? undefined : result.edits, breakpoints);
  if (messages === result.messages) return result;
  // What is read late is passed on as it is.
  if (isLive)
    return new Proxy(result, { get: (of, key): unknown => (key === 'messages' ? messages : Reflect.get(of, key)) });
  const properties = Object.getOwnPropertyDescriptors(result) as Record<string, PropertyDescriptor>;
  return Object.defineProperties({}, { ...properties, messages: { value: messages, enumerable: true } }) as Result<M>;
}

/** An integration's own options, and the others. */
function split<M>(given: object | undefined): { own: HookOptions<M>; rest: object } {
  const own: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(given ?? {})) {
    const value = readOption(given as object, key);
    if (!Object.hasOwn(KEYS, key)) {
      rest[key] = value;
      continue;
    }
    const type = KEYS[key as keyof typeof KEYS];
    if (value !== undefined && typeof value !== type) {
      throw densifyError('invalid-options', `option ${key}: found ${describe(value)}, expected a ${type}`, { key });
    }
    own[key] = value;
  }
  const misplaced = Object.keys(rest).find((key) => !['model', 'provider'].includes(key) && rest[key] !== undefined);
  if (own.conversation !== undefined && misplaced !== undefined) {
    const message = `option ${misplaced}: it is an option of the conversation`;
    throw densifyError('invalid-options', message, { key: misplaced });
  }
  for (const key of ['summarize', 'maxRuns']) {
    if (own[key] === undefined || own.conversation !== undefined) continue;
    throw densifyError('invalid-options', `option ${key}: only where conversations are made`, { key });
  }
  const { maxRuns } = own as { readonly maxRuns?: number };
  if (maxRuns !== undefined && !(Number.isInteger(maxRuns) && maxRuns > 0)) {
    const message = `option maxRuns: found ${describe(maxRuns)}, expected a whole number above 0`;
    throw densifyError('invalid-options', message, { key: 'maxRuns' });
  }
  return { own: own as HookOptions<M>, rest };
}

/** What a hook tells, and what it uses. */
interface Ends<M> {
  readonly told: (error: unknown) => undefined;
  readonly used: (result: Result<M>) => Replaced<M>;
}

/** What the conversation of a run makes of its messages. */
function kept<M>(
  messages: readonly M[],
  following: Following<M>,
  { observe, summarize }: HookOptions<M>,
  { told, used }: Ends<M>,
): Replaced<M> | Promise<Replaced<M>> {
  const { conversation, forwarded } = following;
  const failed = (error: unknown) => {
    following.forget();
    return told(error);
  };
  const ended = (warnings: readonly (ConversationWarning | OverLimitStep)[]): Replaced<M> => {
    for (const warning of warnings) told(warning);
    const replaced = used(resultOf(conversation, messages));
    forwarded(replaced ?? messages);
    return replaced;
  };
  try {
    if (summarize !== undefined && observe !== true) {
      const prepared = conversation.prepare({ summarize });
      return prepared.then((step) => ended(step.kind === 'ready' ? step.warnings : [step])).catch(failed);
    }
    const step = conversation.beforeSend();
    if (step.kind === 'ready') step.background?.cancel();
    else if (step.kind === 'summarize') step.cancel();
    if (step.kind !== 'summarize' && step.kind !== 'pending')
      return ended(step.kind === 'ready' ? step.warnings : [step]);
    const message = 'option summarize: the conversation asks for a summary, and nobody makes one';
    if (observe !== true) told(densifyError('strategy-needs-model', message, { key: 'summarize' }));
    return ended([]);
  } catch (error) {
    return failed(error);
  }
}

/** What a conversation did so far, as a result. */
function resultOf<M>({ messages, stats }: Conversation<M>, given: readonly M[]): Result<M> {
  const { tokensBefore, tokensAfter, density: metadata } = stats;
  const changed = messages.length !== given.length || messages.some((message, at) => message !== given[at]);
  return { messages, changed, edits: [], metadata, warnings: [], tokensBefore, tokensAfter };
}

/** Where messages go: what the caller says, else what the model that is called says of itself, by what `names` finds. */
export function targetOf({ model, provider }: Target, names: () => Target): Target {
  return model !== undefined || provider !== undefined ? { model, provider } : names();
}

function warn(error: unknown): void {
  console.warn('densify: the messages were forwarded as they are', error);
}
