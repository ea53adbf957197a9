import { failedTwice, fromHere } from '../base/errors.js';
import { type Engine, Trapped } from '../core/engine.js';
import { placed } from '../core/places.js';
import { Names, Writer } from '../core/stream.js';
import { streamVersion } from '../generated/protocol.js';
import type { HistoryHandle } from '../generated/summary.js';
import type { Adapter } from '../messages/adapter.js';
import { neutralAs } from '../messages/neutral.js';
import { Host } from '../session/host.js';
import type { Callbacks } from '../types.js';
import type { FullGlue, FullInstance } from '../wasm/full.js';
import { TextMaker } from './texts.js';

/** The number of words of the stream that cross at once. */
const PORTION = 65_536;

/** Makes the module's side of a reading. */
export type ReadingFactory = (instance: FullInstance) => HistoryHandle;

/** A history that the module of summaries reads for one call; after a trap it is read again. */
export class Reading<M> {
  readonly #engine: Engine<FullGlue>;
  readonly #adapter: Adapter<M>;
  readonly #callbacks: Callbacks<M>;
  readonly #messages: readonly M[];

  constructor(engine: Engine<FullGlue>, adapter: Adapter<M>, callbacks: Callbacks<M>, messages: readonly M[]) {
    this.#engine = engine;
    this.#adapter = adapter;
    this.#callbacks = callbacks;
    this.#messages = messages;
  }

  /** Reads the history and does something with it. */
  use<T>(create: ReadingFactory, action: (handle: HistoryHandle, host: Host<M>) => T): T {
    return twice(() => this.#once(create, action));
  }

  #once<T>(create: ReadingFactory, action: (handle: HistoryHandle, host: Host<M>) => T): T {
    const engine = this.#engine;
    const host = new Host(engine, this.#adapter, this.#messages, this.#callbacks.countTokens, true);
    let handle: HistoryHandle | undefined;
    try {
      return engine.guard(() => {
        host.instance = engine.instance;
        handle = create(engine.instance);
        this.#read(handle, engine.instance, host);
        const result = action(handle, host);
        if (host.instance !== engine.current) throw new Trapped('the instance is gone');
        return result;
      });
    } catch (thrown) {
      throw thrown instanceof Trapped ? thrown : (host.failure ?? thrown);
    } finally {
      // An object of an instance that trapped must not be touched.
      if (host.instance !== undefined && host.instance === engine.current) handle?.free();
    }
  }

  #read(handle: HistoryHandle, instance: FullInstance, host: Host<M>): void {
    const names = new Names(this.#engine, handle);
    const writer = new Writer();
    if (this.#adapter.capabilities !== 0) handle.demand(this.#adapter.capabilities);
    this.#messages.forEach((message, index) => {
      const start = writer.length;
      this.#adapter.read(message, index, writer, names, this.#callbacks);
      host.places = placed(host.places, writer, start, index);
      if (writer.length >= PORTION) send(handle, instance, writer);
    });
    send(handle, instance, writer);
  }
}

/** Sends what was written and empties the writer. */
function send(handle: HistoryHandle, { memory }: FullInstance, writer: Writer): void {
  if (writer.length === 0) return;
  const address = handle.input(writer.length + 1) >>> 2;
  const words = new Int32Array(memory.buffer);
  words[address] = streamVersion;
  words.set(writer.words.subarray(0, writer.length), address + 1);
  handle.push(writer.length + 1);
  writer.length = 0;
}

/**
 * One of each object that a reading is made of. Engines drop an object's shape and its compiled code once the last
 * such object is gone: each request would run as slowly as the first.
 */
export function shapes(engine: Engine<FullGlue>): readonly object[] {
  const nobody = { tool: () => 0, describeTool: () => '', path: () => 0, listedPath: () => 0 };
  const host = new Host(engine, neutralAs(), [], undefined, true);
  return [new Names(engine, nobody), new Writer(), host, new TextMaker(neutralAs(), host, (text) => text)];
}

/** Makes a call; after a trap it is made again, in a fresh instance. */
export function twice<T>(call: () => T): T {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return call();
    } catch (thrown) {
      if (!(thrown instanceof Trapped)) throw fromHere(thrown);
      if (attempt === 1) continue;
      throw failedTwice({ cause: thrown.cause });
    }
  }
}
