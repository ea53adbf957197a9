import type { IContent } from '../content.js';
import type { DensifyError } from '../errors.js';
import type {
  CompressSettings,
  DensityMetadata,
  OptimizeSettings,
  Size,
  ToolDefinition,
} from '../generated/densify.js';
import type { ConversationSettings, Finding, SummaryMetadata, SummarySettings } from '../generated/summary.js';
import type { IntakeOptions } from '../intake/functions.js';
import type { Recall } from '../recall/index.js';
import type { DigestResult, PromptOption, RedactOption, SummaryNoop, SummaryRequest, Todo } from '../summary/types.js';
import type { ConversationDigestOptions, RestoreResult } from './range.js';
import type { ForgetResult } from './standing.js';
import type { Calibration } from '../tokens/calibration.js';
import type { AllOptional, Callbacks, CompressResult, Edit, FlushPlan, Moment } from '../types.js';

export type { ConversationDigestOptions, RestoreResult } from './range.js';
export type { ForgetResult } from './standing.js';

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
   * summaries' `window`, which are the provider's, are divided by its factor, and so stands what `tokens` says.
   *
   * @default a factor of 1.24 for models of Claude and Gemini, whose providers report that much more than is counted here by
   * the estimate or by a counter with `bounds`; else 1
   */
  readonly calibration?: Calibration | undefined;
  /**
   * Keeps what is cut (`createRecall` of `densify/recall`): shrunk results and summaries end with a note by
   * which the model has all of it again.
   *
   * @default nothing is kept beside `raw`
   */
  readonly recall?: Recall | undefined;
}

/** What the caller should know; each is said once. */
export type ConversationWarning =
  /** The history is above its threshold and can't be brought below it. */
  | { readonly code: 'threshold-unreachable' }
  /**
   * So many summaries failed in a row that none is tried until something is added. `error` says why the last one did;
   * a conversation that was just restored doesn't know.
   */
  | { readonly code: 'summaries-stopped'; readonly error?: DensifyError; readonly offer: 'digest' }
  /** No summary could be had, for this reason if one was tried; a digest was made, as `fallback` says. */
  | { readonly code: 'digested'; readonly error?: unknown }
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
  /** What would make room without a model: `conversation.digest()`; it is never made unasked. */
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
  /** The part that was sent, from 1, of so many. */
  readonly part: number;
  readonly parts: number;
  /** How often this part was asked for before. */
  readonly attempt: number;
  /** What was found in the reply, also in one that is applied; empty where there was none to judge. */
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
   * Sends a request to a model and returns what it says. What it throws, for instance because it knows no
   * `request.profile` of that name, is told by `prepare` with the profile's name, and the history is as it was.
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
   * What is done where no summary can be had: `'digest'` makes one by rules, and a warning says so.
   *
   * @default nothing: a warning or `over-limit` offers it
   */
  readonly fallback?: 'digest' | undefined;
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

/** The tokens of a conversation, and what they are measured by. */
export interface ConversationTokens {
  /** Tokens of `messages`. */
  readonly current: number;
  /** What the window has for the history. */
  readonly limit: number;
  /** At so many tokens compression is due. */
  readonly threshold: number;
  /** What compression aims at. */
  readonly target: number;
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
  readonly tokens: ConversationTokens;
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
   * none waits, or if the policy is `'always'` or `'never'`. `beforeSend({ cold: true })` makes them.
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
  [Symbol.dispose](): void;
}
