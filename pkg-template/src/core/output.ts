/** What the core writes after a run; the form is that of `src/wasm/output.rs`. */

import { coders } from '../base/utf8.js';
import { RULES } from '../generated/protocol.js';
import { LoggedEdit, NO_UNIT, wordsOf } from './edits.js';
import type { Foreign } from './foreign.js';
import type { Places } from './places.js';

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
