/**
 * Lines of an older result that a later one shows again are cut there, and so are those that a call wrote.
 *
 * @import {Result} from './result.mjs'
 * @import {Seen} from './rules.mjs'
 * @typedef {{result: Result, first: number, count: number, isFile: boolean}} Known
 * @typedef {{older: Known, at: number, newAt: number, count: number}} Run
 */
const WINDOW = 3;
const EDGE = 2;
const LEAST = 100;
const STEPS = 16;
/** Numbers of lines stay below it, so that two of them make one number. */
const BASE = 2 ** 26;

export class Repeats {
  /** @type {number[]} by row the line's number, 0 for what is no content (any more) */ #rows = [];
  /** @type {number[]} */ #starts = [];
  /** @type {number[]} */ #ends = [];
  /** @type {Known[]} by row */ #texts = [];
  /** @type {(number | undefined)[]} by row the one before it at which the same few lines stood */ #before = [];
  /** @type {Map<number, number>} by window */ #newest = new Map();
  /** @type {Map<number, number>} */ #pairs = new Map();
  /** @type {Map<Result, Known>} */ #known = new Map();
  /** @type {Result[]} what was cut since this list was last taken */ cut = [];

  /** @param {Seen} seen */
  see(seen) {
    while (this.#cutAll(seen));
    const { result, rows, numbers } = seen;
    const known = { result, first: this.#rows.length, count: rows.length, isFile: seen.isFile };
    this.#known.set(result, known);
    for (let at = 0; at < rows.length; at++) {
      const window = this.#window(numbers, at);
      const row = this.#rows.length;
      this.#rows.push(numbers[at]);
      this.#starts.push(rows[at].start);
      this.#ends.push(rows[at].end);
      this.#texts.push(known);
      this.#before.push(window === undefined ? undefined : this.#newest.get(window));
      if (window !== undefined) this.#newest.set(window, row);
    }
    this.hide(result);
  }

  /** Cuts what a call wrote, which `seen` has in the place of its result's lines. @param {Seen} seen */
  seeWritten(seen) {
    while (this.#cutAll(seen));
  }

  /** The number of the lines that are looked up together from a place on. @param {number[]} numbers @param {number} at */
  #window(numbers, at) {
    const count = Math.min(WINDOW, numbers.length);
    if (at + count > numbers.length || (numbers.length < WINDOW && at > 0)) return undefined;
    for (let next = at; next < at + count; next++) if (numbers[next] === 0) return undefined;
    if (count === 1) return -numbers[at];
    const pair = this.#pair(numbers[at] * BASE + numbers[at + 1]);
    return count === 2 ? -(BASE + pair) : pair * BASE + numbers[at + 2];
  }

  /** @param {number} key */
  #pair(key) {
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      pair = this.#pairs.size + 1;
      this.#pairs.set(key, pair);
    }
    return pair;
  }

  /** @param {Seen} seen whether anything was cut */
  #cutAll(seen) {
    const { numbers, isFile, written } = seen;
    /** @type {Map<Result, Run[]>} */
    const runs = new Map();
    for (let at = 0; at < numbers.length; ) {
      const run = this.#find(numbers, at);
      at += run?.count ?? 1;
      if (!run || !this.#mayBeWorth(run, numbers.length)) continue;
      // Output goes sooner.
      if (run.older.isFile && !isFile && written === undefined) continue;
      const ofOne = runs.get(run.older.result);
      if (ofOne) ofOne.push(run);
      else runs.set(run.older.result, [run]);
    }
    let isAny = false;
    for (const [result, ofOne] of runs) {
      if (this.#cut(result, ofOne, seen)) {
        isAny = true;
        this.cut.push(result);
      }
      this.hide(result);
    }
    return isAny;
  }

  /** @param {number[]} numbers @param {number} at @returns {Run | undefined} */
  #find(numbers, at) {
    const window = this.#window(numbers, at);
    if (window === undefined) return undefined;
    let row = this.#newest.get(window);
    const least = Math.min(WINDOW, numbers.length);
    for (let step = 0; step < STEPS && row !== undefined; step++) {
      const older = this.#texts[row];
      const end = older.first + older.count;
      let count = 0;
      while (row + count < end && this.#rows[row + count] === numbers[at + count] && numbers[at + count] !== 0) count++;
      if (count >= least && !older.result.isCompacted) return { older, at: row - older.first, newAt: at, count };
      row = this.#before[row];
    }
    return undefined;
  }

  /** @param {Run} run @param {number} count */
  #mayBeWorth({ older, at, newAt, count: length }, count) {
    const end = at + length;
    if ((end === older.count && newAt + length === count) || older.count === count) return true;
    const head = at === 0 && newAt === 0 ? 0 : EDGE;
    if (length <= head + EDGE) return false;
    return this.#starts[older.first + at + head] + LEAST <= this.#starts[older.first + end - EDGE];
  }

  /** @param {Result} result @param {Run[]} runs @param {Seen} seen */
  #cut(result, runs, { result: fresh, rows, written }) {
    const isWritten = written !== undefined;
    const subject = !isWritten && fresh.subject === result.subject ? 'again later' : fresh.subject;
    const later = `${isWritten ? ' as written' : ''}: ${subject}]`;
    const isSame = result.text === (written ?? fresh.text) && result.text.length >= LEAST;
    if (isSame && result.spans.length === 0 && (result.rest === '' || result.rest === fresh.rest))
      return result.replace(`[… the same${later}`);
    /** @type {{start: number, end: number, text: string}[]} */
    const changes = [];
    for (const { older, at, newAt, count: found } of runs) {
      let count = 0;
      while (count < found && !rows[newAt + count].content.includes('\ufffd')) count++;
      const isEnd = at + count === older.count && newAt + count === rows.length;
      const head = at === 0 && newAt === 0 ? 0 : EDGE;
      const lines = count - head - (isEnd ? 0 : EDGE);
      if (lines <= 0) continue;
      const start = this.#starts[older.first + at + head];
      const end = this.#ends[older.first + at + head + lines - 1];
      const isFree = [...result.spans, ...changes].every((span) => span.end <= start || end <= span.start);
      if (end - start >= LEAST && isFree) changes.push({ start, end, text: `[… ${lines} lines${later}\n` });
    }
    return result.patch(changes);
  }

  /** Notes what of a result's rows was cut. @param {Result} result */
  hide(result) {
    const known = this.#known.get(result);
    if (!known || (!result.isCompacted && result.spans.length === 0)) return;
    for (let row = known.first; row < known.first + known.count; row++) {
      const start = this.#starts[row];
      if (result.isCompacted || result.spans.some((span) => span.start <= start && start < span.end))
        this.#rows[row] = 0;
    }
  }
}
