import { densifyError } from '../base/errors.js';
import { wrongArgument } from '../base/options.js';
import { ENDS, STEPS, type StepName, type SummaryEnd } from '../generated/protocol.js';
import type { GiveUp, MachineHandle } from '../generated/summary.js';
import type { Summaries } from '../summary/summaries.js';
import type { FullInstance } from '../wasm/full.js';

/** What a step gives up. */
export const GIVEN_UP: Partial<Record<StepName, GiveUp>> = {
  'give-up-top': 'top',
  'give-up-first-request': 'first-request',
  'give-up-tail': 'tail',
  'give-up-model': 'model',
};

/** The core's decisions for one conversation; what they rest on survives a trap. */
export class Machine {
  readonly #summaries: Summaries;
  #settings: string;
  #handle: MachineHandle | undefined;
  #instance: FullInstance | undefined;
  #state: Uint32Array | undefined;
  #threshold: number | undefined;
  /** What is awaited: the core's number of it, which is another one in another instance. */
  #ticket = 0;
  /** So many messages were added, and whether the rules ran over all, since the core last heard of it. */
  #news = { added: 0, isOptimized: false };
  #isDirty = true;
  #isContinuous: boolean | undefined;
  #isBackground = false;
  #queued = 0;
  /**
   * Tokens that the provider counted on top of those that are counted here, in the request that was sent last. Callers of
   * the machine speak of tokens as they are counted here; its settings are about all of them.
   */
  offset = 0;

  constructor(summaries: Summaries, settings: string) {
    this.#summaries = summaries;
    this.#settings = settings;
    this.#use(() => undefined); // options are checked here, where they are given
  }

  next(tokens: number, pending: number): StepName {
    const number = this.#inCore((handle) => {
      const { added, isOptimized } = this.#news;
      const address = handle.next(this.#all(tokens), pending, added, isOptimized);
      const words = new Uint32Array(this.#instance!.memory.buffer, address);
      this.#heard(words.slice(2, 2 + words[1]!));
      return words[0]!;
    });
    const step = STEPS[number];
    if (step === undefined)
      throw densifyError(
        'core-failed',
        `the core chose the unknown step ${number}, a fault of densify; please report it`,
      );
    return step;
  }

  /** Whether what comes next may depend on how many tokens there are between the least and the most. */
  isNear(least: number, most: number, pending: number): boolean {
    return this.#ask((handle) => handle.isNear(this.#all(least), this.#all(most), pending));
  }

  /** Whether the next step may make the history smaller. */
  mayShrink(tokens: number, pending: number): boolean {
    return this.#ask((handle) => handle.mayShrink(this.#all(tokens), pending));
  }

  added(count: number): void {
    if (count === 0) return;
    this.#news = { added: this.#news.added + count, isOptimized: false };
    this.#isDirty = true;
    if (this.isLocked) this.#queued += count;
  }

  changed(): void {
    this.#use((handle) => handle.changed());
  }

  rewound(): void {
    this.#ticket = 0;
    this.#use((handle) => handle.rewound());
    this.#isDirty = true;
  }

  optimized(): void {
    this.#news = { ...this.#news, isOptimized: true };
    this.#isDirty = false;
  }

  compressed(tokens: number, pending: number): void {
    this.#use((handle) => handle.compressed(this.#all(tokens), pending));
  }

  get isLocked(): boolean {
    return this.#ticket !== 0;
  }

  get queued(): number {
    return this.isLocked ? this.#queued : 0;
  }

  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** Whether the strategy optimizes before each send. */
  get isContinuous(): boolean {
    return (this.#isContinuous ??= this.#ask((handle) => handle.isContinuous()));
  }

  summaryStarted(isBackground: boolean): void {
    const ticket = this.#use((handle) => handle.summaryStarted(isBackground));
    this.#ticket = ticket;
    this.#isBackground = isBackground;
    this.#queued = 0;
  }

  summaryEnded(end: SummaryEnd, tokens: number, pending: number): void {
    this.#use((handle) => handle.summaryEnded(this.#ticket, ENDS.indexOf(end), this.#all(tokens), pending));
    this.#ticket = 0;
  }

  #all(tokens: number): number {
    return Math.max(0, tokens + this.offset);
  }

  /** Limit, trigger and target. */
  budget(): readonly [limit: number, trigger: number, target: number] {
    const [limit = 0, trigger = 0, target = 0] = this.#ask((handle) => handle.budget());
    return [limit - this.offset, trigger - this.offset, target - this.offset];
  }

  /** What the window has for the history. */
  get limit(): number {
    return this.budget()[0];
  }

  /** The threshold that applies now, as a part of the limit. */
  get thresholdNow(): number {
    const [limit, trigger] = this.budget();
    // Of a window that something else fills nothing is left.
    return limit > 0 && trigger > 0 ? Math.min(1, trigger / limit) : 1;
  }

  setThreshold(threshold: number | undefined): void {
    if (threshold !== undefined && typeof threshold !== 'number') {
      throw wrongArgument('threshold', threshold, 'a number');
    }
    this.#use((handle) => handle.setThreshold(threshold));
    this.#threshold = threshold;
  }

  /** Goes on by other settings, as in another instance. */
  configure(settings: string): void {
    if (settings === this.#settings) return;
    new Machine(this.#summaries, settings).dispose();
    this.dispose();
    this.#settings = settings;
    this.#isContinuous = undefined;
    this.setThreshold(this.#threshold); // decides again by the new settings
  }

  get threshold(): number | undefined {
    return this.#threshold;
  }

  state(): readonly number[] {
    return this.#use((handle) => [...handle.state()]);
  }

  restore(state: readonly number[]): void {
    this.#isDirty = this.#use((handle) => {
      handle.restore(Uint32Array.from(state));
      return handle.isDirty();
    });
  }

  dispose(): void {
    if (this.#isLive()) this.#handle?.free();
    this.#handle = undefined;
  }

  #isLive(): boolean {
    return this.#handle !== undefined && this.#instance === this.#summaries.engine.current;
  }

  /** Asks the core for something that changes nothing, after it got all news. */
  #ask<T>(action: (handle: MachineHandle) => T): T {
    return this.#inCore((handle) => {
      this.#tell(handle);
      return action(handle);
    });
  }

  /** Does something that may change the state. */
  #use<T>(action: (handle: MachineHandle) => T): T {
    return this.#inCore((handle) => {
      this.#tell(handle);
      const result = action(handle);
      this.#state = handle.state();
      return result;
    });
  }

  /** Says what happened since the core last heard of it. */
  #tell(handle: MachineHandle): void {
    const { added, isOptimized } = this.#news;
    if (added === 0 && !isOptimized) return;
    if (added > 0) handle.added(added);
    if (isOptimized) handle.optimized();
    this.#heard(handle.state());
  }

  #heard(state: Uint32Array): void {
    this.#news = { added: 0, isOptimized: false };
    this.#state = state;
  }

  #inCore<T>(action: (handle: MachineHandle) => T): T {
    return this.#summaries.call(() => {
      if (!this.#isLive()) this.#wake();
      return action(this.#handle!);
    });
  }

  /** Makes the core's side in the live instance, as it was in the one that is gone. */
  #wake(): void {
    const { instance } = this.#summaries.engine;
    const handle = new instance.glue.MachineHandle(this.#settings);
    if (this.#threshold !== undefined) handle.setThreshold(this.#threshold);
    if (this.#state !== undefined) handle.restore(this.#state);
    if (this.isLocked) {
      this.#ticket = handle.summaryStarted(this.#isBackground);
      if (this.#queued > 0) handle.added(this.#queued);
    }
    this.#handle = handle;
    this.#instance = instance;
  }
}
