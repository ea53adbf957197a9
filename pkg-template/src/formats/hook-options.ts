/** The options that all hooks share, and the warnings that they report. */
import { optionError, readOption, wrongOption } from '../base/options.js';
import type { Conversation, ConversationWarning, OverLimitStep, PrepareOptions } from '../conversation/types.js';
import type { Target } from '../models/target.js';
import { OF_HOOKS } from '../optimizer/elsewhere.js';
import type { Result, Warning } from '../types.js';

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

/** The options that all hooks share. */
export interface SharedHookOptions<M> {
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

/** Separates the hook's own options from those of the optimizer. */
export function readHookOptions<M>(given: object | undefined): { own: SharedHookOptions<M>; rest: object } {
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
      throw wrongOption(key, value, `a ${type}`);
    }
    own[key] = value;
  }
  checkHookOptions(own, rest);
  return { own: own as SharedHookOptions<M>, rest };
}

/** Refuses options that have no effect where they stand. */
function checkHookOptions(own: Readonly<Record<string, unknown>>, rest: Readonly<Record<string, unknown>>): void {
  const misplaced = Object.keys(rest).find((key) => !['model', 'provider'].includes(key) && rest[key] !== undefined);
  if (own.conversation !== undefined && misplaced !== undefined) {
    throw optionError(misplaced, ': pass it to createConversation, not to the hook');
  }
  if (own['summarize'] !== undefined && own.conversation === undefined) {
    throw optionError('summarize', ": has no effect here. Pass 'conversation' or remove 'summarize'");
  }
  const { maxRuns } = own as { readonly maxRuns?: number };
  if (maxRuns !== undefined && !(Number.isInteger(maxRuns) && maxRuns > 0)) {
    throw wrongOption('maxRuns', maxRuns, 'a whole number above 0');
  }
}
