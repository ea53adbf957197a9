/** Numbers for the data of media. The core compares them to find repeated media. */
import { isUrl } from '../base/url.js';

/** Of one length so many are told apart, so that a message costs the same however long the history is. */
const MOST = 64;

type Data = string | Uint8Array;

/** Tells apart what media hold: texts in base64, URLs, ids, bytes. Long ones of another length are never looked into. */
export class MediaNumbers {
  readonly #known = new Map<number, [data: Data, number: number][]>();
  #count = 0;

  /** The number of some data. It never changes; 0 for what can't be told apart. */
  of(given: unknown): number {
    const data = dataOf(given);
    if (data === undefined || data.length === 0) return 0;
    const key = typeof data === 'string' ? data.length : -data.length;
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = []));
    for (const [other, number] of known) if (isSame(data, other)) return number;
    if (known.length === MOST) return 0;
    this.#count += 1;
    known.push([data, this.#count]);
    return this.#count;
  }
}

function dataOf(given: unknown): Data | undefined {
  if (typeof given === 'string' || given instanceof Uint8Array) return given;
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  return isUrl(given) ? given.href : undefined;
}

/** Whether data of one length are the same. */
function isSame(one: Data, other: Data): boolean {
  if (one === other || typeof one === 'string') return one === other;
  return one.every((byte, at) => byte === other[at]);
}
