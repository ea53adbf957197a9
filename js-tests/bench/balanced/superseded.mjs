/**
 * A result that shows lines of a file is superseded once they are shown again, or once the file is written as a whole.
 *
 * @import {Result} from './result.mjs'
 * @import {Seen} from './rules.mjs'
 * @import {Deed} from './deeds.mjs'
 * @import {References} from './references.mjs'
 * @import {Lines} from './text.mjs'
 * @typedef {{result: Result, lines: Lines, isVague: boolean, count: number, fewer: number, age: number}} Shown
 */

import { remember } from './references.mjs';
import { isPart } from './said.mjs';
import { END } from './text.mjs';

/** So many lines tools show at most, some without a word. */
const MOST = 2000;

/** Whether a result shows all that another one showed. @param {Shown} shown @param {Shown} old */
function covers(shown, old) {
  const isSameTool = old.result.block.toolName === shown.result.block.toolName;
  const isPlaced = old.age === shown.age && ((!old.isVague && !shown.isVague) || isSameTool);
  const isWhole = shown.lines[0] <= (shown.isVague ? 0 : 1) && shown.lines[1] === END;
  const isWithin = shown.lines[0] <= old.lines[0] && old.lines[1] <= shown.lines[1];
  return (isWhole || (isPlaced && isWithin)) && shown.count + old.fewer >= (isWhole ? old.lines[1] : old.count);
}

export class Superseded {
  /** @type {Map<string, {shown: Shown[], results: Result[], changes: number}>} */ #files = new Map();
  #age = 0;
  /** @type {Map<string, number>} by the last part of a path, under whatever other names the file may be known */
  #changes = new Map();
  #references;
  #humans;
  #humansSeen = 0;

  /** @param {References} references @param {readonly number[]} humans people change files, too */
  constructor(references, humans) {
    this.#references = references;
    this.#humans = humans;
  }

  /** @param {Seen} seen @param {Deed} deed */
  see(seen, deed) {
    for (; this.#humans[this.#humansSeen] < seen.result.entry; this.#humansSeen++) this.#age++;
    if (deed.type === 'anything') {
      this.#age++;
      return;
    }
    const file = this.#file(deed.path);
    if (deed.type !== 'shows') {
      this.#changes.set(nameOf(deed.path), (this.#changes.get(nameOf(deed.path)) ?? 0) + 1);
      file.changes++;
    }
    if (deed.type === 'shows') this.#show(seen, deed);
    else if (deed.type === 'changes' && !seen.isRefused) {
      for (const shown of file.shown) {
        const [from, to] = shown.lines;
        shown.lines = [Math.max(0, from - deed.fewer), Math.min(END, to + deed.more)];
        shown.fewer += deed.fewer;
      }
    } else {
      if (deed.type === 'writes' && seen.isEffective) this.#supersede(seen, deed.path, undefined);
      // From now on only the whole file covers what was shown of it.
      for (const shown of file.shown) shown.age = END;
    }
  }

  /** @param {string} path */
  #file(path) {
    let file = this.#files.get(path);
    if (!file) {
      file = { shown: [], results: [], changes: 0 };
      this.#files.set(path, file);
    }
    return file;
  }

  /** @param {Seen} seen @param {Deed & {type: 'shows'}} deed */
  #show(seen, { path, lines, isVague }) {
    const extent = extentOf(seen, lines);
    if (!extent) return;
    const { claimed, needed, count, isNumbered } = extent;
    const { result } = seen;
    const others = (this.#changes.get(nameOf(path)) ?? 0) - this.#file(path).changes;
    const shown = { result, isVague: isVague && !isNumbered, count, fewer: 0, age: this.#age + others };
    if (seen.isEffective) this.#supersede(seen, path, { ...shown, lines: claimed });
    const file = this.#file(path);
    remember(file.results, result);
    if (seen.isCuttable && seen.isEffective) remember(file.shown, { ...shown, lines: needed });
  }

  /** The results that showed a file. @param {string} path @returns {readonly Result[]} */
  resultsOf(path) {
    return this.#file(path).results;
  }

  /** @param {Seen} seen @param {string} path @param {Shown | undefined} by */
  #supersede({ result }, path, by) {
    const file = this.#file(path);
    file.shown = file.shown.filter((shown) => {
      const isDue = (!by || covers(by, shown)) && this.#references.areIn(shown.result.subject, file.results);
      if (isDue && shown.result.replace(`[… the file as it is now: ${result.subject}]`)) return false;
      return !shown.result.isCompacted;
    });
  }
}

/** @param {string} path */
const nameOf = (path) => path.slice(path.search(/[^/\\]*$/));

/** What of a file a result shows; nothing if that isn't plain. @param {Seen} seen @param {Lines} asked */
function extentOf({ result, rows }, [from, to]) {
  /** @type {Lines | undefined} */
  let numbers;
  // Whether it may have lost its numbers to us, but for the first and each hundredth.
  let isThin = true;
  for (const { number } of rows) {
    if (number === undefined) continue;
    if (numbers && number % 100 !== 0) isThin = false;
    numbers = [numbers?.[0] ?? number, number];
  }
  const text = result.text.trimEnd();
  if (text === '' || isPart(result.text, rows)) return undefined;
  const count = text.split('\n').length;
  const isNumbered = numbers !== undefined && (numbers[0] === from || numbers[0] === from + 1);
  /** @type {Lines} */
  const [first, last] = isNumbered && numbers ? numbers : [from, Math.min(from + count - 1, to)];
  /** @type {Lines} */
  const needed = [first, isThin && isNumbered ? Math.max(last, first + count - 1) : last];
  /** @type {Lines} */
  const claimed = [first, to === END && count < MOST ? END : last];
  return { claimed, needed, count, isNumbered };
}
