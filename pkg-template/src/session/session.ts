import { failedTwice, fromHere } from '../base/errors.js';
import { needRoom } from '../base/stack.js';
import { type LoggedEdit, NO_UNIT } from '../core/edits.js';
import { type Engine, Trapped } from '../core/engine.js';
import type { Foreign } from '../core/foreign.js';
import { type Run, readBills, readRun } from '../core/output.js';
import { Names } from '../core/stream.js';
import { pointer } from '../generated/constants.js';
import type { OptimizerHandle } from '../generated/densify.js';
import { CAPABILITY } from '../generated/protocol.js';
import type { Adapter } from '../messages/adapter.js';
import type { Callbacks, FlushPlan } from '../types.js';
import type { CoreGlue, CoreInstance } from '../wasm/core.js';
import type { Cuts } from './cuts.js';
import { type Change, EditBook } from './edit-book.js';
import { Gate } from './gate.js';
import { type Counter, HeldBack } from './held-back.js';
import { Host } from './host.js';
import { Input } from './input.js';
import { LiveList } from './live-list.js';
import type { SessionRecord } from './record.js';
import { thoughtsBehind, withUnread } from './unread.js';

/** Makes the core's side of a session. `keptFor`: for so many seconds the provider's cache is asked to keep the messages. */
export type HandleFactory = (instance: CoreInstance, keptFor: number) => OptimizerHandle;

/** What stands before the messages in a request: the system prompt and the tools. */
export interface Ahead {
  /** Its tokens; 0 if nobody knows. */
  readonly tokens: number;
  /** Whether the cache holds it alone, whatever follows. */
  readonly isApart: boolean;
  /** A request with fewer tokens isn't cached. */
  readonly least: number;
}

/** How a request uses the provider's cache. */
export interface CacheUse {
  /** Seconds for which it asks the cache to keep the messages; 0 if it names none. */
  readonly keptFor: number;
  /** What stands before the messages, if the request was seen. */
  readonly ahead?: Ahead | undefined;
  /** Whether the host sets a breakpoint of the cache ahead of the next flush. */
  readonly keepsAnchor?: boolean;
}

/** No changes, or no bills. */
const NONE: readonly never[] = [];

/**
 * A history in the core and its messages here. The core's side can be made again at any time from the messages and the
 * edits: that is how a session survives a trap, and how it goes back to before a message that is gone.
 */
export class Session<M> {
  /** The messages as they were pushed. */
  readonly raw: M[] = [];
  /** The messages as they are now. */
  readonly live = new LiveList<M>();
  /** The texts that edits refer to. */
  readonly texts: string[] = [];
  /** How many messages were put instead of others. */
  adoptions = 0;
  /** Counts changes, so that a late computation can tell whether it is still valid. */
  version = 0;

  readonly #engine: Engine<CoreGlue>;
  readonly #adapter: Adapter<M>;
  readonly #callbacks: Callbacks<M>;
  readonly #create: HandleFactory;
  readonly #host: Host<M>;
  readonly #input: Input<M>;
  readonly #book: EditBook<M>;
  readonly #heldBack: HeldBack<M>;
  readonly #cuts: Cuts<M> | undefined;
  #handle: OptimizerHandle | undefined;
  #instance: CoreInstance | undefined;
  #givenOut = 0;
  /** What requests have cost, and to how many messages the history was taken back since: the policy goes by it. */
  #bills: readonly number[] = NONE;
  #rewound: number | undefined;
  #anchor: number | undefined;
  /** For so many seconds messages, or their requests, ask the provider's cache to keep them; 0 if none says so. */
  #keptFor = 0;
  #keepsAnchor = false;
  #ahead: Ahead | undefined;
  #memory = new Uint32Array(0);
  readonly #gate = new Gate();
  /** The time of requests in seconds since 1970, if somebody knows. */
  clock: (() => number) | undefined;
  /** Whether the request to come is the first of a list that began as another one, which may go on too. */
  isFork = false;
  /** Whether edits wait only where the provider demands it. */
  flushesAlways = false;

  /** `cuts` keeps what is cut. */
  constructor(
    engine: Engine<CoreGlue>,
    adapter: Adapter<M>,
    callbacks: Callbacks<M>,
    create: HandleFactory,
    cuts?: Cuts<M>,
  ) {
    this.#engine = engine;
    this.#adapter = adapter;
    this.#callbacks = callbacks;
    this.#create = create;
    this.#cuts = cuts;
    this.#host = new Host(engine, adapter, this.raw, callbacks.countTokens, false, cuts);
    this.#input = new Input(adapter, this.raw, callbacks, this.#host);
    this.#book = new EditBook(adapter, this.raw, this.live, this.texts);
    this.#heldBack = new HeldBack(this.#book, this.live, () => this.#counter());
    this.#inCore(() => undefined); // options are checked here, where they are given
  }

  /** Adds messages, all or none; the core gets them with the next run. */
  push(messages: readonly M[], from = 0, tokens?: readonly number[]): void {
    this.#noteLifetimes(messages, from);
    if (this.#instance === undefined || this.#instance !== this.#engine.current) this.#inCore(() => undefined);
    this.#read(messages, from, tokens);
    // From here on nothing is called that may throw.
    for (let at = from; at < messages.length; at += 1) {
      this.raw.push(messages[at] as M);
      this.live.push(messages[at] as M);
    }
    this.version += 1;
  }

  /** Notes how the request to come uses the provider's cache. */
  noteCache({ keptFor, ahead, keepsAnchor = false }: CacheUse): void {
    this.#keepFor(keptFor);
    if (ahead !== undefined) this.#putAhead(ahead);
    this.#keepAnchor(keepsAnchor);
  }

  /** A longer life may have other prices. */
  #keepFor(seconds: number): void {
    if (seconds <= this.#keptFor) return;
    this.#gate.checkOpen();
    this.#keptFor = seconds;
    // The next use makes the core's side again, with the options for that life.
    this.#drop();
  }

  #keepAnchor(isKept: boolean): void {
    if (this.#keepsAnchor === isKept) return;
    this.#gate.checkOpen();
    this.#keepsAnchor = isKept;
    this.#drop();
  }

  #putAhead(ahead: Ahead): void {
    const known = this.#ahead;
    if (known?.tokens === ahead.tokens && known.isApart === ahead.isApart && known.least === ahead.least) return;
    this.#ahead = ahead;
    if (this.#isLive()) this.#inCore((handle) => this.#sendAhead(handle));
  }

  #sendAhead(handle: OptimizerHandle): void {
    if (this.#ahead === undefined) return;
    const { tokens, isApart, least } = this.#ahead;
    handle.ahead(tokens, isApart, least);
  }

  #noteLifetimes(messages: readonly M[], from: number): void {
    const { keptFor } = this.#adapter;
    if (keptFor === undefined) return;
    let most = 0;
    this.#gate.alone(() => {
      for (let at = from; at < messages.length; at += 1) most = Math.max(most, keptFor(messages[at] as M));
    });
    this.#keepFor(most);
  }

  /** Describes new messages; once more in a fresh instance if the core fails over their names. */
  #read(messages: readonly M[], from: number, tokens: readonly number[] | undefined): void {
    const isRead = this.#gate.alone(() => {
      try {
        this.#input.add(messages, from, tokens);
        return true;
      } catch (thrown) {
        if (!(thrown instanceof Trapped)) throw thrown;
        return false;
      }
    });
    if (isRead) return;
    this.#drop();
    this.#inCore(() => this.#input.add(messages, from, tokens));
  }

  /** The first new message of which nothing was read, as of another format; it is told once. */
  takeForeign(): Foreign | undefined {
    return this.#input.takeForeign();
  }

  /** Runs the rules over what is new. `isCold`: whether the provider's cache is cold, if somebody knows. */
  run(force: boolean, isCold?: boolean): Run {
    const now = this.clock?.() ?? 0;
    return this.#perform((handle) => {
      this.#send(handle, true);
      return handle.run(this.#host, force, isCold, now);
    });
  }

  /** The live message at which the next flush should start, or the last one did; `undefined` if there is none. */
  get anchor(): number | undefined {
    const anchor = this.#anchor;
    return anchor === undefined || anchor >= this.raw.length ? undefined : this.live.countBefore(anchor);
  }

  /** Whether edits wait, for any reason. */
  get waits(): boolean {
    return this.#book.pending.size > 0;
  }

  /** The cost and gain of a flush now; nothing if none waits, or none may be made. */
  plan(): FlushPlan | undefined {
    // Under other flush policies the core does not count the waiting edits.
    const held = this.#heldBack.tokens();
    return this.#inCore((handle) => {
      this.#send(handle);
      const [saved, behind = 0, paysBackAfter = Infinity] = handle.outlook(this.#host, Math.max(0, held));
      if (saved === undefined) return undefined;
      const reasoning = thoughtsBehind(this.#adapter, this.#input.thoughts, this.#book.pending, this.live.entries);
      return { saved, behind, reasoning, paysBackAfter };
    });
  }

  /** Runs a deterministic strategy; `outcome` is what the core says of it, parsed. */
  compress(settings: string): { readonly run: Run; readonly outcome: unknown } {
    let outcome: unknown;
    const run = this.#perform((handle) => {
      this.#send(handle);
      const address = handle.compress(settings, this.#host);
      outcome = JSON.parse(handle.outcome());
      return address;
    });
    return { run, outcome };
  }

  /** Tokens of the messages as they were pushed. */
  tokensRaw(): number {
    return this.#counted((handle) => handle.tokensRaw());
  }

  /** Tokens of the messages as they are now. */
  tokensNow(): number {
    return this.#counted() + this.#heldBack.tokens();
  }

  /**
   * The same; or, with bounds, any number that leads to the same decisions: told a least and a most number, `matters`
   * says whether it does which one between them it is.
   */
  tokensNear(matters: (least: number, most: number) => boolean): number {
    if (!this.isBounded) return this.tokensNow();
    const waiting = this.#heldBack.tokens();
    return this.#inCore((handle) => {
      this.#send(handle);
      for (let blocks = 0; ; blocks = 1) {
        handle.settle(this.#host, blocks);
        const least = handle.tokensNow() + waiting;
        const most = handle.tokensAtMost() + waiting;
        if (least === most || !matters(least, most)) return least;
      }
    });
  }

  /** Whether tokens are counted only where they have to be. */
  get isBounded(): boolean {
    return typeof this.#callbacks.countTokens?.bounds === 'function';
  }

  /** Counts messages that are no part of the history. */
  #counter(): Counter<M> {
    const { countTokens } = this.#callbacks;
    const create: HandleFactory = ({ glue }) => new glue.OptimizerHandle('{}');
    const session = new Session<M>(this.#engine, this.#adapter, { countTokens }, create);
    let counted = 0;
    const tokensOf = (message: M): number => {
      const before = counted;
      session.push([message]);
      counted = session.tokensRaw();
      return counted - before;
    };
    return { tokensOf, dispose: () => session.dispose() };
  }

  /** The tokens that are left, or another number that is right once all is counted. */
  #counted(read?: (handle: OptimizerHandle) => number): number {
    return this.#inCore((handle) => {
      this.#send(handle);
      const left = handle.count(this.#host);
      return read === undefined ? left : read(handle);
    });
  }

  /** Whether only the content of a message matters: no function of the caller's is asked about it. */
  get judgesByContent(): boolean {
    return this.#callbacks.protect === undefined && this.#callbacks.isFailure === undefined;
  }

  /** Whether a message reads as it did when it was pushed. */
  readsAlike(message: M, index: number): boolean {
    // After `resume` nothing was read yet: then every message would seem to have changed.
    if (!this.#input.knows(index)) this.#inCore(() => undefined);
    else if (!this.#isLive()) this.#input.close();
    return this.#gate.alone(() => this.#input.readsAlike(message, index));
  }

  /** Reads messages only to let the caller's functions throw before any state is given up. */
  rehearse(messages: readonly M[], from: number, index: number): void {
    if (!this.#isLive()) this.#input.close();
    this.#gate.alone(() => this.#input.rehearse(messages, from, index));
  }

  /**
   * Replaces a known message by one with the same content. `isSame`: its content is equal, so the edited copy of the
   * other one is valid for it.
   */
  adopt(message: M, index: number, isSame: boolean): void {
    this.adoptions += 1;
    this.raw[index] = message;
    if (!this.#book.has(index)) return this.live.set(index, message);
    if (isSame) return;
    this.#book.refresh(index);
    this.#heldBack.touch(index);
  }

  /** Goes back to the first `count` messages; edits that rest on later ones are taken back. */
  rewind(count: number): void {
    this.#gate.checkOpen();
    needRoom();
    this.#bills = this.#billsForRewind(false);
    this.#rewound = Math.min(count, this.#rewound ?? count);
    this.raw.length = count;
    this.live.truncate(count);
    this.#host.keepCounts();
    this.#givenOut = Math.min(this.#givenOut, this.#book.truncate(count));
    this.#heldBack.forget();
    this.version += 1;
    this.#drop();
  }

  #billsForRewind(isSent: boolean): readonly number[] {
    return this.#isLive() && this.#rewound === undefined ? [...this.#handle!.billsForRewind(isSent)] : this.#bills;
  }

  /** What the session is made again of, beside its messages. `rewinds`: its request was sent, and it will be taken back. */
  record(rewinds = false): SessionRecord {
    const words = this.#book.toWords();
    return {
      words,
      texts: this.texts.slice(),
      givenOut: this.#givenOut,
      bills: [...(rewinds ? this.#billsForRewind(true) : this.#bills)],
      rewound: this.#rewound,
    };
  }

  /** Takes over messages and a record of them; the core gets them when it is needed. */
  resume(messages: readonly M[], { words, texts, givenOut, bills, rewound }: SessionRecord): void {
    this.#noteLifetimes(messages, 0);
    this.#gate.checkOpen();
    this.#drop();
    for (const message of messages) {
      this.raw.push(message);
      this.live.push(message);
    }
    for (const text of texts.slice(this.texts.length)) this.texts.push(text);
    this.#book.load(words);
    this.#heldBack.forget();
    this.#givenOut = givenOut;
    this.#bills = bills;
    this.#rewound = rewound;
    this.version += 1;
  }

  /** Bytes that the core holds for the session, approximately. */
  get bytes(): number {
    return (this.#isLive() ? (this.#handle?.bytes() ?? 0) : 0) + this.#input.bytes;
  }

  /** Frees the core's side; the session can't be used any more. */
  dispose(): void {
    this.#gate.close();
    this.#drop();
  }

  #isLive(): boolean {
    return this.#handle !== undefined && this.#instance === this.#engine.current;
  }

  #drop(): void {
    // An object of a retired instance must not be touched: its memory may be in any state.
    if (this.#isLive()) this.#handle?.free();
    // The names stay: they still tell whether a message is a known one.
    this.#handle = undefined;
    this.#instance = undefined;
  }

  /**
   * Calls a core function that returns a run. What it decided is taken in wholly or, if the
   * stack ends on the way, not at all.
   */
  #perform(action: (handle: OptimizerHandle) => number): Run {
    let changes: readonly Change<M>[] = NONE;
    let made: LoggedEdit[] = [];
    let bills = this.#bills;
    const run = this.#inCore((handle) => {
      const address = action(handle);
      const decided = readRun(this.#words(), address, this.texts, this.#input.places);
      if (!this.flushesAlways) bills = readBills(this.#words(), address);
      changes = decided.edits.length === 0 && !decided.flush ? NONE : this.#book.changesOf(decided, (made = []));
      return made.length === 0 ? decided : { ...decided, made };
    });
    // From here on nothing is called that may throw.
    this.#anchor = run.anchor;
    this.#givenOut = this.raw.length;
    this.#bills = bills;
    this.#rewound = undefined;
    this.isFork = false;
    this.version += 1;
    const { pending } = this.#book;
    for (let at = 0; at < changes.length; at += 1) {
      const { index, edits, entry } = changes[at]!;
      this.#book.put(index, edits);
      if (edits.some((edit) => edit.pending)) pending.add(index);
      else pending.delete(index);
      this.#heldBack.touch(index);
      if (entry !== undefined) this.live.put(index, entry);
    }
    const told = withUnread(this.#input.told(run), this.#adapter, this.#input.thoughts, this.live.entries);
    if (this.#cuts === undefined) return told;
    for (const { index } of changes) this.#cuts.edited(this.raw, index);
    const unkept = this.#cuts.takeUnkept();
    return unkept === undefined ? told : { ...told, unkept };
  }

  /** Does something in the core; after a trap once more in a fresh instance. */
  #inCore<T>(action: (handle: OptimizerHandle) => T): T {
    this.#gate.checkOpen();
    for (let attempt = 1; ; attempt += 1) {
      this.#gate.enter();
      try {
        this.#live();
        const result = action(this.#handle!);
        if (this.#instance !== this.#engine.current) throw new Trapped('the instance is gone');
        return result;
      } catch (thrown) {
        // First what needs no stack: if it throws, the core's unfinished work is discarded as well.
        const handle = this.#handle;
        const instance = this.#instance;
        const { current } = this.#engine;
        const { failure } = this.#host;
        this.#handle = undefined;
        this.#instance = undefined;
        this.#engine.current = undefined;
        this.#host.failure = undefined;
        const trapped = this.#engine.judge(thrown, current);
        if (trapped === undefined) {
          if (instance === current) handle?.free();
          throw failure ?? fromHere(thrown);
        }
        if (attempt === 2) throw failedTwice({ cause: trapped.cause });
      } finally {
        this.#gate.leave();
      }
    }
  }

  /** The core's memory as words. */
  readonly #words = (): Uint32Array => {
    const { buffer } = this.#instance!.memory;
    if (this.#memory.buffer !== buffer) this.#memory = new Uint32Array(buffer);
    return this.#memory;
  };

  /** Makes the core's side if there is none in the live instance: messages first, then their edits. */
  #live(): void {
    const { instance } = this.#engine;
    if (this.#handle !== undefined && this.#instance === instance) return;
    const handle = this.#create(instance, this.#keptFor);
    const names = new Names(this.#engine, handle);
    const demands = this.#adapter.capabilities | (this.#keepsAnchor ? CAPABILITY.keepsAnchor : 0);
    if (demands !== 0) handle.demand(demands);
    this.#sendAhead(handle);
    this.#input.restart(names);
    this.#handle = handle;
    this.#instance = instance;
    this.#host.instance = instance;
    this.#replay(handle);
  }

  #replay(handle: OptimizerHandle): void {
    if (this.texts.length === 0) this.texts.push(pointer);
    for (const text of this.texts.slice(1)) handle.text(text);
    if (this.#givenOut > 0 || this.#bills.length > 0) {
      const unitOf = (message: number) => this.#input.places?.firstUnit(message) ?? message;
      const rewound = this.#rewound === undefined ? NO_UNIT : unitOf(this.#rewound);
      handle.resume(unitOf(this.#givenOut), rewound, Float64Array.from(this.#bills));
    }
    if (this.isFork) handle.fork();
    if (this.#book.isEmpty) return;
    // Rules may run over what is new while it is sent, so the old edits come first.
    this.#input.send(handle, this.#words, { most: Math.max(this.#givenOut, this.#book.end) });
    this.#input.replay(handle, this.#words, this.#book.toWords());
  }

  /** Sends the messages that the core doesn't have yet; by turns right before a run. */
  #send(handle: OptimizerHandle, byTurns = false): void {
    this.#input.send(handle, this.#words, { byTurns });
  }
}
