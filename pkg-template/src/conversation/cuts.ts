import type { Adapter } from '../adapter.js';
import type { Recall } from '../recall/index.js';

/** What a note says, so that a model finds its way back; it is no part of what it stands behind. */
export function note(reference: string): string {
  return `… (all of it: recall ${reference})`;
}

/** As long as a reference. */
const PLACE = 'r0000000000000';

/** Keeps what is cut from a conversation, if its host wants that. */
export class Cuts<M> {
  readonly #adapter: Adapter<M>;
  readonly #recall: Recall | undefined;

  constructor(adapter: Adapter<M>, recall: Recall | undefined) {
    this.#adapter = adapter;
    this.#recall = recall;
  }

  /** A shrunk result with a note where all of it is; nothing if that would be no shorter. */
  shrunk(whole: string, shorter: string, tool: string): string | undefined {
    if (this.#recall === undefined) return shorter;
    const start = `${shorter}${shorter.endsWith('\n') ? '' : '\n'}`;
    if (start.length + note(PLACE).length >= whole.length) return undefined;
    return start + note(this.#recall.keep(whole, { cause: 'intake', tool }));
  }

  /** Keeps a message that is edited. */
  edited(message: M | undefined): void {
    if (this.#recall !== undefined && message !== undefined) this.#keep(message, 'edit');
  }

  /** Keeps the messages that a summary stands for, each by itself; the note where all of them are. */
  readonly summarised = (messages: readonly M[]): string => {
    if (this.#recall === undefined) return '';
    for (const message of messages) this.#keep(message, 'summary');
    const all = json(messages);
    return all === undefined ? '' : `\n\n${note(this.#recall.keep(all, { cause: 'summary' }))}`;
  };

  /** The results of a message as they are read, and the message itself if it holds anything else. */
  #keep(message: M, cause: 'edit' | 'summary'): void {
    let results = 0;
    try {
      this.#adapter.withResults(message, (text, tool) => {
        results += 1;
        this.#recall?.keep(text, { cause, ...(tool === '' ? {} : { tool }) });
        return undefined;
      });
    } catch {
      // What can't be read is kept as it is written, if it can be.
    }
    const whole = results === 0 ? json(message) : undefined;
    if (whole !== undefined) this.#recall?.keep(whole, { cause });
  }
}

function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // what JSON can't hold is the host's to keep
  }
}
