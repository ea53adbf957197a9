import type { IContent } from '../base/content.js';
import type { CompressSettings, DensityMetadata, Size } from '../generated/densify.js';
import type { ConversationSettings, SummarySettings } from '../generated/summary.js';
import type { IntakeOptions } from '../intake/functions.js';
import type { Recall } from '../recall/index.js';
import type { DigestResult, PromptOption, RedactOption, SummaryNoop } from '../summary/types.js';
import type { Calibration } from '../tokens/calibration.js';
import type { AllOptional, Callbacks, CompressResult, Edit, FlushPlan, OptimizeOptions } from '../types.js';
import type { ConversationHooks } from './hooks.js';
import type { ConversationDigestOptions, RestoreResult } from './range.js';
import type { ForgetResult } from './standing.js';
import type { BeforeSendOptions, ConversationStep, PreparedStep, PrepareOptions, SummarizeStep } from './steps.js';
import type { TodoSource } from './todos.js';

export type { GiveUp } from '../generated/summary.js';
export type { CompressionEnd, CompressionReason, CompressionStart, ConversationHooks } from './hooks.js';
export type { ConversationDigestOptions, RestoreResult } from './range.js';
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
export interface ConversationSummaryOptions
  extends AllOptional<Pick<SummarySettings, OfRequests> & Pick<ConversationSettings, OfSummaries>>,
    RedactOption,
    Pick<PromptOption, 'prompts'> {
  /**
   * The strategy of the summaries of `'auto'`; with other strategies it is an error.
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
   * The recent tail that compressions and summaries keep; a number is a fraction of the messages.
   *
   * @default 0.3, for 'structured' none
   */
  readonly preserve?: Size | undefined;
  /**
   * Whether the first user message stays: in compressions as in `compress`, and before summaries.
   *
   * @default as for `compress`, false for summaries
   */
  readonly keepFirstRequest?: boolean | undefined;
  /**
   * How messages are read, and what is optimized before each send: the options of `optimize`. `workspaceRoot`, `tools`,
   * `protect` and `isFailure` hold for compressions, summaries and intake as well.
   *
   * @default as for `optimize`
   */
  readonly optimize?: Omit<OptimizeOptions<M>, 'countTokens' | 'recall'> | undefined;
  /**
   * Whether results of tools are shrunk as they are added, before they were ever sent, where that costs
   * no cache, as by `shrinkResult`. `raw` has them as they were.
   *
   * @default true for 'auto', else false
   */
  readonly intake?: boolean | IntakeOptions | undefined;
  /**
   * How summaries are made: options of `requestSummary`, and what happens if a summary fails.
   *
   * @default as for `requestSummary`
   */
  readonly summary?: ConversationSummaryOptions | undefined;
  /**
   * The agent's todo items: a list, their text, or a function that returns one of these, also as a promise. `prepare`
   * waits for a promise for up to 5 seconds; `beforeSend` uses what it gave last. A function that fails is a warning
   * (`todos-failed`), and the turn goes on.
   *
   * @default []
   */
  readonly todos?: TodoSource | undefined;
  /**
   * Keeps what is cut (`createRecall` of `densify/recall`): shortened results, summaries and notes end with a
   * reference. The model can ask for the full text by it.
   *
   * @default nothing is kept beside `raw`
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

/** The tokens of a conversation, and what they are measured by; all as they are counted here. */
export interface ConversationTokens {
  /** Tokens of `messages`. After `report`: the provider's count, plus the tokens of messages added since. */
  readonly current: number;
  /** The tokens of the window that are available for the history. */
  readonly limit: number;
  /** At so many tokens compression is due. */
  readonly threshold: number;
  /** What compression aims at. */
  readonly target: number;
  /**
   * The provider's token count divided by densify's, learned or measured: times this, all of them are the provider's.
   */
  readonly factor: number;
}

/** What a conversation did so far, for a user interface. */
export interface ConversationStats {
  /** Tokens of all messages as they were added. */
  readonly tokensBefore: number;
  /** Tokens of the messages as they are. */
  readonly tokensAfter: number;
  /** How many edits each rule made. */
  readonly edits: Readonly<Record<Edit['rule'], number>>;
  /** The same, of the three density rules: stale reads, repeated inclusions, recency. */
  readonly density: DensityMetadata;
  /** Deterministic compressions that changed something. */
  readonly compressions: number;
  /** Summaries that were put into the history. */
  readonly summaries: number;
  /** Summaries that failed. */
  readonly failures: number;
  /** Messages that were added while a summary is awaited. */
  readonly queued: number;
  /** Milliseconds that were spent here, without those of models. */
  readonly milliseconds: number;
}

/** Options of a conversation's `compress`. */
export type ConversationCompressOptions = Partial<
  Pick<AllOptional<CompressSettings>, 'strategy' | 'preserve' | 'keepFirstRequest'>
>;

/**
 * Options of a conversation's `summarize`: what holds for this one summary. Its `instructions` and `pins` come on top
 * of those of the conversation, the others in the place of those.
 */
export type ConversationSummarizeOptions = AllOptional<
  Pick<SummarySettings, 'instructions' | 'pins' | 'preserve' | 'topPreserve' | 'profile' | 'language'>
>;

/** A conversation's state without its messages: plain JSON. */
export interface ConversationSnapshot {
  readonly version: 1;
  /** How many messages were added. */
  readonly count: number;
  readonly [key: string]: unknown;
}

/** A history and what keeps it within a model's window. */
export interface Conversation<M = IContent> {
  /** Adds messages, also while a summary is awaited. */
  add(...messages: M[]): void;
  /** The same for a list, of any length: engines pass only so many arguments to a call. */
  addAll(messages: readonly M[]): void;
  /** The messages as they are now; the same list as long as nothing changes. */
  readonly messages: readonly M[];
  /** All messages as they were added. */
  readonly raw: readonly M[];
  /** `messages` without empty ones of the model, and without those that are marked with `includeInContext: false`. */
  readonly curated: readonly M[];
  /** As in the result of `optimize`: where the next flush should start, as an index of `messages`. */
  readonly anchor: number | undefined;
  /** The tokens of `messages`, and what they are measured by: what a user interface shows as the window's use. */
  readonly tokens: ConversationTokens;
  /** What was done so far. */
  readonly stats: ConversationStats;
  /** Whether messages were added since the last optimization. */
  readonly isDirty: boolean;
  /** Optimizes what was added, if the strategy is a continuous one; returns whether anything changed. */
  ensureOptimized(): boolean;
  /** Makes the history fit its threshold, or returns the step that is needed first. */
  beforeSend(options?: BeforeSendOptions): ConversationStep<M>;
  /** The same, and has the summaries made that are needed. */
  prepare(options: PrepareOptions<M>): Promise<PreparedStep<M>>;
  /**
   * The cost of flushing the waiting edits now (`optimize.flush`), and the turns until it pays back; nothing if none
   * waits, as under the policy `'always'`, or what the provider demands holds them back now (`'model-unknown'`).
   * `beforeSend({ cold: true })` makes them.
   */
  plan(): FlushPlan | undefined;
  /** Compresses now, by a strategy without a model; a summary that is awaited is given up. */
  compress(options?: ConversationCompressOptions): CompressResult<M>;
  /**
   * Makes a digest now: a summary without a model, instant and never failing, for when none can be had from a
   * model. A summary that is awaited is given up. The next summary takes the digest up.
   */
  digest(options?: ConversationDigestOptions<M>): DigestResult<M>;
  /**
   * Takes the newest summary or digest back, if its note names the reference: the messages that it stands for are there
   * again, and those that came later stay. A summary that is awaited is given up.
   */
  restore(reference: string): RestoreResult<M>;
  /**
   * Erases a text by its `recall` reference, and returns the places that may still hold it: your own messages, their
   * edited copies, summaries that quote it. Those go with `rewind`, or by a conversation that is made anew of other
   * messages.
   */
  forget(reference: string): ForgetResult;
  /**
   * Asks for a summary now, of whatever strategy the conversation is and however much room there is: for a user's
   * `/compact focus on the parser`. Hand the step the model's reply, or have `prepare` do it, which waits for it. A
   * summary that is awaited is given up.
   */
  summarize(options?: ConversationSummarizeOptions): SummarizeStep<M> | SummaryNoop;
  /** Sets the threshold that precedes all others; `undefined` takes it back. */
  setThreshold(threshold: number | undefined): void;
  /**
   * Changes options, such as the strategy, limits, prompts or the model. Other options stay, also those within
   * `optimize` and `summary`. Messages, edits, summaries and statistics stay as well, and a pending summary may still
   * arrive. A wrong option is an error that changes nothing. `recall` cannot be changed here.
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
  /** A conversation of its own with the first `at` messages that were added (all of them by default). */
  fork(at?: number): Conversation<M>;
  /** Goes back to the first `at` messages that were added; what later ones had brought about is taken back. */
  rewind(at: number): void;
  /**
   * What `restoreConversation` needs beside the messages. It knows them by fingerprints of their structure, of the
   * length of each text and of up to 25 characters that lie evenly in it, among their first 48 values: letters
   * between these, or what lies deeper, may differ unnoticed. It tells another history from this one; where texts
   * can't be trusted, keep a checksum of your own.
   */
  snapshot(): ConversationSnapshot;
  /** Frees the core's memory and cancels a running summary. */
  dispose(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}
