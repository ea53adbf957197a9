/**
 * Old thinking goes, in the same steps as old results.
 *
 * @import {Block} from '../model.mjs'
 */
import { STEP } from './old-results.mjs';

/** So many answered results, or words of the user, come between thinking and its end, at least. */
const AGE = 4;

const due = (/** @type {number} */ before) => Math.ceil((before + AGE) / STEP) * STEP;

export class OldThinking {
  /** @type {{entry: number, block: Block, result: number, word: number}[]} with the counts that end it */ #thoughts =
    [];
  #tried = 0;

  /** @param {Block} block @param {number} entry @param {number} results that came before @param {number} words of the user before */
  see(block, entry, results, words) {
    this.#thoughts.push({ entry, block, result: due(results), word: due(words) });
  }

  /** What becomes old enough with so many results answered. @param {number} answered @param {number} words of the user @param {(entry: number, block: Block) => void} drop */
  run(answered, words, drop) {
    for (; this.#tried < this.#thoughts.length; this.#tried++) {
      const { entry, block, result, word } = this.#thoughts[this.#tried];
      if (result > answered && word > words) return;
      drop(entry, block);
    }
  }
}
