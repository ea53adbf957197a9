import { failedTwice, fromHere } from '../base/errors.js';
import { isStackFull } from '../base/stack.js';
import { coders } from '../base/utf8.js';
import { chunkEnd } from '../base/utf16.js';
import { type Engine, Trapped } from '../core/engine.js';
import type { TokensGlue, TokensInstance } from '../wasm/tokens.js';

/** UTF-16 code units of a chunk. Each takes at most three bytes, and the module's buffer holds three times as many. */
export const CHUNK = 65_536;
const encoder = new coders.TextEncoder();

/** The buffer of an instance, through which texts arrive in it. */
export class TextBuffer {
  readonly memory: WebAssembly.Memory;
  readonly #address: number;
  readonly #length: number;
  /** A view of the memory; made again when the memory grew. */
  #bytes = new Uint8Array(0);

  constructor({ glue, memory }: TokensInstance) {
    const [address = 0, length = 0] = glue.textBuffer();
    this.memory = memory;
    this.#address = address;
    this.#length = length;
  }

  /** Puts a text of at most one chunk there; returns its bytes. */
  put(text: string): number {
    if (this.#bytes.buffer !== this.memory.buffer)
      this.#bytes = new Uint8Array(this.memory.buffer, this.#address, this.#length);
    return encoder.encodeInto(text, this.#bytes).written;
  }

  /** Hands a text over, cut between characters. */
  feed(text: string, take: (bytes: number, isFirst: boolean) => void): void {
    for (let from = 0; from < text.length; ) {
      const to = chunkEnd(text, from, CHUNK);
      take(this.put(text.slice(from, to)), from === 0);
      from = to;
    }
  }
}

/** Runs an action in the live instance, and once more in a new one if that has trapped. */
export function attempt<T>(engine: Engine<TokensGlue>, action: () => T): T {
  try {
    return engine.guard(action);
  } catch (thrown) {
    if (!(thrown instanceof Trapped)) throw fromHere(thrown);
    if (isStackFull(thrown.cause)) throw thrown.cause;
  }
  try {
    return engine.guard(action);
  } catch (cause) {
    if (!(cause instanceof Trapped)) throw fromHere(cause);
    throw failedTwice({ cause });
  }
}
