import type { EditBook } from './edit-book.js';
import { DROPPED, type LiveList } from './live-list.js';

/** Counts messages, each by itself. */
export interface Counter<M> {
  tokensOf(message: M): number;
  dispose(): void;
}

/**
 * The tokens that the waiting edits will save: the core's books have them made. Each message is priced once for its
 * waiting edits, so a caller who asks after each turn pays only for new ones.
 */
export class HeldBack<M> {
  readonly #book: EditBook<M>;
  readonly #live: LiveList<M>;
  readonly #counter: () => Counter<M>;
  /** The savings in each priced message. */
  readonly #saved = new Map<number, number>();
  /** The messages whose waiting edits changed since. */
  readonly #changed = new Set<number>();
  #total = 0;

  constructor(book: EditBook<M>, live: LiveList<M>, counter: () => Counter<M>) {
    this.#book = book;
    this.#live = live;
    this.#counter = counter;
  }

  /** Notes that a message's edits changed. */
  touch(index: number): void {
    if (this.#book.pending.has(index) || this.#saved.has(index)) this.#changed.add(index);
  }

  /** Notes that anything may have changed. */
  forget(): void {
    this.#saved.clear();
    this.#changed.clear();
    this.#total = 0;
    for (const index of this.#book.pending) this.#changed.add(index);
  }

  /** What waits, in tokens. */
  tokens(): number {
    if (this.#changed.size === 0) return this.#total;
    const counter = this.#counter();
    try {
      for (const index of this.#changed) {
        const saved = this.#book.pending.has(index) ? this.#price(index, counter) : 0;
        // From here on nothing is called that may throw.
        this.#total += saved - (this.#saved.get(index) ?? 0);
        if (saved === 0) this.#saved.delete(index);
        else this.#saved.set(index, saved);
        this.#changed.delete(index);
      }
      return this.#total;
    } finally {
      counter.dispose();
    }
  }

  #price(index: number, counter: Counter<M>): number {
    const costs = (message: M | typeof DROPPED): number => (message === DROPPED ? 0 : counter.tokensOf(message));
    return costs(this.#live.entries[index] as M | typeof DROPPED) - costs(this.#book.afterFlush(index));
  }
}
