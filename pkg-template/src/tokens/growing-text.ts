import { wrongArgument } from '../base/options.js';
import { isHighSurrogate } from '../base/utf16.js';

/** The count of a text that grows, such as an answer that is streamed. It is state of its caller's alone. */
export interface GrowingText {
  /** Adds to the text. */
  append(text: string): void;
  /** The tokens of the text so far. Only the part after the last safe boundary is counted again. */
  readonly tokens: number;
  /** The text's length in UTF-16 code units. */
  readonly length: number;
}

/** Up to this many code units are counted again each time, without a search for a boundary. */
const LEAST = 256;
/** How many bytes before its end a long piece is resumed, at first. It is four times as many after each failure. */
const WINDOW = 64;
/** The most code units of a piece that is resumed: the module cuts pieces of more than 1 MiB. */
const LONGEST = 300_000;

/** The place within a piece to resume at. All before it is settled as long as `token` begins there. */
export interface Anchor {
  readonly token: number;
  /** How many tokens come before it in the piece. */
  readonly tokens: number;
  /** How many code units. */
  readonly units: number;
}

/** The beginning of a text that more text can't change. */
export interface Settled {
  readonly tokens: number;
  /** The code units after it. */
  readonly open: number;
  readonly anchor?: Anchor;
}

/** The counter behind a growing text. */
interface Counting {
  /** The tokens of a whole text. */
  count(text: string): number;
  /** The settled beginning of a text; in one long piece, an anchor at least `window` bytes before its end. */
  settle(text: string, window: number): Settled;
  /** The tokens of a text that continues an anchor; `undefined` if the new text changes those before it. */
  countOn(text: string, token: number): number | undefined;
}

/** What is settled of a piece, and must be counted again if more text changes it. */
interface Behind {
  readonly token: number;
  readonly tokens: number;
  readonly text: string;
}

export class GrowingCount implements GrowingText {
  readonly #tokenizer: Counting;
  #settled = 0;
  /** The end of the text, which more text could change. */
  #open = '';
  /** The part of the open piece before `#open`. */
  #behind: Behind | undefined;
  #window = WINDOW;
  /** The length of `#open` at which it is settled again: twice its length after the last time. */
  #limit = LEAST;
  #tokens: number | undefined = 0;
  #length = 0;

  constructor(tokenizer: Counting) {
    this.#tokenizer = tokenizer;
  }

  append(text: string): void {
    if (typeof text !== 'string') {
      throw wrongArgument('text', text, 'a string');
    }
    if (text === '') return;
    this.#open += text;
    this.#length += text.length;
    this.#tokens = undefined;
    if (this.#open.length >= this.#limit) this.#settle();
  }

  get tokens(): number {
    return (this.#tokens ??= this.#total());
  }

  get length(): number {
    return this.#length;
  }

  /** The tokens of the open part; `undefined` if it changes those before it. */
  #countOn(text: string): number | undefined {
    if (this.#behind === undefined) return this.#tokenizer.count(text);
    const { token, text: before } = this.#behind;
    return before.length + text.length > LONGEST ? undefined : this.#tokenizer.countOn(text, token);
  }

  #total(): number {
    const tokens = this.#countOn(this.#open);
    if (tokens !== undefined) return this.#settled + tokens;
    this.#reopen();
    const total = this.#settled + this.#tokenizer.count(this.#open);
    this.#settle();
    return total;
  }

  /** The text before the open part is not settled yet. */
  #reopen(): void {
    const { tokens = 0, text = '' } = this.#behind ?? {};
    this.#settled -= tokens;
    this.#open = text + this.#open;
    this.#behind = undefined;
    this.#window *= 4;
  }

  #settle(): void {
    // Half a character may be completed by what comes.
    const half = isHighSurrogate(this.#open.charCodeAt(this.#open.length - 1)) ? 1 : 0;
    if (this.#behind !== undefined && this.#countOn(this.#open.slice(0, this.#open.length - half)) === undefined)
      this.#reopen();
    const end = this.#open.length - half;
    const { tokens, open, anchor } = this.#tokenizer.settle(this.#open.slice(0, end), this.#window);
    if (open < end) this.#behind = undefined;
    this.#settled += tokens;
    this.#open = this.#open.slice(end - open);
    const behind = this.#behind?.text ?? '';
    if (anchor !== undefined && behind.length + this.#open.length <= LONGEST) {
      this.#settled += anchor.tokens;
      const before = this.#behind?.tokens ?? 0;
      const text = behind + this.#open.slice(0, anchor.units);
      this.#behind = { token: anchor.token, tokens: before + anchor.tokens, text };
      this.#open = this.#open.slice(anchor.units);
    }
    this.#limit = Math.max(LEAST, 2 * this.#open.length);
  }
}
