import { decode } from './decode.js';

/** Half a probability of a bit, in the 11 bits that LZMA has for one. */
const EVEN = 1024;
const [STATES, LENGTHS] = [12, 322];
/** Where the probabilities of each kind lie in one array. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES * 4;
const IS_REP_0 = IS_REP + STATES;
const IS_REP_1 = IS_REP_0 + STATES;
const IS_REP_2 = IS_REP_1 + STATES;
const IS_LONG_REP = IS_REP_2 + STATES;
const SLOT = IS_LONG_REP + STATES * 4;
const FAR = SLOT + 4 * 64;
const ALIGN = FAR + 128;
const LENGTH = ALIGN + 16;
const REP_LENGTH = LENGTH + LENGTHS;
const LITERAL = REP_LENGTH + LENGTHS;

/**
 * The bytes of a wasm file, which scripts/package.mjs has packed by LZMA (lc 3, lp 0, pb 2): in base64, without LZMA's
 * header. Gzip makes a quarter more of it, and it would do so twice over base64.
 */
export function unpack(text: string, length: number): Uint8Array<ArrayBuffer> {
  const packed = decode(text);
  const out = new Uint8Array(length);
  const chances = new Uint16Array(LITERAL + 0x300 * 8).fill(EVEN);
  // Of 32 bits, with a sign that means nothing; the first byte is 0.
  let [at, code, range] = [1, 0, -1];
  for (; at < 5; at++) code = (code << 8) | packed[at]!;

  const bit = (index: number): number => {
    const chance = chances[index]!;
    const bound = Math.imul(range >>> 11, chance);
    let found = 0;
    if (code >>> 0 < bound >>> 0) {
      range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
    } else {
      range = (range - bound) | 0;
      code = (code - bound) | 0;
      chances[index] = chance - (chance >> 5);
      found = 1;
    }
    if ((range & 0xff000000) === 0) {
      range <<= 8;
      code = (code << 8) | packed[at++]!;
    }
    return found;
  };
  const tree = (base: number, bits: number): number => {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node * 2 + bit(base + node);
    return node - (1 << bits);
  };
  const reversed = (base: number, bits: number): number => {
    let [node, value] = [1, 0];
    for (let i = 0; i < bits; i++) {
      const found = bit(base + node);
      node = node * 2 + found;
      value |= found << i;
    }
    return value;
  };
  const even = (bits: number): number => {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      range >>>= 1;
      const found = code >>> 0 >= range >>> 0 ? 1 : 0;
      if (found) code = (code - range) | 0;
      value = value * 2 + found;
      if ((range & 0xff000000) === 0) {
        range <<= 8;
        code = (code << 8) | packed[at++]!;
      }
    }
    return value;
  };
  const lengthOf = (base: number, place: number): number => {
    if (!bit(base)) return 2 + tree(base + 2 + place * 8, 3);
    if (!bit(base + 1)) return 10 + tree(base + 34 + place * 8, 3);
    return 18 + tree(base + 66, 8);
  };
  const distanceOf = (size: number): number => {
    const slot = tree(SLOT + Math.min(size - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + reversed(FAR + high - slot - 1, bits);
    return high + even(bits - 4) * 16 + reversed(ALIGN, 4);
  };

  let [state, to, last, second, third, fourth] = [0, 0, 0, 0, 0, 0];
  while (to < length) {
    const place = to & 3;
    if (!bit(IS_MATCH + state * 4 + place)) {
      const base = LITERAL + 0x300 * (to > 0 ? out[to - 1]! >> 5 : 0);
      let node = 1;
      if (state > 6) {
        let match = out[to - last - 1]!;
        let same = 0x100;
        while (node < 0x100) {
          match *= 2;
          const expected = match & same;
          const found = bit(base + same + expected + node);
          node = node * 2 + found;
          same &= found ? expected : ~expected;
          if (same === 0) break;
        }
      }
      while (node < 0x100) node = node * 2 + bit(base + node);
      out[to++] = node;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let size: number;
    if (!bit(IS_REP + state)) {
      [fourth, third, second] = [third, second, last];
      size = lengthOf(LENGTH, place);
      last = distanceOf(size);
      state = state < 7 ? 7 : 10;
    } else {
      if (!bit(IS_REP_0 + state)) {
        if (!bit(IS_LONG_REP + state * 4 + place)) {
          out[to] = out[to - last - 1]!;
          to++;
          state = state < 7 ? 9 : 11;
          continue;
        }
      } else if (!bit(IS_REP_1 + state)) [last, second] = [second, last];
      else if (!bit(IS_REP_2 + state)) [last, second, third] = [third, last, second];
      else [last, second, third, fourth] = [fourth, last, second, third];
      size = lengthOf(REP_LENGTH, place);
      state = state < 7 ? 8 : 11;
    }
    for (const end = to + size; to < end; to++) out[to] = out[to - last - 1]!;
  }
  return out;
}
