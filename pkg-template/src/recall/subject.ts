/** What a result was about: its call, in words that a search finds. */
import { type Bag, keyParameter } from '../facts.js';
import type { RecallEntry } from './store.js';

/** Most characters of a call's subject. */
export const LONGEST = 200;
/** So much of what a call says is looked at. */
const READ = 10_000;
/** Longer arguments are contents. */
const SHORT = 100;
/** The same text came of so many calls at most, as far as that is kept. */
const CALLS = 8;

/** A text as one line of at most so many characters, whatever it was. */
export function oneLine(text: string, most: number): string {
  return [...text.slice(0, 2 * most).replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')].slice(0, most).join('').trim();
}

/**
 * What is kept of a result's call: its tool, and what it was called with, as the words say it that stand where the
 * result was. Without a call only the tool's name, if the result has one.
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

/** The subjects that are known of a text, a line each, and those of another call that gave it. */
export function joined(known: string | undefined, added: string | undefined): string | undefined {
  const lines = [...subjectsIn(known), ...subjectsIn(added)].map((line) => oneLine(line, LONGEST));
  const all = [...new Set(lines)].slice(0, CALLS);
  return all.length === 0 ? undefined : all.join('\n');
}

export function subjectsIn(subject: string | undefined): readonly string[] {
  return subject?.split('\n').filter((line) => line.trim() !== '') ?? [];
}
