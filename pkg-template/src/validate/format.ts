import type { JsonRecord } from '../transcripts/json.js';
import type { MessageFormat } from './api.js';
import type { Context, Entry, Pairing } from './context.js';
import type { Shape } from './shape.js';
import type { Words } from './words.js';

/** All that there is to know about a format: one file, one entry in the registry. */
export interface FormatRules {
  readonly name: MessageFormat;
  /** What a message looks like. */
  readonly shape: Shape;
  /** What this message looks like, where it depends on more than its tag. */
  shapeOf?(message: JsonRecord): Shape;
  /** Turns a value that is not a record into a message, if the format accepts such values. */
  wrap?(message: unknown): JsonRecord | undefined;
  /** The messages' own word for a role or type, for findings. */
  readonly roleKey: string;
  /** Whether messages are sent as JSON as they are. */
  readonly wire: boolean;
  readonly words: Words;
  readonly pairing?: Pairing;
  /** What the shared rules look at. */
  read(message: JsonRecord, index: number): Entry;
  /** The same of all messages, where what one of them means depends on others. */
  link?(entries: readonly Entry[]): readonly Entry[];
  /** A message of the user's, for messages that may not begin with another. */
  opening?(text: string): unknown;
  /** What only this format demands. */
  check?(context: Context): void;
}
