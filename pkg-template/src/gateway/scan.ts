/** Finds where values begin and end in the bytes of a JSON text. The parser of a span checks its content. */

/** A value in the bytes: from its first byte to the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
export const LIST = 91;
export const OBJECT = 123;
const END_OF_LIST = 93;
const END_OF_OBJECT = 125;

/** The place of the next byte that is no white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let place = at;
  while (isSpace(bytes[place])) place += 1;
  return place;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** The place behind a value. */
export function skipValue(bytes: Uint8Array, start: number): number {
  if (bytes[start] === QUOTE) return skipString(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = skipString(bytes, at) - 1;
    else if (byte === LIST || byte === OBJECT) depth += 1;
    else if (byte === END_OF_LIST || byte === END_OF_OBJECT) {
      depth -= 1;
      if (depth === 0) return at + 1;
      if (depth < 0) return at; // the end of what holds a number or a word
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at;
  }
  return bytes.length;
}

function skipString(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at < 0) return bytes.length;
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/**
 * Reads the object that begins at `start`: `read` gets each name, with its quotes, and the place of its value, and returns
 * the place behind the value. Returns the place behind the object; `undefined` where the text is no JSON.
 */
export function readEntries(
  bytes: Uint8Array,
  start: number,
  read: (name: Span, at: number) => number | undefined,
): number | undefined {
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === END_OF_OBJECT) return at + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) return undefined;
    const name = { start: at, end: skipString(bytes, at) };
    at = skipSpace(bytes, name.end);
    if (bytes[at] !== COLON) return undefined;
    const end = read(name, skipSpace(bytes, at + 1));
    if (end === undefined) return undefined;
    at = skipSpace(bytes, end);
    if (bytes[at] === END_OF_OBJECT) return at + 1;
    if (bytes[at] !== COMMA) return undefined;
    at = skipSpace(bytes, at + 1);
  }
}

/** The first element of the list that begins at `start`, if it has any. */
export function firstElement(bytes: Uint8Array, start: number): Span | undefined {
  const at = skipSpace(bytes, start + 1);
  return bytes[at] === END_OF_LIST ? undefined : { start: at, end: skipValue(bytes, at) };
}

/**
 * Reads the list that begins at `start`. Its first elements may be `known`. Returns all elements and the place behind the
 * list; `undefined` where the text is no JSON.
 */
export function readElements(
  bytes: Uint8Array,
  start: number,
  known: readonly Span[],
): { readonly spans: readonly Span[]; readonly end: number } | undefined {
  const spans = [...known];
  let at = skipSpace(bytes, spans.at(-1)?.end ?? start + 1);
  if (spans.length === 0 && bytes[at] === END_OF_LIST) return { spans, end: at + 1 };
  for (;;) {
    if (spans.length > 0) {
      if (bytes[at] === END_OF_LIST) return { spans, end: at + 1 };
      if (bytes[at] !== COMMA) return undefined;
      at = skipSpace(bytes, at + 1);
    }
    const end = skipValue(bytes, at);
    if (end === at) return undefined;
    spans.push({ start: at, end });
    at = skipSpace(bytes, end);
  }
}
