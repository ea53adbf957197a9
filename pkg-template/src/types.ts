import type { ContentLike, IContent, ToolResponseBlock } from './base/content.js';
import type {
  CompressMetadata,
  CompressSettings,
  DensityMetadata,
  NoopReason,
  OptimizeSettings,
} from './generated/densify.js';
import type { Rule } from './generated/protocol.js';
import type { Recall } from './recall/index.js';

export type * from './base/content.js';
export type { DensifyError } from './base/errors.js';
export type {
  CompressMetadata,
  CompressSettings,
  DensityConfig,
  DensityMetadata,
  DeterministicStrategy,
  ErrorCode,
  InTokens,
  NoopReason,
  OptimizeSettings,
  RuleSettings,
  Size,
  StrategyInfo,
  StrategyName,
  StrategyTrigger,
  ToolDefinition,
  ToolKind,
  TriggerMode,
} from './generated/densify.js';
export type { EditKind, Rule } from './generated/protocol.js';

/** The fewest and the most tokens that a text may have. */
export type TokenBounds = { readonly lower: number; readonly upper: number };

/** The count of a text that grows. */
export interface TokenGrowth {
  /** Adds to the text. */
  append(text: string): void;
  /** The tokens of the text so far. */
  readonly tokens: number;
}

/** Counts the tokens of a text. */
export interface TokenCounter {
  (text: string): number;
  /**
   * A lower and an upper bound of the count, found without counting. With it, densify counts a text only if a decision is
   * near or you read the number. The decisions stay the same. `tokenizer.count` of `densify/tokens` has bounds, and
   * `withBounds` adds them to other counters of the same encodings.
   *
   * @default each text is counted once
   */
  readonly bounds?: ((text: string) => TokenBounds) | undefined;
  /**
   * Begins the count of a growing text. With it, each call counts only the new part of a message that is being streamed.
   * `tokenizer.count` of `densify/tokens` has it.
   *
   * @default a grown text is counted from its beginning
   */
  readonly growing?: (() => TokenGrowth) | undefined;
}

/** The functions that a caller can pass. They are called synchronously and must be pure. */
export interface Callbacks<M = IContent> {
  /**
   * Selects messages that no edit may touch, such as results of calls that can't be made again.
   *
   * @default none is protected
   */
  readonly protect?: ((message: M, index: number) => boolean) | undefined;
  /**
   * Says which messages of the user's role a person wrote. Some hosts put the output of tools, or reminders, into that role.
   * Summaries and digests never quote those as the user's request or instruction. Well-known forms are recognised
   * without this option (`<returncode>`, `Observation:`, `[… for …] Result:`).
   *
   * @default all but what is recognised
   */
  readonly isUser?: ((message: M, index: number) => boolean) | undefined;
  /**
   * Recognises further failures. densify knows the format's own field (`is_error`, `status`, `error-text`). In
   * `IContent` these are an `error`, a structured error in the result, and an exit code other than 0. In other formats it also
   * knows the lines that well-known agents write at the beginning or end of a result (`Process exited with code 1`). A failed
   * write supersedes no read.
   *
   * @default none
   */
  readonly isFailure?: ((response: ToolResponseBlock) => boolean) | undefined;
  /**
   * Counts the tokens of a text. It replaces the built-in estimate.
   *
   * @default the built-in estimate
   */
  readonly countTokens?: TokenCounter | undefined;
}

/** An option that is `undefined` counts as not given, under `exactOptionalPropertyTypes` too. */
export type AllOptional<T> = { readonly [Key in keyof T]: T extends Record<Key, T[Key]> ? T[Key] : T[Key] | undefined };

/** Which rules are on, and how far they go. */
export type Preset = NonNullable<OptimizeSettings['preset']>;

/** The store for texts that are cut. */
export interface Kept {
  /**
   * Keeps texts that are cut (`createRecall` of `densify/recall`). Each note that replaces a result or arguments ends with a
   * reference, `(recall r4k0…)`. With it, the model can ask for the full text. Results that are shorter than a note stay.
   * If the store fails, notes carry no reference, and a warning reports it.
   *
   * @default none: your own list still holds the full messages
   */
  readonly recall?: Recall | undefined;
}

/** Options of `optimize`. */
export interface OptimizeOptions<M = IContent>
  extends AllOptional<OptimizeSettings>,
    Omit<Callbacks<M>, 'isUser'>,
    Kept,
    Clocked {}

/** The clock. */
export interface Clocked {
  /**
   * The time of the request, in milliseconds since 1970, like `Date.now`. After a pause longer than `cacheTtl` the cache has
   * expired. If messages have times too, both must show the pause. `NaN` means that the time is unknown.
   *
   * @default `Date.now` in optimizers, hooks and conversations; stateless calls use the times of messages
   */
  readonly now?: (() => number) | undefined;
}

/** The moment of a request. */
export interface Moment {
  /**
   * Whether the provider's cache has expired, if you know. Then edits of sent messages cost nothing: densify makes all
   * waiting edits, unless `flush` is `'never'`.
   *
   * @default by `cacheTtl`, `now` and the times of messages
   */
  readonly cold?: boolean | undefined;
}

/** The cost and gain of a flush. */
export interface FlushPlan {
  /** Tokens that every later turn saves. */
  readonly saved: number;
  /** Tokens after the first edit, which are sent once without the cache. */
  readonly behind: number;
  /**
   * Messages after the first edit whose reasoning is lost, because the provider refuses or ignores reasoning after a
   * change. 0 if format and model don't tell.
   */
  readonly reasoning: number;
  /** The number of turns until the flush has saved more than it cost, at the optimizer's `prices`. */
  readonly paysBackAfter: number;
}

/** Options of `compress`. */
export interface CompressOptions<M = IContent>
  extends AllOptional<CompressSettings>,
    Omit<Callbacks<M>, 'isUser'>,
    Kept {
  /**
   * The tokens of each message, if you know them.
   *
   * @default counted from the texts
   */
  readonly tokens?: readonly number[] | undefined;
}

/** Options of an optimizer's `compress`. Tools and workspace are set when you create the optimizer. */
export type HistoryCompressOptions = Omit<AllOptional<CompressSettings>, 'tools' | 'workspaceRoot'>;

/** One edit: the action, the message's index in the raw history, and the rule. */
export type Edit = {
  readonly index: number;
  readonly rule: Rule;
  /** The newest message that the decision rests on, by its index. */
  readonly cause: number;
  /** Whether the edit waits for a flush. The flush reports it again, with `false`. */
  readonly pending: boolean;
} & (
  | { readonly kind: 'drop' }
  | { readonly kind: 'drop-block'; readonly block: number }
  | { readonly kind: 'set'; readonly block: number; readonly text: string }
  /** `start` and `end` are offsets in the original text, in UTF-16 code units. */
  | { readonly kind: 'cut' | 'unnumber'; readonly block: number; readonly start: number; readonly end: number }
  | {
      readonly kind: 'replace';
      readonly block: number;
      readonly start: number;
      readonly end: number;
      readonly text: string;
    }
);

/** An odd finding; densify left it unchanged. */
export interface Warning {
  /**
   * - `'unbalanced-inclusion'`: the markers of pasted files don't match in this message, so nothing was cut there.
   * - `'reasoning-dropped'`: the model's thinking is lost from this message on. densify removed it, because the provider
   *   refuses thinking after a change, or the provider ignores it (OpenAI's reasoning models).
   * - `'edit-held-back'`: the provider's rules forbid an edit of this message for now, even in a flush. For example, while
   *   calls are open, an edit must not invalidate thinking that the provider wants back. If several edits wait, the first
   *   message is named. Without `model` or `generation` the rules of all models apply, so name one.
   * - `'other-format'`: densify could not read this message. It has another format, or it is a list of messages. If there
   *   are several, the first is named. `message` says which entry point to use.
   * - `'recall-failed'`: the store of the option `recall` failed, so text cut from this message, and perhaps from later
   *   ones, has no reference.
   */
  readonly code: 'unbalanced-inclusion' | 'reasoning-dropped' | 'edit-held-back' | 'other-format' | 'recall-failed';
  readonly index: number;
  /** Advice, if it depends on the finding. */
  readonly message?: string;
}

/**
 * What every call gives back. Functions without state return plain objects, which can be spread and cloned; tokens are
 * counted when they are first read. Read the parts of an optimizer's or conversation's result, and don't spread it:
 * they are computed when you first read them. To keep all of it, call `JSON.stringify(result)`.
 */
export interface ResultBase<M> {
  /**
   * The history after the edits. Untouched messages are your own objects, and if nothing changed, the list is your own
   * too.
   */
  readonly messages: readonly M[];
  /** Whether anything was changed. */
  readonly changed: boolean;
  /** The edits that this call decided, and those that waited and are made now. */
  readonly edits: readonly Edit[];
  /** Tokens of the raw history. */
  readonly tokensBefore: number;
  /** Tokens of `messages`. */
  readonly tokensAfter: number;
  /** Odd content that was left unchanged. */
  readonly warnings: readonly Warning[];
  /**
   * Set if messages changed that were returned before. The provider's prompt cache stays valid before message `index`, and
   * is lost from there on.
   */
  readonly flush?: { readonly index: number } | undefined;
  /**
   * Where the next flush should start: the index of the first message of `messages` that it changes. Providers that find
   * the cache only at breakpoints (Anthropic) need one at the end of the message before. After a flush it is the index of
   * that flush, whose cache hit needs the same breakpoint. Absent as long as nothing has waited.
   */
  readonly anchor?: number | undefined;
}

/** The result of `optimize`. */
export interface Result<M = IContent> extends ResultBase<M> {
  /** How often the documents' own rules fired; `edits` names every rule. */
  readonly metadata: DensityMetadata;
}

/** A compression that changed the history. */
export interface Applied<M = IContent> extends ResultBase<M> {
  readonly kind: 'applied';
  readonly metadata: CompressMetadata;
}

/**
 * A compression in which the strategy had nothing to do; `reason` says why. An optimizer still makes its waiting edits, and then
 * `changed` is true. Otherwise `messages` is your own list.
 */
export interface Noop<M = IContent> extends ResultBase<M> {
  readonly kind: 'noop';
  readonly reason: NoopReason;
  readonly metadata: NoopMetadata;
}

/** The metadata of a compression that changed nothing. */
export type NoopMetadata = Pick<
  CompressMetadata,
  'originalMessageCount' | 'compressedMessageCount' | 'strategyUsed' | 'llmCallMade'
>;

/** The result of `compress`. */
export type CompressResult<M = IContent> = Applied<M> | Noop<M>;

/** The density rules' proposals by index, for hosts that apply them. */
export interface DensityResult<M extends ContentLike = IContent> {
  /** Indices of the raw history that are removed. */
  readonly removals: readonly number[];
  /** Replacements by index of the raw history; no index is in both. */
  readonly replacements: ReadonlyMap<number, M>;
  readonly metadata: DensityMetadata;
}
