import { isStackFull } from '../base/stack.js';
import { MOST_NODES } from '../base/walk.js';
import { bracketedLimit } from '../generated/constants.js';

/** What JSON writes with more than one code unit: one class of characters, so nothing to backtrack over. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * Length of a value as JSON: exact for short ones, for others a lower bound above `bracketedLimit`.
 * `undefined` if it can't be written as JSON. Work is bounded, however large or deep the value is.
 */
function jsonLength(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const isPlain = value.length > bracketedLimit || !ESCAPED.test(value);
    return isPlain ? value.length + 2 : JSON.stringify(value).length;
  }
  const least = leastLength(value);
  if (least > bracketedLimit) return least;
  try {
    return JSON.stringify(value)?.length;
  } catch (thrown) {
    if (isStackFull(thrown)) throw thrown;
    return undefined;
  }
}

/** The same of a response's payload; `undefined` too if there is none. */
export function payloadLength(result: unknown): number | undefined {
  return result === undefined || result === null ? undefined : jsonLength(result);
}

/** A lower bound of a value's length as JSON; stops once that is above `bracketedLimit`. */
function leastLength(value: unknown): number {
  // The usual shape of a large result, and the only part of it that counts.
  const output: unknown = (value as { readonly output?: unknown } | null)?.output;
  if (typeof output === 'string' && output.length > bracketedLimit && isWritten(value as object, 'output'))
    return output.length;
  const open: unknown[] = [value];
  let length = 0;
  while (open.length > 0 && length <= bracketedLimit) {
    const next = open.pop();
    if (typeof next === 'string') length += next.length + 2;
    else if (typeof next !== 'object' || next === null) length += 1;
    else if (!hasToJson(next)) length += pushMembers(next, open, bracketedLimit - length);
  }
  return length;
}

/** Whether JSON writes an object's property as it is. */
function isWritten(object: object, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(object, key) && !hasToJson(object);
}

/** Whether an object is written as something else, which may be as short as can be. */
function hasToJson(object: object): boolean {
  return typeof (object as { readonly toJSON?: unknown }).toJSON === 'function';
}

function pushMembers(object: object, open: unknown[], room: number): number {
  let length = 2;
  if (Array.isArray(object)) {
    for (let at = 0; at < object.length && at <= room; at += 1) open.push(object[at]);
    return length;
  }
  // Bytes are written as members, one for each; to ask for their keys would make millions of strings.
  if (ArrayBuffer.isView(object)) return length + ((object as Uint8Array).length ?? 0);
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    const value: unknown = (object as Record<string, unknown>)[key];
    // What isn't written, or may not be, doesn't count.
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    if (typeof value === 'object' && value !== null && hasToJson(value)) continue;
    length += key.length + 3;
    open.push(value);
    if (length > room) break;
  }
  return length;
}

/** A cheap measure of a call's parameters: it changes when a streamed argument grows. */
export function parametersLength(parameters: unknown): number {
  if (typeof parameters === 'string') return parameters.length;
  if (typeof parameters !== 'object' || parameters === null) return 0;
  if (ArrayBuffer.isView(parameters)) return parameters.byteLength;
  let length = 0;
  let seen = 0;
  for (const key in parameters) {
    const value: unknown = (parameters as Record<string, unknown>)[key];
    length += key.length + (typeof value === 'string' || Array.isArray(value) ? value.length : 1);
    if ((seen += 1) > 64) break;
  }
  return length;
}

/** Values whose walk was given up, so that it is not made again. Accessors can give new objects without end. */
const ENDLESS = new WeakSet<object>();

/** A value as JSON text; what JSON refuses (cycles, bigints, great depth) as the strings in it; '' if it has no end. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch (thrown) {
    if (isStackFull(thrown)) throw thrown;
    return looseText(value);
  }
}

function looseText(value: unknown): string {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && ENDLESS.has(value)) return '';
  const open: unknown[] = [value];
  const seen = new Set<object>();
  const parts: string[] = [];
  for (let nodes = 0; open.length > 0; nodes += 1) {
    if (nodes === MOST_NODES) {
      if (isObject) ENDLESS.add(value);
      return '';
    }
    const next = open.pop();
    if (typeof next !== 'object' || next === null) {
      if (next !== undefined && typeof next !== 'function') parts.push(String(next));
    } else if (!seen.has(next)) {
      seen.add(next);
      pushReadable(next, open, parts);
    }
  }
  return parts.join(' ');
}

function pushReadable(object: object, open: unknown[], parts: string[]): void {
  if (ArrayBuffer.isView(object)) return;
  let keys: string[];
  try {
    keys = Object.keys(object);
  } catch {
    return;
  }
  for (const key of keys) {
    parts.push(key);
    try {
      open.push((object as Record<string, unknown>)[key]);
    } catch {
      // A throwing accessor has no text.
    }
  }
}
