import type { IContent } from '../base/content.js';
import type { CompressSettings, Size } from '../generated/densify.js';
import type { ConversationSettings, SummarySettings } from '../generated/summary.js';
import type { IntakeOptions } from '../intake/functions.js';
import type { Recall } from '../recall/index.js';
import type { DigestOptions, DigestResult, PromptOption, RedactOption, SummaryNoop } from '../summary/types.js';
import type { Calibration } from '../tokens/calibration.js';
import type { AllOptional, Callbacks, CompressResult, FlushPlan, OptimizeOptions } from '../types.js';
import type { ConversationStats, ConversationTokens } from './figures.js';
import type { ConversationHooks } from './hooks.js';
import type { ForgetResult } from './standing.js';
import type { BeforeSendOptions, ConversationStep, PreparedStep, PrepareOptions, SummarizeStep } from './steps.js';
import type { TodoSource } from './todos.js';

export type { GiveUp } from '../generated/summary.js';
export type { ConversationStats, ConversationTokens } from './figures.js';
export type { CompressionEnd, CompressionReason, CompressionStart, ConversationHooks } from './hooks.js';
export type { ForgetResult } from './standing.js';
export type * from './steps.js';
export type { TodoItems, TodoSource } from './todos.js';

/** Options of `summary` that are those of `requestSummary`. */
type OfRequests =
  | 'mode'
  | 'topPreserve'
  | 'transcriptPath'
  | 'instructions'
  | 'profile'
  | 'language'
  | 'window'
  | 'replyTokens'
  | 'pins'
  | 'prompt';

/** The conversation's own options of summaries. */
type OfSummaries = 'softThreshold' | 'giveUp' | 'maxFailures';

/** How a conversation's summaries are made, and when. */
export interface ConversationSummaryOptions<M = IContent>
  extends AllOptional<Pick<SummarySettings, OfRequests> & Pick<ConversationSettings, OfSummaries>>,
    RedactOption,
    Pick<Callbacks<M>, 'isUser'>,
    Pick<PromptOption, 'prompts'> {
  /**
   * The strategy for the summaries of `'auto'`. With any other strategy it is an error.
   *
   * @default 'middle-out'
   */
  readonly strategy?: SummarySettings['strategy'] | undefined;
}

/** Options of `createConversation`. */
export interface ConversationOptions<M = IContent>
  extends AllOptional<Omit<ConversationSettings, OfSummaries>>,
    Pick<Callbacks<M>, 'countTokens'>,
    Pick<PromptOption, 'model' | 'provider'> {
  /**
   * The tail, which compressions and summaries keep: a fraction of the messages, or `{ messages }` or `{ tokens }`.
   *
   * @default 0.3, for 'structured' none
   */
  readonly preserve?: Size | undefined;
  /**
   * The options of `optimize`, which runs before each send. `workspaceRoot`, `tools`, `protect` and `isFailure` also apply to
   * compressions, summaries and intake.
   *
   * @default as for `optimize`
   */
  readonly optimize?: Omit<OptimizeOptions<M>, 'countTokens' | 'recall'> | undefined;
  /**
   * Whether new tool results are shortened when you add them, before they are first sent (`shrinkResult`). `raw` keeps them
   * unchanged.
   *
   * @default true for 'auto', else false
   */
  readonly intake?: boolean | IntakeOptions | undefined;
  /**
   * Options of summaries: those of `requestSummary`, and the handling of failures.
   *
   * @default as for `requestSummary`
   */
  readonly summary?: ConversationSummaryOptions<M> | undefined;
  /**
   * The agent's todo items: a list, a text, or a function that returns either, also as a promise. `prepare` waits up to
   * 5 seconds for a promise; `beforeSend` uses the last items. If the function fails, the warning is `todos-failed`,
   * and the turn continues.
   *
   * @default []
   */
  readonly todos?: TodoSource | undefined;
  /**
   * Keeps texts that are cut (`createRecall` of `densify/recall`). Shortened results, summaries and notes end with a
   * reference. With it, the model can ask for the full text.
   *
   * @default none: only `raw` holds the full messages
   */
  readonly recall?: Recall | undefined;
  /**
   * Functions that the conversation calls: before and after each compression, digest and summary, when messages are added,
   * and when the tokens change. `beforeCompression` may forbid the compression.
   *
   * @default none
   */
  readonly hooks?: ConversationHooks<M> | undefined;
}

/** Options of a conversation's `digest`. */
export interface ConversationDigestOptions<M = IContent>
  extends Pick<DigestOptions<M>, 'tokens' | 'preserve' | 'pins'> {
  /**
   * The first current message that the digest replaces; it overrides `preserve`. Calls and their results stay together,
   * so the range may end earlier or later.
   *
   * @default what `preserve` leaves
   */
  readonly from?: number | undefined;
  /**
   * The last of them.
   *
   * @default what `preserve` leaves
   */
  readonly to?: number | undefined;
}

/** The outcome of undoing a summary. */
export type RestoreResult<M = IContent> =
  | {
      readonly kind: 'applied';
      readonly messages: readonly M[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /**
   * It isn't the newest summary or digest, or its messages are forgotten, or they would bring the history to its
   * threshold.
   */
  | { readonly kind: 'noop'; readonly reason: 'not-the-newest' | 'no-room' };

/** Options of a conversation's `compress`. */
export type ConversationCompressOptions = Partial<
  Pick<AllOptional<CompressSettings>, 'strategy' | 'preserve' | 'keepFirstRequest'>
>;

/**
 * Options of a conversation's `summarize`, for this one summary. Its `instructions` and `pins` are added to those of the
 * conversation; other options replace them.
 */
export type ConversationSummarizeOptions = AllOptional<
  Pick<SummarySettings, 'instructions' | 'pins' | 'preserve' | 'topPreserve' | 'profile' | 'language'>
>;

/** A conversation's state without its messages: plain JSON. */
export interface ConversationSnapshot {
  readonly version: 1;
  /** The number of messages added. */
  readonly count: number;
  readonly [key: string]: unknown;
}

/** Holds a history and keeps it within a model's context window. */
export interface Conversation<M = IContent> {
  /** Adds messages, also while a summary is being made. */
  add(...messages: M[]): void;
  /** Adds a list of any length. JavaScript limits the number of arguments of `add`. */
  addAll(messages: readonly M[]): void;
  /** The current messages; the same list as long as nothing changes. */
  readonly messages: readonly M[];
  /** All messages ever added, without edits. */
  readonly raw: readonly M[];
  /** `messages` without empty ones of the model, and without those that are marked with `includeInContext: false`. */
  readonly curated: readonly M[];
  /** As in the result of `optimize`: where the next flush should start, as an index of `messages`. */
  readonly anchor: number | undefined;
  /** The tokens of `messages` and their limits, for example to show how full the window is. */
  readonly tokens: ConversationTokens;
  /** Statistics so far. */
  readonly stats: ConversationStats;
  /** Whether messages were added since the last optimization. */
  readonly isDirty: boolean;
  /** Optimizes added messages, if the strategy is continuous. Returns whether anything changed. */
  ensureOptimized(): boolean;
  /** Makes the history fit its threshold, or returns the step that must come first. */
  beforeSend(options?: BeforeSendOptions): ConversationStep<M>;
  /** Like `beforeSend`, but also makes summaries that are needed, by calling your `summarize`. */
  prepare(options: PrepareOptions<M>): Promise<PreparedStep<M>>;
  /**
   * The cost of flushing the waiting edits now (`optimize.flush`), and the turns until it pays back. `undefined` if no edit
   * waits, or if the provider's rules hold all of them back (`'model-unknown'`). `beforeSend({ cold: true })` makes the
   * waiting edits.
   */
  plan(): FlushPlan | undefined;
  /** Compresses now, by a strategy without a model. This gives up a summary that is being made. */
  compress(options?: ConversationCompressOptions): CompressResult<M>;
  /**
   * Makes a digest now: a summary without a model, which is instant and never fails. This gives up a summary that is being
   * made. The next summary includes the digest.
   */
  digest(options?: ConversationDigestOptions<M>): DigestResult<M>;
  /**
   * Undoes the newest summary or digest, if its note names the reference. The replaced messages return, and later ones stay.
   * This gives up a summary that is being made.
   */
  restore(reference: string): RestoreResult<M>;
  /**
   * Erases a text by its `recall` reference, and returns the places that may still hold it: your own messages, their edited
   * copies, summaries that quote it. To erase these, call `rewind`, or create a conversation of other messages.
   */
  forget(reference: string): ForgetResult;
  /**
   * Requests a summary now, with any strategy and however much room is left, for example for a user's
   * `/compact focus on the parser`. Pass the model's reply to the step, or let the next `prepare` do it. This gives up a
   * summary that is being made.
   */
  summarize(options?: ConversationSummarizeOptions): SummarizeStep<M> | SummaryNoop;
  /**
   * Sets a threshold that overrides all others: a fraction of the limit, above 0 and at most 1. `undefined` removes it.
   */
  setThreshold(threshold: number | undefined): void;
  /**
   * Changes options, such as the strategy, limits, prompts or the model. Other options stay, also those within
   * `optimize` and `summary`. Messages, edits, summaries and statistics stay as well, and a pending summary may still
   * arrive. A wrong option is an error that changes nothing. `recall` cannot be changed here:
   * only the same store is accepted.
   */
  configure(changes: Partial<ConversationOptions<M>> & Readonly<Record<string, unknown>>): void;
  /**
   * Takes the `usage` of the provider's last response. From then on `tokens`, thresholds and limits use that number, plus
   * densify's count of the messages added since. Returns `false` for a usage without the prompt's tokens, or for a request
   * other than the last ready step.
   */
  report(usage: unknown): boolean;
  /**
   * Sets the factor between the provider's count and densify's, as `calibrate` of `densify/tokens` learned it. It divides
   * `contextLimit`, `reserve`, `overhead` and `summary.window`, so `tokens` is in densify's own count. `undefined`, or a
   * calibration that has learned nothing yet, sets the measured factor: 1.24 for Claude and Gemini, 1.6 for Claude
   * Opus 4.7, Sonnet 5 and newer, else 1.
   */
  setCalibration(calibration: Calibration | undefined): void;
  /** Returns an independent conversation with the first `at` messages that were added (all by default). */
  fork(at?: number): Conversation<M>;
  /** Goes back to the first `at` messages that were added, and undoes the effects of later ones. */
  rewind(at: number): void;
  /**
   * The data that `restoreConversation` needs in addition to the messages. It recognises the messages by fingerprints:
   * the structure of their first 48 values, the length of each text, and up to 25 characters spread evenly over it. So
   * `restoreConversation` notices another history, but not every changed letter. If that matters, keep a checksum of
   * your own.
   */
  snapshot(): ConversationSnapshot;
  /** Frees the core's memory and cancels a running summary. */
  dispose(): void;
  /** The same as `dispose`, for `using conversation = createConversation(…)`. */
  [Symbol.dispose](): void;
}
