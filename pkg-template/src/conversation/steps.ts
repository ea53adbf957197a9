// What comes before each send: the kinds of steps, and how to act on them.
import type { IContent } from '../base/content.js';
import type { DensifyError } from '../base/errors.js';
import type { DeterministicStrategy } from '../generated/densify.js';
import type { CompactionState, Finding, GiveUp, SummaryMetadata } from '../generated/summary.js';
import type { SummaryRequest } from '../summary/types.js';
import type { Moment } from '../types.js';

/** The strategies that `fallback` can name. */
export type FallbackStrategy = 'digest' | DeterministicStrategy;

/** What the caller should know. */
export type ConversationWarning =
  /**
   * The history was over the limit, so the conversation gave this up: the messages at the top, the first request, the
   * tail down to the newest exchange, or the model's summary for one by rules. `giveUp` forbids each.
   */
  | { readonly code: 'gave-up'; readonly what: GiveUp }
  /** The history is above its threshold and can't be brought below it. */
  | { readonly code: 'threshold-unreachable' }
  /**
   * So many summaries failed in a row that none is tried until something is added. `error` says why the last one did;
   * a conversation that was just restored doesn't know.
   */
  | { readonly code: 'summaries-stopped'; readonly error?: DensifyError; readonly offer: 'digest' }
  /** No summary was available, for this reason if one was tried: the strategy that `fallback` names ran. */
  | { readonly code: 'fell-back'; readonly strategy: FallbackStrategy; readonly error?: unknown }
  /**
   * Nothing was read of a message, though it says something: it is of another format than that of the entry point, or a
   * list in the place of its messages. What such messages hold isn't counted, so they may not fit where this says they do.
   */
  | { readonly code: 'other-format'; readonly message: string }
  /**
   * An edit waits, since nobody said which model the messages are sent to: what any model demands of thinking holds
   * together then. Name `model` or `generation`. What must become smaller does all the same, and loses its thinking.
   */
  | { readonly code: 'model-unknown'; readonly message: string }
  /** The function `todos` failed or took too long: summaries are made with the last items that it gave, or with none. */
  | { readonly code: 'todos-failed'; readonly error: unknown }
  /** One of `hooks` threw; what it was told of went on. */
  | { readonly code: 'hook-failed'; readonly error: unknown }
  /** The store of `recall` failed: something that was cut isn't kept. */
  | { readonly code: 'recall-failed'; readonly error: unknown }
  /** A summary failed, in the background since the last step or just now, or none could be asked for; the history is as it was. */
  | { readonly code: 'summary-failed'; readonly error: unknown; readonly offer: 'digest' };

/** The messages may be sent. */
export interface ReadyStep<M = IContent> {
  readonly kind: 'ready';
  /** What to send; the same list as long as nothing changes. */
  readonly messages: readonly M[];
  /** A summary to be made while the conversation goes on (`auto`). */
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

/** The history doesn't fit the window, and nothing more can go; or summaries failed so often that none is tried now. */
export interface OverLimitStep {
  readonly kind: 'over-limit';
  /** The message that is too large, and the remedy. */
  readonly message: string;
  /** The tokens that are left. */
  readonly floor: number;
  /**
   * Why nothing more can be done: nothing more can go, or so many summaries failed in a row that none is tried
   * until something is added or changed (`add`, `setThreshold`, `compress`, `rewind`).
   */
  readonly reason: 'nothing-left' | 'summaries-stopped';
  /**
   * Why no summary can be asked for: `window-too-small`, or `open-calls` in `append` mode; said once. Where summaries
   * were stopped, why the last one failed (`summary-failed`).
   */
  readonly error?: DensifyError;
  /** The largest of the messages that are left, by its index in `messages`. */
  readonly largest?: { readonly index: number; readonly tokens: number };
  /**
   * What would make room without a model: `conversation.digest()`, which is never made unasked; where there is nothing
   * outside the tail that one could stand for, it isn't offered.
   */
  readonly offer?: 'digest';
}

/** What comes before a send. */
export type ConversationStep<M = IContent> = ReadyStep<M> | SummarizeStep<M> | PendingStep<M> | OverLimitStep;

/** A summary that was asked for. Messages that are added meanwhile stay, in their order, whatever comes of it. */
export interface SummaryTask<M = IContent> {
  /** What to send to a model; another one once a part is done, or a reply needs a repair. */
  readonly request: SummaryRequest<M>;
  /** Whether the conversation still waits for it. */
  readonly isOpen: boolean;
  /** Whether the conversation goes on meanwhile. */
  readonly isBackground: boolean;
  /** What this summary gives up, since the history is over the limit otherwise. */
  readonly givesUp?: GiveUp | undefined;
  /** Hands in the model's reply. */
  complete(reply: string): CompletedStep<M>;
  /** Says that no reply will come, and why: a later step tells. The history is as it was. */
  fail(error?: unknown): void;
  /** Gives the summary up, which is no failure. The history is as it was. */
  cancel(): void;
}

/** What came of a model's reply. */
export type CompletedStep<M = IContent> =
  | {
      readonly kind: 'applied';
      readonly messages: readonly M[];
      readonly findings: readonly Finding[];
      readonly metadata: SummaryMetadata;
      /** For a host that stores the data of a compaction. */
      readonly state: CompactionState;
    }
  /** The next part is to be sent. */
  | { readonly kind: 'continue'; readonly request: SummaryRequest<M>; readonly findings: readonly Finding[] }
  /** The reply can't be used. With a request the task is still open: it asks for what is missing. */
  | { readonly kind: 'failed'; readonly request?: SummaryRequest<M>; readonly findings: readonly Finding[] }
  /** The history was changed under the summary, which is given up. */
  | { readonly kind: 'conflict'; readonly index: number; readonly reason: 'changed' | 'missing' }
  /** The conversation didn't wait for it any more: nothing happened. */
  | { readonly kind: 'ended' };

/** How `prepare` goes. */
export interface SummaryProgress {
  readonly kind: 'started' | 'continued' | 'repair' | 'applied' | 'failed' | 'cancelled' | 'conflict';
  readonly isBackground: boolean;
  /** What this summary gives up, since the history is over the limit otherwise. */
  readonly givesUp?: GiveUp | undefined;
  /** The part that was sent, from 1, of so many. */
  readonly part: number;
  readonly parts: number;
  /** How often this part was asked for before. */
  readonly attempt: number;
  /** The findings in the reply, even if it was applied; empty where there was none to judge. */
  readonly findings: readonly Finding[];
  /** Why it came to nothing, of `failed` and `conflict`. */
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
   * Sends a request to a model and returns what it says. If it throws, for instance at an unknown `request.profile`,
   * `prepare` reports that with the profile's name. The history stays unchanged.
   */
  readonly summarize: (request: SummaryRequest<M>, context: { readonly signal: Signal }) => Promise<string>;
  /**
   * Gives up what is awaited.
   *
   * @default none
   */
  readonly signal?: Signal | undefined;
  /**
   * Hears how summaries go.
   *
   * @default none
   */
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
  /**
   * Milliseconds that one reply may take.
   *
   * @default no limit
   */
  readonly timeout?: number | undefined;
  /**
   * The strategy that runs where no summary is available, also because the model failed: `'digest'` makes a summary by
   * rules. A warning (`fell-back`) reports it.
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

/** What `prepare` comes to. */
export type PreparedStep<M = IContent> = Omit<ReadyStep<M>, 'background'> | OverLimitStep;
