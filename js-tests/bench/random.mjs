/** A seeded source of random choices: the same seed gives the same sequence everywhere (mulberry32). */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed | 0;
  }

  /** @returns {number} in [0, 1) */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /**
   * @param {number} least
   * @param {number} most included
   */
  integer(least, most) {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /**
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  pick(items) {
    return items[Math.floor(this.next() * items.length)];
  }

  /**
   * An item, chosen by its weight.
   * @template T
   * @param {readonly (readonly [T, number])[]} weighted
   * @returns {T}
   */
  weighted(weighted) {
    let left = this.next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of weighted) if ((left -= weight) < 0) return item;
    return weighted[weighted.length - 1][0];
  }

  /**
   * As many numbers between 1 and 2 as between 10 and 20.
   * @param {number} least
   * @param {number} most
   */
  logUniform(least, most) {
    return Math.round(least * (most / least) ** this.next());
  }
}
