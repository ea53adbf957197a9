/** What the core writes after a run; the form is that of `src/wasm/output.rs`. */

import { coders } from '../base/utf8.js';
import { EDIT_KINDS, EDIT_WORDS, RULES } from '../generated/protocol.js';
import type { Edit, EditKind, Rule } from '../types.js';
import type { Foreign } from './foreign.js';
import type { Places } from './places.js';

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

/** The number of the text that an edit among some words puts in a place. */
export function textOf(words: ArrayLike<number>, at: number): number | undefined {
  const kind = words[at]! & 0xff;
  if (kind === 2) return words[at + 5];
  return kind === 4 ? words[at + 7] : undefined;
}

/** Whether an edit that begins with this word waits. */
export function isPending(head: number): boolean {
  return ((head >>> 16) & 1) === 1;
}

/** The number of words in an edit that begins with this one. */
export function wordsOf(head: number): number {
  return 4 + (EDIT_WORDS[head & 0xff] ?? 0);
}

/** What a run decided. */
export interface Run {
  readonly flush: boolean;
  /** With a flush: the first message that changed among those that were given out. */
  readonly first: number;
  /** With a flush: it makes the edits of earlier runs that wait and whose anchor is this message or one behind it. */
  readonly from: number;
  /** The first message that the next flush is expected to change; after a flush, the first that it changed. */
  readonly anchor?: number | undefined;
  /** What was decided. */
  readonly edits: readonly LoggedEdit[];
  /** Edits of earlier runs that waited and that the flush makes. */
  readonly made?: readonly LoggedEdit[] | undefined;
  readonly pairs: number;
  readonly inclusions: number;
  readonly recency: number;
  /** Messages whose inclusion markers don't match up. */
  readonly unbalanced: readonly number[];
  /** Messages with a stale read that the provider doesn't let go. */
  readonly held: readonly number[];
  /** The first message with a waiting edit that no flush may make now: what the provider demands forbids it. */
  readonly heldBack?: number | undefined;
  /** The first message whose reasoning the provider makes nothing of any more, as something before it has changed. */
  readonly unread?: number | undefined;
  /** The first message with a cut text that the store could not keep. */
  readonly unkept?: number | undefined;
  /** The first new message of another format. */
  readonly foreign?: Foreign | undefined;
}

/** Tells the units of the one list of warnings from those of the other. */
const HELD = 2 ** 31;

const decoder = new coders.TextDecoder();
const NONE: readonly never[] = [];
/** In place of a unit: there is none. */
export const NO_UNIT = 0xffffffff;
const COUNTS_AT = 6;
const EDITS_AT = COUNTS_AT + RULES.length;

/** A run that decided nothing, and how many words its output has. */
const IDLE: Run = {
  flush: false,
  first: -1,
  from: NO_UNIT,
  edits: NONE,
  pairs: 0,
  inclusions: 0,
  recency: 0,
  unbalanced: NONE,
  held: NONE,
};
const IDLE_WORDS = EDITS_AT + 5;

/** Reads the output at an address of the core's memory; its new texts join `texts`. */
export function readRun(words: Uint32Array, address: number, texts: string[], places?: Places): Run {
  const base = address >>> 2;
  const length = words[base]!;
  const anchor = anchorOf(words[base + 5]!, places);
  if (length === IDLE_WORDS + words[base + length - 2]! && words[base + 1] === 0)
    return anchor === undefined ? IDLE : { ...IDLE, anchor };
  const textsAt = base + words[base + length - 1]!;
  readTexts(words, textsAt, texts);
  const edits: LoggedEdit[] = [];
  const count = words[base + EDITS_AT]!;
  const editsAt = base + EDITS_AT + 1;
  let at = editsAt;
  for (let left = count; left > 0; left -= 1) {
    if (places === undefined) edits.push(new LoggedEdit(words, at, texts));
    at += wordsOf(words[at]!);
  }
  const warnings = words[at]!;
  const first = words[base + 2]!;
  const unbalanced = new Set<number>();
  const held = new Set<number>();
  for (let word = at + 1; word <= at + warnings; word += 1) {
    const warned = words[word]!;
    const unit = warned < HELD ? warned : warned - HELD;
    (warned < HELD ? unbalanced : held).add(places === undefined ? unit : places.messageOf(unit));
  }
  const flags = words[base + 1]!;
  const from = words[base + 3]!;
  const heldBack = words[base + 4]!;
  return {
    flush: (flags & 1) === 1,
    first: places === undefined ? first : places.messageOf(first),
    from: places?.messageOf(from) ?? from,
    anchor,
    heldBack: (flags & 2) === 0 ? undefined : (places?.messageOf(heldBack) ?? heldBack),
    edits: places === undefined ? edits : places.edits(words, editsAt, count, texts),
    pairs: words[base + COUNTS_AT]!,
    inclusions: words[base + COUNTS_AT + 1]!,
    recency: words[base + COUNTS_AT + 2]!,
    unbalanced: unbalanced.size === 0 ? NONE : [...unbalanced],
    held: held.size === 0 ? NONE : [...held],
  };
}

/** What requests have cost after the run at an address; nothing if the flush policy doesn't go by it. */
export function readBills(words: Uint32Array, address: number): readonly number[] {
  const end = (address >>> 2) + words[address >>> 2]! - 2;
  return [...new Float64Array(words.slice(end - words[end]!, end).buffer)];
}

function anchorOf(unit: number, places: Places | undefined): number | undefined {
  return unit === NO_UNIT ? undefined : (places?.messageOf(unit) ?? unit);
}

function readTexts(words: Uint32Array, from: number, texts: string[]): void {
  let at = from + 1;
  for (let left = words[from]!; left > 0; left -= 1) {
    const bytes = words[at]!;
    texts.push(decoder.decode(new Uint8Array(words.buffer, (at + 1) * 4, bytes)));
    at += 1 + Math.ceil(bytes / 4);
  }
}
