/**
 * Writes an edited value back into the JSON text that it was parsed from. Values that are still `===` keep their
 * characters: numbers that JavaScript can't hold, escapes and the white space within arrive at the provider as the agent
 * wrote them.
 */
import type { Bag } from '../messages/facts.js';

/** The text of `after`, which shares what did not change with `before`, the value of `text`. */
export function spliced(text: string, before: unknown, after: unknown): string {
  const pieces: string[] = [];
  new Splicer(text, pieces).write(0, before, after);
  return pieces.join('');
}

/** A value in the text: from its first character to the one behind its last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

class Splicer {
  readonly #text: string;
  readonly #pieces: string[];

  constructor(text: string, pieces: string[]) {
    this.#text = text;
    this.#pieces = pieces;
  }

  /** Writes the value at `start`, which reads as `before`, as `after`. */
  write(start: number, before: unknown, after: unknown): void {
    const at = this.#skipSpace(start);
    if (before === after) return this.#copy({ start: at, end: this.#skipValue(at) });
    if (Array.isArray(before) && Array.isArray(after)) return this.#writeList(at, before, after);
    if (isBag(before) && isBag(after) && this.#writeObject(at, before, after)) return;
    this.#pieces.push(JSON.stringify(after));
  }

  #writeList(start: number, before: readonly unknown[], after: readonly unknown[]): void {
    const spans = this.#elements(start);
    const places = new Map(before.flatMap((value, at) => (isObject(value) ? [[value, at] as const] : [])));
    this.#pieces.push('[');
    const isAligned = before.length === after.length;
    let next = 0;
    after.forEach((value, at) => {
      if (at > 0) this.#pieces.push(',');
      const same = isObject(value) ? places.get(value) : undefined;
      const from = same ?? (isAligned ? at : originOf(value, before, next));
      if (from === undefined) this.#pieces.push(JSON.stringify(value) ?? 'null');
      else {
        this.write(spans[from]!.start, before[from], value);
        next = from + 1;
      }
    });
    this.#pieces.push(']');
  }

  /** Whether the object could be written; one whose text has a key twice is left to the caller. */
  #writeObject(start: number, before: Bag, after: Bag): boolean {
    const entries = this.#entries(start);
    if (new Set(entries.map(({ key }) => key)).size !== entries.length) return false;
    let isFirst = true;
    const comma = () => {
      if (!isFirst) this.#pieces.push(',');
      isFirst = false;
    };
    this.#pieces.push('{');
    for (const { key, name, value } of entries) {
      if (!Object.hasOwn(after, key) || after[key] === undefined) continue;
      comma();
      this.#copy({ start: name.start, end: value });
      this.write(value, before[key], after[key]);
    }
    for (const key of Object.keys(after)) {
      if (Object.hasOwn(before, key) || after[key] === undefined) continue;
      comma();
      this.#pieces.push(JSON.stringify(key), ':', JSON.stringify(after[key]));
    }
    this.#pieces.push('}');
    return true;
  }

  #copy({ start, end }: Span): void {
    this.#pieces.push(this.#text.slice(start, end));
  }

  #elements(start: number): Span[] {
    const spans: Span[] = [];
    let at = this.#skipSpace(start + 1);
    while (this.#text[at] !== ']') {
      const end = this.#skipValue(at);
      spans.push({ start: at, end });
      at = this.#skipSpace(end);
      if (this.#text[at] === ',') at = this.#skipSpace(at + 1);
    }
    return spans;
  }

  #entries(start: number): { readonly key: string; readonly name: Span; readonly value: number }[] {
    const entries: { key: string; name: Span; value: number }[] = [];
    let at = this.#skipSpace(start + 1);
    while (this.#text[at] !== '}') {
      const name = { start: at, end: this.#skipString(at) };
      const value = this.#skipSpace(this.#skipSpace(name.end) + 1);
      entries.push({ key: JSON.parse(this.#text.slice(name.start, name.end)) as string, name, value });
      at = this.#skipSpace(this.#skipValue(value));
      if (this.#text[at] === ',') at = this.#skipSpace(at + 1);
    }
    return entries;
  }

  #skipSpace(at: number): number {
    let place = at;
    for (;;) {
      const code = this.#text.charCodeAt(place);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return place;
      place += 1;
    }
  }

  /** The place behind a value, whose text is known to be JSON. */
  #skipValue(start: number): number {
    const text = this.#text;
    let depth = 0;
    let at = start;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 34) {
        at = this.#skipString(at) - 1;
        if (depth === 0) return at + 1;
      } else if (code === 123 || code === 91) depth += 1;
      else if (code === 125 || code === 93) {
        depth -= 1;
        if (depth === 0) return at + 1;
        if (depth < 0) return at; // the end of what holds a number or a word
      } else if (depth === 0 && (code === 44 || code === 32 || code === 10 || code === 13 || code === 9)) return at;
    }
    return at;
  }

  #skipString(start: number): number {
    let at = start;
    for (;;) {
      at = this.#text.indexOf('"', at + 1);
      if (at < 0) return this.#text.length;
      let slashes = 0;
      while (this.#text.charCodeAt(at - 1 - slashes) === 92) slashes += 1;
      if (slashes % 2 === 0) return at + 1;
    }
  }
}

/** Elements that are looked at for the origin of an edited one: what was dropped before it is short. */
const LOOKED_AT = 64;

/** The element that an edited copy was made of: the first from `next` on that shares an object or an id with it. */
export function originOf(value: unknown, before: readonly unknown[], next: number): number | undefined {
  if (!isObject(value)) return undefined;
  const held = new Set(heldIn(value));
  if (held.size === 0) return undefined;
  for (let at = next; at < Math.min(before.length, next + LOOKED_AT); at += 1) {
    const candidate = before[at];
    if (!isObject(candidate) || Array.isArray(candidate) !== Array.isArray(value)) continue;
    for (const part of heldIn(candidate)) if (held.has(part)) return at;
  }
  return undefined;
}

/** What tells an element from its neighbours: the objects and ids in it, three levels deep. */
function* heldIn(value: object, depth = 0): Generator<unknown> {
  for (const [key, held] of Object.entries(value)) {
    if (typeof held === 'string' ? /id$/i.test(key) : isObject(held)) yield held;
    if (isObject(held) && depth < 2) yield* heldIn(held, depth + 1);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isBag(value: unknown): value is Bag {
  return isObject(value) && !Array.isArray(value);
}
