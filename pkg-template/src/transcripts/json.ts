export { parseJson } from '../base/json.js';

/** An object that came out of `JSON.parse`. */
export type JsonRecord = { readonly [key: string]: unknown };

/** Whether a value is an object and no array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an array; unlike `Array.isArray` it doesn't turn `unknown` into `any[]`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** An id as a string; some logs number them. */
export function idOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** A string that says something, or `undefined`. */
export function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Keeps the entries that have a value; `undefined` when none has, so that no empty object is left. */
export function present(entries: JsonRecord): Record<string, unknown> | undefined {
  const kept = Object.entries(entries).filter(([, value]) => value !== undefined && value !== null);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

/**
 * What can be saved of a JSON text that is cut off, or that goes on after its end: everything up to the last complete
 * list or object, with open brackets closed. `undefined` if nothing is complete or the brackets don't match; the
 * answer may still not be JSON.
 */
export function completeJson(text: string): string | undefined {
  const open: number[] = [];
  let end = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
    } else if (unit === OPEN_LIST || unit === OPEN_RECORD) {
      open.push(unit + 2); // In ASCII both closing brackets stand two after the opening ones.
    } else if (unit === CLOSE_LIST || unit === CLOSE_RECORD) {
      if (open.pop() !== unit) return undefined;
      end = at + 1;
      depth = open.length;
    }
  }
  if (end === 0) return undefined;
  // Since `end` brackets were only opened, so the first `depth` are those that were open there.
  const closing = open
    .slice(0, depth)
    .reverse()
    .map((unit) => String.fromCharCode(unit));
  return text.slice(0, end) + closing.join('');
}

/** The index of the quote that closes the string opened at `start`; the text's length if none does. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    at += unit === BACKSLASH ? 2 : 1;
  }
  return text.length;
}
