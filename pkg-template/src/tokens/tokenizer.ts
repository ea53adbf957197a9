import { type Engine, Trapped } from '../engine.js';
import { densifyError, fromHere } from '../errors.js';
import type { Counter } from '../generated/tokens.js';
import { describe } from '../settings.js';
import { isStackFull } from '../stack.js';
import type { TokensGlue, TokensInstance } from '../wasm/tokens.js';
import { isHighSurrogate } from '../utf16.js';
import { GrowingCount, type GrowingText } from './growing-text.js';

/** The encodings whose vocabularies are public. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** Counts the tokens of texts. It has an instance of its module to itself. */
export interface Tokenizer {
  /** The encoding. */
  readonly encoding: Encoding;
  /**
   * The tokens of a text; a lone surrogate counts as U+FFFD, which is what UTF-8 makes of it. The function
   * is bound: it can be passed on as `countTokens`.
   */
  readonly count: (text: string) => number;
  /** The tokens of a text that is in parts, as if they were joined. */
  countChunks(chunks: Iterable<string>): number;
  /** A count for a text that grows: each addition costs what is new. */
  growingText(): GrowingText;
  /** Bytes held: the instance's memory and the vocabulary. */
  readonly bytes: number;
  /** Gives the memory back; a later count is the error `disposed`. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** UTF-16 code units of a chunk; at most three bytes each, which is the module's buffer. */
const CHUNK = 65_536;
const encoder = new TextEncoder();
/** Bytes of the vocabularies: six for each merge. */
const SIZES: Readonly<Record<Encoding, number>> = { o200k_base: 6 * 199_742, cl100k_base: 6 * 100_000 };

/** What there is of a tokenizer in an instance. */
interface Live {
  readonly counter: Counter;
  readonly memory: WebAssembly.Memory;
  readonly address: number;
  readonly length: number;
  /** Of the memory that was there when it was made. */
  buffer: Uint8Array;
}

/** The exact counts, on an instance that is made anew after a trap. */
export class ExactTokenizer implements Tokenizer {
  readonly encoding: Encoding;
  readonly count: (text: string) => number;
  readonly #engine: Engine<TokensGlue>;
  #vocabulary: Uint8Array | undefined;
  #live: Live | undefined;

  constructor(engine: Engine<TokensGlue>, encoding: Encoding, vocabulary: Uint8Array) {
    if (vocabulary.byteLength !== SIZES[encoding]) {
      const message = `vocabulary: found ${vocabulary.byteLength} bytes, expected the ${SIZES[encoding]} of ${encoding}`;
      throw densifyError('invalid-options', message, { key: 'vocabulary' });
    }
    this.#engine = engine;
    this.encoding = encoding;
    this.#vocabulary = vocabulary;
    this.count = (text) => this.#count(text);
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

  /** The tokens of a text's beginning that more text can't change, and the code units of the rest. */
  settle(text: string): { readonly tokens: number; readonly open: number } {
    return this.#attempt(() => {
      const { counter } = this.#feed(text);
      const settled = { tokens: counter.settled(), open: counter.open() };
      counter.total(); // the next text begins
      return settled;
    });
  }

  get bytes(): number {
    return this.#engine.memoryBytes + (this.#vocabulary?.byteLength ?? 0);
  }

  dispose(): void {
    this.#engine.retire();
    this.#live = undefined;
    this.#vocabulary = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #count(text: string): number {
    if (typeof text !== 'string') {
      throw densifyError('invalid-options', `text: found ${describe(text)}, expected a string`, { key: 'text' });
    }
    return this.#attempt(() => {
      if (text.length > CHUNK) return this.#feed(text).counter.total();
      const live = this.#open();
      return live.counter.whole(encoder.encodeInto(text, bufferOf(live)).written);
    });
  }

  /** Hands a text over, cut between characters. */
  #feed(text: string): Live {
    const live = this.#open();
    for (let from = 0; from < text.length; ) {
      let to = Math.min(from + CHUNK, text.length);
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
      live.counter.feed(encoder.encodeInto(text.slice(from, to), bufferOf(live)).written);
      from = to;
    }
    return live;
  }

  /** The live instance's part; it is made anew after a trap. */
  #open(): Live {
    const { instance } = this.#engine;
    return this.#engine.current === instance && this.#live?.memory === instance.memory
      ? this.#live
      : (this.#live = this.#make(instance));
  }

  #make({ glue, memory }: TokensInstance): Live {
    const counter = new glue.Counter(this.encoding, this.#vocabulary as Uint8Array);
    const [address = 0, length = 0] = glue.textBuffer();
    return { counter, memory, address, length, buffer: new Uint8Array(0) };
  }

  /** Does something in the instance, and once more in a new one if that has trapped. */
  #attempt<T>(action: () => T): T {
    if (this.#vocabulary === undefined) throw densifyError('disposed', 'the tokenizer was disposed');
    try {
      return this.#engine.guard(action);
    } catch (thrown) {
      if (!(thrown instanceof Trapped)) throw fromHere(thrown);
      if (isStackFull(thrown.cause)) throw thrown.cause;
    }
    try {
      return this.#engine.guard(action);
    } catch (cause) {
      if (!(cause instanceof Trapped)) throw fromHere(cause);
      throw densifyError('core-failed', 'the core failed twice on this input, most likely for want of memory', {
        cause,
      });
    }
  }
}

function bufferOf(live: Live): Uint8Array {
  // Memory that has grown leaves views of it empty.
  if (live.buffer.length === 0) live.buffer = new Uint8Array(live.memory.buffer, live.address, live.length);
  return live.buffer;
}
