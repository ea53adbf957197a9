/** Lists of whole numbers as text: in bytes of which each holds seven bits, in base64. */

import { decode, encode } from '../wasm/decode.js';

/** Numbers from 0 to 2^32 − 1 as text. */
export function pack(numbers: Iterable<number>): string {
  const bytes: number[] = [];
  for (const number of numbers) {
    let left = number;
    while (left >= 0x80) {
      bytes.push((left & 0x7f) | 0x80);
      left >>>= 7;
    }
    bytes.push(left);
  }
  return encode(Uint8Array.from(bytes));
}

/** The numbers of a text; `undefined` if there are none in it. */
export function unpack(text: unknown): Uint32Array | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = decode(text);
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let number = 0;
  let scale = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    number += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (number > 0xffffffff) return undefined;
    if (byte >= 0x80) continue;
    numbers[count] = number;
    count += 1;
    number = 0;
    scale = 1;
  }
  return scale === 1 ? numbers.subarray(0, count) : undefined;
}

/** Numbers of 32 bits each as text. */
export function packWide(numbers: Uint32Array): string {
  return encode(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
}

/** Their opposite. */
export function unpackWide(text: unknown): Uint32Array | undefined {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = decode(text);
  if (bytes.length % 4 !== 0) return undefined;
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
