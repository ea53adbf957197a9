import type { IContent } from '../types.js';
import type { TranscriptFormat, TranscriptWarningCode } from './api.js';
import type { JsonRecord } from './json.js';

/** A reader reports odd records here. */
export interface Log {
  /** Notes an oddity. */
  warn(code: TranscriptWarningCode, line: number): void;
  /** Counts an entry that is no part of the conversation. */
  skip(): void;
}

/** Takes the entries of one log, in order. */
export interface Reader {
  /** Takes an entry; `line` is its line, or its position in a whole-JSON log. */
  read(record: JsonRecord, line: number): void;
  /** What the entries make; called once. */
  finish(): IContent[];
}

/** All that there is to know about a format: one file, one entry in the registry. */
export interface Format {
  readonly name: TranscriptFormat;
  /** Whether this entry shows that the log is of this format; most specific format first. */
  detect(sample: JsonRecord): boolean;
  /** Whether this entry may be one of this format: the log is of it, if no entry shows another. */
  mayBe?(sample: JsonRecord): boolean;
  /** The entries inside a whole-JSON log, or `undefined`; absent if logs always come as lines. */
  readonly records?: (document: unknown) => readonly unknown[] | undefined;
  /** Whether a document shows the format by itself; else one of its entries must. */
  readonly recordsTell?: (document: JsonRecord) => boolean;
  /** Starts to read a log. */
  open(log: Log): Reader;
}
