import type { Adapter, KnownCall, ShrinkText } from '../adapter.js';
import { note } from '../recall/note.js';
import type { Recall, RecallEntry } from '../recall/index.js';
import { aboutCall } from '../recall/subject.js';
import type { Redact } from '../summary/redaction.js';

/** Stands where something was that is to be kept no more. */
const FORGOTTEN = '[forgotten]';
/** A result's call is looked for in so many messages before it. */
const NEAR = 64;

/** Keeps what is cut from a conversation, if its host wants that. */
export class Cuts<M> {
  readonly #adapter: Adapter<M>;
  readonly #recall: Recall | undefined;
  readonly #redact: Redact;
  #failure: { readonly error: unknown } | undefined;

  constructor(adapter: Adapter<M>, recall: Recall | undefined, redact: Redact) {
    this.#adapter = adapter;
    this.#recall = recall;
    this.#redact = redact;
  }

  /** What went wrong with keeping since this was last asked: a store that fails stops no conversation. */
  takeFailure(): { readonly error: unknown } | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Something couldn't be kept. */
  failed(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Keeps one of some messages, which is edited. */
  edited(messages: readonly M[], index: number): void {
    if (this.#recall !== undefined && index < messages.length) this.#keepMessage(messages, index, 'edit');
  }

  /** Keeps the messages that a summary stands for, each by itself; the note where all of them are. */
  readonly summarised = (messages: readonly M[]): string => {
    if (this.#recall === undefined) return '';
    const all = json(messages.map((_, at) => this.#keepMessage(messages, at, 'summary')));
    const reference = all === undefined ? undefined : this.#keep(all, { cause: 'summary' });
    return reference === undefined || !this.#isKept(reference) ? '' : `\n\n${note(reference)}`;
  };

  /** Whether a reference stands for something that is still kept, and messages name it. */
  isNamedBy(reference: string, messages: readonly M[]): boolean {
    return this.#isKept(reference) && (json(messages) ?? '').includes(note(reference));
  }

  #isKept(reference: string): boolean {
    try {
      return this.#recall?.recall(reference) !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * The results of a message as they are read, and the message itself, with references in their places. What comes back is
   * the message without results that were forgotten.
   */
  #keepMessage(messages: readonly M[], index: number, cause: 'edit' | 'summary'): M {
    const message = messages[index] as M;
    const forgotten = new Set<string>();
    const rest = this.#withResults(message, (text, tool, id) => {
      const call = this.#callOf(messages, index, id);
      const reference = this.#keep(text, { cause, ...aboutCall(tool, call, this.#redact) });
      if (reference === undefined) return undefined;
      if (this.#isKept(reference)) return note(reference);
      forgotten.add(text);
      return FORGOTTEN;
    });
    const written = json(rest);
    if (written !== undefined) this.#keep(written, { cause });
    if (forgotten.size === 0) return message;
    return this.#withResults(message, (text) => (forgotten.has(text) ? FORGOTTEN : undefined));
  }

  /** What can't be read stays as it is. */
  #withResults(message: M, change: ShrinkText): M {
    try {
      return this.#adapter.withResults(message, change);
    } catch {
      return message;
    }
  }

  /** The call that a result answers, if it isn't far from it. */
  #callOf(messages: readonly M[], index: number, id: string): KnownCall | undefined {
    for (let at = index; at >= 0 && at > index - NEAR; at -= 1) {
      try {
        for (const call of this.#adapter.calls(messages[at] as M)) if (call.id === id) return call;
      } catch {
        // What can't be read has no calls.
      }
    }
    return undefined;
  }

  #keep(text: string, about: Omit<RecallEntry, 'text'>): string | undefined {
    try {
      return this.#recall?.keep(text, about);
    } catch (error) {
      this.failed(error);
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
