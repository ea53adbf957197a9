import { densifyError } from '../errors.js';
import type { NoopReason } from '../generated/densify.js';
import type { Run } from '../output.js';
import { CompressionResult } from '../results.js';
import { checkList, listFrom } from '../optimizer.js';
import { readSettings } from '../settings.js';
import { type Redact, redactingErrors, redactionOf } from '../summary/redaction.js';
import type { Summaries } from '../summary/summaries.js';
import type { DigestResult, SummaryOptions } from '../summary/types.js';
import type { CompressResult } from '../types.js';
import type { Intake } from '../intake/intake.js';
import { Cuts } from './cuts.js';
import { History } from './history.js';
import { type Host, intakeFor, sessionsOf } from './host.js';
import { Machine, type StepName, type SummaryEnd } from './machine.js';
import {
  checkPlace,
  type ConversationSettings,
  digestOptionsOf,
  type Moment,
  pendingTokens,
  summaryOptionsOf,
  todosOf,
} from './options.js';
import { Preparer } from './preparer.js';
import { type ConversationRecord, snapshotOf } from './snapshot.js';
import { Tally } from './tally.js';
import { ForegroundTask, Task, type TaskOwner } from './task.js';
import type {
  BeforeSendOptions,
  CompletedStep,
  Conversation,
  ConversationCompressOptions,
  ConversationDigestOptions,
  ConversationSnapshot,
  ConversationStats,
  ConversationStep,
  ConversationTokens,
  ConversationWarning,
  OverLimitStep,
  PreparedStep,
  PrepareOptions,
} from './types.js';

/** A reply that can't be used is repaired so many times. */
const REPAIRS = 2;
/** A step settles after at most so many others. */
const STEPS_AT_MOST = 16;

/** @internal */
export class LiveConversation<M> implements Conversation<M>, TaskOwner<M> {
  readonly #host: Host;
  readonly #summaries: Summaries;
  readonly #settings: ConversationSettings<M>;
  readonly #history: History<M>;
  readonly #machine: Machine;
  readonly #redact: Redact;
  readonly #intake: Intake<M>;
  readonly #cuts: Cuts<M>;
  readonly #tally = new Tally();
  #task: Task<M> | undefined;
  readonly #preparer: Preparer<M>;
  #pending = 0;
  #isBusy = false;
  #isDisposed = false;

  constructor(host: Host, settings: ConversationSettings<M>, record?: ConversationRecord<M>, log?: readonly M[]) {
    const { summaries } = host;
    this.#host = host;
    this.#summaries = summaries;
    this.#settings = settings;
    this.#redact = redactionOf(settings.options.redact, summaries.redact);
    this.#intake = intakeFor(host, settings);
    this.#cuts = new Cuts(settings.adapter, settings.options.recall);
    this.#preparer = new Preparer(this, this.#redact, () => this.#pending);
    this.#machine = new Machine(summaries, settings.machine);
    this.#history = new History(settings.adapter, sessionsOf(host.engine, settings));
    this.#checkOptions();
    if (record === undefined) return;
    log?.forEach((message) => this.#intake.note(message));
    this.#history.resume(log ?? [], record.history);
    if (record.threshold !== undefined) this.#machine.setThreshold(record.threshold);
    this.#machine.restore(record.machine);
    this.#tally.resume(record.counters);
  }

  /** What is wrong with an option is said when it is given, not at the first summary. */
  #checkOptions(): void {
    const { intake } = this.#settings;
    if (intake !== undefined) this.#host.shrinker.check(intake);
    const { todos } = this.#settings.options;
    const own = this.#summaryOptions(typeof todos === 'function' ? undefined : todos);
    const { json } = readSettings({
      ...own,
      prompts: undefined,
      redact: undefined,
      provider: undefined,
      model: undefined,
    });
    this.#summaries.call((glue) => glue.HistoryHandle.forSummary(json).free());
  }

  get messages(): readonly M[] {
    this.#checkOpen();
    return this.#history.messages();
  }

  get raw(): readonly M[] {
    this.#checkOpen();
    return this.#history.log.slice();
  }

  get curated(): readonly M[] {
    const { adapter } = this.#settings;
    return this.messages.filter((message) => !adapter.isEmpty(message));
  }

  get tokens(): ConversationTokens {
    return this.#alone(() => {
      const [limit, threshold, target] = this.#machine.budget();
      return { current: this.#history.tokens(), limit, threshold, target };
    });
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
    });
  }

  ensureOptimized(): boolean {
    return this.#alone(() => {
      const isWanted = this.#machine.isDirty && !this.#machine.isLocked && this.#machine.isContinuous;
      return isWanted ? this.#optimize() : false;
    });
  }

  #optimize(): boolean {
    const run = this.#history.session.run(false);
    this.#note(run);
    this.#machine.optimized();
    return run.flush || run.edits.some(({ pending }) => !pending);
  }

  #note(run: Run): void {
    for (const { index } of run.edits) this.#cuts.edited(this.#history.session.raw[index]);
    this.#tally.note(run);
  }

  beforeSend(options?: BeforeSendOptions): ConversationStep<M> {
    return this.#alone(() => this.#settle(pendingTokens(options?.pendingTokens)));
  }

  #settle(pending: number): ConversationStep<M> {
    this.#pending = pending;
    let background: Task<M> | undefined;
    for (let left = STEPS_AT_MOST; left > 0; left -= 1) {
      const isNear = (least: number, most: number) => this.#machine.isNear(least, most, pending);
      const step = this.#machine.next(this.#history.tokensNear(isNear), pending);
      switch (step) {
        case 'optimize':
          this.#optimize();
          break;
        case 'high-density':
        case 'top-down-truncation':
        case 'lines':
          this.#shrink(step, pending);
          break;
        case 'digest':
          this.#digest({}, this.#settings.budget);
          this.#machine.compressed(this.#history.tokens(), pending);
          break;
        case 'summarize':
        case 'summarize-background': {
          const task = this.#start(step === 'summarize-background');
          if (task instanceof ForegroundTask) return task as ForegroundTask<M>;
          background = task;
          break;
        }
        case 'pending':
          return { kind: 'pending', task: this.#task! };
        case 'over-limit':
          return this.#overLimit('nothing-left');
        case 'over-limit-stopped':
          return this.#overLimit('summaries-stopped');
        default:
          return this.#ready(step, background);
      }
    }
    return this.#ready('ready', background);
  }

  #overLimit(reason: OverLimitStep['reason']): OverLimitStep {
    const floor = this.#history.tokens();
    const isDigest = this.#settings.options.strategy === 'digest';
    return { kind: 'over-limit', floor, reason, ...(isDigest ? {} : { offer: 'digest' }) };
  }

  #ready(step: StepName, background: Task<M> | undefined): ConversationStep<M> {
    const warnings: ConversationWarning[] = [];
    if (step === 'ready-unreachable') warnings.push({ code: 'threshold-unreachable' });
    if (step === 'ready-stopped') warnings.push({ code: 'summaries-stopped', offer: 'digest' });
    const failure = this.#cuts.takeFailure();
    if (failure !== undefined) warnings.push({ code: 'recall-failed', ...failure });
    const messages = this.#history.messages();
    return { kind: 'ready', messages, warnings, ...(background === undefined ? {} : { background }) };
  }

  #shrink(step: 'high-density' | 'top-down-truncation' | 'lines', pending: number): void {
    const strategy = step === 'lines' ? 'high-density' : step;
    this.#compressBy({ strategy, ...(step === 'lines' ? { truncate: false } : {}) });
    this.#machine.compressed(this.#history.tokens(), pending);
  }

  #compressBy(options: object): { readonly run: Run; readonly outcome: unknown } {
    const { budget, options: given } = this.#settings;
    const { json } = readSettings({ preserve: given.preserve, ...options, ...budget, threshold: this.#threshold() });
    const compressed = this.#history.session.compress(json);
    this.#note(compressed.run);
    if (typeof compressed.outcome !== 'string') this.#tally.count('compressions');
    return compressed;
  }

  /** The threshold that applies now. */
  #threshold(): number {
    const [limit, trigger] = this.#machine.budget();
    return Math.min(1, trigger / limit);
  }

  compress(options: ConversationCompressOptions = {}): CompressResult<M> {
    return this.#alone(() => {
      const own = this.#settings.options.strategy;
      const isOwn = own === 'high-density' || own === 'top-down-truncation';
      // What is edited under a summary can't be summarised by it.
      if (this.#task !== undefined) this.#close(this.#task, 'cancelled');
      const { run, outcome } = this.#compressBy({
        ...options,
        strategy: options.strategy ?? (isOwn ? own : 'high-density'),
      });
      this.#machine.changed();
      return CompressionResult.of(this.#history.session, run, outcome as NoopReason | object);
    });
  }

  digest(options: ConversationDigestOptions<M> = {}): DigestResult<M> {
    return this.#alone(() => {
      // What is edited under a summary can't be summarised by it.
      if (this.#task !== undefined) this.#close(this.#task, 'cancelled');
      const result = this.#digest(options, {});
      this.#machine.changed();
      return result;
    });
  }

  /** Without a budget it is made however much room there is. */
  #digest(own: ConversationDigestOptions<M>, budget: { readonly contextLimit?: number }): DigestResult<M> {
    const { result, layout, inserted } = this.#summaries.digest(
      this.#settings.adapter,
      this.#history.messages(),
      digestOptionsOf(this.#settings, { ...own, ...budget }, this.#now()),
      this.#cuts.summarised,
    );
    if (result.kind !== 'applied' || layout === undefined || inserted === undefined) return result;
    this.#history.begin({ layout, inserted, state: result.state });
    this.#tally.count('compressions');
    return { ...result, messages: this.#history.messages() };
  }

  setThreshold(threshold: number | undefined): void {
    this.#alone(() => this.#machine.setThreshold(threshold));
  }

  /** Asks for a summary; nothing is awaited if there is nothing to summarise. */
  #start(isBackground: boolean): Task<M> | undefined {
    const planned = this.#summaries.request(
      this.#settings.adapter,
      this.#history.messages(),
      this.#summaryOptions(todosOf(this.#settings.options)),
    );
    this.#machine.summaryStarted(isBackground);
    if (planned.kind === 'noop') {
      this.#machine.summaryEnded('noop', this.#history.tokens(), this.#pending);
      return undefined;
    }
    const Kind = isBackground ? Task<M> : ForegroundTask<M>;
    this.#task = new Kind(this, planned, isBackground);
    return this.#task;
  }

  #summaryOptions(todos: SummaryOptions['todos']): SummaryOptions<M> {
    return summaryOptionsOf(this.#settings, { todos, ...this.#now() });
  }

  /** What a summary is made with beside the settings. */
  #now(): Moment<M> {
    return { threshold: this.#threshold(), state: this.#history.state, redact: this.#redact };
  }

  /** @internal */
  complete(task: Task<M>, reply: string): CompletedStep<M> {
    return this.#alone(() => {
      const { adapter, options: given } = this.#settings;
      const { countTokens, isFailure } = given;
      const options = { countTokens, isFailure, redact: this.#redact };
      const before = this.#history.messages();
      const { result, layout, inserted } = this.#summaries.applyWithLayout(
        adapter,
        task.request,
        reply,
        before,
        options,
        this.#cuts.summarised,
      );
      if (result.kind === 'applied' && layout !== undefined && inserted !== undefined) {
        const { findings, metadata, state } = result;
        this.#history.begin({ layout, inserted, state });
        this.#tally.count('summaries');
        this.#close(task, 'applied');
        return { kind: 'applied', messages: this.#history.messages(), findings, metadata };
      }
      if (result.kind === 'conflict') {
        this.#close(task, 'conflict');
        return { kind: 'conflict', index: result.index, reason: result.reason };
      }
      if (result.kind === 'applied') throw densifyError('core-failed', 'the summary has no place');
      const { kind, request, findings } = result;
      if (kind === 'failed' && request.attempt > REPAIRS) {
        this.#close(task, 'failed');
        return { kind, findings };
      }
      task.request = request;
      return { kind, request, findings };
    });
  }

  /** @internal */
  end(task: Task<M>, end: 'failed' | 'cancelled'): void {
    this.#alone(() => this.#close(task, end));
  }

  #close(task: Task<M>, end: SummaryEnd): void {
    task.isOpen = false;
    if (this.#task !== task) return;
    this.#task = undefined;
    if (end === 'failed') this.#tally.count('failures');
    this.#machine.summaryEnded(end, this.#history.tokens(), this.#pending);
  }

  prepare(options: PrepareOptions<M>): Promise<PreparedStep<M>> {
    return this.#preparer.prepare(options);
  }

  fork(at = this.#history.log.length): Conversation<M> {
    return this.#alone(() => {
      checkPlace(at, this.#history.log.length);
      const copy = new LiveConversation(this.#host, this.#settings, this.#record(), this.#history.log.slice());
      if (at < this.#history.log.length) copy.rewind(at);
      return copy;
    });
  }

  rewind(at: number): void {
    this.#alone(() => {
      checkPlace(at, this.#history.log.length);
      this.#history.rewind(at);
      if (this.#task !== undefined) this.#task.isOpen = false;
      this.#task = undefined;
      this.#machine.rewound();
    });
  }

  snapshot(): ConversationSnapshot {
    return this.#alone(() => snapshotOf(this.#history.log, this.#record(), this.#redact));
  }

  #record(): ConversationRecord<M> {
    const { threshold } = this.#machine;
    const machine = this.#machine.state();
    return { history: this.#history.record(), machine, threshold, counters: this.#tally.record() };
  }

  dispose(): void {
    if (this.#isDisposed) return;
    if (this.#task !== undefined) this.#task.isOpen = false;
    this.#task = undefined;
    this.#isDisposed = true;
    this.#history.dispose();
    this.#machine.dispose();
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
    if (this.#isBusy) throw densifyError('callback-failed', 'a function used the conversation that called it');
    this.#isBusy = true;
    const start = now();
    try {
      return redactingErrors(this.#redact, action);
    } finally {
      this.#tally.took(now() - start);
      this.#isBusy = false;
    }
  }
}

function now(): number {
  return (globalThis as { performance?: { now(): number } }).performance?.now() ?? 0;
}
