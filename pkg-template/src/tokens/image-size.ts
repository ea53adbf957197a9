import { wrongArgument } from '../base/options.js';
import type { ImageSize } from './images.js';

/** Segments of a JPEG that are looked at: real ones have some twenty. */
const SEGMENTS = 1_000;

/** The bytes of a file, read where they are needed: `NaN` outside of it, and where base64 is none. @internal */
export type Bytes = (at: number) => number;

/**
 * The pixels of an image from its first bytes: PNG, JPEG, GIF or WebP, as bytes, as base64 or as a `data:` URL. Only
 * the header is decoded. `undefined` if it is none of these, or if it is broken.
 *
 * @example
 * const size = imageSize(block.data);
 * const tokens = size === undefined ? 1600 : imageTokens('claude', size);
 */
export function imageSize(image: string | Uint8Array): Pick<ImageSize, 'width' | 'height'> | undefined {
  const bytes = bytesOf(image);
  const [width, height] = pixels(bytes) ?? [];
  return width !== undefined && height !== undefined && width > 0 && height > 0 ? { width, height } : undefined;
}

function bytesOf(image: unknown): Bytes {
  if (typeof image === 'string') return decoded(image);
  if (image instanceof Uint8Array) return (at) => image[at] ?? NaN;
  throw wrongArgument('image', image, 'base64 or bytes');
}

/** Base64, of which every four characters are three bytes wherever they stand. */
function decoded(image: string): Bytes {
  return decodedBytes(base64Of(image));
}

/** Base64 without what may stand around it: the beginning of a `data:` URL, ends of lines. @internal */
export function base64Of(image: string): string {
  const isUrl = /^data:[^,]{0,200},/.exec(image);
  const text = isUrl === null ? image : image.slice(isUrl[0].length);
  return /\s/.test(text.slice(0, 200)) ? text.replace(/\s+/g, '') : text;
}

/** @internal */
export function decodedBytes(base64: string): Bytes {
  return (at) => {
    const rest = at % 3;
    const first = ((at - rest) / 3) * 4 + rest;
    const pair = (sixBits(base64.charCodeAt(first)) << 6) | sixBits(base64.charCodeAt(first + 1));
    return pair < 0 ? NaN : (pair >>> (4 - 2 * rest)) & 0xff;
  };
}

/** What a character of base64 or base64url stands for; -1 if it is none. */
function sixBits(code: number): number {
  if (code >= 97) return code <= 122 ? code - 71 : -1;
  if (code >= 65) return code <= 90 ? code - 65 : code === 95 ? 63 : -1;
  if (code >= 48) return code <= 57 ? code + 4 : -1;
  if (code === 43 || code === 45) return 62;
  return code === 47 ? 63 : -1;
}

type Pixels = readonly [width: number, height: number] | undefined;

function pixels(bytes: Bytes): Pixels {
  const has = (at: number, text: string) => [...text].every((sign, by) => bytes(at + by) === sign.charCodeAt(0));
  if (bytes(0) === 0xff && bytes(1) === 0xd8) return jpeg(bytes);
  if (has(1, 'PNG\r\n\u001a\n') && has(12, 'IHDR')) return [big(bytes, 16, 4), big(bytes, 20, 4)];
  if (has(0, 'GIF87a') || has(0, 'GIF89a')) return [little(bytes, 6, 2), little(bytes, 8, 2)];
  if (!has(0, 'RIFF') || !has(8, 'WEBP')) return undefined;
  if (has(12, 'VP8X')) return [little(bytes, 24, 3) + 1, little(bytes, 27, 3) + 1];
  if (has(12, 'VP8 ') && bytes(23) === 0x9d && bytes(24) === 1 && bytes(25) === 0x2a) {
    return [little(bytes, 26, 2) % 2 ** 14, little(bytes, 28, 2) % 2 ** 14]; // above them are scales
  }
  if (!has(12, 'VP8L') || bytes(20) !== 0x2f) return undefined;
  const both = little(bytes, 21, 4);
  return [(both % 2 ** 14) + 1, (Math.floor(both / 2 ** 14) % 2 ** 14) + 1];
}

/** Goes from segment to segment until one that begins a frame. */
function jpeg(bytes: Bytes): Pixels {
  let at = 2;
  for (let segment = 0; segment < SEGMENTS; segment += 1) {
    if (bytes(at) !== 0xff) return undefined;
    const marker = bytes(at + 1);
    if (marker === 0xff) {
      at += 1; // a fill byte
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return [big(bytes, at + 7, 2), big(bytes, at + 5, 2)];
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2; // without a length
    } else {
      const length = big(bytes, at + 2, 2);
      if (!(length >= 2)) return undefined;
      at += 2 + length;
    }
  }
  return undefined;
}

function big(bytes: Bytes, at: number, count: number): number {
  let value = 0;
  for (let by = 0; by < count; by += 1) value = value * 256 + bytes(at + by);
  return value;
}

function little(bytes: Bytes, at: number, count: number): number {
  let value = 0;
  for (let by = count - 1; by >= 0; by -= 1) value = value * 256 + bytes(at + by);
  return value;
}
