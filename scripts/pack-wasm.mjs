// Packs a wasm file as JavaScript for hosts that read no files, in the form that src/wasm/unpack.ts reads:
//
//   node scripts/pack-wasm.mjs core.wasm core-packed.js
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fail } from './steps.mjs';

/** What LZMA's own header says before the length: lc 3, lp 0, pb 2. */
const PROPERTIES = 0x5d;
const HEADER = 13;

/** The text of a module that exports the packed bytes and how long they are unpacked. */
export function packed(bytes) {
  const { LZMA } = createRequire(new URL('../pkg-template/package.json', import.meta.url))('lzma/src/lzma_worker.js');
  const stream = Buffer.from(LZMA.compress([...bytes], 9));
  if (stream[0] !== PROPERTIES) fail(`the packer took other properties: ${stream[0]}`);
  const text = stream.subarray(HEADER).toString('base64');
  return `export const text = '${text}';\nexport const length = ${bytes.length};\n`;
}

if (process.argv[1] === import.meta.filename) {
  const [from, to] = process.argv.slice(2);
  writeFileSync(to, packed(readFileSync(from)));
}
