import type { Adapter } from './adapter.js';
import { DROPPED, type LiveList } from './live-list.js';
import { LoggedEdit, type Run, wordsOf } from './output.js';
import { isStackFull } from './stack.js';

/** What a run changes about one message. */
export interface Change<M> {
  readonly index: number;
  /** All its edits. */
  readonly edits: LoggedEdit[];
  /** The message after those that don't wait, if there are new ones. */
  entry: M | typeof DROPPED | undefined;
  /** Whether some of the new ones wait. */
  waits: boolean;
  /** Whether some of the new ones don't. */
  isMade: boolean;
}

/** The edits of a history, and what they make of its messages. */
export class EditBook<M> {
  /** All edits, by the index of their message. */
  readonly edits = new Map<number, LoggedEdit[]>();
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

  /** Works out what a run changes, and changes nothing. */
  changesOf(run: Run): readonly Change<M>[] {
    const changes = new Map<number, Change<M>>();
    if (run.flush) {
      for (const index of this.pending) {
        changes.set(index, { index, edits: this.#allMade(index), entry: undefined, waits: false, isMade: true });
      }
    }
    for (const edit of run.edits) {
      if (run.flush) edit.pending = false;
      const { index, pending } = edit;
      let change = changes.get(index);
      if (change === undefined) {
        const edits = this.edits.get(index)?.slice() ?? [];
        change = { index, edits, entry: undefined, waits: false, isMade: false };
        changes.set(index, change);
      }
      change.edits.push(edit);
      if (pending) change.waits = true;
      else change.isMade = true;
    }
    const list = [...changes.values()];
    for (const change of list) {
      if (change.isMade) change.entry = this.#edited(change.index, change.edits);
    }
    for (const { index, isMade } of list) if (isMade) this.#live.touch(index);
    return list;
  }

  /**
   * Forgets all messages but the first `count`, and the edits that rest on others. Returns the
   * first message of which an edit is taken back.
   */
  truncate(count: number): number {
    let first = count;
    for (const [index, edits] of this.edits) {
      const kept = index < count ? edits.filter((edit) => edit.cause < count) : [];
      if (kept.length === edits.length) continue;
      if (kept.length > 0) this.edits.set(index, kept);
      else this.edits.delete(index);
      if (!kept.some((edit) => edit.pending)) this.pending.delete(index);
      if (index >= count) continue;
      first = Math.min(first, index);
      this.refresh(index);
    }
    return first;
  }

  /** Applies the edits of a message that don't wait. */
  refresh(index: number): void {
    this.#live.set(index, this.#edited(index, this.edits.get(index) ?? []));
  }

  /** The message as it will be after a flush. */
  afterFlush(index: number): M | typeof DROPPED {
    return this.#edited(index, this.#allMade(index));
  }

  /** All edits as words, for the core to make them again. */
  toWords(): Uint32Array {
    const words: number[] = [];
    for (const edits of this.edits.values()) for (const edit of edits) edit.write(words);
    return Uint32Array.from(words);
  }

  /** Makes edits again that `toWords` gave. */
  load(words: Uint32Array): void {
    for (let at = 0; at < words.length; at += wordsOf(words[at]!)) {
      const edit = new LoggedEdit(words, at, this.#texts);
      const edits = this.edits.get(edit.index);
      if (edits === undefined) this.edits.set(edit.index, [edit]);
      else edits.push(edit);
      if (edit.pending) this.pending.add(edit.index);
    }
    this.#live.later(() => {
      for (const index of this.edits.keys()) this.refresh(index);
    });
  }

  /** A message's edits with none of them waiting. */
  #allMade(index: number): LoggedEdit[] {
    return (this.edits.get(index) ?? []).map((edit) => (edit.pending ? edit.made(this.#texts) : edit));
  }

  /** A message after its edits. One that throws when it is read stays as it is. */
  #edited(index: number, edits: readonly LoggedEdit[]): M | typeof DROPPED {
    const message = this.#raw[index] as M;
    const made = edits.filter((edit) => !edit.pending);
    if (made.length === 0) return message;
    try {
      return this.#adapter.apply(message, made) ?? DROPPED;
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      return message;
    }
  }
}
