/**
 * What people would install to count tokens of `o200k_base`, and what we have; and the texts they count.
 *
 * @typedef {{name: string, kind: 'own' | 'npm' | 'rust', load: () => Promise<(text: string) => number>}} TokenCounter
 */
import { existsSync, readFileSync } from 'node:fs';
import { historyOf } from './histories.mjs';

const SHARED = new URL('../../../shared/transcripts/', import.meta.url);
const RUST = new URL('../../target/rust-peers/', import.meta.url);
const PLAIN = { allowedSpecial: new Set(), disallowedSpecial: new Set() };

/** Types of the peers are no concern of ours. @param {string} name @returns {Promise<any>} */
const load = (name) => import(name);

/** @type {readonly TokenCounter[]} */
export const counters = [
  {
    name: 'densify/tokens',
    kind: 'own',
    load: async () => (await (await load('densify/tokens')).loadTokenizer('o200k_base')).count,
  },
  {
    name: 'tiktoken',
    kind: 'npm',
    load: async () => {
      const encoding = (await load('tiktoken')).get_encoding('o200k_base');
      return (text) => encoding.encode_ordinary(text).length;
    },
  },
  {
    name: 'gpt-tokenizer',
    kind: 'npm',
    load: async () => {
      const { countTokens } = await load('gpt-tokenizer/encoding/o200k_base');
      return (text) => countTokens(text, PLAIN);
    },
  },
  {
    name: 'ai-tokenizer',
    kind: 'npm',
    load: async () => {
      const { Tokenizer } = await load('ai-tokenizer');
      const tokenizer = new Tokenizer(await load('ai-tokenizer/encoding/o200k_base'));
      return (text) => tokenizer.count(text);
    },
  },
  {
    name: 'js-tiktoken',
    kind: 'npm',
    load: async () => {
      const { Tiktoken } = await load('js-tiktoken/lite');
      const tokenizer = new Tiktoken((await load('js-tiktoken/ranks/o200k_base')).default);
      return (text) => tokenizer.encode(text, [], []).length;
    },
  },
  ...['tiktoken', 'tiktoken-rs']
    .map((crate) => ({ crate, file: new URL(`${crate}.wasm`, RUST) }))
    .filter(({ file }) => existsSync(file))
    .map(({ crate, file }) => ({
      name: `crate ${crate}`,
      kind: /** @type {const} */ ('rust'),
      load: async () => crateCounter(file),
    })),
];

/**
 * A Rust crate in wasm without glue: texts are written into its memory.
 * @param {URL} file made by scripts/rust-peers.sh
 * @returns {(text: string) => number}
 */
function crateCounter(file) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {});
  const { memory, room, count } = /** @type {any} */ (exports);
  const encoder = new TextEncoder();
  let view = new Uint8Array(0);
  return (text) => {
    const size = text.length * 3;
    if (view.length < size) {
      const address = room(size); // which may make the memory grow
      view = new Uint8Array(memory.buffer, address, size);
    }
    return count(encoder.encodeInto(text, view).written);
  };
}

/**
 * Texts of blocks: of the real logs if they are there, else of synthetic histories.
 * @param {number} characters about so many
 * @returns {Promise<{texts: string[], bytes: number, origin: string}>}
 */
export async function corpus(characters) {
  const real = await realContents(['pi', 'claude-code', 'openai-chat']);
  const isReal = real.length > 0;
  /** @type {string[]} */
  const found = [];
  for (const contents of isReal ? real : [historyOf({ entries: 20_000, seed: 2_026 })]) collect(contents, found);
  const texts = [];
  let left = characters;
  // Every so many, so that all logs have their part.
  const step = Math.max(1, Math.floor(found.reduce((sum, text) => sum + text.length, 0) / characters));
  for (let i = 0; i < found.length && left > 0; i += step) {
    texts.push(found[i]);
    left -= found[i].length;
  }
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { texts, bytes, origin: isReal ? 'real logs' : 'synthetic histories' };
}

/**
 * The real logs' contents, where these lie beside the project; else none.
 * @param {readonly string[]} formats
 * @returns {Promise<import('./model.mjs').Content[][]>}
 */
export async function realContents(formats) {
  const manifest = new URL('manifest.json', SHARED);
  if (!existsSync(manifest)) return [];
  const { readTranscript } = await load('densify/transcripts');
  const { files } = JSON.parse(readFileSync(manifest, 'utf8'));
  return files
    .filter((/** @type {{format: string}} */ { format }) => formats.includes(format))
    .map(
      (/** @type {{file: string}} */ { file }) => readTranscript(readFileSync(new URL(file, SHARED), 'utf8')).contents,
    );
}

/** Texts worth counting, except those with quadratic time for peers. @param {unknown} value @param {string[]} found */
function collect(value, found) {
  if (typeof value === 'string') {
    if (value.length > 20 && value.length < 200_000) found.push(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collect(inner, found);
  }
}

/** Texts that make a careless tokenizer's work grow with the square of their length. @returns {Record<string, string>} */
export function worstCases() {
  let state = 1;
  const next = (/** @type {number} */ below) =>
    ((state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 8) % below;
  const letters = Array.from({ length: 100_000 }, () => String.fromCharCode(97 + next(26)));
  const characters = Array.from({ length: 50_000 }, () => String.fromCodePoint(0x4e00 + next(20_000)));
  return {
    '100,000 equals signs': '='.repeat(100_000),
    '100,000 spaces': ' '.repeat(100_000),
    '100,000 newlines': '\n'.repeat(100_000),
    '100,000 digits': '1234567890'.repeat(10_000),
    '100,000 letters': letters.join(''),
    '100,000 equal letters': 'a'.repeat(100_000),
    '50,000 Chinese characters': characters.join(''),
    '100,000 characters of base64': Buffer.from(Array.from({ length: 75_000 }, () => next(256))).toString('base64'),
    '50,000 emoji': '😀'.repeat(50_000),
    '100,000 marks': '\u0301'.repeat(100_000),
  };
}
