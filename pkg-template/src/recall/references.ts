import { describe, optionError } from '../base/options.js';
import { coders } from '../base/utf8.js';

/** Fewest bytes of a secret. */
const LEAST = 16;
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Letters of a reference after its `r`, five bits each. */
const LENGTH = 13;

/** The form of a reference, for regular expressions: the letters are those of `LETTERS`. */
export const REFERENCE = `r[0-9a-hjkmnp-tv-z]{${LENGTH}}`;
/** All references in a text. */
export const EVERY_IN_TEXT = /* @__PURE__ */ new RegExp(REFERENCE, 'g');
/** A reference that stands alone in a text. */
export const IN_TEXT = /* @__PURE__ */ new RegExp(`\\b${REFERENCE}\\b`);
const WHOLE = /* @__PURE__ */ new RegExp(`^${REFERENCE}$`);

/** The number of texts whose references are remembered. */
const NEWEST = 8;

/** A key of two words. */
type Key = readonly [number, number];

/**
 * Makes references of texts: the same for the same text under the same secret, and not to be guessed or made
 * without it. The core knows no chance, so the secret is the host's.
 */
export class References {
  readonly #keys: readonly [Key, Key];
  /** The newest ones: a text is hashed several times in a row, and that takes as long as the text is. */
  readonly #known = new Map<string, string>();

  constructor(secret: string | Uint8Array) {
    const bytes = typeof secret === 'string' ? new coders.TextEncoder().encode(secret) : secret;
    if (!(bytes instanceof Uint8Array) || bytes.length < LEAST) {
      const found = bytes instanceof Uint8Array ? `${bytes.length} bytes` : describe(secret);
      throw optionError('secret', `: found ${found}, expected at least ${LEAST} random characters or bytes`);
    }
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    this.#keys = [hash(text, [1, 2]), hash(text, [3, 4])];
  }

  /** Forgets the remembered texts. */
  forget(): void {
    this.#known.clear();
  }

  /** The reference of a text. */
  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= NEWEST) this.#known.clear();
    const reference = this.#made(text);
    this.#known.set(text, reference);
    return reference;
  }

  #made(text: string): string {
    const words = this.#keys.flatMap((key) => hash(text, key));
    let reference = 'r';
    for (let at = 0; at < LENGTH; at += 1) {
      const bits = at * 5;
      const word = words[bits >>> 5]! >>> (bits & 31);
      const more = (bits & 31) > 27 ? words[(bits >>> 5) + 1]! << (32 - (bits & 31)) : 0;
      reference += LETTERS[(word | more) & 31]!;
    }
    return reference;
  }
}

/** Whether something has the form of a reference. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && WHOLE.test(value);
}

/** HalfSipHash-2-4 with 64 bits, over UTF-16 code units. */
function hash(text: string, [k0, k1]: Key): [number, number] {
  const v = new Int32Array([k0, k1 ^ 0xee, 0x6c796765 ^ k0, 0x74656462 ^ k1]);
  for (let at = 0; at + 1 < text.length; at += 2) {
    absorb(v, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  }
  absorb(v, (text.length % 2 === 1 ? text.charCodeAt(text.length - 1) : 0) | (text.length << 16));
  absorb(v, text.length);
  v[2]! ^= 0xee;
  for (let round = 0; round < 4; round += 1) mix(v);
  const first = v[1]! ^ v[3]!;
  v[1]! ^= 0xdd;
  for (let round = 0; round < 4; round += 1) mix(v);
  return [first, v[1]! ^ v[3]!];
}

function absorb(v: Int32Array, word: number): void {
  v[3]! ^= word;
  mix(v);
  mix(v);
  v[0]! ^= word;
}

function mix(v: Int32Array): void {
  const turn = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));
  v[0]! += v[1]!;
  v[1] = turn(v[1]!, 5) ^ v[0]!;
  v[0] = turn(v[0]!, 16);
  v[2]! += v[3]!;
  v[3] = turn(v[3]!, 8) ^ v[2]!;
  v[0]! += v[3]!;
  v[3] = turn(v[3]!, 7) ^ v[0]!;
  v[2]! += v[1]!;
  v[1] = turn(v[1]!, 13) ^ v[2]!;
  v[2] = turn(v[2]!, 16);
}
