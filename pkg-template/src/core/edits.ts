/** The edits that the core decides, as words. `src/wasm/output.rs` in the core defines their form. */

import { EDIT_KINDS, EDIT_WORDS, RULES } from '../generated/protocol.js';
import type { Edit, EditKind, Rule } from '../types.js';

/** In place of a unit: there is none. */
export const NO_UNIT = 0xffffffff;

/** An edit, by the index of the message as it was pushed. */
export class LoggedEdit {
  readonly kind: EditKind;
  readonly rule: Rule;
  readonly index: number;
  readonly cause: number;
  readonly block: number;
  readonly text: string | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  pending: boolean;
  /** The first message of those that the edit must change together with, if it waits; behind all if it doesn't. */
  readonly anchor: number;
  /** The turn that decided it. */
  readonly #since: number;
  /** Number of `text` in the session. */
  readonly #textId: number;

  constructor(words: Uint32Array, at: number, texts: readonly string[]) {
    const head = words[at]!;
    const kind = head & 0xff;
    this.kind = EDIT_KINDS[kind]!;
    this.rule = RULES[(head >> 8) & 0xff]!;
    this.index = words[at + 1]!;
    this.cause = words[at + 2]!;
    this.anchor = words[at + 3]!;
    this.block = kind > 0 ? words[at + 4]! : -1;
    const text = textOf(words, at);
    this.#textId = text ?? 0;
    this.text = text === undefined ? undefined : texts[text];
    this.start = kind >= 3 ? words[at + 5]! : undefined;
    this.end = kind >= 3 ? words[at + 6]! : undefined;
    this.pending = isPending(head);
    this.#since = head >>> 17;
  }

  /** Appends the words of the edit, for the core to make it again. */
  write(words: number[]): void {
    const kind = EDIT_KINDS.indexOf(this.kind);
    const head = kind | (RULES.indexOf(this.rule) << 8) | (Number(this.pending) << 16) | (this.#since << 17);
    words.push(head >>> 0, this.index, this.cause, this.anchor);
    if (kind > 0) words.push(this.block);
    if (kind === 2) words.push(this.#textId);
    if (kind >= 3) words.push(this.start ?? 0, this.end ?? 0);
    if (kind === 4) words.push(this.#textId);
  }

  /** The edit once it is made; the results of earlier runs still say that it waited. */
  made(texts: readonly string[]): LoggedEdit {
    const words: number[] = [];
    this.write(words);
    const made = new LoggedEdit(Uint32Array.from(words), 0, texts);
    made.pending = false;
    return made;
  }

  /** What a caller gets to see: a copy, and only what the edit's kind has. */
  plain(): Edit {
    const { kind, index, rule, cause, pending, block, text = '', start = 0, end = 0 } = this;
    const about = { index, rule, cause, pending };
    if (kind === 'drop') return { kind, ...about };
    if (kind === 'drop-block') return { kind, ...about, block };
    if (kind === 'set') return { kind, ...about, block, text };
    return kind === 'replace' ? { kind, ...about, block, start, end, text } : { kind, ...about, block, start, end };
  }
}

/** The number of the text that an edit puts in; `at` is the place of the edit's first word. */
export function textOf(words: ArrayLike<number>, at: number): number | undefined {
  const kind = words[at]! & 0xff;
  if (kind === 2) return words[at + 5];
  return kind === 4 ? words[at + 7] : undefined;
}

/** Whether an edit that begins with this word waits. */
export function isPending(head: number): boolean {
  return ((head >>> 16) & 1) === 1;
}

/** Words of an edit of any kind: its head, message, cause and anchor. */
const COMMON_WORDS = 4;

/** The number of words in an edit that begins with this one. */
export function wordsOf(head: number): number {
  return COMMON_WORDS + (EDIT_WORDS[head & 0xff] ?? 0);
}

/** The most words that an edit has. */
export const MOST_WORDS = COMMON_WORDS + /* @__PURE__ */ Math.max(...EDIT_WORDS);
