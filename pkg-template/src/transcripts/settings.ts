import { type DensifyError, densifyError } from '../base/errors.js';
import { describe, onlyKnown } from '../base/options.js';
import type { TranscriptOptions } from './api.js';
import type { Format } from './format.js';
import { formats } from './formats/index.js';

/** Options, checked. */
export interface Settings {
  readonly format: Format | undefined;
  readonly maxLineLength: number;
}

/** Half of what the shortest-stringed engines allow, since a whole-JSON log is joined once more. */
const MAX_LINE_LENGTH = 2 ** 28;

const KEYS: readonly string[] = ['format', 'maxLineLength'];

/** Checks options; a wrong call is an error, wrong content never is one. */
export function readSettings(options: TranscriptOptions = {}): Settings {
  if (typeof options !== 'object' || options === null) throw unexpected('options', options, 'an object');
  onlyKnown(options, KEYS);
  const { format: name, maxLineLength = MAX_LINE_LENGTH } = options;
  if (!Number.isInteger(maxLineLength) || maxLineLength < 1) {
    throw unexpected('option maxLineLength', maxLineLength, 'a whole number above 0');
  }
  const full = name === 'openai' ? 'openai-chat' : name;
  const format = formats.find((candidate) => candidate.name === full);
  if (name !== undefined && format === undefined) {
    throw unexpected('option format', name, `one of ${formats.map((known) => known.name).join(', ')}`);
  }
  return { format, maxLineLength };
}

/** The error for a wrong call, in the words of all of the package's errors. */
export function unexpected(what: string, found: unknown, expected: string): DensifyError {
  const message = `${what}: found ${describe(found)}, expected ${expected}`;
  return densifyError('invalid-options', message, { key: what.replace('option ', '') });
}
