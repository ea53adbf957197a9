import { wrongArgument } from '../base/options.js';
import { unpackBounds } from '../core/bounds.js';
import type { Engine } from '../core/engine.js';
import type { TokenBounds } from '../types.js';
import type { TokensGlue, TokensInstance } from '../wasm/tokens.js';
import { attempt, CHUNK, TextBuffer } from './buffer.js';

/** Bounds texts in the instances of an engine. */
export class Bounder {
  readonly #engine: Engine<TokensGlue>;
  #instance: TokensInstance | undefined;
  #buffer: TextBuffer | undefined;

  constructor(engine: Engine<TokensGlue>) {
    this.#engine = engine;
  }

  /** Lets go of an instance that was given up. */
  forget(): void {
    this.#instance = undefined;
    this.#buffer = undefined;
  }

  bounds(text: string): TokenBounds {
    if (typeof text !== 'string') {
      throw wrongArgument('text', text, 'a string');
    }
    return attempt(this.#engine, () => {
      const { instance } = this.#engine;
      if (this.#buffer === undefined || this.#instance !== instance) {
        this.#instance = instance;
        this.#buffer = new TextBuffer(instance);
      }
      const buffer = this.#buffer;
      const { glue } = instance;
      let packed = 0;
      if (text.length <= CHUNK) packed = glue.bound(buffer.put(text), true);
      else buffer.feed(text, (bytes, isFirst) => (packed = glue.bound(bytes, isFirst)));
      return unpackBounds(packed);
    });
  }
}
