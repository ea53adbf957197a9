import { densifyError } from '../base/errors.js';
import { isPromise } from '../base/options.js';
import type { SummaryOptions, Todo } from '../summary/types.js';

/** Todo items as agents keep them: a list, or the text that a request shows. */
export type TodoItems = readonly Todo[] | string;

/** Where a conversation has the todo items from. */
export type TodoSource = TodoItems | (() => TodoItems | undefined | PromiseLike<TodoItems | undefined>);

/** `prepare` waits at most this many milliseconds for todo items: without them a summary is only less good. */
export const TODO_PATIENCE = 5000;

/** What is known of a source. */
interface Known {
  last: TodoItems | undefined;
  /** Whether the source answered with a promise; nothing before it was asked. */
  isAsync?: boolean;
  /** The answer that hasn't come yet. */
  awaited?: Promise<void> | undefined;
  /** Whether an answer took too long: nobody waits until one has come. */
  isLate?: boolean;
  /** The number of the newest call of the source, and of the one whose answer came last. */
  asked: number;
  answered: number;
  /** Whether answers are awaited before the items are needed. */
  isRefreshed?: boolean;
  failed: (error: unknown) => void;
}

/** The todo items of a conversation. A source that fails never keeps a turn from going on. */
export class Todos {
  readonly #source: TodoSource | undefined;
  readonly #check: (items: TodoItems) => void;
  #known: Known;

  /** `check` throws for items that can't be shown; `failed` hears why there are none. */
  constructor(source: TodoSource | undefined, check: (items: TodoItems) => void, failed: (error: unknown) => void) {
    this.#source = source;
    this.#check = check;
    this.#known = { last: typeof source === 'function' ? undefined : source, asked: 0, answered: 0, failed };
  }

  /** Whether there is a function to ask. */
  get hasSource(): boolean {
    return typeof this.#source === 'function';
  }

  /** Whether another one has the same source. */
  isAs(other: Todos): boolean {
    return other.#source === this.#source;
  }

  /** Goes on with what another one knows of the same source; an answer that comes is for both. */
  takeOver(other: Todos): void {
    if (typeof this.#source !== 'function' || !this.isAs(other)) return;
    const { failed } = this.#known;
    this.#known = other.#known;
    this.#known.failed = failed;
  }

  /** The items of the moment; those of an asynchronous source as it gave them last. */
  now(): SummaryOptions['todos'] {
    if (this.#known.isAsync !== true || this.#known.isRefreshed !== true) this.#ask();
    return this.#known.last;
  }

  /** Asks the source, and returns what to wait for if it answers later. */
  refresh(): Promise<void> | undefined {
    this.#known.isRefreshed = true;
    // The late answer may never come: another one is asked for, and nobody waits for it.
    if (this.#known.isLate === true) this.#known.awaited = undefined;
    if (this.#known.isAsync !== false) this.#ask();
    return this.#known.isLate === true ? undefined : this.#known.awaited;
  }

  /** The answer took too long. */
  late(): void {
    this.#known.isLate = true;
    const message =
      'option todos: your function took too long, so the previous items are used; return the items faster, or pass a list';
    this.#known.failed(densifyError('callback-failed', message, { key: 'todos' }));
  }

  /** Calls the source, unless an answer of it is awaited. */
  #ask(): void {
    if (typeof this.#source !== 'function' || this.#known.awaited !== undefined) return;
    try {
      const call = (this.#known.asked += 1);
      const answer = this.#source();
      this.#known.isAsync = isPromise(answer);
      if (isPromise(answer)) this.#known.awaited = this.#answered(answer, call);
      else this.#take(answer);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #answered(answer: PromiseLike<TodoItems | undefined>, call: number): Promise<void> {
    const known = this.#known;
    try {
      const items = await answer;
      // An answer that comes after a newer one is out of date.
      if (call > known.answered) this.#take(items);
    } catch (error) {
      this.#fail(error);
    } finally {
      known.answered = Math.max(known.answered, call);
      if (call === known.asked) known.awaited = undefined;
      known.isLate = false;
    }
  }

  #take(items: TodoItems | undefined): void {
    if (items !== undefined) this.#check(items);
    this.#known.last = items;
  }

  #fail(cause: unknown): void {
    const message =
      "option todos: your function failed (see 'cause'), so the previous items are used; it must return items";
    this.#known.failed(densifyError('callback-failed', message, { cause, key: 'todos' }));
  }
}
