/** Images within unknown blocks: they cost what images cost, not what their base64 would. */

import { imageSize } from '../tokens/image-size.js';
import { imageFormulas, tokensBy } from '../tokens/images.js';
import { ANY_IMAGE, type Bag } from './facts.js';
import { jsonText } from './measure.js';

/** Shorter strings are text like any other. */
const SHORTEST = 1_000;
/** Values that are nested deeper, or beyond this number, stay unchanged. */
const DEEPEST = 8;
const MOST = 1_000;
/** Tokens of an image of which nothing is known, as the core has it. */
const IMAGE = 1_600;

/** What PNG, JPEG, GIF, WebP and PDF files begin with, in base64. */
const FILES = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)/;

/** Tokens of the images and files in a value. */
export function embeddedTokens(value: unknown): number {
  let tokens = 0;
  let left = MOST;
  const visit = (found: unknown, depth: number): void => {
    tokens += tokensOf(found);
    if (typeof found !== 'object' || found === null || ArrayBuffer.isView(found) || depth > DEEPEST) return;
    for (const key in found) {
      if ((left -= 1) < 0) return;
      visit((found as Bag)[key], depth + 1);
    }
  };
  visit(value, 0);
  return tokens;
}

/** A value as JSON, with a word instead of each image or file in it. */
export function shortJson(value: unknown): string {
  if (embeddedTokens(value) === 0) return jsonText(value);
  function short(this: Bag, key: string, found: unknown): unknown {
    const raw = this[key]; // what has been made of it by `toJSON` may be a long list
    if (tokensOf(raw) === 0) return found;
    return ArrayBuffer.isView(raw) ? `[${raw.byteLength} bytes]` : `[${String(raw).length} characters of base64]`;
  }
  try {
    return JSON.stringify(value, short) ?? '';
  } catch {
    return jsonText(value);
  }
}

function tokensOf(value: unknown): number {
  const isBytes = value instanceof Uint8Array;
  if (!isBytes && typeof value !== 'string') return 0;
  if (value.length < SHORTEST) return 0;
  const size = imageSize(value);
  if (size !== undefined) return tokensBy(imageFormulas[ANY_IMAGE], size);
  if (isBytes || FILES.test(value.slice(0, 12))) return IMAGE;
  return /^data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,/.test(value.slice(0, 200)) ? IMAGE : 0;
}
