/** The numbers that a conversation reports. */
import type { DensityMetadata } from '../generated/densify.js';
import type { Edit } from '../types.js';

/** The tokens of a conversation and its limits, by densify's own count. */
export interface ConversationTokens {
  /** Tokens of `messages`. After `report`: the provider's count, plus the tokens of messages added since. */
  readonly current: number;
  /** The tokens of the window that are available for the history. */
  readonly limit: number;
  /** Compression is due from this number of tokens on. */
  readonly threshold: number;
  /** The number of tokens that compression aims at. */
  readonly target: number;
  /**
   * The provider's token count divided by densify's. Multiply the other figures by it to get the provider's.
   */
  readonly factor: number;
}

/** Statistics of a conversation, for a user interface. */
export interface ConversationStats {
  /** Tokens of all messages, before any edit. */
  readonly tokensBefore: number;
  /** Tokens of the messages now. */
  readonly tokensAfter: number;
  /** How many edits each rule made. */
  readonly edits: Readonly<Record<Edit['rule'], number>>;
  /** The edits of the three density rules: stale reads, repeated inclusions, recency. */
  readonly density: DensityMetadata;
  /** Deterministic compressions that changed something. */
  readonly compressions: number;
  /** Summaries that were put into the history. */
  readonly summaries: number;
  /** Summaries that failed. */
  readonly failures: number;
  /** Messages added while the conversation waits for a summary. */
  readonly queued: number;
  /** Milliseconds spent in densify, without those of models. */
  readonly milliseconds: number;
}
