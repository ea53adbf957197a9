/** Which run a list of messages goes on: hooks get lists, conversations get what is new. */
import { type Written, written } from './marks.js';

/** How many runs are remembered, unless the caller says otherwise; a client may serve many at once. */
export const RUNS_AT_MOST = 100;

/** How many of the runs that were forgotten are known again when they go on. */
const FORGOTTEN_AT_MOST = 1000;

/** What keeps a run: a conversation, or an optimizer, which is handed whole lists. */
interface Keeper<M> {
  addAll?(messages: readonly M[]): void;
  /** Replaces messages by copies with other breakpoints of the provider's cache. */
  renew?(copies: readonly (readonly [index: number, message: M])[]): void;
  dispose(): void;
}

/** Facts about a list that continues differently from the one that is kept. */
export interface Fork {
  /** The number of the keeper's newest messages that aren't in the list. */
  readonly back: number;
  /** Whether something is still awaited for the keeper's own list. */
  readonly isOpen: boolean;
}

/**
 * Makes of one keeper that of a list which goes on otherwise, and one that stays behind for its own list; `undefined`
 * if only the content of the list is known.
 */
type Branch<K> = (keeper: K, fork: Fork) => readonly [goesOn: K, stays: K | undefined] | undefined;

/** A run of requests. Each continues the one before it. */
interface Run<M, K> {
  readonly key: string;
  keeper: K;
  /** The number of requests that wait for the keeper. */
  open: number;
  /** The newest list from the caller, and its packed form: either may come back with more behind it. */
  given: readonly M[];
  made: readonly M[];
  /** So many messages of the list stand for others: they are of what was made. */
  base: number;
}

/** What was found for a list. */
export interface Following<M, K> {
  readonly keeper: K;
  /** Marks the run as waiting until the returned function is called. */
  open(): () => void;
  /** Says what was forwarded for the list. */
  forwarded(messages: readonly M[]): void;
  /** Forgets the run: what keeps it can't be relied on. */
  forget(): void;
  /** Whether the run was forgotten while it went on, for want of room: it begins again. */
  readonly wasForgotten: boolean;
}

/** The rest of a forgotten run: how long its list was, and a print of the newest message. */
interface Forgotten {
  readonly length: number;
  readonly print: number;
}

/** The runs of one hook. */
export class Runs<M extends object, K extends Keeper<M>> {
  readonly #runs: Run<M, K>[] = [];
  readonly #texts = new WeakMap<M, Written>();
  readonly #most: number;
  readonly #forgotten: Forgotten[] = [];
  readonly #branch: Branch<K>;

  constructor(branch: Branch<K>, most = RUNS_AT_MOST) {
    this.#most = most;
    this.#branch = branch;
  }

  /** What keeps the run of a list, and knows all its messages then; another `key` is another run. */
  follow(messages: readonly M[], key: string, create: () => K): Following<M, K> {
    let run = this.#runs.find((known) => known.key === key && this.#knownIn(known, messages) !== undefined);
    // Until it knows all messages the run can't be found: what fails here is no one's any more.
    if (run !== undefined) this.#runs.splice(this.#runs.indexOf(run), 1);
    const branched = run === undefined ? this.#branched(messages, key) : undefined;
    run ??= branched;
    const wasForgotten = run === undefined && this.#wasForgotten(messages);
    run ??= { key, keeper: create(), open: 0, given: [], made: [], base: 0 };
    const known = this.#knownIn(run, messages);
    if (known === run.given) this.#renew(run.keeper, known, messages);
    else if (known !== undefined) run.base = known.length;
    run.keeper.addAll?.(messages.slice(known?.length));
    // The newest first: of two runs that began alike the one that went on last is meant.
    this.#runs.unshift(run);
    for (const old of this.#runs.splice(this.#most)) {
      this.#noteForgotten(old);
      old.keeper.dispose();
    }
    const found = run;
    const { keeper } = run;
    found.given = [...messages];
    found.made = found.given;
    return {
      keeper,
      wasForgotten,
      forwarded: (forwarded) => {
        if (forwarded !== messages) found.made = forwarded;
      },
      open: () => {
        found.open += 1;
        return () => {
          found.open -= 1;
        };
      },
      forget: () => this.#drop(found),
    };
  }

  /**
   * A run that goes on as a list does, out of one that went on otherwise: its last messages were edited, made again or taken
   * back. Of several the one that has most in common. A list that shares only its beginning, such as the system prompt, is of
   * another session. One that shares all but the first message is of the same session: some hosts change that message.
   */
  #branched(messages: readonly M[], key: string): Run<M, K> | undefined {
    let most = 0;
    let from: Run<M, K> | undefined;
    for (const run of this.#runs) {
      if (run.key !== key) continue;
      const common = this.#common(run.given, messages);
      if (common === 0 && from === undefined && run.base === 0 && this.#sharesRest(run.given, messages)) from = run;
      if (common <= most || common < run.base) continue;
      if (2 * common >= messages.length || this.#sharesBehind(common, run.given, messages))
        [most, from] = [common, run];
    }
    if (from === undefined) return undefined;
    const back = from.given.length - most;
    let keepers: ReturnType<Branch<K>>;
    try {
      keepers = this.#branch(from.keeper, { back, isOpen: from.open > 0 });
    } catch (thrown) {
      this.#runs.splice(this.#runs.indexOf(from), 1); // nothing can go on from what fails, such as what was disposed
      throw thrown;
    }
    if (keepers === undefined) return undefined;
    const [keeper, stays] = keepers;
    const given = from.given.slice(0, most);
    if (stays === undefined) this.#runs.splice(this.#runs.indexOf(from), 1);
    else from.keeper = stays;
    return { key, keeper, open: 0, given, made: given, base: from.base };
  }

  /** How many messages two lists begin with alike. */
  #common(one: readonly M[], other: readonly M[]): number {
    const least = Math.min(one.length, other.length);
    let common = 0;
    while (common < least && this.#alike(one[common]!, other[common]!)) common += 1;
    return common;
  }

  /** Whether all but the first message of a list is in another one, at the same place. */
  #sharesRest(given: readonly M[], messages: readonly M[]): boolean {
    const isLong = given.length > 1 && given.length <= messages.length;
    return isLong && given.every((message, at) => at === 0 || this.#alike(message, messages[at]!));
  }

  /** Whether two lists have a message alike behind their beginning. */
  #sharesBehind(common: number, one: readonly M[], other: readonly M[]): boolean {
    const texts = new Set(one.slice(common).map((message) => this.#textOf(message)));
    return other.slice(common).some((message) => texts.has(this.#textOf(message)));
  }

  #drop(run: Run<M, K>): void {
    const at = this.#runs.indexOf(run);
    if (at >= 0) this.#runs.splice(at, 1);
    run.keeper.dispose();
  }

  /** The messages of a run that a list begins with; `undefined` if it is no list of that run. */
  #knownIn({ given, made }: Run<M, K>, messages: readonly M[]): readonly M[] | undefined {
    return [given, made].find(
      (known) =>
        known.length <= messages.length &&
        (known.length > 0 || given.length === 0) &&
        known.every((message, at) => this.#alike(message, messages[at]!)),
    );
  }

  /** Whether messages say the same: some hooks get copies each time, and breakpoints of the provider's cache move. */
  #alike(one: M, other: M): boolean {
    return one === other || this.#textOf(one) === this.#textOf(other);
  }

  /** Hands a keeper the known messages of a list whose breakpoints have moved. */
  #renew(keeper: K, given: readonly M[], messages: readonly M[]): void {
    if (keeper.renew === undefined) return;
    const copies = given.flatMap((known, at) => {
      const message = messages[at]!;
      const isSame = known === message || this.#written(known).marked === this.#written(message).marked;
      return isSame ? [] : [[at, message] as const];
    });
    if (copies.length > 0) keeper.renew(copies);
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
    return this.#written(message).bare;
  }

  #written(message: M): Written {
    const known = this.#texts.get(message);
    if (known !== undefined) return known;
    const text = written(message);
    // Lists may hold what is no message.
    if (typeof message === 'object' && message !== null) this.#texts.set(message, text);
    return text;
  }
}

/** A number that tells a text from others, nearly always. */
function printOf(text: string): number {
  let print = text.length;
  for (let at = 0; at < text.length; at += 1) print = (Math.imul(print, 31) + text.charCodeAt(at)) | 0;
  return print;
}
