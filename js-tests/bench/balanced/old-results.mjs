/**
 * Results are cut to a size by what they are and how old they are.
 *
 * @import {Result} from './result.mjs'
 * @typedef {'file' | 'output' | 'kept'} Class
 * @typedef {{above: number, head: number, tail: number}} Cap
 */
import { rowsOf } from './text.mjs';

/** @param {number} above @param {number} head @param {number} tail @returns {Cap} */
const cap = (above, head, tail) => ({ above, head, tail });
/** The rung of `balanced`: from an age on, what holds for outputs and for files. */
const STAGES = [
  { age: 1, outputs: cap(8_000, 4_000, 3_000), files: cap(16_000, 16_000, 0) },
  { age: 4, outputs: cap(1_600, 0, 0), files: cap(16_000, 16_000, 0) },
  { age: 20, outputs: cap(1_600, 0, 0), files: cap(4_000, 4_000, 0) },
];
const WORTH = 300;
const STEP = 4;

export class OldResults {
  /** @type {[Result, Class][]} */ #results = [];
  #done = STAGES.map(() => 0);

  /** @param {Result} result @param {Class} kind */
  see(result, kind) {
    this.#results.push([result, kind]);
  }

  /** Cuts what became old enough; returns the results that were cut. */
  run() {
    /** @type {Result[]} */
    const cut = [];
    const count = Math.floor(this.#results.length / STEP) * STEP;
    for (const [number, { age, outputs, files }] of STAGES.entries()) {
      for (; this.#done[number] < count - age; this.#done[number]++) {
        const [result, kind] = this.#results[this.#done[number]];
        if (kind !== 'kept' && shorten(result, kind === 'file' ? files : outputs)) cut.push(result);
      }
    }
    return cut;
  }
}

/** @param {Result} result @param {Cap} limit */
function shorten(result, { above, head, tail }) {
  const isSmall = result.isString && result.size - result.saved <= above;
  if (isSmall || result.size < WORTH || !result.mayReplace) return false;
  const lines = result.visible();
  if (lengthOf(lines) <= above) return false;
  const again = result.call?.facts.kind === 'read' ? '; read it again if you need them' : '';
  const pointer = (/** @type {number} */ count) => `[… ${count} lines of ${result.subject} were cut${again}]`;
  if (head + tail === 0 || !result.mayPatch) {
    const count = result.text.split('\n').length - (result.text.endsWith('\n') ? 1 : 0);
    return result.replace(pointer(Math.max(1, count)));
  }
  const middle = between(lines, head, tail);
  if (middle.length === 0 || lengthOf(middle) < WORTH) return false;
  const [start, end] = [middle[0].start, middle[middle.length - 1].end];
  return result.patch([{ start, end, text: `${pointer(rowsOf(result.text.slice(start, end), false).length)}\n` }]);
}

/** @param {readonly {length: number}[]} lines */
const lengthOf = (lines) => lines.reduce((sum, { length }) => sum + length, 0);

/** What lies between the beginning and the end that stay. @template {{length: number}} Line @param {Line[]} lines @param {number} head @param {number} tail */
function between(lines, head, tail) {
  let first = 0;
  for (let room = head; first < lines.length && lines[first].length <= room; first++) room -= lines[first].length;
  let last = lines.length;
  for (let room = tail; last > first && lines[last - 1].length <= room; last--) room -= lines[last - 1].length;
  return lines.slice(first, last);
}
