// Writes the vocabularies of `densify/tokens` from those of the npm package `tiktoken`:
//
//   node scripts/vocabulary.mjs FOLDER
//
// A vocabulary is the merges in the order of their ranks: for each token the ranks of the two tokens that
// encoding its own bytes ends with. They stand as six columns of bytes (low, middle and high byte of the
// left parts, then of the right ones), which compress best. Each is written as a file of bytes and as a
// module with the same in base64.
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './steps.mjs';

export const ENCODINGS = ['o200k_base', 'cl100k_base'];

/** What the vocabulary's files are called, apart from the folder. */
export const vocabularyFiles = ENCODINGS.flatMap((name) => [
  `${name}.bin`,
  `${moduleName(name)}.js`,
  `${moduleName(name)}.d.ts`,
]);

function moduleName(encoding) {
  return encoding.replace('_', '-');
}

/** The tokens as texts of Latin-1, by rank. */
function readTokens(encoding) {
  const require = createRequire(new URL('../pkg-template/package.json', import.meta.url));
  const { bpe_ranks: lines } = require(`tiktoken/encoders/${encoding}.json`);
  const tokens = [];
  for (const line of lines.split('\n').filter(Boolean)) {
    const [, start, ...rest] = line.split(' ');
    rest.forEach((token, i) => (tokens[Number(start) + i] = Buffer.from(token, 'base64').toString('latin1')));
  }
  return tokens;
}

/** The bytes whose ranks come first: those that print in Latin-1, then all others. The core knows this order. */
function singleBytes() {
  const prints = (byte) => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  return [...bytes.filter(prints), ...bytes.filter((byte) => !prints(byte))].map((byte) => String.fromCharCode(byte));
}

/** The two tokens that encoding a token's bytes ends with, by rank. */
function lastMerge(token, ranks) {
  const parts = [...token];
  while (parts.length > 2) {
    let [lowest, at] = [Infinity, -1];
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(parts[i] + parts[i + 1]);
      if (rank !== undefined && rank < lowest) [lowest, at] = [rank, i];
    }
    if (at < 0) break;
    parts.splice(at, 2, parts[at] + parts[at + 1]);
  }
  return parts.map((part) => ranks.get(part));
}

/** The merges of an encoding as six columns of bytes. */
export function columns(encoding) {
  const tokens = readTokens(encoding);
  const bytes = singleBytes();
  if (bytes.some((byte, rank) => tokens[rank] !== byte))
    fail(`${encoding}: the single bytes aren't in the known order`);
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  const count = tokens.length - bytes.length;
  const result = Buffer.alloc(count * 6);
  for (let i = 0; i < count; i++) {
    const rank = bytes.length + i;
    const parts = lastMerge(tokens[rank] ?? fail(`${encoding}: rank ${rank} is missing`), ranks);
    if (parts.length !== 2 || !parts.every((part) => part < rank))
      fail(`${encoding}: token ${rank} isn't a merge of two`);
    for (let byte = 0; byte < 6; byte++) result[byte * count + i] = parts[byte < 3 ? 0 : 1] >> (8 * (byte % 3));
  }
  return result;
}

function write(folder) {
  for (const encoding of ENCODINGS) {
    const bytes = columns(encoding);
    writeFileSync(join(folder, `${encoding}.bin`), bytes);
    const module = join(folder, moduleName(encoding));
    writeFileSync(`${module}.js`, `export const base64 = '${bytes.toString('base64')}';\n`);
    writeFileSync(`${module}.d.ts`, 'export declare const base64: string;\n');
  }
}

const [folder] = process.argv.slice(2);
if (folder !== undefined && import.meta.filename === process.argv[1]) write(folder);
