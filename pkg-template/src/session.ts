import type { Adapter, AppliedEdit } from './adapter.js';
import { type Engine, Trapped } from './engine.js';
import { densifyError } from './errors.js';
import type { OptimizerHandle } from './generated/densify.js';
import { Host } from './host.js';
import { EDIT, type LoggedEdit, readRun, type Run, writeEdits } from './output.js';
import { Names, Writer } from './stream.js';
import type { Callbacks } from './types.js';
import type { Instance } from './wasm/instance.js';

/** Stands in the output for a message that is gone. */
export const DROPPED = Symbol('dropped');

/** Makes the core's side of a session. */
export type HandleFactory = (instance: Instance) => OptimizerHandle;

/**
 * A history in the core and its messages here. The core's side can be made anew at any time from
 * the messages and the edits: that is how a session survives a trap, and how it goes back to
 * before a message that is gone.
 */
export class Session<M> {
  /** The messages as they were pushed. */
  readonly raw: M[] = [];
  /** Each message as it is now. */
  readonly out: (M | typeof DROPPED)[] = [];
  /** Counts changes, so that what is computed late can tell whether it still may. */
  version = 0;

  readonly #engine: Engine;
  readonly #adapter: Adapter<M>;
  readonly #callbacks: Callbacks<M>;
  readonly #create: HandleFactory;
  readonly #host: Host<M>;
  #edits = new Map<number, LoggedEdit[]>();
  #pending = new Set<number>();
  #texts: string[] = [];
  #writer = new Writer();
  /** Where each message's words start in the writer. */
  #starts: number[] = [];
  #names: Names | undefined;
  #handle: OptimizerHandle | undefined;
  #instance: Instance | undefined;
  /** How much of the writer's words the core has. */
  #sent = 0;
  #givenOut = 0;
  #input = new Int32Array(0);
  #isDisposed = false;

  constructor(engine: Engine, adapter: Adapter<M>, callbacks: Callbacks<M>, create: HandleFactory) {
    this.#engine = engine;
    this.#adapter = adapter;
    this.#callbacks = callbacks;
    this.#create = create;
    this.#host = new Host(engine, adapter, this.raw, callbacks.countTokens);
    this.#attempt(() => this.#live()); // options are checked here, where they are given
  }

  /** Adds a message; the core gets it with the next run. */
  push(message: M, tokens?: number): void {
    this.#checkOpen();
    const index = this.raw.length;
    const start = this.#attempt(() => {
      const names = this.#live();
      const { length } = this.#writer;
      this.#adapter.read(message, index, this.#writer, names, this.#callbacks, tokens);
      return length;
    });
    this.#starts.push(start);
    this.raw.push(message);
    this.out.push(message);
    this.version += 1;
  }

  /** Runs the rules over what is new. */
  run(force: boolean): Run {
    const run = this.#perform((handle) => handle.run(this.#host, force));
    this.#take(run);
    return run;
  }

  /** Runs a deterministic strategy; `outcome` is what the core says of it, parsed. */
  compress(settings: string): { readonly run: Run; readonly outcome: unknown } {
    let outcome: unknown;
    const run = this.#perform((handle) => {
      const address = handle.compress(settings, this.#host);
      outcome = JSON.parse(handle.outcome());
      return address;
    });
    this.#take(run);
    return { run, outcome };
  }

  /** Tokens of the messages as pushed, and of what is left of them. */
  tokens(): { readonly raw: number; readonly now: number } {
    return this.#inCore((handle) => {
      this.#flushInput(handle);
      handle.count(this.#host);
      return { raw: handle.tokensRaw(), now: handle.tokensNow() };
    });
  }

  /** The texts that edits refer to. */
  text(id: number): string {
    return this.#texts[id] ?? '';
  }

  /** Whether a message reads as it did when it was pushed. */
  readsAlike(message: M, index: number): boolean {
    const names = this.#names;
    const from = this.#starts[index];
    if (names === undefined || from === undefined) return false;
    const scratch = this.#writer.length;
    try {
      this.#adapter.read(message, index, this.#writer, names, this.#callbacks);
      const { words, length } = this.#writer;
      const to = this.#starts[index + 1] ?? scratch;
      if (length - scratch !== to - from) return false;
      for (let at = 0; at < to - from; at += 1) {
        // The third word is the caller's own count, which isn't read again.
        if (at !== 2 && words[from + at] !== words[scratch + at]) return false;
      }
      return this.#adapter.sameTexts(this.raw[index] as M, message);
    } finally {
      this.#writer.length = scratch;
    }
  }

  /** Puts a message that reads alike in the place of one that was pushed. */
  adopt(message: M, index: number): void {
    this.raw[index] = message;
    this.#refresh(index);
  }

  /** Goes back to the first `count` messages; edits that rest on later ones are taken back. */
  rewind(count: number): void {
    this.raw.length = count;
    this.out.length = count;
    const kept = new Map<number, LoggedEdit[]>();
    for (const [unit, edits] of this.#edits) {
      const holding = unit < count ? edits.filter((edit) => edit.cause < count) : [];
      if (holding.length > 0) kept.set(unit, holding);
      if (unit < count && holding.length < edits.length) this.#givenOut = Math.min(this.#givenOut, unit);
    }
    const touched = [...this.#edits.keys()];
    this.#edits = kept;
    this.#pending = new Set([...this.#pending].filter((unit) => kept.has(unit)));
    this.#givenOut = Math.min(this.#givenOut, count);
    this.version += 1;
    for (const unit of touched) if (unit < count) this.#refresh(unit);
    this.#drop();
  }

  /** Reads all messages anew. */
  invalidate(): void {
    this.#checkOpen();
    this.#drop();
  }

  /** Whether any edit was made or waits. */
  get isEdited(): boolean {
    return this.#edits.size > 0;
  }

  /** Bytes that the core holds for the session, approximately. */
  get bytes(): number {
    return (this.#isLive() ? (this.#handle?.bytes() ?? 0) : 0) + this.#writer.words.byteLength;
  }

  /** Frees the core's side; the session can't be used any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#drop();
  }

  #checkOpen(): void {
    if (this.#isDisposed) throw densifyError('disposed', 'the optimizer was disposed; create another one');
  }

  #isLive(): boolean {
    return this.#handle !== undefined && this.#instance === this.#engine.instance;
  }

  #drop(): void {
    // An object of a retired instance must not be touched: its memory may be in any state.
    if (this.#isLive()) this.#handle?.free();
    this.#handle = undefined;
    this.#names = undefined;
    this.#instance = undefined;
  }

  /** Sends what is new and lets the core do something whose output is a run. */
  #perform(action: (handle: OptimizerHandle) => number): Run {
    return this.#inCore((handle) => {
      this.#flushInput(handle);
      const address = action(handle);
      return readRun(this.#engine.instance.memory, address);
    });
  }

  #inCore<T>(action: (handle: OptimizerHandle) => T): T {
    this.#checkOpen();
    return this.#attempt(() => {
      if (!this.#isLive()) this.#live();
      return action(this.#handle as OptimizerHandle);
    });
  }

  /** Does something in the core; after a trap once more in a fresh instance. */
  #attempt<T>(action: () => T): T {
    for (let attempt = 1; ; attempt += 1) {
      this.#host.failure = undefined;
      try {
        return this.#engine.guard(action);
      } catch (thrown) {
        if (this.#host.failure !== undefined) throw this.#host.failure;
        if (!(thrown instanceof Trapped)) throw thrown;
        this.#drop();
        if (attempt === 2) {
          throw densifyError('core-failed', 'the core failed twice on this input, most likely for want of memory', { cause: thrown.cause });
        }
      }
    }
  }

  /** Makes the core's side if there is none in the live instance: messages first, then their edits. */
  #live(): Names {
    const { instance } = this.#engine;
    if (this.#names !== undefined && this.#instance === instance) return this.#names;
    const handle = this.#create(instance);
    const names = new Names(this.#engine, handle);
    const writer = new Writer();
    const starts: number[] = [];
    this.raw.forEach((message, index) => {
      const given = this.#writer.words[this.#starts[index]! + 2]! - 1;
      starts.push(writer.length);
      this.#adapter.read(message, index, writer, names, this.#callbacks, given < 0 ? undefined : given);
    });
    this.#handle = handle;
    this.#instance = instance;
    this.#names = names;
    this.#writer = writer;
    this.#starts = starts;
    this.#sent = 0;
    this.#input = new Int32Array(0);
    this.#replay(handle);
    return names;
  }

  #replay(handle: OptimizerHandle): void {
    if (this.#texts.length === 0) this.#texts.push(handle.placeholder());
    for (const text of this.#texts.slice(1)) handle.text(text);
    if (this.#givenOut > 0) handle.resume(this.#givenOut);
    if (this.#edits.size === 0) return;
    this.#flushInput(handle);
    const words = writeEdits([...this.#edits.values()].flat());
    const { memory } = this.#engine.instance;
    const address = handle.input(words.length);
    new Uint32Array(memory.buffer, address, words.length).set(words);
    handle.replay(words.length);
  }

  /** Sends the messages that the core doesn't have yet. */
  #flushInput(handle: OptimizerHandle): void {
    const { length, words } = this.#writer;
    const count = length - this.#sent;
    if (count === 0) return;
    const { memory, glue } = this.#engine.instance;
    if (this.#input.buffer !== memory.buffer || this.#input.length < count + 1) {
      const room = Math.max(count + 1, 256);
      const address = handle.input(room);
      this.#input = new Int32Array(memory.buffer, address, room);
    }
    this.#input[0] = glue.streamVersion();
    if (count < 64) for (let at = 0; at < count; at += 1) this.#input[at + 1] = words[this.#sent + at]!;
    else this.#input.set(words.subarray(this.#sent, length), 1);
    this.#sent = length;
    handle.push(count + 1, this.#host);
  }

  /** Takes in what a run decided. */
  #take(run: Run): void {
    this.#givenOut = this.raw.length;
    this.version += 1;
    for (const text of run.texts) this.#texts.push(text);
    if (run.edits.length === 0 && !run.flush) return;
    const touched = run.flush ? this.#pending : new Set<number>();
    if (run.flush) {
      for (const unit of this.#pending) for (const edit of this.#edits.get(unit) ?? []) edit.pending = false;
      this.#pending = new Set();
    }
    for (const edit of run.edits) {
      if (run.flush) edit.pending = false;
      const known = this.#edits.get(edit.unit);
      if (known === undefined) this.#edits.set(edit.unit, [edit]);
      else known.push(edit);
      if (edit.pending) this.#pending.add(edit.unit);
      else touched.add(edit.unit);
    }
    for (const unit of touched) this.#refresh(unit);
  }

  /** Applies a message's edits. A message that throws when it is read stays as it is. */
  #refresh(index: number): void {
    const message = this.raw[index] as M;
    const edits = (this.#edits.get(index) ?? []).filter((edit) => !edit.pending);
    try {
      const edited = edits.length === 0 ? message : this.#adapter.apply(message, edits.map((edit) => this.applied(edit)));
      this.out[index] = edited === undefined ? DROPPED : edited;
    } catch {
      this.out[index] = message;
    }
  }

  /** An edit as an adapter applies it. */
  applied({ kind, block, first, second }: LoggedEdit): AppliedEdit {
    switch (kind) {
      case EDIT.drop:
        return { kind: 'drop' };
      case EDIT.dropBlock:
        return { kind: 'drop-block', block };
      case EDIT.set:
        return { kind: 'set', block, text: this.text(first) };
      default:
        return { kind: 'cut', block, start: first, end: second };
    }
  }
}
