// Writes the vocabularies of `densify/tokens` from those of the npm package `tiktoken`:
//
//   node scripts/vocabulary.mjs FOLDER
//
// A vocabulary is merges: for each token the ranks of the two tokens that encoding its own bytes ends with. They stand
// in the form that src/tokens/exact/vocabulary.rs describes and reads. Each is written as a module with its bytes in
// base64, which bundlers understand; CommonJS reads the module's text.

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from './steps.mjs';

export const ENCODINGS = ['o200k_base', 'cl100k_base'];

/** What the vocabulary's files are called, apart from the folder. */
export const vocabularyFiles = ENCODINGS.flatMap((name) => [
  `${moduleName(name)}.js`,
  `${moduleName(name)}.cjs`,
  `${moduleName(name)}.d.ts`,
  `${moduleName(name)}.d.cts`,
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

/** The merges of an encoding, each with the rank of what it makes, by their left parts and then by their right ones. */
function sortedMerges(encoding) {
  const tokens = readTokens(encoding);
  const bytes = singleBytes();
  if (bytes.some((byte, rank) => tokens[rank] !== byte))
    fail(`${encoding}: the single bytes aren't in the known order`);
  const ranks = new Map(tokens.map((token, rank) => [token, rank]));
  const merges = tokens.slice(bytes.length).map((token, i) => {
    const rank = bytes.length + i;
    const parts = lastMerge(token ?? fail(`${encoding}: rank ${rank} is missing`), ranks);
    if (parts.length !== 2 || !parts.every((part) => part < rank))
      fail(`${encoding}: token ${rank} isn't a merge of two`);
    return { left: parts[0], right: parts[1], rank };
  });
  return merges.sort((a, b) => a.left - b.left || a.right - b.right);
}

/** The form in which the core reads merges. */
export function vocabularyBytes(encoding) {
  const merges = sortedMerges(encoding);
  const number = Buffer.alloc(4);
  number.writeUInt32LE(merges.length);
  const rights = merges.map(({ left, right }, i) => right - (merges[i - 1]?.left === left ? merges[i - 1].right : 0));
  return Buffer.concat([number, groups(merges), column(rights), column(merges.map(({ rank }) => rank))]);
}

/** For each token a 1 for each merge that it is the left part of, then a 0. */
function groups(merges) {
  const bits = Buffer.alloc(Math.ceil((256 + 2 * merges.length) / 8));
  // Before a merge stand all merges before it, and a 0 for each token before its left part.
  merges.forEach(({ left }, i) => (bits[(left + i) >> 3] |= 1 << ((left + i) & 7)));
  return bits;
}

/** Numbers of 18 bits: all low bytes, all middle bytes, then two high bits of each, four in a byte. */
function column(numbers) {
  const high = Buffer.alloc(Math.ceil(numbers.length / 4));
  numbers.forEach((number, i) => (high[i >> 2] |= (number >> 16) << (2 * (i & 3))));
  return Buffer.concat([Buffer.from(numbers), Buffer.from(numbers.map((number) => number >> 8)), high]);
}

function write(folder) {
  for (const encoding of ENCODINGS) {
    const bytes = vocabularyBytes(encoding);
    const name = moduleName(encoding);
    const types = `/** The vocabulary of \`${encoding}\` in base64, for \`createTokenizer\`. */\nexport declare const vocabulary: string;\n`;
    const texts = {
      js: `export const vocabulary = '${bytes.toString('base64')}';\n`,
      cjs:
        "'use strict';\n" +
        `const text = require('node:fs').readFileSync(__dirname + '/${name}.js', 'utf8');\n` +
        `exports.vocabulary = text.slice(text.indexOf("'") + 1, text.lastIndexOf("'"));\n`,
      'd.ts': types,
      'd.cts': types,
    };
    for (const [extension, text] of Object.entries(texts)) writeFileSync(join(folder, `${name}.${extension}`), text);
  }
}

const [folder] = process.argv.slice(2);
if (folder !== undefined && import.meta.filename === process.argv[1]) write(folder);
