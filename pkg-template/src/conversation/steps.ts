// What comes before each send: the kinds of steps, and how to act on them.
import type { IContent } from '../base/content.js';
import type { DensifyError } from '../base/errors.js';
import type { DeterministicStrategy } from '../generated/densify.js';
import type { CompactionState, Finding, GiveUp, SummaryMetadata } from '../generated/summary.js';
import type { SummaryRequest } from '../summary/types.js';
import type { Moment } from '../types.js';

/** The strategies that `fallback` can name. */
export type FallbackStrategy = 'digest' | DeterministicStrategy;

/** Warnings for the caller. */
export type ConversationWarning =
  /**
   * The history was over the limit, so the conversation gave this up: the messages at the top, the first request, the
   * tail down to the newest exchange, or the model's summary for one by rules. `giveUp` forbids each. Strategies without
   * a model may also drop the newest request, after the first one.
   */
  | { readonly code: 'gave-up'; readonly what: GiveUp | 'newest-request' }
  /** The history is above its threshold and can't be brought below it. */
  | { readonly code: 'threshold-unreachable' }
  /**
   * Too many summaries failed in a row, so none is tried until you add a message. `error` has the last reason, unless
   * the conversation was just restored.
   */
  | { readonly code: 'summaries-stopped'; readonly error?: DensifyError; readonly offer: 'digest' }
  /** No summary was available, for this reason if one was tried: the strategy that `fallback` names ran. */
  | { readonly code: 'fell-back'; readonly strategy: FallbackStrategy; readonly error?: unknown }
  /**
   * A message was not read, because it has another format than the entry point, or is a list instead of a message.
   * densify does not count its content, so the history may be larger than reported.
   */
  | { readonly code: 'other-format'; readonly message: string }
  /**
   * An edit waits, because the model isn't named: the rules of all models on thinking apply together. Name `model` or
   * `generation`. A history that must become smaller still does, and loses its thinking.
   */
  | { readonly code: 'model-unknown'; readonly message: string }
  /**
   * The function `todos` failed or took too long: summaries are made with the last items that it gave, or with none. This
   * is reported once.
   */
  | { readonly code: 'todos-failed'; readonly error: unknown }
  /** The request for a summary had no room for this many todo items. */
  | { readonly code: 'todos-left-out'; readonly count: number }
  /** One of `hooks` threw; the event that it reports took place. */
  | { readonly code: 'hook-failed'; readonly error: unknown }
  /** The store of `recall` failed: something that was cut isn't kept. */
  | { readonly code: 'recall-failed'; readonly error: unknown }
  /** A summary failed, just now or in the background, or none was possible. The history is unchanged. */
  | { readonly code: 'summary-failed'; readonly error: unknown; readonly offer: 'digest' };

/** The messages may be sent. */
export interface ReadyStep<M = IContent> {
  readonly kind: 'ready';
  /** The messages to send; the same list as long as nothing changes. */
  readonly messages: readonly M[];
  /** A summary to make in the background (`auto`). */
  readonly background?: SummaryTask<M>;
  readonly warnings: readonly ConversationWarning[];
}

/** A summary is needed before the messages can be sent. */
export interface SummarizeStep<M = IContent> extends SummaryTask<M> {
  readonly kind: 'summarize';
}

/** A summary that is being made must come first. */
export interface PendingStep<M = IContent> {
  readonly kind: 'pending';
  readonly task: SummaryTask<M>;
}

/** The history doesn't fit the window, and nothing more can be removed; or too many summaries failed in a row. */
export interface OverLimitStep {
  readonly kind: 'over-limit';
  /** The message that is too large, and what to do. */
  readonly message: string;
  /** The tokens that are left. */
  readonly floor: number;
  /**
   * `'nothing-left'`: nothing more can be removed. `'summaries-stopped'`: too many summaries failed in a row, and none is
   * tried until you call `add`, `setThreshold`, `compress` or `rewind`.
   */
  readonly reason: 'nothing-left' | 'summaries-stopped';
  /**
   * Why no summary is possible (reported once): `window-too-small`, `invalid-prompt`, or `open-calls` in `append` mode.
   * If `reason` is `'summaries-stopped'`: why the last summary failed (`summary-failed`).
   */
  readonly error?: DensifyError;
  /** The largest of the messages that are left, by its index in `messages`. */
  readonly largest?: { readonly index: number; readonly tokens: number };
  /**
   * `'digest'` if `conversation.digest()` would make room without a model. densify never makes a digest by itself, and
   * offers none if the tail is all there is.
   */
  readonly offer?: 'digest';
}

/** The next step before you send. */
export type ConversationStep<M = IContent> = ReadyStep<M> | SummarizeStep<M> | PendingStep<M> | OverLimitStep;

/** A requested summary. Messages that you add meanwhile stay, in their order, whether it succeeds or not. */
export interface SummaryTask<M = IContent> {
  /** The request to send to a model. It changes when a part is done, or when a reply needs a repair. */
  readonly request: SummaryRequest<M>;
  /** Whether the conversation still waits for this summary. */
  readonly isOpen: boolean;
  /** Whether you may send messages meanwhile. */
  readonly isBackground: boolean;
  /** What this summary gives up, since the history is over the limit otherwise. */
  readonly givesUp?: GiveUp | undefined;
  /** Passes the model's reply. */
  complete(reply: string): CompletedStep<M>;
  /** Reports that no reply will come, and why. A later step has the error. The history stays unchanged. */
  fail(error?: unknown): void;
  /** Gives the summary up, which does not count as a failure. The history stays unchanged. */
  cancel(): void;
}

/** The outcome of a model's reply. */
export type CompletedStep<M = IContent> =
  | {
      readonly kind: 'applied';
      readonly messages: readonly M[];
      readonly findings: readonly Finding[];
      readonly metadata: SummaryMetadata;
      /** For a host that stores the data of a compaction. */
      readonly state: CompactionState;
    }
  /** Send the next part. */
  | { readonly kind: 'continue'; readonly request: SummaryRequest<M>; readonly findings: readonly Finding[] }
  /** The reply can't be used. If there is a `request`, it asks for the missing part, and the task stays open. */
  | { readonly kind: 'failed'; readonly request?: SummaryRequest<M>; readonly findings: readonly Finding[] }
  /** The history changed while the summary was made, so it is given up. */
  | { readonly kind: 'conflict'; readonly index: number; readonly reason: 'changed' | 'missing' }
  /** The conversation no longer waited for this summary: nothing happened. */
  | { readonly kind: 'ended' };

/** A step of a summary that `prepare` makes. */
export interface SummaryProgress {
  readonly kind: 'started' | 'continued' | 'repair' | 'applied' | 'failed' | 'cancelled' | 'conflict';
  readonly isBackground: boolean;
  /** What this summary gives up, since the history is over the limit otherwise. */
  readonly givesUp?: GiveUp | undefined;
  /** The number of the part that was sent, from 1, of `parts`. */
  readonly part: number;
  readonly parts: number;
  /** How often this part was requested before. */
  readonly attempt: number;
  /** Faults of the reply, even if it was applied; empty if there is no reply. */
  readonly findings: readonly Finding[];
  /** The error of `failed` and `conflict`. */
  readonly error?: DensifyError;
}

/**
 * The host's own `AbortSignal`, as far as the type libraries that are in use know it: neither those of the DOM
 * nor Node's are asked for.
 */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : { readonly aborted: boolean; readonly reason: unknown };

/** Options of `prepare`. */
export interface PrepareOptions<M = IContent> extends BeforeSendOptions {
  /**
   * Sends a request to a model and returns its answer. If it throws, for instance at an unknown `request.profile`,
   * `prepare` reports that with the profile's name. The history stays unchanged.
   */
  readonly summarize: (request: SummaryRequest<M>, context: { readonly signal: Signal }) => Promise<string>;
  /**
   * Stops waiting for the summary.
   *
   * @default none
   */
  readonly signal?: Signal | undefined;
  /**
   * Called at each step of a summary.
   *
   * @default none
   */
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
  /**
   * Milliseconds to wait for one reply.
   *
   * @default no limit
   */
  readonly timeout?: number | undefined;
  /**
   * The strategy that runs if no summary is available, for example because the model failed. `'digest'` builds a
   * summary by rules. The warning `fell-back` reports it.
   *
   * @default none: a warning or `over-limit` offers a digest
   */
  readonly fallback?: FallbackStrategy | undefined;
}

/** Options of `beforeSend`. */
export interface BeforeSendOptions extends Moment {
  /**
   * Tokens that will be added before the send.
   *
   * @default 0
   */
  readonly pendingTokens?: number | undefined;
}

/** What `prepare` returns. */
export type PreparedStep<M = IContent> = Omit<ReadyStep<M>, 'background'> | OverLimitStep;
