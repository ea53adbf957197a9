/** What the core writes after a run; the form is that of `src/wasm/output.rs`. */
import type { Rule } from './types.js';

/** The rules, in the order of their numbers in the core. */
export const RULES: readonly Rule[] = [
  'stale-reads',
  'inclusions',
  'recency',
  'bound-thinking',
  'result-summary',
  'truncation',
];

/** An edit as the core logs it: numbers, so that it can be made again in another instance. */
export interface LoggedEdit {
  readonly kind: number;
  readonly rule: number;
  readonly unit: number;
  /** The newest unit that the decision rests on. */
  readonly cause: number;
  /** Block; then text, or start and end. */
  readonly block: number;
  readonly first: number;
  readonly second: number;
  pending: boolean;
}

/** Numbers of the kinds of edits, and how many words each has behind its cause. */
export const EDIT = { drop: 0, dropBlock: 1, set: 2, cut: 3 } as const;
const DETAILS = [0, 1, 2, 3];

/** What a run decided. */
export interface Run {
  readonly flush: boolean;
  /** With a flush: the first unit that changed among those that were given out. */
  readonly first: number;
  readonly counts: readonly number[];
  readonly edits: readonly LoggedEdit[];
  readonly unbalanced: readonly number[];
  readonly texts: readonly string[];
}

const decoder = new TextDecoder();
const NO_EDITS: readonly LoggedEdit[] = [];
const NONE: readonly never[] = [];
const COUNTS_AT = 3;
const EDITS_AT = COUNTS_AT + RULES.length;

/** Reads the output at an address. */
export function readRun(memory: WebAssembly.Memory, address: number): Run {
  const words = new Uint32Array(memory.buffer, address);
  const flush = words[1] === 1;
  const counts: number[] = [];
  for (let at = COUNTS_AT; at < EDITS_AT; at += 1) counts.push(words[at]!);
  const edits: LoggedEdit[] = [];
  let at = EDITS_AT + 1;
  for (let left = words[EDITS_AT]!; left > 0; left -= 1) at = readEdit(words, at, edits);
  const warnings = words[at]!;
  const unbalanced = warnings === 0 ? NONE : Array.from(words.subarray(at + 1, at + 1 + warnings));
  at += 1 + warnings;
  const texts = words[at] === 0 ? NONE : readTexts(words, at);
  return { flush, first: words[2]!, counts, edits: edits.length === 0 ? NO_EDITS : edits, unbalanced, texts };
}

function readEdit(words: Uint32Array, at: number, edits: LoggedEdit[]): number {
  const head = words[at]!;
  const kind = head & 0xff;
  const details = DETAILS[kind]!;
  edits.push({
    kind,
    rule: (head >> 8) & 0xff,
    unit: words[at + 1]!,
    cause: words[at + 2]!,
    block: details > 0 ? words[at + 3]! : 0,
    first: details > 1 ? words[at + 4]! : 0,
    second: details > 2 ? words[at + 5]! : 0,
    pending: head >> 16 === 1,
  });
  return at + 3 + details;
}

function readTexts(words: Uint32Array, from: number): string[] {
  const texts: string[] = [];
  let at = from + 1;
  for (let left = words[from]!; left > 0; left -= 1) {
    const bytes = words[at]!;
    texts.push(decoder.decode(new Uint8Array(words.buffer, words.byteOffset + (at + 1) * 4, bytes)));
    at += 1 + Math.ceil(bytes / 4);
  }
  return texts;
}

/** The words of edits, for the core to make them again. */
export function writeEdits(edits: Iterable<LoggedEdit>): Uint32Array {
  const words: number[] = [];
  for (const { kind, rule, unit, cause, block, first, second, pending } of edits) {
    words.push(kind | (rule << 8) | (Number(pending) << 16), unit, cause);
    words.push(...[block, first, second].slice(0, DETAILS[kind]));
  }
  return Uint32Array.from(words);
}
