import type { TokenCounter, TokenGrowth } from '../types.js';

/** Shorter texts are counted again as quickly as they are found. */
const SHORT = 64;
/** Code units of texts that are remembered; beyond that all are forgotten. */
const MOST = 2 ** 24;

/** A text of the newest message, and its count if it has grown before. */
interface Newest {
  readonly text: string;
  readonly growth: TokenGrowth | undefined;
}

/**
 * The caller's counter, with a memory of its counts: if the last message changes, the history is read again. Of a
 * growing text, such as a streamed answer, only the new part is counted.
 */
export class KnownCounts {
  readonly #countTokens: TokenCounter;
  /** Kept once messages are gone back to: before that nothing is counted twice. */
  #counts: Map<string, unknown> | undefined;
  #size = 0;
  #newest: Newest | undefined;

  constructor(countTokens: TokenCounter) {
    this.#countTokens = countTokens;
  }

  /** From now on counts are kept. */
  keep(): void {
    this.#counts ??= new Map();
  }

  /** The count of a text, also if the caller's counter returns an invalid one. */
  of(text: string, isNewest: boolean): unknown {
    const known = this.#counts?.get(text);
    if (known !== undefined) return known;
    if (!isNewest || text.length < SHORT) return this.#note(text, this.#countTokens(text));
    const grown = this.#grown(text);
    if (grown !== undefined) return grown;
    this.#newest = { text, growth: undefined };
    return this.#note(text, this.#countTokens(text));
  }

  /** The count of a text, if it needs no counting of earlier parts. */
  ifKnown(text: string, isNewest: boolean): unknown {
    return this.#counts?.get(text) ?? (isNewest ? this.#grown(text) : undefined);
  }

  #grown(text: string): unknown {
    const { growing } = this.#countTokens;
    const newest = this.#newest;
    if (growing === undefined || newest === undefined || !text.startsWith(newest.text)) return undefined;
    this.#newest = undefined; // should the counter throw, nothing is known of it
    const growth = newest.growth ?? growing();
    growth.append(newest.growth === undefined ? text : text.slice(newest.text.length));
    const { tokens } = growth;
    this.#newest = { text, growth };
    this.#forget(newest.text);
    return this.#note(text, tokens);
  }

  #note(text: string, count: unknown): unknown {
    if (this.#counts === undefined || text.length < SHORT || typeof count !== 'number') return count;
    this.#size += text.length;
    if (this.#size > MOST) {
      this.#counts.clear();
      this.#size = text.length;
    }
    this.#counts.set(text, count);
    return count;
  }

  #forget(text: string): void {
    if (this.#counts?.delete(text) === true) this.#size -= text.length;
  }
}
