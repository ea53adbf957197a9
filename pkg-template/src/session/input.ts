import { type Foreign, foreignMessage } from '../core/foreign.js';
import type { Run } from '../core/output.js';
import { type Places, placed } from '../core/places.js';
import { type Names, OF_COPY, Writer } from '../core/stream.js';
import type { OptimizerHandle } from '../generated/densify.js';
import { streamVersion } from '../generated/protocol.js';
import type { Adapter } from '../messages/adapter.js';
import type { Callbacks } from '../types.js';
import type { Host } from './host.js';

/** Up to this number of words are copied one by one: that is faster than a view on them. */
const FEW = 128;

/** A history as the core gets it: each message read once into words, which are sent with the next run. */
export class Input<M> {
  readonly #adapter: Adapter<M>;
  readonly #messages: readonly M[];
  readonly #callbacks: Callbacks<M>;
  readonly #host: Host<M>;
  #writer = new Writer();
  /** Where each message's words start in the writer. */
  #starts: number[] = [];
  /** The messages in which the model thought. */
  #thoughts: number[] = [];
  #names: Names | undefined;
  /** How much of the writer's words the core has. */
  #sent = 0;
  /** The core's input buffer: its address in words, and how many it has room for. */
  #at = 0;
  #room = 0;
  #foreign: Foreign | undefined;

  /** `host` learns where units lie, if some messages have several. */
  constructor(adapter: Adapter<M>, messages: readonly M[], callbacks: Callbacks<M>, host: Host<M>) {
    this.#adapter = adapter;
    this.#messages = messages;
    this.#callbacks = callbacks;
    this.#host = host;
  }

  /** Where units lie, if some messages have several. */
  get places(): Places | undefined {
    return this.#host.places;
  }

  /** Bytes that are held here, approximately. */
  get bytes(): number {
    return this.#writer.words.byteLength;
  }

  /** The messages in which the model thought, in order; those of one format only. */
  get thoughts(): readonly number[] {
    return this.#thoughts;
  }

  /** Describes messages that follow the others; if that throws nothing has changed. */
  add(messages: readonly M[], from: number, tokens: readonly number[] | undefined): void {
    const count = this.#starts.length;
    const { length } = this.#writer;
    const first = this.#messages.length - from;
    try {
      for (let at = from; at < messages.length; at += 1) {
        const { thoughts } = this.#writer;
        this.#starts.push(this.#writer.length);
        this.#adapter.read(messages[at] as M, first + at, this.#writer, this.#names!, this.#callbacks, tokens?.[at]);
        stamp(this.#adapter, messages[at] as M, this.#writer, this.#starts[first + at]!);
        if (this.#writer.thoughts > thoughts) this.#thoughts.push(first + at);
        if (this.#writer.further > 0)
          this.#host.places = placed(this.places, this.#writer, this.#starts[first + at]!, first + at);
        if (this.#writer.saysNothing(this.#starts[first + at]!))
          this.#foreign ??= foreignMessage(messages[at], first + at, this.#adapter.carrier);
      }
    } catch (thrown) {
      this.#starts.length = count;
      this.#writer.length = length;
      this.#thoughts = this.#thoughts.filter((at) => at < count);
      this.places?.truncate(count);
      throw thrown;
    }
  }

  /** The first unreadable message that is not empty; it is told once. */
  takeForeign(): Foreign | undefined {
    const foreign = this.#foreign;
    this.#foreign = undefined;
    return foreign;
  }

  /** A run that tells of such a message. */
  told(run: Run): Run {
    const foreign = this.takeForeign();
    return foreign === undefined ? run : { ...run, foreign };
  }

  /** Describes all messages again, for a handle that knows none of them; if that throws nothing has changed. */
  restart(names: Names): void {
    const writer = new Writer();
    const starts: number[] = [];
    const found: number[] = [];
    let places: Places | undefined;
    this.#messages.forEach((message, index) => {
      const start = this.#starts[index];
      const given = start === undefined ? -1 : this.#writer.words[start + OF_COPY.count]! - 1;
      const { thoughts } = writer;
      starts.push(writer.length);
      this.#adapter.read(message, index, writer, names, this.#callbacks, given < 0 ? undefined : given);
      stamp(this.#adapter, message, writer, starts[index]!);
      if (writer.thoughts > thoughts) found.push(index);
      if (writer.further > 0) places = placed(places, writer, starts[index]!, index);
    });
    this.#names = names;
    this.#writer = writer;
    this.#starts = starts;
    this.#thoughts = found;
    this.#host.places = places;
    this.#sent = 0;
    this.#at = 0;
    this.#room = 0;
  }

  /**
   * Sends the messages that the core doesn't have yet, or only those of the first `most`; `memory` is the core's, which may have grown.
   */
  send(
    handle: OptimizerHandle,
    memory: () => Uint32Array,
    { most = Infinity, byTurns = false }: { readonly most?: number; readonly byTurns?: boolean },
  ): void {
    const { words } = this.#writer;
    const length = this.#starts[most] ?? this.#writer.length;
    const count = length - this.#sent;
    if (count <= 0) return;
    if (this.#room <= count) {
      this.#room = Math.max(count * 2, 256);
      this.#at = handle.input(this.#room) >>> 2;
    }
    const target = memory();
    const at = this.#at;
    target[at] = streamVersion;
    if (count > FEW) target.set(words.subarray(this.#sent, length), at + 1);
    else for (let word = 0; word < count; word += 1) target[at + 1 + word] = words[this.#sent + word]!;
    this.#sent = length;
    handle.push(count + 1, this.#host, byTurns);
  }

  /** Sends edits of messages, to be made as they were. */
  replay(handle: OptimizerHandle, memory: () => Uint32Array, edits: Uint32Array): void {
    const words = this.places?.toUnits(edits) ?? edits;
    const address = handle.input(words.length);
    this.#room = 0;
    memory().set(words, address >>> 2);
    handle.replay(words.length);
  }

  /** The core's side is gone: what it doesn't know yet isn't asked of it any more. */
  close(): void {
    if (this.#names !== undefined) this.#names.isClosed = true;
  }

  /** Whether the message at an index was read. */
  knows(index: number): boolean {
    return this.#names !== undefined && this.#starts[index] !== undefined;
  }

  /** Whether a message reads as the one did that was added at an index. */
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
        if (at === OF_COPY.count || at === OF_COPY.time) continue;
        if (words[from + at] !== words[scratch + at]) return false;
      }
      return this.#adapter.sameTexts(this.#messages[index] as M, message);
    } finally {
      this.#writer.length = scratch;
    }
  }

  /** Reads messages only to let the caller's functions throw before any state is given up. */
  rehearse(messages: readonly M[], from: number, index: number): void {
    const names = this.#names;
    const { protect, isFailure } = this.#callbacks;
    if (names === undefined || (protect === undefined && isFailure === undefined)) return;
    const scratch = this.#writer.length;
    try {
      for (let at = from; at < messages.length; at += 1) {
        this.#adapter.read(messages[at] as M, index + at - from, this.#writer, names, this.#callbacks);
      }
    } finally {
      this.#writer.length = scratch;
    }
  }
}

/** Notes when a message was written, whose words begin at some place. */
function stamp<M>({ time }: Adapter<M>, message: M, { words }: Writer, start: number): void {
  if (time !== undefined) words[start + OF_COPY.time] = time(message);
}
