import type { IContent } from '../base/content.js';
import type {
  CompressSettings,
  DensityMetadata,
  OptimizeSettings,
  Size,
  ToolDefinition,
} from '../generated/densify.js';
import type { ConversationSettings, SummarySettings } from '../generated/summary.js';
import type { IntakeOptions } from '../intake/functions.js';
import type { Recall } from '../recall/index.js';
import type { DigestResult, PromptOption, RedactOption, SummaryNoop, Todo } from '../summary/types.js';
import type { Calibration } from '../tokens/calibration.js';
import type { AllOptional, Callbacks, CompressResult, Edit, FlushPlan } from '../types.js';
import type { ConversationDigestOptions, RestoreResult } from './range.js';
import type { ForgetResult } from './standing.js';
import type { BeforeSendOptions, ConversationStep, PreparedStep, PrepareOptions, SummarizeStep } from './steps.js';

export type { ConversationDigestOptions, RestoreResult } from './range.js';
export type { ForgetResult } from './standing.js';
export type * from './steps.js';

/** What is asked of a model, where a conversation asks for it. */
type SummaryWishes = AllOptional<
  Pick<
    SummarySettings,
    | 'mode'
    | 'topPreserve'
    | 'transcriptPath'
    | 'instructions'
    | 'profile'
    | 'language'
    | 'window'
    | 'replyTokens'
    | 'pins'
    | 'prompt'
  >
>;

/** How a conversation's summaries are made. */
export interface ConversationSummaryOptions extends SummaryWishes {
  /**
   * The strategy of the summaries of `auto`.
   *
   * @default 'middle-out'
   */
  readonly strategy?: SummarySettings['strategy'] | undefined;
}

/** Options of `createConversation`. */
export interface ConversationOptions<M = IContent>
  extends AllOptional<ConversationSettings>,
    Callbacks<M>,
    RedactOption,
    PromptOption {
  /**
   * What relative paths are resolved against.
   *
   * @default "/"
   */
  readonly workspaceRoot?: string | undefined;
  /**
   * Tools that the built-in table doesn't know, or knows differently.
   *
   * @default []
   */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /**
   * The recent tail that compressions and summaries keep; a number is a fraction of the messages.
   *
   * @default 0.3, for 'structured' none
   */
  readonly preserve?: Size | undefined;
  /**
   * What is optimized before each send, by the continuous strategies.
   *
   * @default as for `optimize`
   */
  readonly optimize?: Omit<AllOptional<OptimizeSettings>, 'workspaceRoot' | 'tools'> | undefined;
  /**
   * Whether results of tools are shrunk as they are added, before they were ever sent, where that costs
   * no cache, as by `shrinkResult`. `raw` has them as they were.
   *
   * @default true for 'auto', else false
   */
  readonly intake?: boolean | IntakeOptions | undefined;
  /**
   * How summaries are made. Its `strategy` is for `'auto'`, which leaves it open; elsewhere it is an error.
   *
   * @default as for `requestSummary`
   */
  readonly summary?: ConversationSummaryOptions | undefined;
  /**
   * The agent's todo items, or a function that returns those of the moment.
   *
   * @default []
   */
  readonly todos?: readonly Todo[] | (() => readonly Todo[]) | undefined;
  /**
   * What `calibrate` of `densify/tokens` has learned of how the provider counts: `contextLimit`, `reserve`, `overhead` and the
   * summaries' `window`, which are the provider's, are divided by its factor, and so stands what `tokens` says. One that has
   * learned nothing yet (`uncalibrated`) is none.
   *
   * @default for models of Claude and Gemini, whose providers report more than is counted here by the estimate or by a counter
   * with `bounds`, 1.24, as measured on Claude Opus 4.5 and 4.6, Sonnet 4.5 and Gemini 3; 1.6 for Claude Opus 4.7, Sonnet 5 and all
   * newer ones, also where no version is named: of these Anthropic says that they make 30 % more of a text; else 1
   */
  readonly calibration?: Calibration | undefined;
  /**
   * Keeps what is cut (`createRecall` of `densify/recall`): shrunk results and summaries end with a note, and what
   * stands in the place of a result with a reference, by which the model has all of it again.
   *
   * @default nothing is kept beside `raw`
   */
  readonly recall?: Recall | undefined;
}

/** The tokens of a conversation, and what they are measured by; all as they are counted here. */
export interface ConversationTokens {
  /** Tokens of `messages`. */
  readonly current: number;
  /** What the window has for the history. */
  readonly limit: number;
  /** At so many tokens compression is due. */
  readonly threshold: number;
  /** What compression aims at. */
  readonly target: number;
  /** What the provider counts over what is counted here, as it was learned or measured: times this, all of them are the provider's. */
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
  /** `messages` without empty ones of the model. */
  readonly curated: readonly M[];
  /** The tokens of `messages`, and what they are measured by: what a user interface shows as the window's use. */
  readonly tokens: ConversationTokens;
  /** What was done so far. */
  readonly stats: ConversationStats;
  /** Whether messages were added since the last optimization. */
  readonly isDirty: boolean;
  /** Optimizes what was added, if the strategy is a continuous one; returns whether anything changed. */
  ensureOptimized(): boolean;
  /** Brings the history within its threshold, or says what is needed for that. */
  beforeSend(options?: BeforeSendOptions): ConversationStep<M>;
  /** The same, and has the summaries made that are needed. */
  prepare(options: PrepareOptions<M>): Promise<PreparedStep<M>>;
  /**
   * What it would cost now to make the edits that wait for a flush (`optimize.flush`), and when that pays back; nothing if
   * none waits, as under the policy `'always'`, or what the provider demands holds them back now (`'model-unknown'`).
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
   * Erases what a reference of `recall` stands for, as its `forget` does, and says where it may still be read: in your own
   * messages, in what is left of them, in summaries that quote it. Those go with `rewind`, or by a conversation that is
   * made anew of other messages.
   */
  forget(reference: string): ForgetResult;
  /**
   * Asks for a summary now, of whatever strategy the conversation is and however much room there is: what a user's
   * `/compact focus on the parser` comes to. Hand the step the model's reply, or have `prepare` do it, which waits for it.
   * A summary that is awaited is given up.
   */
  summarize(options?: ConversationSummarizeOptions): SummarizeStep<M> | SummaryNoop;
  /** Sets the threshold that precedes all others; `undefined` takes it back. */
  setThreshold(threshold: number | undefined): void;
  /** Sets what was learned since of how the provider counts (`calibrate` of `densify/tokens`); `undefined` takes it back. */
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
  /** Gives up what is held in the core, and a summary that is awaited. */
  dispose(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}
