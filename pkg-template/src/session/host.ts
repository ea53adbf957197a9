import { type DensifyError, densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import { coders } from '../base/utf8.js';
import { chunkEnd } from '../base/utf16.js';
import { packBounds } from '../core/bounds.js';
import { type Engine, Trapped } from '../core/engine.js';
import type { Places } from '../core/places.js';
import type { TextHost } from '../generated/densify.js';
import { LEAF } from '../generated/protocol.js';
import { type Adapter, leafText } from '../messages/adapter.js';
import type { TokenCounter } from '../types.js';
import type { Instance, TextGlue } from '../wasm/instance.js';
import type { Cuts } from './cuts.js';
import { KnownCounts } from './known-counts.js';

const encoder = new coders.TextEncoder();

/** UTF-16 code units of a chunk. Each takes at most three bytes, and the core's buffer holds three times as many. */
export const CHUNK = 16_384;

const LEAVES = Object.keys(LEAF).length;

/** Hands texts to the core, in chunks that fit its buffer, and counts for it if the caller can. */
export class Host<M> implements TextHost {
  /** Why the caller's counter failed, if it did. */
  failure: DensifyError | undefined;
  /** The instance that asks. */
  instance: Instance<TextGlue> | undefined;
  /** Where units lie, if some messages have several. */
  places: Places | undefined;
  readonly #engine: Pick<Engine<TextGlue>, 'current'>;
  readonly #adapter: Adapter<M>;
  readonly #messages: readonly M[];
  readonly #countTokens: TokenCounter | undefined;
  readonly #counts: KnownCounts | undefined;
  readonly #cuts: Cuts<M> | undefined;
  /** The texts of each unit that were asked for, where they are remembered: block by block, leaf by leaf. */
  readonly #known: string[][] | undefined;
  #text = '';
  #at = 0;
  #buffer = new Uint8Array(0);

  constructor(
    engine: Pick<Engine<TextGlue>, 'current'>,
    adapter: Adapter<M>,
    messages: readonly M[],
    countTokens: TokenCounter | undefined,
    remembers = false,
    cuts?: Cuts<M>,
  ) {
    this.#engine = engine;
    this.#adapter = adapter;
    this.#messages = messages;
    this.#countTokens = countTokens;
    this.#counts = countTokens === undefined ? undefined : new KnownCounts(countTokens);
    this.#known = remembers ? [] : undefined;
    this.#cuts = cuts;
  }

  /**
   * One of a unit's strings. A host that remembers asks for it once: later reads give the same text, and payloads
   * become JSON once. It is for one call, since it holds as much as the history.
   */
  text(unit: number, block: number, leaf: number): string {
    if (this.#known === undefined) return this.#read(unit, block, leaf);
    const texts = (this.#known[unit] ??= []);
    return (texts[block * LEAVES + leaf] ??= this.#read(unit, block, leaf));
  }

  #read(unit: number, block: number, leaf: number): string {
    if (leaf === LEAF.reference) return this.#reference(unit, block);
    return leafText(this.#adapter, this.#messages, unit, block, leaf, this.places);
  }

  /** Of what stands beside a text in a payload all is cut, so all is kept. */
  #reference(unit: number, block: number): string {
    if (this.#cuts === undefined) return '';
    const text = this.#read(unit, block, LEAF.rest) === '' ? this.#read(unit, block, LEAF.text) : '';
    const whole = text === '' ? this.#read(unit, block, LEAF.json) : text;
    return this.#cuts.reference(this.#messages, this.#indexOf(unit), whole);
  }

  chunk(unit: number, block: number, leaf: number, isFirst: boolean): number {
    if (isFirst) {
      this.#text = this.text(unit, block, leaf);
      this.#at = 0;
    }
    const from = this.#at;
    const to = chunkEnd(this.#text, from, CHUNK);
    if (from === to) {
      this.#text = '';
      return 0;
    }
    this.#at = to;
    const piece = from === 0 && to === this.#text.length ? this.#text : this.#text.slice(from, to);
    return encoder.encodeInto(piece, this.#bufferOfCore()).written;
  }

  get hasCounter(): boolean {
    return this.#countTokens !== undefined;
  }

  count(unit: number, block: number, leaf: number): number {
    const counts = this.#counts;
    if (counts === undefined) return NaN;
    const index = this.#indexOf(unit);
    return this.#count(this.text(unit, block, leaf), (text) => counts.of(text, this.#isNewest(index)), index);
  }

  bound(unit: number, block: number, leaf: number): number {
    if (this.#countTokens?.bounds === undefined) return NaN;
    const text = this.text(unit, block, leaf);
    const known = this.#knownCount(text, this.#indexOf(unit));
    return known === undefined ? this.boundText(text) : packBounds({ lower: known, upper: known });
  }

  boundText(text: string): number {
    try {
      const bounds = this.#countTokens?.bounds?.(text);
      return bounds === undefined ? NaN : packBounds(bounds);
    } catch {
      return NaN; // the text is counted instead
    }
  }

  countText(text: string): number {
    return this.#countTokens === undefined ? NaN : this.#count(text, this.#countTokens);
  }

  /** Keeps counts from now on: after each rewind the core asks for them again. */
  keepCounts(): void {
    this.#counts?.keep();
  }

  #indexOf(unit: number): number {
    return this.places?.messageOf(unit) ?? unit;
  }

  #isNewest(index: number): boolean {
    return index === this.#messages.length - 1;
  }

  #knownCount(text: string, index: number): number | undefined {
    try {
      const known = this.#counts?.ifKnown(text, this.#isNewest(index));
      return typeof known === 'number' ? Math.round(known) : undefined;
    } catch {
      return undefined; // the text is counted instead
    }
  }

  #count(text: string, counter: (text: string) => unknown, index?: number): number {
    const at = index === undefined ? {} : { index };
    try {
      const count = counter(text);
      if (typeof count === 'number' && count >= 0 && Number.isFinite(count)) return Math.round(count);
      const { then } = (count ?? {}) as { readonly then?: unknown };
      // A promise comes too late; its rejection, which no code handles, would end the process.
      if (typeof then === 'function') then.call(count, undefined, () => undefined);
      this.failure = densifyError(
        'token-counter-failed',
        `option countTokens: your function returned ${describe(count)}, expected a number of at least 0`,
        at,
      );
    } catch (cause) {
      this.failure = densifyError(
        'token-counter-failed',
        "option countTokens: your function threw (see 'cause'); it must return a number for every text",
        { ...at, cause },
      );
    }
    return -1;
  }

  #bufferOfCore(): Uint8Array {
    const { instance } = this;
    // One of the caller's functions may have used another history that trapped.
    if (instance === undefined || instance !== this.#engine.current) throw new Trapped('the instance is gone');
    const { memory, glue } = instance;
    if (this.#buffer.buffer !== memory.buffer) {
      const [address = 0, length = 0] = glue.textBuffer();
      this.#buffer = new Uint8Array(memory.buffer, address, length);
    }
    return this.#buffer;
  }
}
