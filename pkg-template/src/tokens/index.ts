/**
 * Exact token counts for the vocabularies that are public, on a wasm file of their own that is fetched
 * when a tokenizer is loaded; and what else a prompt costs.
 *
 * @packageDocumentation
 */

import { checkOptions, wrongArgument } from '../base/options.js';
import { Engine } from '../core/engine.js';
import type { TokenCounter } from '../types.js';
import { type TokensGlue, tokensInstances } from '../wasm/tokens.js';
import { Bounder } from './bounds.js';
import { ENCODINGS } from './models.js';
import { type Encoding, ExactTokenizer, type Tokenizer } from './tokenizer.js';
import { bundledVocabulary, bytesOf, readVocabulary, type Vocabulary, type VocabularySource } from './vocabulary.js';

export type { TokenCounter } from '../types.js';
export { type Calibration, calibrate, calibrated, promptTokens, uncalibrated } from './calibration.js';
export { imageSize } from './image-size.js';
export { imageTokens } from './image-tokens.js';
export { imageFormulas } from './images.js';
export { encodingOf } from './models.js';
export { overheads, promptOverhead } from './overhead.js';
export type { Encoding, Tokenizer } from './tokenizer.js';

/** Options of `loadTokenizer`. */
interface LoadOptions {
  /**
   * The encoding's vocabulary, if you store it yourself: bytes, a text in base64, or the URL of the bytes. To keep the
   * package's vocabularies out of a bundle, call `createTokenizer` instead.
   *
   * @default the vocabulary in the package's JavaScript, imported when needed
   */
  readonly vocabulary?: VocabularySource;
}

/**
 * Loads a tokenizer, which counts the tokens of texts. Text that looks like a special token (`<|endoftext|>`) counts as
 * ordinary text.
 *
 * @example
 * const tokenizer = await loadTokenizer('o200k_base');
 * const optimizer = createOptimizer({ countTokens: tokenizer.count });
 */
export async function loadTokenizer(encoding: Encoding, options?: LoadOptions): Promise<Tokenizer> {
  checkEncoding(encoding);
  checkOptions(options, ['vocabulary']);
  const engine = new Engine(tokensInstances);
  const source = options?.vocabulary;
  const vocabulary = source === undefined ? bundledVocabulary(encoding) : readVocabulary(source);
  const [bytes] = await Promise.all([vocabulary, prepare(engine)]);
  return new ExactTokenizer(engine, encoding, bytes);
}

/** The module is so small that compiling it at once is quicker, where the host allows that. */
async function prepare(engine: Engine<TokensGlue>): Promise<void> {
  try {
    void engine.instance;
  } catch {
    await engine.init();
  }
}

/**
 * A tokenizer with a vocabulary that you pass: without waiting, and with no other vocabulary in the bundle.
 *
 * @example
 * import { vocabulary } from 'densify/tokens/o200k_base';
 * const tokenizer = createTokenizer('o200k_base', vocabulary);
 */
export function createTokenizer(encoding: Encoding, vocabulary: Vocabulary): Tokenizer {
  checkEncoding(encoding);
  const bytes = bytesOf(vocabulary);
  if (bytes === undefined) {
    throw wrongArgument('vocabulary', vocabulary, 'bytes or a text in base64');
  }
  return new ExactTokenizer(new Engine(tokensInstances), encoding, bytes);
}

/**
 * Another counter of one of the encodings, such as `tiktoken`'s, with `bounds`: as `countTokens` it is then
 * called only where a decision is near. Nothing but the small module is loaded for it.
 *
 * @example
 * const tiktoken = get_encoding('o200k_base');
 * const countTokens = await withBounds('o200k_base', (text) => tiktoken.encode_ordinary(text).length);
 */
export async function withBounds(encoding: Encoding, count: (text: string) => number): Promise<TokenCounter> {
  checkEncoding(encoding);
  if (typeof count !== 'function') {
    throw wrongArgument('count', count, 'a function');
  }
  const engine = new Engine(tokensInstances);
  await prepare(engine);
  const bounder = new Bounder(engine);
  return Object.assign((text: string) => count(text), { bounds: (text: string) => bounder.bounds(text) });
}

function checkEncoding(encoding: unknown): void {
  if (encoding === 'o200k_base' || encoding === 'cl100k_base') return;
  throw wrongArgument('encoding', encoding, `one of 'o200k_base', 'cl100k_base': ${ENCODINGS}`);
}
