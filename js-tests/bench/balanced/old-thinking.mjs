/**
 * Old thinking goes, in the same steps as old results.
 *
 * @import {Block} from '../model.mjs'
 */
import { STEP } from './old-results.mjs';

/** So many answered results come between thinking and its end, at least. */
const AGE = 4;

export class OldThinking {
  /** @type {{entry: number, block: Block, due: number}[]} */ #thoughts = [];
  #tried = 0;

  /** @param {Block} block @param {number} entry @param {number} results that came before */
  see(block, entry, results) {
    this.#thoughts.push({ entry, block, due: Math.ceil((results + AGE) / STEP) * STEP });
  }

  /** What becomes old enough with so many results answered. @param {number} answered @param {(entry: number, block: Block) => void} drop */
  run(answered, drop) {
    for (; this.#tried < this.#thoughts.length && this.#thoughts[this.#tried].due <= answered; this.#tried++)
      drop(this.#thoughts[this.#tried].entry, this.#thoughts[this.#tried].block);
  }
}
