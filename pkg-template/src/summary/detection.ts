import { coders } from '../base/utf8.js';
import { chunkEnd } from '../base/utf16.js';
import { CHUNK } from '../session/host.js';
import type { FullInstance } from '../wasm/full.js';

const encoder = new coders.TextEncoder();

/** How many bytes of UTF-8 a text is if there may be something to redact in it, otherwise 0. */
export function suspicious({ glue, memory }: FullInstance, text: string): number {
  const [address = 0, length = 0] = glue.textBuffer();
  let buffer = new Uint8Array(memory.buffer, address, length);
  let bytes = 0;
  for (let from = 0, to = 0; ; from = to) {
    to = chunkEnd(text, from, CHUNK);
    // A line that is held back may have let the memory grow.
    if (buffer.buffer !== memory.buffer) buffer = new Uint8Array(memory.buffer, address, length);
    const { written } = encoder.encodeInto(to - from === text.length ? text : text.slice(from, to), buffer);
    bytes += written;
    const hasFound = glue.detect(written, to === text.length);
    if (to === text.length) return hasFound ? bytes : 0;
  }
}

/** Writes a text of this length in bytes to the place where it is redacted. */
export function written({ glue, memory }: FullInstance, text: string, bytes: number): number {
  const address = glue.redactRoom(bytes);
  return encoder.encodeInto(text, new Uint8Array(memory.buffer, address, bytes)).written;
}
