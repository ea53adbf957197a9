/** Which run a list of messages goes on: hooks get lists, conversations get what is new. */
import { jsonText } from '../measure.js';
import { textWithoutMarks } from './marks.js';

/** How many runs are remembered, unless the caller says otherwise; a client may serve many at once. */
export const RUNS_AT_MOST = 100;

/** How many of the runs that were forgotten are known again when they go on. */
const FORGOTTEN_AT_MOST = 1000;

/** What keeps a run: a conversation, or an optimizer, which is handed whole lists. */
export interface Keeper<M> {
  addAll?(messages: readonly M[]): void;
  dispose(): void;
}

/** A run of requests, each of which goes on where the one before it ended. */
interface Run<M, K> {
  readonly key: string;
  readonly keeper: K;
  /** The list that was handed in last, and what was made of it: either may come back with more behind it. */
  given: readonly M[];
  made: readonly M[];
}

/** What was found for a list. */
export interface Following<M, K> {
  readonly keeper: K;
  /** Says what was forwarded for the list. */
  forwarded(messages: readonly M[]): void;
  /** Forgets the run: what keeps it can't be relied on. */
  forget(): void;
  /** Whether the run was forgotten while it went on, for want of room: it begins anew. */
  readonly wasForgotten: boolean;
}

/** What is left of a run that was forgotten: how long its list was, and a print of the newest message. */
interface Forgotten {
  readonly length: number;
  readonly print: number;
}

/** The runs of one hook. */
export class Runs<M extends object, K extends Keeper<M>> {
  readonly #runs: Run<M, K>[] = [];
  readonly #texts = new WeakMap<M, string>();
  readonly #most: number;
  readonly #forgotten: Forgotten[] = [];
  readonly #write: (message: M) => string;

  /** `ignoresMarks`: a message whose breakpoint of the provider's cache has moved is the same one. */
  constructor(most = RUNS_AT_MOST, ignoresMarks = false) {
    this.#most = most;
    this.#write = ignoresMarks ? textWithoutMarks : jsonText;
  }

  /** What keeps the run of a list, and knows all its messages then; another `key` is another run. */
  follow(messages: readonly M[], key: string, create: () => K): Following<M, K> {
    let run = this.#runs.find((known) => known.key === key && this.#newIn(known, messages) !== undefined);
    // Until it knows all messages the run can't be found: what fails here is no one's any more.
    const wasForgotten = run === undefined && this.#wasForgotten(messages);
    if (run === undefined) run = { key, keeper: create(), given: [], made: [] };
    else this.#runs.splice(this.#runs.indexOf(run), 1);
    run.keeper.addAll?.(this.#newIn(run, messages) ?? []);
    // The newest first: of two runs that began alike the one that went on last is meant.
    this.#runs.unshift(run);
    for (const old of this.#runs.splice(this.#most)) {
      this.#noteForgotten(old);
      old.keeper.dispose();
    }
    const found = run;
    found.given = [...messages];
    return {
      keeper: found.keeper,
      wasForgotten,
      forwarded: (forwarded) => {
        found.made = forwarded;
      },
      forget: () => {
        const at = this.#runs.indexOf(found);
        if (at >= 0) this.#runs.splice(at, 1);
        found.keeper.dispose();
      },
    };
  }

  /** What a list has behind the messages of a run; `undefined` if it is no list of that run. */
  #newIn({ given, made }: Run<M, K>, messages: readonly M[]): readonly M[] | undefined {
    for (const known of [made, given]) {
      const goesOn =
        known.length <= messages.length && known.every((message, at) => this.#alike(message, messages[at]!));
      if (goesOn && (known.length > 0 || given.length === 0)) return messages.slice(known.length);
    }
    return undefined;
  }

  /** Whether messages say the same: some hooks get copies each time. */
  #alike(one: M, other: M): boolean {
    return one === other || this.#textOf(one) === this.#textOf(other);
  }

  #noteForgotten({ given }: Run<M, K>): void {
    const last = given.at(-1);
    if (last === undefined) return;
    this.#forgotten.push({ length: given.length, print: printOf(this.#textOf(last)) });
    if (this.#forgotten.length > FORGOTTEN_AT_MOST) this.#forgotten.shift();
  }

  /** Whether a list goes on where a run ended that was forgotten. */
  #wasForgotten(messages: readonly M[]): boolean {
    return this.#forgotten.some(({ length, print }) => {
      const last = length < messages.length ? messages[length - 1] : undefined;
      return last !== undefined && printOf(this.#textOf(last)) === print;
    });
  }

  #textOf(message: M): string {
    const known = this.#texts.get(message);
    if (known !== undefined) return known;
    const text = this.#write(message);
    this.#texts.set(message, text);
    return text;
  }
}

/** A number that tells a text from others, nearly always. */
function printOf(text: string): number {
  let print = text.length;
  for (let at = 0; at < text.length; at += 1) print = (Math.imul(print, 31) + text.charCodeAt(at)) | 0;
  return print;
}
