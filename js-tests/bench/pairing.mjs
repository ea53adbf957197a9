/**
 * Calls that wait for their response. A response answers, among the open calls with its id, the first one
 * in the newest entry that has one.
 *
 * @typedef {{callEntry: number, older: any}} Call  `older` links the open calls of one id, the newest first
 */

/** @template {Call} C */
export class OpenCalls {
  /** @type {Map<string, C>} */
  #newestById = new Map();

  /**
   * @param {unknown} id
   * @param {C} call
   */
  open(id, call) {
    if (typeof id !== 'string') return;
    call.older = this.#newestById.get(id);
    this.#newestById.set(id, call);
  }

  /**
   * @param {unknown} id
   * @returns {C | undefined} `undefined` for an orphan
   */
  answer(id) {
    const newest = this.#newestById.get(/** @type {string} */ (id));
    if (newest === undefined) return undefined;
    if (newest.older === undefined) {
      this.#newestById.delete(/** @type {string} */ (id));
      return newest;
    }
    return this.#answerAmongMany(/** @type {string} */ (id), newest);
  }

  /**
   * @param {string} id
   * @param {C} newest
   * @returns {C}
   */
  #answerAmongMany(id, newest) {
    let newer;
    let call = newest;
    while (call.older?.callEntry === newest.callEntry) {
      newer = call;
      call = call.older;
    }
    if (newer !== undefined) newer.older = call.older;
    else this.#newestById.set(id, call.older);
    call.older = undefined;
    return call;
  }
}
