import type { IContent } from '../base/content.js';
import { blocksOf, type OddBlock, valuesOf } from './odd.js';

/** The parameters of edits that quote the old text. */
export const QUOTES_OLD: readonly string[] = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'];

/** A file's line numbers, as tools write them before its lines. */
const NUMBER = /^\s{0,8}\d{1,6}(?:→|\t|\||: ?)/;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]{5,}/g;
/** It begins where none can have begun before: else every sign of a long word would be tried. */
const PATH = /(?<![\w@.~+/-])\/*(?:[\w@.~+-]+\/)+[\w@.+-]+\.[A-Za-z0-9]{1,8}/g;
/** Longer than any line that somebody names. */
const LONGEST = 2_000;

/** All strings of a value of any type. A value that holds itself is read once. */
export function* strings(value: unknown): Generator<string> {
  const open: unknown[] = [value];
  const seen = new Set<unknown>();
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') yield next;
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    // One by one: a list may hold more than a call takes arguments.
    const values = valuesOf(next);
    for (let at = values.length; at > 0; at -= 1) {
      const inner = values[at - 1];
      if (typeof inner === 'string' || typeof inner === 'object') open.push(inner);
    }
  }
}

/** The texts of an entry: what was said, written into calls and given by tools. */
export function textsOf(content: IContent): readonly string[] {
  return blocksOf(content).flatMap((block: OddBlock): string[] => {
    switch (block.type) {
      case 'text':
        return typeof block.text === 'string' ? [block.text] : [];
      case 'tool_call':
        return [...strings(block.parameters)];
      case 'tool_response':
        return [...strings(block.result)];
      default:
        return [];
    }
  });
}

/** Lines that say something, without the numbers that tools put before them. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(NUMBER, '').trimEnd())
    .filter((line) => line !== '' && line.length <= LONGEST);
}

/** All lines that say something, however they are numbered and spaced. */
export function bareLinesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.replace(NUMBER, '').replace(/\s+/g, ' ').trim() || []);
}

/** Words of a text that look like names of something: with an underscore, a digit or a capital inside. */
export function identifiersOf(text: string): readonly string[] {
  return (text.match(IDENTIFIER) ?? []).filter((word) => /[^_]_+[^_]|[a-z][A-Z]/.test(word) || hasDigitBeside(word));
}

/** Whether a digit stands somewhere before or behind three letters; in time by the word's length. */
function hasDigitBeside(word: string): boolean {
  const first = word.search(/\d/);
  const letters = first < 0 ? -1 : word.search(/[a-z]{3}/);
  if (letters < 0) return false;
  return /[a-z]{3}/.test(word.slice(first)) || /\d/.test(word.slice(letters));
}

/** Paths of a text, by their last two parts. */
export function pathsOf(text: string): readonly string[] {
  return (text.match(PATH) ?? []).map((path) => path.split('/').filter(Boolean).slice(-2).join('/'));
}

/** A number that stands for a line between its neighbours; others may have the same once in 2⁵³. */
export function placesOf(lines: readonly string[]): readonly number[] {
  const hashes = lines.map(hash);
  return hashes.map((own, at) => {
    const [before, after] = [hashes[at - 1] ?? 1, hashes[at + 1] ?? 2];
    return ((before * 31 + own * 7 + after) % 9_007_199_254_740_881) + 0;
  });
}

function hash(text: string): number {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return (one >>> 0) * 2 ** 16 + ((other >>> 0) & 0xffff);
}
