/**
 * Old results go as a whole, by what they are, how large and how old.
 *
 * @import {Result} from './result.mjs'
 * @typedef {'file' | 'output' | 'failure' | 'kept'} Class
 */

/** What size times age may come to with `balanced`. */
const [OUTPUTS, FILES] = [48_051, 309_498];
const WORTH = 300;
/** So many results follow at least before one goes. */
const STAYS = { file: 4, again: 5, output: 2, failure: 8, kept: 0 };
/** Results age in steps of so many. */
export const STEP = 16;

export class OldResults {
  /** @type {[Result, Class, string | undefined, boolean][]} */ #results = [];
  /** @type {Map<string, number>} how many results there were when a file that was shown was last changed */ #changed =
    new Map();
  /** How many the model has answered. */
  answered = 0;
  /** @type {number[][]} the numbers of the results that go when so many are answered */ #due = [];
  #done = 0;

  /** @param {Result} result @param {Class} kind @param {string} [path] the file that it shows */
  see(result, kind, path) {
    const isAgain = path !== undefined && this.#changed.has(path);
    if (path !== undefined && !isAgain) this.#changed.set(path, 0);
    this.#results.push([result, kind, path, isAgain]);
    if (kind !== 'kept') this.#wait(result.text.length, this.#results.length - 1);
  }

  /** The next result is of a change to a file. @param {string} path */
  change(path) {
    if (this.#changed.has(path)) this.#changed.set(path, this.#results.length);
  }

  /** @param {number} size @param {number} number */
  #wait(size, number) {
    if (size >= WORTH) (this.#due[this.#dueOf(number, size)] ??= []).push(number);
  }

  /** @param {number} number @param {number} left */
  #dueOf(number, left) {
    const [, kind, path, isAgain] = this.#results[number];
    const changed = (path !== undefined && this.#changed.get(path)) || 0;
    const stays = STAYS[kind === 'file' && (isAgain || changed > number) ? 'again' : kind];
    return due(left, kind, Math.max(number, changed), stays);
  }

  /** Cuts what became old enough; returns the results that were cut. @param {number} lastAnswer the model's last entry */
  run(lastAnswer) {
    /** @type {Result[]} */
    const cut = [];
    while (this.answered < this.#results.length && this.#results[this.answered][0].entry < lastAnswer) this.answered++;
    for (; this.#done <= this.answered; this.#done++) {
      const numbers = this.#due[this.#done] ?? [];
      delete this.#due[this.#done];
      for (const number of numbers.sort((one, other) => one - other)) {
        const [result] = this.#results[number];
        const left = result.text.length - result.saved;
        if (!result.mayReplace || left < WORTH) continue;
        if (this.#dueOf(number, left) > this.answered) this.#wait(left, number);
        else if (shorten(result)) cut.push(result);
      }
    }
    return cut;
  }
}

/** How many results the model has answered when one goes. @param {number} size @param {Class} kind @param {number} number @param {number} stays */
function due(size, kind, number, stays) {
  const age = kind === 'file' ? Math.floor(FILES / (size + 2_000)) - 10 : Math.floor(OUTPUTS / size) - 2;
  return age <= stays ? number + stays : Math.ceil((number + age) / STEP) * STEP;
}

/** @param {Result} result */
function shorten(result) {
  const again = result.call?.facts.kind === 'read' ? '; read it again if you need them' : '';
  const count = result.text.split('\n').length - (result.text.endsWith('\n') ? 1 : 0);
  return result.replace(`[… ${Math.max(1, count)} lines of ${result.subject} were cut${again}]`);
}
