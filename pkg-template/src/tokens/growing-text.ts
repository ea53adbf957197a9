import { isHighSurrogate } from '../utf16.js';
import type { ExactTokenizer } from './tokenizer.js';

/** The count of a text that grows, such as an answer that is streamed. It is state of its caller's alone. */
export interface GrowingText {
  /** Adds to the text. */
  append(text: string): void;
  /** The tokens of the text as it is: only what is behind the last safe boundary is counted again. */
  readonly tokens: number;
  /** The text's length in UTF-16 code units. */
  readonly length: number;
}

/** So much text is counted again at each look rather than searched for a boundary. */
const LEAST = 1024;

export class GrowingCount implements GrowingText {
  readonly #tokenizer: ExactTokenizer;
  #settled = 0;
  /** What more text could change. */
  #open = '';
  /** How long that must be to be looked at again: twice as long as when that was done last. */
  #limit = LEAST;
  #tokens: number | undefined = 0;
  #length = 0;

  constructor(tokenizer: ExactTokenizer) {
    this.#tokenizer = tokenizer;
  }

  append(text: string): void {
    if (text === '') return;
    this.#open += text;
    this.#length += text.length;
    this.#tokens = undefined;
    if (this.#open.length >= this.#limit) this.#settle();
  }

  get tokens(): number {
    return (this.#tokens ??= this.#settled + this.#tokenizer.count(this.#open));
  }

  get length(): number {
    return this.#length;
  }

  #settle(): void {
    const text = this.#open;
    // Half a character may be completed by what comes.
    const end = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    const { tokens, open } = this.#tokenizer.settle(text.slice(0, end));
    this.#settled += tokens;
    this.#open = text.slice(end - open);
    this.#limit = Math.max(LEAST, 2 * this.#open.length);
  }
}
