import { densifyError } from '../base/errors.js';

/** Lets one in at a time: the caller's functions, which are called from within, must not use what calls them. */
export class Gate {
  #isBusy = false;
  #isClosed = false;

  /** Throws unless somebody may enter. */
  checkOpen(): void {
    if (this.#isClosed) throw densifyError('disposed', 'the optimizer was disposed; create another one');
    this.#checkIdle();
  }

  enter(): void {
    this.#checkIdle();
    this.#isBusy = true;
  }

  leave(): void {
    this.#isBusy = false;
  }

  /** Does something while no other call may enter. */
  alone<T>(action: () => T): T {
    this.enter();
    try {
      return action();
    } finally {
      this.leave();
    }
  }

  /** No call may enter any more. A second time is not an error. */
  close(): void {
    this.#checkIdle();
    this.#isClosed = true;
  }

  #checkIdle(): void {
    if (this.#isBusy) throw reentered();
  }
}

/** The error of a callback that calls the optimizer that runs it. */
export function reentered(): Error {
  const message = 'a callback called the optimizer that was running it. Call it after the callback returns';
  return densifyError('callback-failed', message);
}
