import { densifyError } from '../base/errors.js';
import type { SummaryOptions, Todo } from '../summary/types.js';

/** Todo items as agents keep them: a list, or the text that a request shows. */
export type TodoItems = readonly Todo[] | string;

/** Where a conversation has the todo items from. */
export type TodoSource = TodoItems | (() => TodoItems | undefined | PromiseLike<TodoItems | undefined>);

/** `prepare` waits at most this many milliseconds for todo items: without them a summary is only less good. */
const PATIENCE = 5000;

/** The todo items of a conversation. A source that fails never keeps a turn from going on. */
export class Todos {
  readonly #source: TodoSource | undefined;
  readonly #check: (items: TodoItems) => void;
  readonly #failed: (error: unknown) => void;
  #last: TodoItems | undefined;
  /** Whether the source answered with a promise; nothing before it was asked. */
  #isAsync: boolean | undefined;

  /** `check` throws for items that can't be shown; `failed` hears why there are none. */
  constructor(source: TodoSource | undefined, check: (items: TodoItems) => void, failed: (error: unknown) => void) {
    this.#source = source;
    this.#check = check;
    this.#failed = failed;
    this.#last = typeof source === 'function' ? undefined : source;
  }

  /** Starts with what another one knows of the same source. */
  takeOver(other: Todos): void {
    if (typeof this.#source !== 'function' || other.#source !== this.#source) return;
    this.#last = other.#last;
    this.#isAsync = other.#isAsync;
  }

  /** The items of the moment; those of an asynchronous source as it gave them last. */
  now(): SummaryOptions['todos'] {
    if (this.#isAsync !== true) void this.#ask();
    return this.#last;
  }

  /** Asks an asynchronous source, and waits until it has answered. */
  refresh(timeout = PATIENCE): Promise<void> | undefined {
    const answer = this.#isAsync === false ? undefined : this.#ask();
    return answer === undefined ? undefined : this.#within(answer, timeout);
  }

  async #within(answer: Promise<void>, timeout: number): Promise<void> {
    const { setTimeout, clearTimeout } = globalThis as unknown as Clock;
    let timer: unknown;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(
        () => {
          this.#failed(
            densifyError('callback-failed', 'option todos: your function took too long, so the last items are used', {
              key: 'todos',
            }),
          );
          resolve();
        },
        Math.min(timeout, PATIENCE),
      );
    });
    await Promise.race([answer, late]);
    clearTimeout(timer);
  }

  /** Calls the source; returns what to wait for, if it is asynchronous. */
  #ask(): Promise<void> | undefined {
    if (typeof this.#source !== 'function') return undefined;
    try {
      const answer = this.#source();
      this.#isAsync = isPromise(answer);
      if (!isPromise(answer)) this.#take(answer);
      else
        return Promise.resolve(answer)
          .then((items) => this.#take(items))
          .catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
    return undefined;
  }

  #take(items: TodoItems | undefined): void {
    if (items !== undefined) this.#check(items);
    this.#last = items;
  }

  #fail(cause: unknown): void {
    this.#failed(
      densifyError('callback-failed', 'option todos: your function failed, so the last items are used', {
        cause,
        key: 'todos',
      }),
    );
  }
}

/** What the platform has for waiting; not every type library knows it. */
interface Clock {
  setTimeout(action: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

function isPromise(value: unknown): value is PromiseLike<TodoItems | undefined> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}
