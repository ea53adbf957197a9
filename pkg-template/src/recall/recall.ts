import { densifyError } from '../errors.js';
import { describe } from '../settings.js';
import { isHighSurrogate } from '../utf16.js';
import { isReference, References } from './references.js';
import { memoryStore, readSnapshot, type RecallEntry, type RecallSnapshot, type RecallStore } from './store.js';

/** Options of `createRecall`. */
export interface RecallOptions {
  /**
   * What references are made with: at least 16 bytes that no tool can know, one for each conversation, such as
   * `crypto.randomUUID()`. Keep it with the conversation: another secret makes other references.
   */
  readonly secret: string | Uint8Array;
  /**
   * Where what was cut is kept.
   *
   * @default a store in memory
   */
  readonly store?: RecallStore | undefined;
  /**
   * A snapshot of an earlier one, which is put into the store.
   *
   * @default none
   */
  readonly snapshot?: RecallSnapshot | undefined;
  /**
   * Most UTF-16 code units that come back at once; at least 100.
   *
   * @default 8000
   */
  readonly maxCharacters?: number | undefined;
}

/** A piece of what was cut. It is data: what tools or users said earlier, and no instruction. */
export interface Recalled {
  readonly reference: string;
  readonly text: string;
  /** Where the piece begins, and how long all of it is, in UTF-16 code units. */
  readonly offset: number;
  readonly length: number;
  /** Where the next piece begins, if there is one. */
  readonly next?: number;
  readonly cause: RecallEntry['cause'];
  readonly tool?: string;
}

/** Where a text was found. */
export interface RecallMatch extends Recalled {
  /** Where it stands, in UTF-16 code units. */
  readonly at: number;
}

/** Keeps what was cut, and gives it back. */
export interface Recall {
  /** Keeps a text; the reference by which it can be had again. What was forgotten isn't kept any more. */
  keep(text: string, about: Omit<RecallEntry, 'text'>): string;
  /** A piece of what a reference stands for; nothing for a reference that was never given out, or forgotten. */
  recall(reference: string, offset?: number): Recalled | undefined;
  /** Where a text stands, newest first, upper and lower case alike. */
  search(text: string, limit?: number): readonly RecallMatch[];
  /** Erases what a reference stands for, for good: also from every later snapshot. */
  forget(reference: string): boolean;
  /** Everything that is kept, as plain JSON. */
  snapshot(): RecallSnapshot;
}

const MOST = 8_000;
/** Around a match so much is shown. */
const AROUND = 200;
const KEYS = ['secret', 'store', 'snapshot', 'maxCharacters'];

/**
 * Makes what keeps the things that are cut from one conversation.
 *
 * @example
 * const recall = createRecall({ secret: crypto.randomUUID() });
 * const conversation = createConversation({ strategy: 'auto', contextLimit: 200_000, recall });
 */
export function createRecall(options: RecallOptions): Recall {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) {
    throw densifyError('invalid-options', `options: found ${describe(given)}, expected an object`);
  }
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const message = `option ${unknown}: found an unknown key, expected one of ${KEYS.join(', ')}`;
    throw densifyError('invalid-options', message, { key: unknown });
  }
  return new KeptTexts(options);
}

class KeptTexts implements Recall {
  readonly #references: References;
  readonly #store: RecallStore;
  readonly #most: number;
  readonly #forgotten = new Set<string>();

  constructor({ secret, store = memoryStore(), snapshot, maxCharacters = MOST }: RecallOptions) {
    if (!(Number.isFinite(maxCharacters) && maxCharacters >= 100)) {
      const message = `option maxCharacters: found ${describe(maxCharacters)}, expected a number of at least 100`;
      throw densifyError('invalid-options', message, { key: 'maxCharacters' });
    }
    this.#references = new References(secret);
    this.#store = store;
    this.#most = Math.floor(maxCharacters);
    for (const reference of store.forgotten?.() ?? []) this.#forgotten.add(reference);
    if (snapshot === undefined) return;
    const { entries, forgotten } = readSnapshot(snapshot);
    for (const reference of forgotten) this.forget(reference);
    // Whose reference isn't that of its text was put in by somebody else.
    for (const [reference, entry] of entries) {
      if (!this.#forgotten.has(reference) && this.#isOwn(reference, entry)) this.#store.set(reference, entry);
    }
  }

  #isOwn(reference: string, { text }: RecallEntry): boolean {
    return this.#references.of(text) === reference;
  }

  keep(text: string, about: Omit<RecallEntry, 'text'>): string {
    const reference = this.#references.of(text);
    const isNew = !this.#forgotten.has(reference) && this.#store.get(reference) === undefined;
    if (isNew) this.#store.set(reference, { ...about, text });
    return reference;
  }

  recall(reference: string, offset = 0): Recalled | undefined {
    const entry = isReference(reference) ? this.#store.get(reference) : undefined;
    // The store may have been anywhere meanwhile.
    if (entry === undefined || !this.#isOwn(reference, entry)) return undefined;
    const from = Number.isInteger(offset) && offset > 0 ? Math.min(offset, entry.text.length) : 0;
    return this.#piece(reference, entry, from, from + this.#most);
  }

  #piece(reference: string, { text, cause, tool }: RecallEntry, from: number, to: number): Recalled {
    const [start, end] = [whole(text, from), whole(text, Math.min(to, text.length))];
    return {
      reference,
      text: text.slice(start, end),
      offset: start,
      length: text.length,
      ...(end < text.length ? { next: end } : {}),
      cause,
      ...(tool === undefined ? {} : { tool }),
    };
  }

  search(text: string, limit = 10): readonly RecallMatch[] {
    const wanted = text.toLowerCase();
    if (wanted === '') return [];
    const matches: RecallMatch[] = [];
    let left = this.#most;
    for (const [reference, entry] of [...this.#store.entries()].reverse()) {
      const at = entry.text.toLowerCase().indexOf(wanted);
      if (at < 0 || matches.length >= limit || !this.#isOwn(reference, entry)) continue;
      const around = Math.min(AROUND, left);
      const piece = this.#piece(reference, entry, Math.max(0, at - around), at + around);
      if ((left -= piece.text.length) < 0) break;
      matches.push({ ...piece, at });
    }
    return matches;
  }

  forget(reference: string): boolean {
    if (!isReference(reference)) return false;
    this.#forgotten.add(reference);
    return this.#store.delete(reference);
  }

  snapshot(): RecallSnapshot {
    return { version: 1, entries: [...this.#store.entries()], forgotten: [...this.#forgotten] };
  }
}

/** The place, or the one before it if it lies inside a character. */
function whole(text: string, at: number): number {
  return at > 0 && at < text.length && isHighSurrogate(text.charCodeAt(at - 1)) ? at - 1 : at;
}
