import { jsonOf } from '../base/json.js';
import { isStackFull } from '../base/stack.js';
import { aboutCall } from '../messages/about-call.js';
import type { Adapter, KnownCall, ShrinkText } from '../messages/adapter.js';
import type { Recall, RecallEntry } from '../recall/index.js';
import { note } from '../recall/note.js';
import { isReference } from '../recall/references.js';

/** The known origin of a text. */
type About = Pick<RecallEntry, 'tool' | 'subject'>;

/** Stands where something was that is to be kept no more. */
const FORGOTTEN = '[forgotten]';
/** The number of messages before a result in which its call is searched. */
const NEAR = 64;

/** Keeps cut texts, if the host passes `recall`. */
export class Cuts<M> {
  readonly #adapter: Adapter<M>;
  readonly #recall: Recall | undefined;
  readonly #redact: (text: string) => string;
  /** What messages were that edits made of them, where a later run is over these. */
  readonly #origins = new Map<M, M>();
  #failure: { readonly error: unknown } | undefined;
  /** The first message of which something couldn't be kept. */
  #unkept: number | undefined;
  #index = 0;

  constructor(adapter: Adapter<M>, recall: Recall | undefined, redact: (text: string) => string) {
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

  /** The first message of which something couldn't be kept since this was last asked. */
  takeUnkept(): number | undefined {
    const unkept = this.#unkept;
    this.#unkept = undefined;
    return unkept;
  }

  /** Something couldn't be kept. */
  failed(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Keeps one of some messages, which is edited; what it was before is kept already. */
  edited(messages: readonly M[], index: number): void {
    if (this.#recall === undefined || index >= messages.length || this.#origins.has(messages[index] as M)) return;
    this.#index = index;
    this.#keepMessage(messages, index, 'edit');
  }

  /** Notes the new form of a message before the rules run again: cuts refer to its first form. */
  became(message: M, made: M): void {
    this.#origins.set(made, this.#origins.get(message) ?? message);
  }

  /** The reference to a block's text, which is now kept; nothing if it isn't. */
  reference(messages: readonly M[], index: number, text: string): string {
    if (this.#recall === undefined || text === '') return '';
    this.#index = index;
    const { whole, about } = this.#cutFrom(messages, index, text);
    const reference = this.#keep(whole, { cause: 'edit', ...about });
    return isReference(reference) && this.#isKept(reference) ? reference : '';
  }

  /** A result's text as it was before all cuts, and its call; or what a call was made with. */
  #cutFrom(messages: readonly M[], index: number, text: string): { whole: string; about: About } {
    const message = messages[index] as M;
    const results = this.#resultsOf(message);
    const at = results.findIndex((result) => result.text === text);
    const origin = this.#origins.get(message);
    const before = origin === undefined ? [] : this.#resultsOf(origin);
    const whole = before.length === results.length ? (before[at]?.text ?? text) : text;
    // A payload that isn't only a text is told by standing alone.
    const result = results[at] ?? (results.length === 1 ? results[0] : undefined);
    if (result === undefined) return { whole, about: this.#aboutArguments(message, text) };
    const call = this.#callOf(messages, index, result.id);
    return { whole, about: aboutCall(result.tool, call, this.#redact) };
  }

  #resultsOf(message: M): { readonly text: string; readonly tool: string; readonly id: string }[] {
    const results: { text: string; tool: string; id: string }[] = [];
    this.#withResults(message, (text, tool, id) => {
      results.push({ text, tool, id });
      return undefined;
    });
    return results;
  }

  #aboutArguments(message: M, text: string): About {
    try {
      for (const call of this.#adapter.calls(message)) {
        if (jsonOf(call.parameters) === text) return aboutCall(call.name, call, this.#redact);
      }
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
    }
    return {};
  }

  /** Keeps the messages that a summary stands for, each by itself; the note where all of them are. */
  readonly summarised = (messages: readonly M[]): string => {
    if (this.#recall === undefined) return '';
    const all = jsonOf(messages.map((_, at) => this.#keepMessage(messages, at, 'summary')));
    const reference = all === undefined ? undefined : this.#keep(all, { cause: 'summary' });
    return reference === undefined || !this.#isKept(reference) ? '' : `\n\n${note(reference)}`;
  };

  /** Whether a reference stands for something that is still kept, and messages name it. */
  isNamedBy(reference: string, messages: readonly M[]): boolean {
    return this.#isKept(reference) && (jsonOf(messages) ?? '').includes(note(reference));
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
    const written = jsonOf(rest);
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
      this.#unkept ??= this.#index;
      return undefined;
    }
  }
}
