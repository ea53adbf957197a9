/**
 * Old results go as a whole, by what they are, how large and how old.
 *
 * @import {Result} from './result.mjs'
 * @typedef {'file' | 'output' | 'kept'} Class
 */

/** What size times age may come to with `balanced`. */
const [OUTPUTS, FILES] = [48_000, 410_220];
const WORTH = 300;
/** Results age in steps of so many. */
export const STEP = 16;

export class OldResults {
  /** @type {[Result, Class][]} */ #results = [];
  /** How many the model has answered. */
  answered = 0;
  /** @type {number[][]} the numbers of the results that go when so many are answered */ #due = [];
  #done = 0;

  /** @param {Result} result @param {Class} kind */
  see(result, kind) {
    this.#results.push([result, kind]);
    if (kind !== 'kept') this.#wait(result.text.length, this.#results.length - 1);
  }

  /** @param {number} size @param {number} number */
  #wait(size, number) {
    if (size >= WORTH) (this.#due[due(size, this.#results[number][1], number)] ??= []).push(number);
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
        const [result, kind] = this.#results[number];
        const left = result.text.length - result.saved;
        if (!result.mayReplace || left < WORTH) continue;
        if (due(left, kind, number) > this.answered) this.#wait(left, number);
        else if (shorten(result)) cut.push(result);
      }
    }
    return cut;
  }
}

/** How many results the model has answered when one goes. @param {number} size @param {Class} kind @param {number} number */
function due(size, kind, number) {
  const age = kind === 'file' ? Math.floor(FILES / (size + 2_000)) - 10 : Math.floor(OUTPUTS / size) - 2;
  return age <= 1 ? number + 1 : Math.ceil((number + age) / STEP) * STEP;
}

/** @param {Result} result */
function shorten(result) {
  const again = result.call?.facts.kind === 'read' ? '; read it again if you need them' : '';
  const count = result.text.split('\n').length - (result.text.endsWith('\n') ? 1 : 0);
  return result.replace(`[… ${Math.max(1, count)} lines of ${result.subject} were cut${again}]`);
}
