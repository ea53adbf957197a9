import type { Adapter } from '../adapter.js';
import { note } from '../recall/note.js';
import type { Recall, RecallEntry } from '../recall/index.js';

/** Keeps what is cut from a conversation, if its host wants that. */
export class Cuts<M> {
  readonly #adapter: Adapter<M>;
  readonly #recall: Recall | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(adapter: Adapter<M>, recall: Recall | undefined) {
    this.#adapter = adapter;
    this.#recall = recall;
  }

  /** What went wrong with keeping since this was last asked: a store that fails stops no conversation. */
  takeFailure(): { readonly error: unknown } | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Keeps a message that is edited. */
  edited(message: M | undefined): void {
    if (this.#recall !== undefined && message !== undefined) this.#keepMessage(message, 'edit');
  }

  /** Keeps the messages that a summary stands for, each by itself; the note where all of them are. */
  readonly summarised = (messages: readonly M[]): string => {
    if (this.#recall === undefined) return '';
    for (const message of messages) this.#keepMessage(message, 'summary');
    const all = json(messages);
    const reference = all === undefined ? undefined : this.#keep(all, { cause: 'summary' });
    return reference === undefined ? '' : `\n\n${note(reference)}`;
  };

  /** The results of a message as they are read, and the message itself, with references in their places. */
  #keepMessage(message: M, cause: 'edit' | 'summary'): void {
    let rest = message;
    try {
      rest = this.#adapter.withResults(message, (text, tool) => {
        const reference = this.#keep(text, { cause, ...(tool === '' ? {} : { tool }) });
        return reference === undefined ? undefined : note(reference);
      });
    } catch {
      // What can't be read is kept as it is written, if it can be.
    }
    const written = json(rest);
    if (written !== undefined) this.#keep(written, { cause });
  }

  #keep(text: string, about: Omit<RecallEntry, 'text'>): string | undefined {
    try {
      return this.#recall?.keep(text, about);
    } catch (error) {
      this.#failure ??= { error };
      return undefined;
    }
  }
}

function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // what JSON can't hold is the host's to keep
  }
}
