import { type DensifyError, densifyError } from './errors.js';
import { nearestFirst } from './nearest.js';

/** Whether something can be read as options. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses options that a call doesn't heed. */
export function refuse(options: object | undefined, keys: readonly string[], why: string): void {
  for (const key of keys) {
    if (options === undefined || options === null || readOption(options, key) === undefined) continue;
    throw optionError(key, `: ${why}`);
  }
}

/** Options that another call takes, and what to say of them. */
export type Elsewhere = readonly (readonly [keys: readonly string[], where: string])[];

/** What an error says of an option beside the names of those that are known. */
export interface Advice {
  /** The option whose keys they are. */
  readonly within?: string | undefined;
  /** What else there is to say. */
  readonly more?: string;
  /** Where options that aren't known here are; the first place counts. */
  readonly elsewhere?: Elsewhere;
}

/**
 * Refuses unknown options, in the core's words: they aren't asked for there, since it doesn't know what stays
 * here. Of those that there are the likeliest comes first.
 */
export function onlyKnown(
  options: object | null | undefined,
  known: readonly string[],
  { within, more = '', elsewhere = [] }: Advice = {},
): void {
  const isUnknown = (key: string): boolean => !known.includes(key) && readOption(options as object, key) !== undefined;
  const key = Object.keys(options ?? {}).find(isUnknown);
  if (key === undefined) return;
  const name = within === undefined ? key : `${within}.${key}`;
  const place = elsewhere.find(([keys]) => keys.includes(key))?.[1];
  const expected = nearestFirst(key, [...new Set(known)]).join(', ');
  // Before the names, which are many.
  const found = place === undefined ? 'an unknown key' : `an unknown key (${place})`;
  throw optionError(name, `: found ${found}, expected one of ${expected}${place === undefined ? more : ''}`);
}

/** Refuses options that lack a required one. The error describes the missing value. */
export function needOption(options: object | undefined, key: string, expected: string): void {
  if (options === undefined || readOption(options, key) === undefined)
    throw optionError(key, `: found nothing, expected ${expected}`);
}

/** What `contextLimit` is, to somebody who left it out. */
export const WINDOW = "the model's window in tokens";

/** The value of an option; one that throws is refused by its name. */
export function readOption(options: object, key: string, name = key): unknown {
  try {
    return (options as Record<string, unknown>)[key];
  } catch (cause) {
    throw optionError(name, ": found something that throws when it is read (see 'cause'), expected plain data", cause);
  }
}

/** Names a value in an error. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return isPromise(value) ? "a promise that wasn't awaited" : 'an object';
  if (typeof value === 'string') return isShown(value) ? `'${value}'` : `a string of ${value.length} characters`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}

/** Whether somebody forgot to await a value. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  try {
    return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
  } catch {
    return false; // it throws when it is read
  }
}

/**
 * Whether an error may show a text: it is a name, or too short for a credential. The beginning of a credential
 * wouldn't be known for one any more.
 */
function isShown(text: string): boolean {
  if (text.length < 16) return /^[\w\-. \u0080-\uffff]*$/.test(text);
  const uppers = text.replace(/[^A-Z]/g, '').length;
  return text.length <= 40 && /^[A-Za-z_\-. \u0080-\uffff]*$/.test(text) && uppers * 4 <= text.length;
}

/** An option's name as an error shows it: it may be anything too. */
export function shownKey(key: string): string {
  return isShown(key) ? key : `(a name of ${key.length} characters)`;
}

/** An error about an option. */
export function optionError(name: string, why: string, cause?: unknown): DensifyError {
  const key = shownKey(name);
  return densifyError('invalid-options', `option ${key}${why}`, cause === undefined ? { key } : { key, cause });
}
