/**
 * Images and files that come again: of those that hold the same, the newest stays.
 *
 * @import {Block} from '../model.mjs'
 */

/** What costs fewer tokens isn't worth a pointer. */
const LEAST = 20;
/** Bytes a token, of what is no image and no document; of these all are worth it, whatever their pixels. @type {Record<string, number>} */
const BYTES = { text: 4, audio: 500, video: 950 };

/** @typedef {{entry: number, block: Block}} Place */

export class RepeatedMedia {
  /** @type {Map<unknown, {shown?: Place, given?: Place}>} what the user showed and what a tool gave last */ #newest =
    new Map();

  /** @param {Place} place @param {boolean} isShown by the user @param {(place: Place, text: string) => void} replace */
  see(place, isShown, replace) {
    const { data } = place.block;
    if (typeof data !== 'string' || data === '') return;
    const { shown, given } = this.#newest.get(data) ?? {};
    this.#newest.set(data, isShown ? { shown: place } : { shown, given: place });
    for (const old of isShown ? [shown, given] : [given]) {
      if (!old) continue;
      const { mimeType = '', encoding } = old.block;
      const perToken = BYTES[String(mimeType).split('/')[0]];
      const bytes = encoding === 'url' ? 0 : Math.floor((data.length * 3) / 4);
      if (perToken !== undefined && Math.floor(bytes / perToken) < LEAST) continue;
      replace(old, `[… the same ${String(mimeType).startsWith('image') ? 'image' : 'file'}: again later]`);
    }
  }
}
