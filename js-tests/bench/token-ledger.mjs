/**
 * The tokens of each block of each entry, and their running total.
 *
 * @import {Block, CountTokens} from './model.mjs'
 */
import { blockTokens } from './tokens.mjs';

export class TokenLedger {
  /** @type {number[][]} by entry and block */ #tokens = [];
  /** @type {CountTokens} */ #countTokens;
  total = 0;

  /** @param {CountTokens} countTokens */
  constructor(countTokens) {
    this.#countTokens = countTokens;
  }

  /** @param {readonly Block[]} blocks of the next entry */
  add(blocks) {
    this.#tokens.push(this.#count(blocks));
  }

  /**
   * @param {number} entry
   * @param {number} block
   */
  dropBlock(entry, block) {
    this.total -= this.#tokens[entry].splice(block, 1)[0];
  }

  /** @param {number} entry */
  dropEntry(entry) {
    for (const tokens of this.#tokens[entry]) this.total -= tokens;
    this.#tokens[entry] = [];
  }

  /**
   * @param {number} entry
   * @param {number} block
   * @param {Block} replacement
   */
  replaceBlock(entry, block, replacement) {
    const tokens = blockTokens(replacement, this.#countTokens);
    this.total += tokens - this.#tokens[entry][block];
    this.#tokens[entry][block] = tokens;
  }

  /**
   * @param {number} entry
   * @param {readonly Block[]} blocks
   */
  recount(entry, blocks) {
    this.dropEntry(entry);
    this.#tokens[entry] = this.#count(blocks);
  }

  /** @param {readonly Block[]} blocks */
  #count(blocks) {
    const counts = [];
    for (const block of blocks) {
      const tokens = blockTokens(block, this.#countTokens);
      counts.push(tokens);
      this.total += tokens;
    }
    return counts;
  }
}
