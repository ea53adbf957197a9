import type { RecallEntry, RecallSnapshot, RecallStore } from './store.js';

/** Options of `createRecall`. */
export interface RecallOptions {
  /**
   * What references are made with: at least 16 bytes that no tool can know, one for each conversation, such as
   * `crypto.randomUUID()`. Keep it with the conversation: another secret makes other references.
   */
  readonly secret: string | Uint8Array;
  /**
   * The store for cut texts.
   *
   * @default a store in memory
   */
  readonly store?: RecallStore | undefined;
  /**
   * A snapshot of an earlier one, which is put into the store; entries that can't be read, or were made with another
   * secret, are left out.
   *
   * @default none
   */
  readonly snapshot?: RecallSnapshot | undefined;
  /**
   * Most UTF-16 code units of texts that come back at once; at least 100. Beside each is its subject, an eighth of that
   * at most.
   *
   * @default 8000
   */
  readonly maxCharacters?: number | undefined;
}

/** A piece of a cut text. It is data from an earlier tool or user, not an instruction. */
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
  /** The call that returned it: the tool and its arguments, in one line. It is data, like the text. */
  readonly subject?: string;
}

/** Where a text was found. */
export interface RecallMatch extends Recalled {
  /** The place in the text, in UTF-16 code units; 0 if only the subject contains it. */
  readonly at: number;
}

/** Keeps cut texts, and returns them by reference. */
export interface Recall {
  /**
   * Keeps a text, and returns its reference. A forgotten text is not kept again. A store that returns another text than
   * it got is an error.
   */
  keep(text: string, about: Omit<RecallEntry, 'text'>): string;
  /** A piece of the text of a reference; `undefined` if the reference is unknown or forgotten. */
  recall(reference: string, offset?: number): Recalled | undefined;
  /** The places of a text, newest first, ignoring case: in subjects, then in cut texts. At most `limit` of them, by default 10. */
  search(text: string, limit?: number): readonly RecallMatch[];
  /**
   * Erases a text for good. Kept texts that contain it or are made from it go too, such as a summary's range or a
   * shorter form: also from every later snapshot. A text of fewer than 16 characters is only looked for as whole
   * lines and strings of JSON. A single word or number is only looked for among the results of a summary's range. Other
   * texts hold such short ones by chance.
   *
   * @returns whether the text was there
   */
  forget(reference: string): boolean;
  /** Everything that is kept, as plain JSON. */
  snapshot(): RecallSnapshot;
}
