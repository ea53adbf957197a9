import type { TranscriptWarning } from 'densify/transcripts';
import { plural } from '../lib/text.js';

/** What was odd about a log, in words; whatever it was, the rest was read. */
const ODDITIES: Readonly<Record<TranscriptWarning['code'], readonly [one: string, many: string]>> = {
  'bad-json': ['line that is no JSON was left out', 'lines that are no JSON were left out'],
  truncated: ['place where the log breaks off', 'places where the log breaks off'],
  'line-too-long': ['line that is too long was left out', 'lines that are too long were left out'],
  'not-a-record': ['line that is no entry was left out', 'lines that are no entries were left out'],
  'trailing-content': ['text behind the end was left out', 'texts behind the end were left out'],
  'unknown-format': ['unknown format', 'unknown formats'],
  'unknown-record': ['entry of an unknown kind was left out', 'entries of unknown kinds were left out'],
  'unknown-role': [
    'message of an unknown role is taken as the user’s',
    'messages of unknown roles are taken as the user’s',
  ],
  'unknown-block': ['block of an unknown kind is kept as it is', 'blocks of unknown kinds are kept as they are'],
  'odd-shape': ['entry has an odd shape', 'entries have odd shapes'],
  'empty-message': ['message was empty', 'messages were empty'],
  'missing-id': ['call or result had no id', 'calls or results had no id'],
  'broken-branch': ['branch of the conversation is broken', 'branches of the conversation are broken'],
};

export const noteOf = ({ code, line, count }: TranscriptWarning): string =>
  `${plural(count, ...ODDITIES[code])} (${count === 1 ? 'at' : 'first at'} ${line}).`;
