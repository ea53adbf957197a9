import type { CompactionState } from '../generated/summary.js';
import { type Adapter, bareOf, bindsThinking } from '../messages/adapter.js';
import type { SessionRecord } from '../session/record.js';
import type { Session } from '../session/session.js';
import { composed, type Layout } from '../summary/summaries.js';

/** How a summary made one epoch's messages of another's. */
export interface Change<M> {
  readonly layout: Layout;
  readonly inserted: readonly M[];
  /** The acknowledgement for a history that no longer holds the newest request, where it quotes that. */
  readonly withoutRequest?: M | undefined;
  readonly state: CompactionState;
  /** Whether it was made between a request and its answer. */
  readonly isBeforeAnswer?: boolean;
}

/** A stretch of a conversation between two summaries. */
interface Epoch<M> {
  /** The number of messages when it began. */
  readonly start: number;
  /** What it began with: what a summary made of the epoch before. */
  readonly prefix: readonly M[];
  /** What made it; the first one is just there. */
  readonly change: Change<M> | undefined;
}

/** An epoch that is over: plain data. The history can be rebuilt from it exactly. */
export interface PastEpoch<M> extends Epoch<M> {
  readonly record: SessionRecord;
  /** Tokens of the messages that were added in it. */
  readonly added: number;
}

/** So many messages of an epoch may hold the answer to a request that was sent before it began. */
const SEARCHED = 8;

/** Whether a message holds thinking. */
function thinks<M>(adapter: Adapter<M>, message: M): boolean {
  return bareOf(adapter, message) !== message;
}

/**
 * Messages as an epoch takes them in, behind its own `earlier` ones. If a summary came between a request and its answer, the
 * answer's thinking belongs to messages that are gone, and some providers would refuse it.
 */
export function goingIn<M>(
  adapter: Adapter<M>,
  change: Change<M> | undefined,
  messages: readonly M[],
  earlier: readonly M[] = [],
): readonly M[] {
  if (change?.isBeforeAnswer !== true || earlier.length >= SEARCHED || !bindsThinking(adapter)) return messages;
  const searched = [...earlier, ...messages].slice(0, SEARCHED);
  const answer = searched.findIndex((message) => thinks(adapter, message)) - earlier.length;
  return messages.map((message, at) => (at === answer ? (bareOf(adapter, message) ?? message) : message));
}

/** A change whose acknowledgement doesn't quote the newest request. */
function withoutRequest<M>({ inserted, withoutRequest: other, ...change }: Change<M>): Change<M> {
  return { ...change, inserted: other === undefined ? inserted : [...inserted.slice(0, 1), other] };
}

/** Makes sessions. */
type SessionFactory<M> = () => Session<M>;

/** The data that rebuilds a history, apart from its messages. */
export interface HistoryRecord<M> {
  /** The messages as they went in. */
  readonly taken: readonly M[];
  readonly past: readonly PastEpoch<M>[];
  readonly current: Epoch<M> & { readonly record: SessionRecord };
}

/** All messages that were added, and what edits and summaries made of them. */
export class History<M> {
  /** All messages as they were added. */
  readonly log: M[] = [];
  /** The same messages as they went in: results of tools may have been shrunk. */
  #taken: M[] = [];
  #past: PastEpoch<M>[] = [];
  #epoch: Epoch<M> = { start: 0, prefix: [], change: undefined };
  #session: Session<M>;
  readonly #adapter: Adapter<M>;
  readonly #create: SessionFactory<M>;
  #list: { readonly version: number; readonly session: Session<M>; readonly messages: readonly M[] } | undefined;
  #sent: { readonly of: readonly M[]; readonly sent: readonly M[] } | undefined;
  #prefixTokens: number | undefined;
  /** Whether the messages were given out for a request whose answer isn't there yet. */
  #isRequested = false;

  constructor(adapter: Adapter<M>, create: SessionFactory<M>) {
    this.#adapter = adapter;
    this.#create = create;
    this.#session = create();
  }

  get session(): Session<M> {
    return this.#session;
  }

  /** How many summaries are in the history. */
  get depth(): number {
    return this.#past.length;
  }

  /** What the newest summary left behind, for the next one. */
  get state(): CompactionState | undefined {
    return this.#epoch.change?.state;
  }

  /** Adds messages, which go in as `taken`. */
  add(messages: readonly M[], taken: readonly M[] = messages): void {
    const { start, change } = this.#epoch;
    this.#session.push(goingIn(this.#adapter, change, taken, this.#taken.slice(start, start + SEARCHED)));
    for (const message of messages) this.log.push(message);
    for (const message of taken) this.#taken.push(message);
    this.#isRequested &&= !taken.some((message) => thinks(this.#adapter, message));
  }

  /** The messages as they are; the same list as long as nothing changes. */
  messages(): readonly M[] {
    const session = this.#session;
    if (this.#list?.session !== session || this.#list.version !== session.version) {
      const messages = session.live.toList();
      const last = this.#list?.messages;
      const isSame = last?.length === messages.length && last.every((message, at) => message === messages[at]);
      this.#list = { version: session.version, session, messages: isSame ? last : messages };
    }
    return this.#list.messages;
  }

  /** The same without those that are never sent, for a request. */
  sent(): readonly M[] {
    const messages = this.messages();
    this.#isRequested = bindsThinking(this.#adapter);
    const { isUnsent } = this.#adapter;
    if (isUnsent === undefined) return messages;
    if (this.#sent?.of !== messages) {
      const sent = messages.filter((message) => !isUnsent(message));
      this.#sent = { of: messages, sent: sent.length === messages.length ? messages : sent };
    }
    return this.#sent.sent;
  }

  /** Tokens of the messages as they are. */
  tokens(): number {
    return this.#session.tokensNow();
  }

  /** The same; or any number instead that is no different as far as it matters. */
  tokensNear(matters: (least: number, most: number) => boolean): number {
    return this.#session.tokensNear(matters);
  }

  /** Tokens of all messages as they were added. */
  tokensAdded(): number {
    return this.#past.reduce((sum, { added }) => sum + added, 0) + this.#addedHere();
  }

  #addedHere(): number {
    return this.#session.tokensRaw() - this.#tokensOfPrefix();
  }

  #tokensOfPrefix(): number {
    return (this.#prefixTokens ??= this.tokensOf(this.#epoch.prefix));
  }

  /** Tokens of some messages, alone. */
  tokensOf(messages: readonly M[]): number {
    if (messages.length === 0) return 0;
    const session = this.#create();
    try {
      session.push(messages);
      return session.tokensRaw();
    } finally {
      session.dispose();
    }
  }

  /** Of the messages as they are, the one with the most tokens. */
  largest(): { readonly index: number; readonly tokens: number } | undefined {
    const session = this.#create();
    try {
      let before = 0;
      const each = this.messages().map((message, index) => {
        session.push([message]);
        const tokens = session.tokensRaw() - before;
        before += tokens;
        return { index, tokens };
      });
      return each.sort((one, other) => other.tokens - one.tokens)[0];
    } finally {
      session.dispose();
    }
  }

  /** Puts a summary into the history, all or nothing; returns the tokens of what it is now. */
  begin(made: Change<M>): number {
    const change = { ...made, isBeforeAnswer: this.#isRequested };
    const prefix = composed(this.#adapter, this.messages(), change);
    const session = this.#create();
    try {
      session.push(prefix);
      const past = { ...this.#epoch, record: this.#session.record(), added: this.#addedHere() };
      const old = this.#session;
      const tokens = session.tokensNow();
      // From here on nothing is called that may throw.
      this.#past = [...this.#past, past];
      this.#epoch = { start: this.log.length, prefix, change };
      this.#session = session;
      this.#prefixTokens = undefined;
      old.dispose();
      return tokens;
    } catch (thrown) {
      session.dispose();
      throw thrown;
    }
  }

  /** What summaries put into the history. */
  get inserted(): ReadonlySet<M> {
    return new Set([...this.#past, this.#epoch].flatMap(({ change }) => change?.inserted ?? []));
  }

  /** What the newest summary put into the history. */
  get newest(): readonly M[] {
    return this.#epoch.change?.inserted ?? [];
  }

  /**
   * Takes the newest summary back, as if it hadn't been made: the summarised messages return, and later messages
   * stay. All or nothing: only if the tokens that there are then are right; returns them.
   */
  unfold(isRight: (tokens: number) => boolean): number | undefined {
    const past = this.#past.at(-1);
    if (past === undefined) return undefined;
    const { start } = this.#epoch;
    const session = this.#awake(past, start);
    let tokens = 0;
    let isDone = false;
    try {
      session.push(goingIn(this.#adapter, past.change, this.#taken.slice(start), this.#taken.slice(past.start, start)));
      tokens = session.tokensNow();
      isDone = isRight(tokens);
    } finally {
      if (!isDone) session.dispose();
    }
    if (!isDone) return undefined;
    this.#session.dispose();
    this.#session = session;
    this.#epoch = past;
    this.#past = this.#past.slice(0, -1);
    this.#prefixTokens = undefined;
    return tokens;
  }

  /**
   * Replaces a message by a copy of it that goes in as `taken`. Returns false if a summary kept the message in another form:
   * then only the log has the copy.
   */
  renew(index: number, message: M, taken: M): boolean {
    const old = this.#taken[index] as M;
    this.log[index] = message;
    this.#taken[index] = taken;
    this.#list = undefined;
    const { start, prefix, change } = this.#epoch;
    if (index >= start) {
      const [goes] = goingIn(this.#adapter, change, [taken], this.#taken.slice(start, index));
      this.#session.adopt(goes as M, prefix.length + index - start, false);
      return true;
    }
    const place = prefix.indexOf(old);
    if (place < 0) return false;
    this.#epoch = { ...this.#epoch, prefix: prefix.map((kept, at) => (at === place ? taken : kept)) };
    this.#session.adopt(taken, place, false);
    return true;
  }

  /** Goes back to the first `at` messages that were added. */
  rewind(at: number): void {
    this.#isRequested = false;
    let { length } = this.#past;
    let epoch: Epoch<M> = this.#epoch;
    while (length > 0 && at < epoch.start) {
      length -= 1;
      epoch = this.#past[length]!;
    }
    if (epoch === this.#epoch) {
      this.#session.rewind(epoch.prefix.length + at - epoch.start);
    } else {
      const past = this.#past[length]!;
      const session = this.#awake(past, this.#past[length + 1]?.start ?? this.#epoch.start);
      session.rewind(past.prefix.length + at - past.start);
      this.#session.dispose();
      this.#session = session;
      this.#epoch = past;
      this.#past = this.#past.slice(0, length);
      this.#prefixTokens = undefined;
    }
    this.log.length = at;
    this.#taken.length = at;
  }

  /**
   * The same, but a summary stays if it covers none of the removed messages: the list goes on otherwise.
   * `isSaidAgain`: what goes comes again in another form.
   */
  retract(at: number, isSaidAgain: boolean): void {
    while (at < this.#epoch.start && !this.#shorten(at, isSaidAgain))
      this.rewind(Math.max(at, this.#past.at(-1)!.start));
    this.rewind(at);
  }

  /** Takes the newest messages back that were there when the newest summary was made, if they stand behind it. */
  #shorten(at: number, isSaidAgain: boolean): boolean {
    const past = this.#past.at(-1)!;
    const { prefix, change: made, start } = this.#epoch;
    if (made === undefined || at < past.start) return false;
    const adapter = this.#adapter;
    const change = isSaidAgain ? made : withoutRequest(made);
    const session = this.#awake(past, start);
    try {
      const count = past.prefix.length + at - past.start;
      const standing = session.live.countBefore(count);
      session.rewind(count);
      const left = session.live.toList();
      // What rested on messages that go may be there again, and the summary's places are others then.
      if (left.length !== standing || change.layout.tail > left.length) return false;
      const kept = composed(adapter, left, change);
      const record = session.record();
      const added = session.tokensRaw() - this.tokensOf(past.prefix);
      if (kept.every((message, place) => message === prefix[place])) {
        this.#session.rewind(kept.length);
      } else {
        const rebuilt = this.#create();
        rebuilt.push(kept);
        this.#session.dispose();
        this.#session = rebuilt;
      }
      this.#past = [...this.#past.slice(0, -1), { ...past, record, added }];
      this.#epoch = { start: at, prefix: kept, change };
      this.#prefixTokens = undefined;
      this.log.length = at;
      this.#taken.length = at;
      return true;
    } finally {
      session.dispose();
    }
  }

  /** A session with the record of an epoch, which ended after this number of messages. */
  #awake({ start, prefix, change, record }: Epoch<M> & { readonly record: SessionRecord }, end: number): Session<M> {
    const session = this.#create();
    session.resume([...prefix, ...goingIn(this.#adapter, change, this.#taken.slice(start, end))], record);
    return session;
  }

  /** The data that rebuilds the history, apart from its messages. */
  record(): HistoryRecord<M> {
    const current = { ...this.#epoch, record: this.#session.record() };
    return { taken: this.#taken.slice(), past: this.#past, current };
  }

  /** Takes a record over, with the messages that were added; into an empty history. */
  resume(log: readonly M[], { taken, past, current }: HistoryRecord<M>): void {
    for (const message of log) this.log.push(message);
    this.#taken = [...taken];
    this.#session.dispose();
    this.#past = [...past];
    this.#epoch = current;
    this.#session = this.#awake(current, log.length);
  }

  dispose(): void {
    this.#session.dispose();
  }
}
