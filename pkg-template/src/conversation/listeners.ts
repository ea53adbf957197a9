import { isPromise } from '../base/options.js';
import type { PrepareOptions, SummaryProgress } from './types.js';

type Listener = NonNullable<PrepareOptions<unknown>['onProgress']>;

/** Who hears how a summary goes: the `prepare` that has it made, and those that wait for it. */
export class Listeners {
  readonly #all = new Set<{ readonly listener: Listener }>();

  /** Lets another one listen; returns what ends that. */
  join(listener: Listener | undefined): () => void {
    if (listener === undefined) return () => undefined;
    const entry = { listener };
    this.#all.add(entry);
    return () => void this.#all.delete(entry);
  }

  /** Tells all of them, one that listens twice once; who listens can't disturb. */
  readonly tell = (progress: SummaryProgress): void => {
    for (const listener of new Set([...this.#all].map(({ listener }) => listener))) {
      try {
        const answer: unknown = listener(progress);
        if (isPromise(answer)) answer.then(undefined, () => undefined);
      } catch {
        // A listener's error is its own.
      }
    }
  };
}
