import { isStackFull } from '../base/stack.js';
import { LoggedEdit, wordsOf } from '../core/edits.js';
import type { Run } from '../core/output.js';
import type { Adapter } from '../messages/adapter.js';
import { DROPPED, type LiveList } from './live-list.js';

/** What a run changes about one message. */
export interface Change<M> {
  readonly index: number;
  /** All its edits. */
  readonly edits: LoggedEdit[];
  /** The message after those that don't wait, if there are new ones. */
  entry: M | typeof DROPPED | undefined;
  /** Whether some of the new ones don't. */
  isMade: boolean;
}

/** The edits of a history, and what they make of its messages. */
export class EditBook<M> {
  /** All edits, by the index of their message: a list, since filling a map of thousands takes several times as long. */
  readonly #edits: (LoggedEdit[] | undefined)[] = [];
  /** Where among a run's changes a message's would stand; of earlier runs there may be anything. */
  readonly #places: number[] = [];
  /** The messages of which some edits wait. */
  readonly pending = new Set<number>();
  readonly #adapter: Adapter<M>;
  readonly #raw: readonly M[];
  readonly #live: LiveList<M>;
  readonly #texts: readonly string[];

  constructor(adapter: Adapter<M>, raw: readonly M[], live: LiveList<M>, texts: readonly string[]) {
    this.#adapter = adapter;
    this.#raw = raw;
    this.#live = live;
    this.#texts = texts;
  }

  /** Whether no message has edits. */
  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** Edits are of this many messages at most: of the first ones. */
  get end(): number {
    return this.#edits.length;
  }

  /** Whether a message has edits. */
  has(index: number): boolean {
    return this.#edits[index] !== undefined;
  }

  /** Notes a message's edits. */
  put(index: number, edits: LoggedEdit[]): void {
    putAt(this.#edits, index, edits, undefined);
  }

  /** Works out what a run changes, and changes nothing. Edits of earlier runs that it makes join `made`. */
  changesOf(run: Run, made: LoggedEdit[]): readonly Change<M>[] {
    const list: Change<M>[] = [];
    if (run.flush) {
      for (const index of this.pending) {
        const edits = this.#flushed(index, run.from, made);
        if (edits !== undefined) this.#change(list, index, edits).isMade = true;
      }
    }
    for (const edit of run.edits) {
      const { index, pending } = edit;
      let change = list[this.#places[index] ?? -1];
      if (change?.index === index) change.edits.push(edit);
      else {
        const known = this.#edits[index];
        change = this.#change(list, index, known === undefined ? [edit] : [...known, edit]);
      }
      if (!pending) change.isMade = true;
    }
    for (const change of list) {
      if (change.isMade) change.entry = this.#edited(change.index, change.edits);
    }
    for (const { index, isMade } of list) if (isMade) this.#live.touch(index);
    return list;
  }

  /**
   * Forgets all messages but the first `count`, and the edits that rest on others. Returns the first message that loses
   * an edit which was already made.
   */
  truncate(count: number): number {
    let first = count;
    const end = this.#edits.length;
    for (let index = 0; index < end; index += 1) {
      const edits = this.#edits[index];
      if (edits === undefined) continue;
      const kept = index < count ? edits.filter((edit) => edit.cause < count) : [];
      if (kept.length === edits.length) continue;
      this.#edits[index] = kept.length > 0 ? kept : undefined;
      if (!kept.some((edit) => edit.pending)) this.pending.delete(index);
      if (index >= count) continue;
      // A waiting edit has not changed any request yet.
      if (edits.some(({ cause, pending }) => cause >= count && !pending)) first = Math.min(first, index);
      this.refresh(index);
    }
    while (this.#edits.length > 0 && this.#edits.at(-1) === undefined) this.#edits.pop();
    this.#places.length = 0;
    return first;
  }

  /** Applies the edits of a message that don't wait. */
  refresh(index: number): void {
    this.#live.set(index, this.#edited(index, this.#edits[index] ?? []));
  }

  /** The message as it will be after a flush. */
  afterFlush(index: number): M | typeof DROPPED {
    return this.#edited(index, this.#allMade(index));
  }

  /** All edits as words, for the core to make them again. */
  toWords(): Uint32Array {
    const words: number[] = [];
    for (const edits of this.#edits) for (const edit of edits ?? []) edit.write(words);
    return Uint32Array.from(words);
  }

  /** Makes edits again that `toWords` gave. */
  load(words: Uint32Array): void {
    for (let at = 0; at < words.length; at += wordsOf(words[at]!)) {
      const edit = new LoggedEdit(words, at, this.#texts);
      const edits = this.#edits[edit.index];
      if (edits === undefined) this.put(edit.index, [edit]);
      else edits.push(edit);
      if (edit.pending) this.pending.add(edit.index);
    }
    this.#live.later(() => {
      for (let index = 0; index < this.#edits.length; index += 1) if (this.has(index)) this.refresh(index);
    });
  }

  /** Adds the change of another message to a run's. */
  #change(list: Change<M>[], index: number, edits: LoggedEdit[]): Change<M> {
    const change = { index, edits, entry: undefined, isMade: false };
    putAt(this.#places, index, list.length, 0);
    list.push(change);
    return change;
  }

  /** A message's edits after a flush from another one on; nothing if it changes none of them. */
  #flushed(index: number, from: number, made: LoggedEdit[]): LoggedEdit[] | undefined {
    const before = made.length;
    const edits = (this.#edits[index] ?? []).map((edit) => {
      if (!edit.pending || edit.anchor < from) return edit;
      const now = edit.made(this.#texts);
      made.push(now);
      return now;
    });
    return made.length > before ? edits : undefined;
  }

  /** A message's edits with none of them waiting. */
  #allMade(index: number): LoggedEdit[] {
    return (this.#edits[index] ?? []).map((edit) => (edit.pending ? edit.made(this.#texts) : edit));
  }

  /** A message after its edits. One that throws when it is read stays as it is. */
  #edited(index: number, edits: readonly LoggedEdit[]): M | typeof DROPPED {
    const message = this.#raw[index] as M;
    const made = withoutPending(edits);
    if (made.length === 0) return message;
    try {
      return this.#adapter.apply(message, made) ?? DROPPED;
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      return message;
    }
  }
}

/** The edits that don't wait: most often all. */
function withoutPending(edits: readonly LoggedEdit[]): readonly LoggedEdit[] {
  for (const edit of edits) if (edit.pending) return edits.filter(({ pending }) => !pending);
  return edits;
}

/** Puts something in a list, which has no holes: with them it would be a map. */
function putAt<T>(list: T[], index: number, value: T, filler: T): void {
  while (list.length < index) list.push(filler);
  list[index] = value;
}
