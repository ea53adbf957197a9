import type { IContent } from '../base/content.js';
import type { NoopReason } from '../generated/densify.js';
import type {
  CompactionState,
  Finding,
  SummaryMetadata,
  SummaryPlan,
  SummarySettings,
  SummaryStrategy,
  Todo,
} from '../generated/summary.js';
import type { AllOptional, Callbacks } from '../types.js';

export type {
  CompactionState,
  FileOperations,
  Finding,
  FindingCode,
  SummaryMetadata,
  SummaryPlan,
  SummarySettings,
  SummaryStrategy,
  Todo,
} from '../generated/summary.js';

/** Your own prompts, by their paths (`promptCandidates`). */
export type PromptSource = ReadonlyMap<string, string> | ((path: string) => string | undefined);

/** The treatment of credentials. */
export interface RedactOption {
  /**
   * Removes credentials from requests, stored summaries, findings and errors. `true`
   * removes those of well-known shapes, a function returns the text to use, and `false` removes none. Your own messages in
   * an `append` request are sent unchanged.
   *
   * @default true
   */
  readonly redact?: boolean | ((text: string) => string) | undefined;
}

/** Where densify looks for your own prompts. */
export interface PromptOption {
  /**
   * Prompts that replace the built-in ones, by their paths (`promptCandidates`).
   *
   * @default none
   */
  readonly prompts?: PromptSource | undefined;
  /**
   * The provider whose prompts are used before general ones.
   *
   * @default none
   */
  readonly provider?: string | undefined;
  /**
   * The model whose prompts are used before those of its provider.
   *
   * @default none
   */
  readonly model?: string | undefined;
}

/** Options of `requestSummary`. */
export interface SummaryOptions<M = IContent>
  extends AllOptional<SummarySettings>,
    Omit<Callbacks<M>, 'protect'>,
    RedactOption,
    PromptOption {}

/** Options of `applySummary`. */
export interface ApplyOptions<M = IContent>
  extends Pick<Callbacks<M>, 'countTokens' | 'isUser' | 'isFailure'>,
    RedactOption {}

/** A message of a later part; `null` is the summary so far. */
export interface PartMessage {
  readonly speaker: 'human' | 'ai';
  readonly segments: readonly (string | null)[];
}

/**
 * What to send to a model, as plain JSON: it may be stored, and applied by another process. `messages`
 * is all that the model needs; what else is in it is for `applySummary`.
 */
export interface SummaryRequest<M = IContent> {
  readonly kind: 'request';
  /** The version of this form. */
  readonly version: 1;
  readonly strategy: SummaryStrategy;
  readonly mode: 'transcript' | 'append';
  /** What to send. In `append` mode your own messages come first, each `===`. */
  readonly messages: readonly M[];
  /** Whether the messages hold calls, so that a provider may demand the definitions of tools. */
  readonly needsTools: boolean;
  /** The number of todo items for which the request had no room. */
  readonly todosLeftOut?: number;
  /** The profile to send the request with. */
  readonly profile?: string;
  /** Tokens that the reply may take. */
  readonly replyTokens?: number;
  /** The number of this part, from 1, of `parts`. */
  readonly part: number;
  readonly parts: number;
  /** How often this part was asked for before. */
  readonly attempt: number;
  /** The messages of this part without those that ask for a repair; absent while they are the same. */
  readonly original?: readonly M[];
  /** The parts after this one. */
  readonly remaining: readonly (readonly PartMessage[])[];
  /** The data by which the reply is checked. */
  readonly plan: SummaryPlan;
  /** The options that the history is read with, as JSON. */
  readonly reading: string;
  /** The target from the format's options. `applySummary` reads the history for the same target. */
  readonly target?: Readonly<Record<string, string>>;
}

/** There is nothing to summarise. `reason` says why. */
export interface SummaryNoop {
  readonly kind: 'noop';
  readonly reason: NoopReason;
}

/** The new history. */
export interface AppliedSummary<M = IContent> {
  readonly kind: 'applied';
  readonly changed: true;
  /** The history with the summary in it; all other messages are your own objects. */
  readonly messages: readonly M[];
  /** The message that holds the summary. */
  readonly summary: M;
  /** Warnings about the reply. */
  readonly findings: readonly Finding[];
  readonly metadata: SummaryMetadata;
  /** For the next compaction, if the summary's message should get lost by then. */
  readonly state: CompactionState;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** A part was summarised. Send the next one. */
export interface ContinuedSummary<M = IContent> {
  readonly kind: 'continue';
  readonly changed: false;
  /** Your own history, unchanged. */
  readonly messages: readonly M[];
  /** What to send next. */
  readonly request: SummaryRequest<M>;
  readonly findings: readonly Finding[];
}

/** The reply can't be used. */
export interface FailedSummary<M = IContent> {
  readonly kind: 'failed';
  readonly changed: false;
  /** Your own history, unchanged. */
  readonly messages: readonly M[];
  /** A request for the missing pieces; the same request again if a pin is missing (`missing-pin`). */
  readonly request: SummaryRequest<M>;
  readonly findings: readonly Finding[];
}

/** The summarised messages have changed. */
export interface SummaryConflict<M = IContent> {
  readonly kind: 'conflict';
  readonly changed: false;
  /** Your own history, unchanged. */
  readonly messages: readonly M[];
  /** The first message that differs. */
  readonly index: number;
  readonly reason: 'changed' | 'missing';
}

/** The outcome of a reply. */
export type SummaryResult<M = IContent> =
  | AppliedSummary<M>
  | ContinuedSummary<M>
  | FailedSummary<M>
  | SummaryConflict<M>;

/** Options of `digest`. */
export interface DigestOptions<M = IContent>
  extends AllOptional<
      Pick<
        SummarySettings,
        | 'contextLimit'
        | 'threshold'
        | 'reserve'
        | 'overhead'
        | 'preserve'
        | 'keepFirstRequest'
        | 'minMessages'
        | 'transcriptPath'
        | 'state'
        | 'pins'
        | 'workspaceRoot'
        | 'tools'
      >
    >,
    Pick<Callbacks<M>, 'countTokens' | 'isUser' | 'isFailure'>,
    Pick<RedactOption, 'redact'> {
  /**
   * The agent's todo items. They override the newest list in the history.
   *
   * @default the newest list in the history
   */
  readonly todos?: readonly Todo[] | string | undefined;
  /**
   * The size of the digest in tokens, including pins and standing instructions; at least 100.
   *
   * @default an eighth of the replaced messages, from 600 to 6000 plus the user's requests, within the target
   */
  readonly tokens?: number | undefined;
}

/** The result of a digest. */
export type DigestResult<M = IContent> =
  | AppliedSummary<M>
  | (SummaryNoop & {
      readonly changed: false;
      /** Your own history, unchanged. */
      readonly messages: readonly M[];
    });

/** The findings in a reply that is not applied yet. */
export interface SummaryCheck<M = IContent> {
  /** Whether the reply can be used. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  /** The request for the missing parts (for a usable reply, its missing sections); absent if nothing is. */
  readonly messages?: readonly M[];
}
