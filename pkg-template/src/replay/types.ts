import type { IContent } from '../base/content.js';
import type { ProviderName } from '../validate/api.js';

/** The policies that replay knows by name. Each shortens the history before a model call. */
export type ReplayPolicyName =
  | 'none'
  | 'intake'
  | 'seed'
  | 'lossless'
  | 'balanced'
  | 'aggressive'
  | 'high-density'
  | 'top-down-truncation'
  | 'digest'
  | 'auto';

/**
 * Rules that other tools use. `masking` replaces all results but the newest ten. `head-and-tail` drops the middle near the
 * window's end. Above 60,000 tokens, `plain-digest` turns all but the newest three turns into one message, without results
 * over 500 characters.
 */
export type RivalPolicyName = 'masking' | 'head-and-tail' | 'plain-digest';

/**
 * When edits may change messages that were already sent (option `flush` of `optimize`), or how many tokens they must
 * save.
 */
export type ReplayFlush = 'always' | 'never' | 'when-it-pays' | `${number}`;

/** The tokens that a history should not exceed: a share of the log's tokens, or a number. */
type Budget = `budget:${number}%` | `budget:${number}`;

/**
 * A policy to compare, by its name. `gateway` does the same as `densify run` and the gateway: intake, then `balanced`.
 * A flush policy may follow a colon: `'balanced:when-it-pays'`, `'aggressive:20000'`, `'auto:never'`. A budget is a
 * share of the log's tokens or a number (`'budget:65%'`, `'budget:40000'`): `lossless`, and as many older results cut
 * as needed. It may have a flush policy, too.
 */
export type ReplayPolicy =
  | ReplayPolicyName
  | 'gateway'
  | RivalPolicyName
  | `${'seed' | 'lossless' | 'balanced' | 'aggressive' | 'high-density' | 'auto'}:${ReplayFlush}`
  | Budget
  | `${Budget}:${ReplayFlush}`;

/** Dollars for a million tokens of input. */
export interface ReplayPrices {
  /** Tokens that came from the provider's cache. */
  readonly cached: number;
  /** All others, with what writing them into the cache costs. */
  readonly uncached: number;
}

/** Options of a replay. */
export interface ReplayOptions {
  /**
   * The policies to compare, by name or your own. `none`, the unchanged log, is always included.
   *
   * @default all that have a name without a colon
   */
  readonly policies?: readonly (ReplayPolicy | OwnPolicy)[] | undefined;
  /**
   * The model's window in tokens, for the strategies that go by it: in those that are counted here. Of Claude's and Gemini's
   * divide it by 1.24, of Claude Opus 4.7, Sonnet 5 and newer ones by 1.6.
   *
   * @default 200000
   */
  readonly contextLimit?: number | undefined;
  /**
   * What input costs.
   *
   * @default { cached: 0.3, uncached: 3.75 }
   */
  readonly prices?: ReplayPrices | undefined;
  /**
   * Seconds after which the provider drops an unused cache, measured by the times of the log. `Infinity`: it never
   * expires.
   *
   * @default the log's own figure, else that of the model's provider; without one the cache never expires
   */
  readonly cacheTtl?: number | undefined;
  /**
   * How many blocks before a breakpoint the provider looks for a prefix that its cache holds (Anthropic: 20). Replay
   * assumes breakpoints at the end of each request and at the policy's `anchor`. `Infinity` means that the provider finds
   * the longest prefix.
   *
   * @default Infinity
   */
  readonly lookback?: number | undefined;
  /**
   * The provider whose rules are checked for `rejected`, in addition to general rules.
   *
   * @default that of the model, if the log names one that is known; else none
   */
  readonly provider?: ProviderName | undefined;
  /**
   * The folder that relative paths in the log start from.
   *
   * @default '/'
   */
  readonly workspaceRoot?: string | undefined;
}

/** How many of some things are still there. */
export interface Share {
  readonly kept: number;
  readonly of: number;
}

/** Texts that the agent wrote later and could only know from its history, and the share still in its context. */
export interface Recollection {
  /** Identifiers whose lines are still there, between the same neighbours. */
  readonly identifiers: Share;
  /** Lines that an edit names, between their neighbours. */
  readonly editedLines: Share;
  readonly paths: Share;
  /** Requests of the user, to the letter. */
  readonly requests: Share;
}

/** The result of one policy. */
export interface PolicyReport {
  readonly policy: string;
  /**
   * Estimated tokens of all requests, the same for every model. Only the log's content is counted: no tools, and a
   * system prompt only if the log has one. Claude and Gemini reported 1.24 times as many (Claude Opus 4.7, Sonnet 5 and
   * newer ones about 1.6 times).
   */
  readonly tokens: number;
  /** Tokens of the largest request. */
  readonly largest: number;
  /** Those that the request before had at the same place, which the provider's cache holds. */
  readonly cachedTokens: number;
  readonly dollars: number;
  /**
   * The highest ratio of dollars up to a request to the log's own dollars up to there. With several logs, that of the
   * worst one.
   */
  readonly worst: number;
  /** Requests that do not continue the one before. */
  readonly prefixBreaks: number;
  /** Pieces of reasoning that the model had thought and no longer saw, at the last request. */
  readonly reasoningLost: number;
  /** Calls that the agent made again and whose first result would have been cut. */
  readonly regret: number;
  /** Requests in which something is wrong that isn't in the log itself. */
  readonly rejected: number;
  /** Requests over the window. */
  readonly overLimit: number;
  readonly recollection: Recollection;
}

/** The result of a log. */
export interface ReplayReport {
  readonly version: 1;
  readonly logs: number;
  /** Calls of the model. */
  readonly requests: number;
  /** Those of them that were sent after the provider's cache had died. */
  readonly coldRequests: number;
  readonly contextLimit: number;
  readonly prices: ReplayPrices;
  readonly policies: readonly PolicyReport[];
}

/** A history that grows as the log did. */
export interface ReplayHistory {
  /** Adds the next messages of the log. */
  add(contents: readonly IContent[]): void;
  /** The messages to send now. `cold`: the provider's cache has expired. */
  messages(moment: { readonly cold: boolean }): readonly IContent[];
  /**
   * The number of messages before a second breakpoint in the list that `messages` returned last, for the option
   * `lookback`.
   */
  anchor?(): number | undefined;
  dispose(): void;
}

/** A policy of your own. */
export interface OwnPolicy {
  /** What reports call it. */
  readonly name: string;
  /** Creates the history of one log, for a window of this many tokens. */
  create(contextLimit: number): ReplayHistory;
}
