import type { IContent } from '../content.js';

/** What a replay can do with a history before each call of the model. */
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

/** Dollars for a million tokens of input. */
export interface ReplayPrices {
  /** Tokens that the provider's cache held. */
  readonly cached: number;
  /** All others, with what writing them into the cache costs. */
  readonly uncached: number;
}

/** Options of a replay. */
export interface ReplayOptions {
  /**
   * What is compared; `none`, the log as it was sent, always is.
   *
   * @default all
   */
  readonly policies?: readonly ReplayPolicyName[] | undefined;
  /**
   * The model's window in tokens, for the strategies that go by it.
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
}

/** How many of some things are still there. */
export interface Share {
  readonly kept: number;
  readonly of: number;
}

/** What the agent wrote later and could only have from its history, and what of it the model would still have seen. */
export interface Recollection {
  /** Identifiers, where the lines that held them stand between their neighbours. */
  readonly identifiers: Share;
  /** Lines that an edit names, between their neighbours. */
  readonly editedLines: Share;
  readonly paths: Share;
  /** Requests of the user, to the letter. */
  readonly requests: Share;
}

/** What came of one policy. */
export interface PolicyReport {
  readonly policy: ReplayPolicyName;
  /** Tokens of all requests together. */
  readonly tokens: number;
  /** Tokens of the largest request. */
  readonly largest: number;
  /** Those that the request before had at the same place, which the provider's cache holds. */
  readonly cachedTokens: number;
  readonly dollars: number;
  /** Requests that are no continuation of the one before. */
  readonly prefixBreaks: number;
  /** Pieces of reasoning that the model had thought and no longer saw, at the last request. */
  readonly reasoningLost: number;
  /** Calls that the agent made again, whose result it would no longer have seen. */
  readonly regret: number;
  /** Requests in which something is wrong that isn't in the log itself. */
  readonly rejected: number;
  /** Requests over the window. */
  readonly overLimit: number;
  readonly recollection: Recollection;
}

/** What came of a log. */
export interface ReplayReport {
  readonly version: 1;
  readonly logs: number;
  /** Calls of the model. */
  readonly requests: number;
  readonly contextLimit: number;
  readonly prices: ReplayPrices;
  readonly policies: readonly PolicyReport[];
}

/** A history that grows as the log did. */
export interface Policy {
  /** Adds what the log has next. */
  add(contents: readonly IContent[]): void;
  /** What would be sent now. */
  messages(): readonly IContent[];
  dispose(): void;
}
