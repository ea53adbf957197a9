import { densifyError } from '../base/errors.js';
import { checkOptions, needObject, optionError, readOption } from '../base/options.js';
import type { NoopReason } from '../generated/densify.js';
import type { Intake } from '../intake/intake.js';
import type { Adapter } from '../messages/adapter.js';
import { BESIDE_MOMENTS } from '../optimizer/elsewhere.js';
import { checkList, listFrom } from '../optimizer/optimizer.js';
import { CompressionResult } from '../optimizer/results.js';
import { readSettings } from '../optimizer/settings.js';
import { Cuts } from '../session/cuts.js';
import type { CacheUse } from '../session/session.js';
import { type Redact, redactingErrors, redactionOf } from '../summary/redaction.js';
import type { DigestResult, SummaryNoop } from '../summary/types.js';
import { type Calibration, promptTokens } from '../tokens/calibration.js';
import type { CompressResult, FlushPlan } from '../types.js';
import { Compactor } from './compactor.js';
import { History } from './history.js';
import { Hooks } from './hooks.js';
import { type Host, intakeFor, sessionsOf } from './host.js';
import type { Machine } from './machine.js';
import {
  atSend,
  type ConversationSettings,
  checkPlace,
  readConversation,
  reconfigured,
  type SeenSizes,
  sizedBy,
} from './options.js';
import { Preparer } from './preparer.js';
import { type ConversationRecord, snapshotOf } from './snapshot.js';
import { holdingOf } from './standing.js';
import { Tally } from './tally.js';
import type { Task, TaskOwner } from './task.js';
import type { Todos } from './todos.js';
import type {
  BeforeSendOptions,
  CompletedStep,
  Conversation,
  ConversationCompressOptions,
  ConversationDigestOptions,
  ConversationOptions,
  ConversationSnapshot,
  ConversationStats,
  ConversationStep,
  ConversationSummarizeOptions,
  ConversationTokens,
  FallbackStrategy,
  ForgetResult,
  PreparedStep,
  PrepareOptions,
  RestoreResult,
  SummarizeStep,
} from './types.js';

/** The options as the caller gave them, and what a format makes of them. */
export interface Origin<M> {
  readonly options: ConversationOptions<M>;
  readonly take: (options: ConversationOptions<M>) => {
    readonly adapter: Adapter<M>;
    readonly rest: ConversationOptions<M>;
  };
}

/** All that depends on a conversation's settings. */
interface Parts<M> {
  readonly settings: ConversationSettings<M>;
  readonly redact: Redact;
  readonly intake: Intake<M>;
  readonly history: History<M>;
  readonly compactor: Compactor<M>;
}

/** @internal */
export class LiveConversation<M> implements Conversation<M>, TaskOwner<M> {
  readonly #host: Host;
  #origin: Origin<M>;
  #settings: ConversationSettings<M>;
  /** What `setCalibration` set. */
  #learned: Calibration | undefined;
  /** The sizes that a hook saw of its request. */
  #seen: SeenSizes = {};
  #history: History<M>;
  #compactor: Compactor<M>;
  #redact: Redact;
  #intake: Intake<M>;
  readonly #tally = new Tally();
  readonly #hooks: Hooks<M>;
  /** The messages that were sent last, by how many had been added, and the epoch that they were of. */
  #sent: { readonly count: number; readonly depth: number } | undefined;
  readonly #preparer: Preparer<M>;
  #isBusy = false;
  #isDisposed = false;

  constructor(
    host: Host,
    settings: ConversationSettings<M>,
    origin: Origin<M>,
    record?: ConversationRecord<M>,
    log: readonly M[] = [],
  ) {
    this.#host = host;
    this.#origin = origin;
    this.#hooks = new Hooks(settings.options.hooks, (error) => this.#compactor.hookFailed(error));
    const parts = this.#made(settings, record, log);
    [this.#settings, this.#redact, this.#intake] = [parts.settings, parts.redact, parts.intake];
    [this.#history, this.#compactor] = [parts.history, parts.compactor];
    this.#preparer = new Preparer(this, () => this.#compactor);
    if (record !== undefined) this.#tally.resume(record.counters);
  }

  get #machine(): Machine {
    return this.#compactor.machine;
  }

  /** All that depends on settings. Wrong options are an error here, not at the first summary. */
  #made(given: ConversationSettings<M>, record: ConversationRecord<M> | undefined, log: readonly M[]): Parts<M> {
    const host = this.#host;
    const { summaries } = host;
    const settings = { ...given }; // its own, which `setCalibration` changes
    const redact = redactionOf(settings.options.redact, summaries.redact);
    const intake = intakeFor(host, settings, redact, (error) => this.#compactor.notKept(error));
    // An error about sizes names them as they were given.
    summaries.call((glue) => new glue.MachineHandle(settings.machineAsGiven).free());
    const cuts = new Cuts(settings.adapter, settings.options.recall, redact);
    const history = new History(settings.adapter, sessionsOf(host.engine, settings, cuts));
    const tally = this.#tally;
    const compactor = new Compactor({
      summaries,
      settings,
      history,
      tally,
      redact,
      cuts,
      hooks: this.#hooks,
      owner: this,
    });
    const { machine } = compactor;
    try {
      this.#checkOptions(settings, compactor);
      if (record !== undefined) {
        for (const message of log) intake.note(message);
        history.resume(log, record.history);
        if (record.threshold !== undefined) machine.setThreshold(record.threshold);
        machine.restore(record.machine);
        machine.offset = record.offset;
      }
    } catch (thrown) {
      history.dispose();
      machine.dispose();
      throw thrown;
    }
    return { settings, redact, intake, history, compactor };
  }

  configure(changes: Partial<ConversationOptions<M>>): void {
    needObject(changes);
    const recall = readOption(changes, 'recall');
    if (recall !== undefined && recall !== this.#origin.options.recall)
      throw optionError('recall', ': it cannot change; restore the conversation with the other store instead');
    this.#alone(() => {
      const options = reconfigured(this.#origin.options, changes);
      const { adapter, rest } = this.#origin.take(options);
      const settings = { ...readConversation(adapter, sizedBy(rest, this.#seen), this.#learned), given: { ...rest } };
      const record = this.#record();
      const [old, oldMachine, { queued }] = [this.#history, this.#machine, this.#machine];
      const parts = this.#made(settings, record, old.log.slice());
      // From here on nothing is called that may throw.
      parts.compactor.machine.rewound();
      parts.compactor.takeOver(this.#compactor, queued);
      [this.#settings, this.#redact, this.#intake] = [parts.settings, parts.redact, parts.intake];
      [this.#history, this.#compactor] = [parts.history, parts.compactor];
      this.#origin = { ...this.#origin, options };
      this.#hooks.replace(settings.options.hooks);
      old.dispose();
      oldMachine.dispose();
    });
  }

  #checkOptions(settings: ConversationSettings<M>, compactor: Compactor<M>): void {
    const { intake } = settings;
    if (intake !== undefined) this.#host.shrinker.check(intake);
    const { todos } = settings.options;
    const own = compactor.summaryOptions(typeof todos === 'function' ? undefined : todos);
    const { json } = readSettings({
      ...own,
      prompts: undefined,
      redact: undefined,
      provider: undefined,
      model: undefined,
    });
    this.#host.summaries.call((glue) => glue.HistoryHandle.forSummary(json).free());
  }

  get messages(): readonly M[] {
    this.#checkOpen();
    return this.#history.messages();
  }

  get anchor(): number | undefined {
    this.#checkOpen();
    return this.#history.session.anchor;
  }

  get raw(): readonly M[] {
    this.#checkOpen();
    return this.#history.log.slice();
  }

  get curated(): readonly M[] {
    const { adapter } = this.#settings;
    return this.messages.filter((message) => !adapter.isEmpty(message) && adapter.isUnsent?.(message) !== true);
  }

  get tokens(): ConversationTokens {
    return this.#alone(() => this.#tokens());
  }

  #tokens(): ConversationTokens {
    const { offset } = this.#machine;
    const [limit, threshold, target] = this.#machine.budget();
    const all = (tokens: number) => tokens + offset;
    return {
      current: Math.max(0, all(this.#history.tokens())),
      ...{ limit: all(limit), threshold: all(threshold), target: all(target) },
      factor: this.#settings.factor,
    };
  }

  get isDirty(): boolean {
    return this.#alone(() => this.#machine.isDirty);
  }

  get stats(): ConversationStats {
    return this.#alone(() => {
      const { queued } = this.#machine;
      return this.#tally.stats({
        tokensBefore: this.#history.tokensAdded(),
        tokensAfter: this.#history.tokens(),
        queued,
      });
    });
  }

  add(...messages: M[]): void {
    this.addAll(messages);
  }

  addAll(messages: readonly M[]): void {
    checkList(messages);
    this.#alone(() => {
      const list = listFrom(messages, 0);
      const from = this.#history.log.length;
      this.#history.add(
        list,
        list.map((message, at) => this.#intake.take(message, from + at)),
      );
      this.#machine.added(list.length);
      this.#hooks.added(list, from);
    });
  }

  ensureOptimized(): boolean {
    return this.#alone(() => {
      const isWanted = this.#machine.isDirty && !this.#machine.isLocked && this.#machine.isContinuous;
      return isWanted && this.#compactor.optimize();
    });
  }

  beforeSend(options?: BeforeSendOptions): ConversationStep<M> {
    return this.#alone(() => {
      const step = this.#compactor.settle(atSend(options));
      if (step.kind === 'ready') this.#sent = { count: this.#history.log.length, depth: this.#history.depth };
      return step;
    });
  }

  /**
   * Whether edits wait, whether a flush may make them or not.
   * @internal
   */
  get waits(): boolean {
    return this.#history.session.waits;
  }

  plan(): FlushPlan | undefined {
    return this.#alone(() => this.#history.session.plan());
  }

  compress(options: ConversationCompressOptions = {}): CompressResult<M> {
    checkOptions(options, ['strategy', 'preserve', 'keepFirstRequest'], { elsewhere: BESIDE_MOMENTS });
    return this.#alone(() => {
      const own = this.#settings.options.strategy;
      const isOwn = own === 'high-density' || own === 'top-down-truncation';
      const strategy = options.strategy ?? (isOwn ? own : 'high-density');
      const { run, outcome } = this.#compactor.compress({ ...options, strategy });
      return CompressionResult.of(this.#history.session, run, outcome as NoopReason | object, strategy);
    });
  }

  digest(options: ConversationDigestOptions<M> = {}): DigestResult<M> {
    checkOptions(options, ['tokens', 'preserve', 'pins', 'from', 'to'], { elsewhere: BESIDE_MOMENTS });
    return this.#alone(() => this.#compactor.digest(options));
  }

  restore(reference: string): RestoreResult<M> {
    return this.#alone(() => this.#compactor.restore(reference));
  }

  forget(reference: string): ForgetResult {
    const { recall } = this.#settings.options;
    if (recall === undefined)
      throw densifyError(
        'invalid-options',
        "the conversation was created without 'recall'; pass it to createConversation",
        { key: 'recall' },
      );
    const { raw, messages } = this;
    const snapshot = this.snapshot();
    return this.#alone(() => {
      const isHeld = holdingOf(recall, reference);
      const places = (list: readonly M[]) => list.flatMap((message, at) => (isHeld(message) ? [at] : []));
      const standing = { messages: places(messages), raw: places(raw), isInSnapshot: isHeld(snapshot) };
      return { wasKept: recall.forget(reference), ...standing };
    });
  }

  summarize(options: ConversationSummarizeOptions = {}): SummarizeStep<M> | SummaryNoop {
    checkOptions(options, ['instructions', 'pins', 'preserve', 'topPreserve', 'profile', 'language'], {
      elsewhere: BESIDE_MOMENTS,
    });
    return this.#alone(() => this.#compactor.summarize(options));
  }

  report(usage: unknown): boolean {
    return this.#alone(() => {
      const reported = promptTokens(usage);
      const { count, depth } = this.#sent ?? {};
      // The sent messages are gone, so the report is about another request.
      if (reported === undefined || count === undefined || depth !== this.#history.depth) return false;
      const since = this.#history.tokensOf(this.#history.log.slice(count));
      const { factor, budget } = this.#settings;
      const offset = reported / factor - (budget.overhead ?? 0) - (this.#history.tokens() - since);
      this.#machine.offset = Math.round(offset);
      return true;
    });
  }

  setThreshold(threshold: number | undefined): void {
    this.#alone(() => this.#machine.setThreshold(threshold));
  }

  setCalibration(calibration: Calibration | undefined): void {
    this.#alone(() => {
      this.#resize(calibration, this.#seen);
    });
  }

  /**
   * Takes the sizes that a hook saw of the next request, if the options name none, and the request's cache lifetime. Returns the options that neither names.
   *
   * @internal
   */
  setRequest(seen: SeenSizes, cache: CacheUse): readonly (keyof SeenSizes)[] {
    return this.#alone(() => {
      this.#history.session.noteCache(cache);
      const { overhead, reserve } = seen;
      if (overhead !== this.#seen.overhead || reserve !== this.#seen.reserve) this.#resize(this.#learned, seen);
      const { given } = this.#settings;
      return (['overhead', 'reserve'] as const).filter((key) => (given[key] ?? seen[key]) === undefined);
    });
  }

  #resize(calibration: Calibration | undefined, seen: SeenSizes): void {
    const { adapter, given } = this.#settings;
    const read = readConversation(adapter, sizedBy(given, seen), calibration);
    const { factor, machine, machineAsGiven, budget, options: scaled } = read;
    // An error about sizes names them as they were given.
    this.#host.summaries.call((glue) => new glue.MachineHandle(machineAsGiven).free());
    this.#machine.configure(machine);
    Object.assign(this.#settings, { factor, machine, machineAsGiven, budget, options: scaled });
    this.#learned = calibration;
    this.#seen = seen;
  }

  /** @internal */
  todosFor(pending: number): Todos | undefined {
    return this.#alone(() => this.#compactor.todosFor(pending));
  }

  /** @internal */
  fallBack(strategy: FallbackStrategy): boolean {
    return this.#alone(() => this.#compactor.fallBack(strategy));
  }

  /** @internal */
  complete(task: Task<M>, reply: string): CompletedStep<M> {
    return this.#alone(() => this.#compactor.complete(task, reply));
  }

  /** @internal */
  end(task: Task<M>, end: 'failed' | 'cancelled', error?: unknown): void {
    this.#alone(() => this.#compactor.close(task, end, error));
  }

  prepare(options: PrepareOptions<M>): Promise<PreparedStep<M>> {
    return this.#preparer.prepare(options);
  }

  fork(at = this.#history.log.length): Conversation<M> {
    return this.#alone(() => {
      checkPlace(at, this.#history.log.length);
      const copy = new LiveConversation(
        this.#host,
        this.#settings,
        this.#origin,
        this.#record(),
        this.#history.log.slice(),
      );
      [copy.#learned, copy.#seen] = [this.#learned, this.#seen];
      if (at < this.#history.log.length) copy.rewind(at);
      return copy;
    });
  }

  rewind(at: number): void {
    this.#back(() => {
      checkPlace(at, this.#history.log.length);
      this.#history.rewind(at);
    });
  }

  /**
   * Replaces messages by copies that differ only in the breakpoints of the provider's cache.
   * @internal
   */
  renew(copies: readonly (readonly [index: number, message: M])[]): void {
    let lost = Infinity;
    this.#alone(() => {
      for (const [index, message] of copies) {
        const isDone = this.#history.renew(index, message, this.#intake.take(message, index));
        if (!isDone) lost = Math.min(lost, index);
      }
    });
    if (lost === Infinity) return;
    const again = this.#history.log.slice(lost);
    this.retract(lost, true);
    this.addAll(again);
  }

  /**
   * Goes back as `rewind` does, for a list that goes on otherwise: a summary stays if it covers none of the removed
   * messages. `isSaidAgain`: what goes comes again in another form.
   * @internal
   */
  retract(at: number, isSaidAgain: boolean): void {
    this.#back(() => this.#history.retract(at, isSaidAgain));
  }

  #back(go: () => void): void {
    this.#alone(() => {
      go();
      this.#compactor.abandon();
      this.#machine.rewound();
      this.#sent = undefined;
    });
  }

  snapshot(): ConversationSnapshot {
    return this.#alone(() => snapshotOf(this.#history.log, this.#record(), this.#redact));
  }

  #record(): ConversationRecord<M> {
    const { threshold, offset } = this.#machine;
    const machine = this.#machine.state();
    return { history: this.#history.record(), machine, threshold, offset, counters: this.#tally.record() };
  }

  /** What Node's `console.log` shows. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    const name = 'Conversation';
    if (this.#isDisposed) return { name, isDisposed: true };
    const { strategy } = this.#settings.options;
    // Who is called by the conversation may print it; then nothing can be counted.
    if (this.#isBusy) return { name, strategy, isBusy: true };
    const { tokens, stats, messages } = this;
    return { name, strategy, messages: messages.length, added: this.#history.log.length, tokens, stats };
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#compactor.abandon();
    this.#isDisposed = true;
    this.#history.dispose();
    this.#machine.dispose();
    // A pending summary has ended; inside a call, that call tells it.
    if (!this.#isBusy) this.#hooks.tell();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #checkOpen(): void {
    if (this.#isDisposed) throw densifyError('disposed', 'the conversation was disposed; create another one');
  }

  /** The caller's functions and accessors, which are called from within, must not use what calls them. */
  #alone<T>(action: () => T): T {
    this.#checkOpen();
    if (this.#isBusy)
      throw densifyError(
        'callback-failed',
        'a callback used its own conversation; use it after the callback has returned',
      );
    this.#isBusy = true;
    const start = now();
    try {
      return redactingErrors(this.#redact, action);
    } finally {
      if (!this.#isDisposed) this.#hooks.counted(() => this.#tokens());
      this.#tally.took(now() - start);
      this.#isBusy = false;
      this.#hooks.tell();
    }
  }
}

function now(): number {
  return (globalThis as { performance?: { now(): number } }).performance?.now() ?? 0;
}
