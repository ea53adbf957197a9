import { type DensifyError, densifyError } from './errors.js';
import { nearestFirst } from './nearest.js';

/** Whether something can be read as options. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses what can't be read as options; `key` names the option whose value it is. */
export function needObject(value: unknown, key?: string): asserts value is object {
  if (isObject(value)) return;
  if (key !== undefined) throw wrongOption(key, value, 'an object');
  throw densifyError('invalid-options', `options: found ${describe(value)}, expected an object`);
}

/** Refuses options that are no object or hold unknown keys; `undefined` means that there are none. */
export function checkOptions(options: unknown, known: readonly string[], advice: Advice = {}): void {
  if (options === undefined) return;
  needObject(options);
  onlyKnown(options, known, advice);
}

/** Refuses options that a call doesn't use. */
export function refuse(options: object | undefined, keys: readonly string[], why: string): void {
  for (const key of keys) {
    if (options === undefined || options === null || readOption(options, key) === undefined) continue;
    throw optionError(key, `: ${why}`);
  }
}

/** Options that another call takes, and the advice for them. */
export type Elsewhere = readonly (readonly [keys: readonly string[], where: string])[];

/** What an error about an unknown option says besides the known names. */
export interface Advice {
  /** The option that holds the unknown one. */
  readonly within?: string | undefined;
  /** The end of the message. */
  readonly more?: string;
  /** The calls that take options which aren't known here; the first match counts. */
  readonly elsewhere?: Elsewhere;
}

/**
 * Refuses unknown options, in the words of the core's errors. The core can't check them, since it doesn't know the options
 * that stay in TypeScript. The most similar known name comes first.
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

/** What `contextLimit` must be, for the error if it is missing. */
export const WINDOW = "the model's window in tokens";

/** The value of an option. If reading it throws, the error names the option. */
export function readOption(options: object, key: string, name = key): unknown {
  try {
    return (options as Record<string, unknown>)[key];
  } catch (cause) {
    throw optionError(name, ": found something that throws when it is read (see 'cause'), expected plain data", cause);
  }
}

/** How an error shows a value. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return isPromise(value) ? "a promise that wasn't awaited" : 'an object';
  if (typeof value === 'string') return isShown(value) ? `'${value}'` : `a string of ${value.length} characters`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
}

/** Whether a value is a promise, perhaps of another realm. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  try {
    return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
  } catch {
    return false; // it throws when it is read
  }
}

/**
 * Whether an error may show a text: it is a name, or too short for a credential. A text is shown whole or not at all: redaction
 * would not recognise the beginning of a credential.
 */
function isShown(text: string): boolean {
  if (text.length < 16) return /^[\w\-. \u0080-\uffff]*$/.test(text);
  const uppers = text.replace(/[^A-Z]/g, '').length;
  return text.length <= 40 && /^[A-Za-z_\-. \u0080-\uffff]*$/.test(text) && uppers * 4 <= text.length;
}

/** An option's name as an error shows it: callers may pass anything as a key. */
export function shownKey(key: string): string {
  return isShown(key) ? key : `(a name of ${key.length} characters)`;
}

/** An error about an option. */
export function optionError(name: string, why: string, cause?: unknown): DensifyError {
  const key = shownKey(name);
  return densifyError('invalid-options', `option ${key}${why}`, cause === undefined ? { key } : { key, cause });
}

/** An error about an option whose value is not the expected one. */
export function wrongOption(key: string, found: unknown, expected: string): DensifyError {
  return optionError(key, `: found ${describe(found)}, expected ${expected}`);
}

/** The same about an argument. */
export function wrongArgument(key: string, found: unknown, expected: string): DensifyError {
  return densifyError('invalid-options', `${key}: found ${describe(found)}, expected ${expected}`, { key });
}
