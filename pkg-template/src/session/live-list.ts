/** Stands for a message that is gone. */
export const DROPPED = Symbol('dropped');

/**
 * The messages of a history as they are now, and the list of those that are left. The list is
 * kept up to the oldest message that changed since it was last asked for, since most changes are
 * near the end: a copy of it costs next to nothing.
 */
export class LiveList<M> {
  readonly #entries: (M | typeof DROPPED)[] = [];
  /** Makes changes that wait until somebody looks. */
  #late: (() => void) | undefined;
  readonly #list: M[] = [];
  /** The number of entries that the list was made from, and the number of messages in it. */
  #entriesListed = 0;
  #messagesListed = 0;

  /** Each message as it is now, by its index in the raw history. */
  get entries(): readonly (M | typeof DROPPED)[] {
    this.#catchUp();
    return this.#entries;
  }

  push(message: M): void {
    this.#entries.push(message);
  }

  /** Has changes made once somebody looks: what is stored is often restored only to be added to. */
  later(change: () => void): void {
    this.#unlist(0);
    this.#late = change;
  }

  #catchUp(): void {
    const late = this.#late;
    if (late === undefined) return;
    this.#late = undefined; // making messages may call their accessors, and those may look
    try {
      late();
    } catch (thrown) {
      this.#late = late;
      throw thrown;
    }
  }

  /** Notes that an entry is about to change. */
  touch(index: number): void {
    this.#unlist(index);
  }

  /** Changes an entry. */
  set(index: number, message: M | typeof DROPPED): void {
    this.#unlist(index);
    this.#entries[index] = message;
  }

  /** Changes an entry that was touched. */
  put(index: number, message: M | typeof DROPPED): void {
    this.#entries[index] = message;
  }

  /** Forgets all entries but the first `count`. */
  truncate(count: number): void {
    this.#unlist(count);
    this.#entries.length = count;
  }

  /** The messages that are left, as a list that is the caller's. */
  toList(): M[] {
    return this.#update().slice();
  }

  /** Whether a list holds just the messages that are left. */
  equals(messages: readonly M[]): boolean {
    const list = this.#update();
    return list.length === messages.length && list.every((message, at) => message === messages[at]);
  }

  /**
   * How many messages are left of the first `count` entries if a list begins with just these, else -1. Whether the
   * list lacks what was dropped right before the end can't be told here: then -1 too.
   */
  matchStart(messages: readonly M[], count: number): number {
    const { entries } = this;
    if (entries[count - 1] === DROPPED) return -1;
    const list = this.#update();
    let left = list.length;
    for (let at = count; at < entries.length; at += 1) if (entries[at] !== DROPPED) left -= 1;
    if (left > messages.length) return -1;
    let at = 0;
    while (at < left && messages[at] === list[at]) at += 1;
    return at === left ? left : -1;
  }

  /** So many messages are left of the first `count` entries. */
  countBefore(count: number): number {
    const { entries } = this;
    let left = 0;
    for (let at = 0; at < count; at += 1) if (entries[at] !== DROPPED) left += 1;
    return left;
  }

  #update(): M[] {
    const list = this.#list;
    const { entries } = this;
    list.length = this.#messagesListed;
    for (let at = this.#entriesListed; at < entries.length; at += 1) {
      const message = entries[at] as M | typeof DROPPED;
      if (message !== DROPPED) list.push(message);
    }
    this.#entriesListed = entries.length;
    this.#messagesListed = list.length;
    return list;
  }

  #unlist(index: number): void {
    while (this.#entriesListed > index) {
      this.#entriesListed -= 1;
      if (this.#entries[this.#entriesListed] !== DROPPED) this.#messagesListed -= 1;
    }
  }
}
