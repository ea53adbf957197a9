/** What a result was about: its call, in words that a search finds. */

import type { RecallEntry } from '../recall/store.js';
import { LONGEST, oneLine } from '../recall/subject.js';
import { type Bag, keyParameter } from './facts.js';

/** At most this many characters of a call are read. */
const READ = 10_000;
/** Longer arguments are contents. */
const SHORT = 100;

/**
 * What is kept of a result's call: its tool and main argument, in the words of the note that replaces the result.
 * Without a call only the tool's name, if the result has one.
 */
export function aboutCall(
  named: string,
  call: { readonly name: string; readonly parameters?: unknown } | undefined,
  redact: (text: string) => string = (text) => text,
): Pick<RecallEntry, 'tool' | 'subject'> {
  const tool = named || (call?.name ?? '');
  const subject = call === undefined ? '' : subjectOf(tool, call.parameters, redact);
  return { ...(tool !== '' && { tool }), ...(subject !== '' && { subject }) };
}

/** Redacted before it is cut: half a credential isn't known for one. */
function subjectOf(tool: string, parameters: unknown, redact: (text: string) => string): string {
  try {
    const said = typeof parameters === 'string' ? parameters : saidBy(parameters);
    const words = said === '' ? tool : `${tool}: ${redact(said.slice(0, READ))}`;
    return oneLine(words, LONGEST);
  } catch {
    return ''; // arguments may have accessors, and a host's function may throw
  }
}

/** What arguments are about, and what else is short among them: what is sought beside where. */
function saidBy(parameters: unknown): string {
  if (typeof parameters !== 'object' || parameters === null) return '';
  const key = keyParameter(parameters);
  const isShort = (value: unknown) => typeof value === 'string' && value.length <= SHORT && value !== key;
  const values = Object.values(parameters as Bag).filter((value) => {
    return isShort(value) || (key === undefined && typeof value === 'number');
  });
  return [...(key === undefined ? [] : [key]), ...values].join(', ');
}
