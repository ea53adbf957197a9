import { densifyError } from '../base/errors.js';
import { wrongArgument } from '../base/options.js';
import type { Engine } from '../core/engine.js';
import type { Counter } from '../generated/tokens.js';
import type { TokenCounter } from '../types.js';
import type { TokensGlue, TokensInstance } from '../wasm/tokens.js';
import { Bounder } from './bounds.js';
import { attempt, CHUNK, TextBuffer } from './buffer.js';
import { GrowingCount, type GrowingText, type Settled } from './growing-text.js';

/** The encodings whose vocabularies are public. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** Counts the tokens of texts. It has an instance of its module to itself. */
export interface Tokenizer {
  /** The encoding. */
  readonly encoding: Encoding;
  /**
   * The tokens of a text; a lone surrogate counts as U+FFFD, which is what UTF-8 makes of it. The function
   * is bound: it can be passed on as `countTokens`, which then counts only where a decision is near, since
   * it has `bounds` with it.
   */
  readonly count: TokenCounter;
  /** The fewest and the most tokens of a text, for both encodings. This is faster than counting. */
  readonly bounds: NonNullable<TokenCounter['bounds']>;
  /** The tokens of a text that is in parts, as if they were joined. */
  countChunks(chunks: Iterable<string>): number;
  /** A count for a growing text. Each addition counts only the new part. */
  growingText(): GrowingText;
  /** Bytes in use: the instance's memory and the vocabulary. */
  readonly bytes: number;
  /** Gives the memory back; a later count is the error `disposed`. */
  dispose(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

/** How many merges the vocabularies have. */
const MERGES: Readonly<Record<Encoding, number>> = { o200k_base: 199_742, cl100k_base: 100_000 };

/** The most bytes of memory of an instance that is kept: ordinary texts need a third of it. */
const MOST_MEMORY = 16 * 2 ** 20;

/** What there is of a tokenizer in an instance. */
interface Live {
  readonly counter: Counter;
  readonly buffer: TextBuffer;
}

/** The exact counts, on an instance that is made again after a trap. */
export class ExactTokenizer implements Tokenizer {
  readonly encoding: Encoding;
  readonly count: TokenCounter;
  readonly bounds: NonNullable<TokenCounter['bounds']>;
  readonly #engine: Engine<TokensGlue>;
  readonly #bounder: Bounder;
  #vocabulary: Uint8Array | undefined;
  #live: Live | undefined;

  constructor(engine: Engine<TokensGlue>, encoding: Encoding, vocabulary: Uint8Array) {
    if (mergesOf(vocabulary) !== MERGES[encoding]) {
      const message = `vocabulary: found ${vocabulary.byteLength} bytes of something else, expected those of densify/tokens/${encoding}`;
      throw densifyError('invalid-options', message, { key: 'vocabulary' });
    }
    this.#engine = engine;
    this.encoding = encoding;
    this.#vocabulary = vocabulary;
    this.#bounder = new Bounder(engine);
    this.bounds = (text) => {
      this.#checkOpen();
      return this.#bounder.bounds(text);
    };
    this.count = Object.assign((text: string) => this.#count(text), {
      bounds: this.bounds,
      growing: () => this.growingText(),
    });
    this.#attempt(() => this.#open());
  }

  countChunks(chunks: Iterable<string>): number {
    const text = new GrowingCount(this);
    for (const chunk of chunks) text.append(chunk);
    return text.tokens;
  }

  growingText(): GrowingText {
    return new GrowingCount(this);
  }

  /**
   * The tokens of a text's beginning that more text can't change, and the code units of the rest; in one long piece,
   * the place to resume, at least this many bytes before its end.
   */
  settle(text: string, window: number): Settled {
    return this.#attempt(() => {
      const counter = this.#feed(text);
      const settled = { tokens: counter.settled(), open: counter.open() };
      const [tokens, units, token] = settled.open > window ? counter.anchor(window) : [];
      counter.total(); // the next text begins
      if (tokens === undefined || units === undefined || token === undefined) return settled;
      return { ...settled, anchor: { tokens, units, token } };
    });
  }

  /** The tokens of a text that goes on from an anchor; `undefined` if what came has changed those before it. */
  countOn(text: string, token: number): number | undefined {
    if (text.length > CHUNK) return undefined;
    return this.#attempt(() => {
      const { counter, buffer } = this.#open();
      const tokens = counter.countOn(buffer.put(text), token);
      return tokens < 0 ? undefined : tokens;
    });
  }

  get bytes(): number {
    return this.#engine.memoryBytes + (this.#vocabulary?.byteLength ?? 0);
  }

  dispose(): void {
    this.#retire();
    this.#vocabulary = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #count(text: string): number {
    if (typeof text !== 'string') {
      throw wrongArgument('text', text, 'a string');
    }
    return this.#attempt(() => {
      if (text.length > CHUNK) return this.#feed(text).total();
      const { counter, buffer } = this.#open();
      return counter.whole(buffer.put(text));
    });
  }

  #feed(text: string): Counter {
    const { counter, buffer } = this.#open();
    buffer.feed(text, (bytes) => counter.feed(bytes));
    return counter;
  }

  /** The live instance's part; it is made again after a trap. */
  #open(): Live {
    const { instance } = this.#engine;
    return this.#engine.current === instance && this.#live?.buffer.memory === instance.memory
      ? this.#live
      : (this.#live = this.#make(instance));
  }

  #make(instance: TokensInstance): Live {
    const counter = new instance.glue.Counter(this.encoding, this.#vocabulary as Uint8Array);
    return { counter, buffer: new TextBuffer(instance) };
  }

  #checkOpen(): void {
    if (this.#vocabulary === undefined)
      throw densifyError('disposed', 'the tokenizer was disposed; create another one');
  }

  #attempt<T>(action: () => T): T {
    this.#checkOpen();
    const done = attempt(this.#engine, action);
    // A wasm memory never shrinks: what one immense word took goes with the instance.
    if (this.#engine.memoryBytes > MOST_MEMORY) this.#retire();
    return done;
  }

  #retire(): void {
    this.#engine.retire();
    this.#live = undefined;
    this.#bounder.forget();
  }
}

/** How many merges a vocabulary says it has. */
function mergesOf({ buffer, byteOffset, byteLength }: Uint8Array): number | undefined {
  return byteLength < 4 ? undefined : new DataView(buffer, byteOffset).getUint32(0, true);
}
