import type { TranscriptWarning } from 'densify/transcripts';
import { plural } from '../lib/text.js';

/** What was odd about a log, in words, with its number; the rest was read. */
const ODDITIES: Readonly<Record<TranscriptWarning['code'], (count: number) => string>> = {
  'bad-json': (count) => (count === 1 ? 'Skipped 1 line that isn’t JSON' : `Skipped ${count} lines that aren’t JSON`),
  truncated: (count) => `The log breaks off in ${plural(count, 'place')}`,
  'line-too-long': (count) => `Skipped ${plural(count, 'line')} over the length limit`,
  'not-a-record': (count) => `Skipped ${plural(count, 'line')} without a record`,
  'trailing-content': (count) => (count === 1 ? 'Skipped text after the end' : `Skipped ${count} texts after the end`),
  'unknown-format': () => 'Unknown format',
  'unknown-record': (count) => `Skipped ${plural(count, 'record')} of an unknown kind`,
  'unknown-role': (count) => `Read ${plural(count, 'message')} of an unknown role as the user’s`,
  'unknown-block': (count) => `Kept ${plural(count, 'block')} of an unknown kind unchanged`,
  'odd-shape': (count) => `Found ${plural(count, 'record')} of an unusual shape`,
  'empty-message': (count) => `Found ${plural(count, 'empty message')}`,
  'missing-id': (count) => `Found ${plural(count, 'tool call or result', 'tool calls or results')} without an id`,
  'broken-branch': (count) => `Found ${plural(count, 'broken branch', 'broken branches')} of the conversation`,
};

/** `line` counts lines, or the messages of a log that is one JSON value. */
export const noteOf = ({ code, line, count }: TranscriptWarning): string =>
  `${ODDITIES[code](count)} (${count === 1 ? '' : 'first: '}line or message ${line}).`;
