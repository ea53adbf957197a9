/** Undoes the encodings of bodies that Node.js knows beyond web streams. */
import zlib from 'node:zlib';
import type { Decoders, Decompress } from '../gateway/body.js';

const byZlib =
  (decompress: typeof zlib.brotliDecompress): Decompress =>
  (bytes, most) =>
    new Promise((resolve, reject) => {
      decompress(bytes, { maxOutputLength: most }, (error, plain) => (error === null ? resolve(plain) : reject(error)));
    });

/** Whether `zstd` is known: it needs Node.js 22.15 or newer. */
export const knowsZstd = zlib.zstdDecompress !== undefined;

export const nodeDecoders: Decoders = {
  br: byZlib(zlib.brotliDecompress),
  ...(zlib.zstdDecompress && { zstd: byZlib(zlib.zstdDecompress) }),
};
