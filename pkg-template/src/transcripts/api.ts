import type { IContent } from '../types.js';

/** The logs that can be read. */
export type TranscriptFormat =
  | 'pi'
  | 'claude-code'
  | 'codex'
  | 'opencode'
  | 'gemini-cli'
  | 'copilot-cli'
  | 'factory-droid'
  | 'qwen-code'
  | 'grok-cli'
  | 'mini-swe-agent'
  | 'swe-agent'
  | 'anthropic'
  | 'openai-responses'
  | 'gemini'
  | 'openai-chat';

/**
 * A fault of a log:
 *
 * - `bad-json`: a line isn't JSON; it is left out.
 * - `truncated`: the log ends inside a line or a document; what came before is read.
 * - `line-too-long`: a line (or a whole-JSON log) is longer than `maxLineLength`; it is left out.
 * - `not-a-record`: valid JSON, but no object, where an entry was expected; it is left out.
 * - `trailing-content`: lines after the end of a whole-JSON log; they are left out.
 * - `unknown-format`: no known format fits; there are no contents.
 * - `unknown-record`: an entry of an unknown type; it is left out.
 * - `unknown-role`: a message of an unknown role; kept as a human content with `metadata.role`.
 * - `unknown-block`: a block of an unknown type or shape; kept as it is, or inside
 * `{type: 'unknown', original}` where its own type would be mistaken for another block's.
 * - `odd-shape`: a message whose parts don't have the expected form; what is readable is kept.
 * - `empty-message`: a message without any block; it is left out.
 * - `missing-id`: a tool call or response without an id; it gets the id `''`.
 * - `broken-branch`: a parent that the log doesn't hold; the entry before takes its place.
 */
export type TranscriptWarningCode =
  | 'bad-json'
  | 'truncated'
  | 'line-too-long'
  | 'not-a-record'
  | 'trailing-content'
  | 'unknown-format'
  | 'unknown-record'
  | 'unknown-role'
  | 'unknown-block'
  | 'odd-shape'
  | 'empty-message'
  | 'missing-id'
  | 'broken-branch';

/** One kind of oddity; a transcript holds at most one warning for each code. */
export interface TranscriptWarning {
  readonly code: TranscriptWarningCode;
  /**
   * The first place, counted from 1: a line, or in a whole-JSON log the position among the messages. A separate system
   * prompt counts as the first message.
   */
  readonly line: number;
  /** How often it was met. */
  readonly count: number;
}

/** The contents of a transcript, in numbers. */
export interface TranscriptCounts {
  /** Lines of the log, blank ones included. */
  readonly lines: number;
  /** Entries outside the conversation: bookkeeping, side chains, abandoned branches. */
  readonly skipped: number;
  readonly toolCalls: number;
  readonly toolResponses: number;
  /** Responses without a call before them. */
  readonly unpairedResponses: number;
  /** Calls without a response. */
  readonly unansweredCalls: number;
}

/** A log, read. */
export interface Transcript {
  /** The log's format; `undefined` if none was given and none fits. */
  readonly format: TranscriptFormat | undefined;
  /** The conversation, oldest first; the caller's to keep and to change. */
  readonly contents: IContent[];
  /** Faults of the log, one warning for each code; empty for a clean log. */
  readonly warnings: readonly TranscriptWarning[];
  readonly counts: TranscriptCounts;
}

/** How a log is read. */
export interface TranscriptOptions {
  /**
   * The log's format; `openai`, as the package's entry is named, is `openai-chat`.
   * @default detected from the first entries
   */
  readonly format?: TranscriptFormat | 'openai' | undefined;
  /**
   * The longest line to read, in UTF-16 units. It limits the memory that a stream may need. A whole-JSON log counts as
   * one line.
   * @default 268435456
   */
  readonly maxLineLength?: number | undefined;
}

/** The part of a web `ReadableStream` that is used, so that no particular library of types is needed. */
export interface ReadableStreamLike<T> {
  getReader(): {
    read(): Promise<{ done: boolean; value?: T | undefined }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** Where a log may come from: bytes are UTF-8, chunks may end anywhere. */
export type TranscriptSource =
  | AsyncIterable<string | Uint8Array>
  | ReadableStreamLike<string>
  | ReadableStreamLike<Uint8Array>
  | ReadableStreamLike<string | Uint8Array>;
