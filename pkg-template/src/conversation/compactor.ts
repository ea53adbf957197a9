import { type DensifyError, densifyError, isDensifyError } from '../base/errors.js';
import type { Run } from '../core/output.js';
import type { ErrorCode } from '../generated/densify.js';
import { readSettings } from '../optimizer/settings.js';
import type { Cuts } from '../session/cuts.js';
import type { Redact } from '../summary/redaction.js';
import type { Summaries } from '../summary/summaries.js';
import type { DigestResult, SummaryNoop, SummaryOptions, SummaryRequest } from '../summary/types.js';
import { cleanError, conflicting, failure, LastFailure, unusable } from './failures.js';
import type { History } from './history.js';
import { Machine, type StepName, type SummaryEnd } from './machine.js';
import {
  type atSend,
  type ConversationSettings,
  digestOptionsOf,
  type Moment,
  summaryOptionsOf,
  todosOf,
  wishedSummaryOf,
} from './options.js';
import { behind, legalRange, moved, type Range, rangeOf } from './range.js';
import type { Tally } from './tally.js';
import { ForegroundTask, Task, type TaskOwner } from './task.js';
import type {
  CompletedStep,
  ConversationDigestOptions,
  ConversationStep,
  ConversationSummarizeOptions,
  OverLimitStep,
  RestoreResult,
  SummarizeStep,
} from './types.js';
import { Warnings } from './warnings.js';

/** A reply that can't be used is repaired so many times. */
const REPAIRS = 2;
/** A step settles after at most so many others. */
const STEPS_AT_MOST = 16;
/** Why no summary can be asked for now, though the options are right: it may be otherwise with the next messages. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['window-too-small', 'open-calls']);

/** What a conversation's history is made smaller with. */
interface Means<M> {
  readonly summaries: Summaries;
  readonly settings: ConversationSettings<M>;
  readonly history: History<M>;
  readonly tally: Tally;
  readonly redact: Redact;
  readonly cuts: Cuts<M>;
  /** Whom a task reports to. */
  readonly owner: TaskOwner<M>;
}

/** Makes a conversation's history smaller, as the machine decides. */
export class Compactor<M> {
  readonly machine: Machine;
  readonly #means: Means<M>;
  readonly #cuts: Cuts<M>;
  #task: Task<M> | undefined;
  #pending = 0;
  /** Why no summary could be asked for, until that is said. */
  #refusal: DensifyError | undefined;
  /** Why the last summary came to nothing: one in the background tells nobody else. */
  readonly #failure = new LastFailure();
  readonly #warnings = new Warnings();

  constructor(means: Means<M>) {
    const { summaries, settings } = means;
    this.#means = means;
    this.machine = new Machine(summaries, settings.machine);
    this.#cuts = means.cuts;
  }

  /** Notes that something couldn't be kept; the next step that is ready says so. */
  notKept(error: unknown): void {
    this.#cuts.failed(error);
  }

  /** The tokens that were to come at the last send. */
  get pending(): number {
    return this.#pending;
  }

  /** Says that the caller hears why the last summary failed. */
  failureTold(): void {
    this.#failure.told();
  }

  /** Does what is due until the messages can be sent, or something must be awaited. */
  settle({ pending, isCold }: ReturnType<typeof atSend>): ConversationStep<M> {
    this.#pending = pending;
    const { history } = this.#means;
    // What is edited under a summary can't be summarised by it.
    if (isCold && this.machine.isContinuous && !this.machine.isLocked) this.optimize(true);
    this.#warnings.foreign(history.session.takeForeign());
    let background: Task<M> | undefined;
    for (let left = STEPS_AT_MOST; left > 0; left -= 1) {
      const isNear = (least: number, most: number) => this.machine.isNear(least, most, pending);
      const step = this.machine.next(history.tokensNear(isNear), pending);
      switch (step) {
        case 'optimize':
          this.optimize();
          break;
        case 'high-density':
        case 'top-down-truncation':
        case 'lines':
          this.#shrink(step, pending);
          break;
        case 'digest':
          this.#digest({}, this.#means.settings.budget);
          this.machine.compressed(history.tokens(), pending);
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
    const { history, settings } = this.#means;
    const largest = history.largest();
    const error = this.#takeRefusal() ?? (reason === 'summaries-stopped' ? this.#failure.tell() : undefined);
    return {
      kind: 'over-limit',
      floor: history.tokens(),
      reason,
      ...(largest === undefined ? {} : { largest }),
      ...(error === undefined ? {} : { error }),
      ...(settings.options.strategy !== 'digest' && this.#canDigest() ? { offer: 'digest' } : {}),
    };
  }

  #ready(step: StepName, background: Task<M> | undefined): ConversationStep<M> {
    const warnings = this.#warnings.take();
    if (step === 'ready-unreachable') warnings.push({ code: 'threshold-unreachable' });
    if (step === 'ready-stopped') {
      const error = this.#failure.tell();
      warnings.push({ code: 'summaries-stopped', ...(error === undefined ? {} : { error }), offer: 'digest' });
    }
    for (const error of [this.#failure.tellOnce(), this.#takeRefusal()]) {
      if (error !== undefined) warnings.push({ code: 'summary-failed', error, offer: 'digest' });
    }
    const unkept = this.#cuts.takeFailure();
    if (unkept !== undefined)
      warnings.push({ code: 'recall-failed', error: cleanError(unkept.error, this.#means.redact) });
    const messages = this.#means.history.messages();
    return { kind: 'ready', messages, warnings, ...(background === undefined ? {} : { background }) };
  }

  /** Runs the rules, for a cache that may be cold; returns whether they changed anything. */
  optimize(isCold = false): boolean {
    const run = this.#means.history.session.run(false, isCold);
    this.#note(run);
    this.machine.optimized();
    return run.flush || run.edits.some(({ pending }) => !pending);
  }

  #note(run: Run): void {
    const { tally, settings } = this.#means;
    tally.note(run);
    this.#warnings.foreign(run.foreign);
    if (settings.isModelUnknown && run.heldBack !== undefined) this.#warnings.modelUnknown();
  }

  #shrink(step: 'high-density' | 'top-down-truncation' | 'lines', pending: number): void {
    const strategy = step === 'lines' ? 'high-density' : step;
    this.#compressBy({ strategy, ...(step === 'lines' ? { truncate: false } : {}) });
    this.machine.compressed(this.#means.history.tokens(), pending);
  }

  #compressBy(options: object): { readonly run: Run; readonly outcome: unknown } {
    const { settings, history, tally } = this.#means;
    const { budget, options: given } = settings;
    const { json } = readSettings({ preserve: given.preserve, ...options, ...budget, threshold: this.#threshold() });
    const compressed = history.session.compress(json);
    this.#note(compressed.run);
    if (typeof compressed.outcome !== 'string') tally.count('compressions');
    return compressed;
  }

  /** The threshold that applies now. */
  #threshold(): number {
    const [limit, trigger] = this.machine.budget();
    return Math.min(1, trigger / limit);
  }

  /** Runs a deterministic strategy that the caller asks for. */
  compress(options: object): { readonly run: Run; readonly outcome: unknown } {
    // What is edited under a summary can't be summarised by it.
    this.#cancel();
    const compressed = this.#compressBy(options);
    this.machine.changed();
    return compressed;
  }

  /** Makes a digest that the caller asks for. */
  digest({ from, to, ...options }: ConversationDigestOptions<M>): DigestResult<M> {
    const { history, settings, summaries } = this.#means;
    const wanted = rangeOf(from, to, options.preserve, history.messages().length);
    this.#cancel();
    let result: DigestResult<M>;
    if (wanted === undefined) result = this.#digest(options, {});
    else {
      const range = legalRange(summaries, settings, history, wanted);
      result =
        'reason' in range
          ? { ...range, changed: false, messages: history.messages() }
          : this.#digest(options, {}, range);
    }
    this.machine.changed();
    return result;
  }

  /** Whether a digest would make anything shorter. */
  #canDigest(): boolean {
    const { summaries, settings, history } = this.#means;
    const options = digestOptionsOf(settings, {}, this.#now());
    return summaries.digest(settings.adapter, history.messages(), options).result.kind === 'applied';
  }

  /** Without a budget it is made however much room there is; without a range, of all but the tail. */
  #digest(
    own: ConversationDigestOptions<M>,
    budget: { readonly contextLimit?: number },
    range?: Range,
  ): DigestResult<M> {
    const { summaries, settings, history, tally } = this.#means;
    const messages = history.messages();
    const start = range?.start ?? 0;
    const tail = range === undefined ? {} : { preserve: { messages: messages.length - range.end } };
    const { result, layout, inserted } = summaries.digest(
      settings.adapter,
      messages.slice(start),
      digestOptionsOf(settings, { ...own, ...tail, ...budget }, this.#now()),
      this.#cuts.summarised,
    );
    if (result.kind !== 'applied' || layout === undefined || inserted === undefined) return { ...result, messages };
    const tokensBefore = history.tokens();
    const tokensAfter = history.begin({ layout: moved(layout, start), inserted, state: result.state });
    tally.count('compressions');
    // What leads to what was cut is counted, too.
    const metadata = behind(result.metadata, start, tokensBefore, tokensAfter);
    return { ...result, messages: history.messages(), tokensBefore, tokensAfter, metadata };
  }

  /** Takes the newest summary back, if a reference names it and there is room for what it stands for. */
  restore(reference: string): RestoreResult<M> {
    const { history } = this.#means;
    if (!this.#cuts.isNamedBy(reference, history.newest)) return { kind: 'noop', reason: 'not-the-newest' };
    const tokensBefore = history.tokens();
    const [, trigger] = this.machine.budget();
    const tokensAfter = history.unfold((tokens) => tokens < trigger);
    if (tokensAfter === undefined) return { kind: 'noop', reason: 'no-room' };
    this.#cancel();
    this.machine.changed();
    return { kind: 'applied', messages: history.messages(), tokensBefore, tokensAfter };
  }

  /** Asks for a summary that the caller wants now. */
  summarize(own: ConversationSummarizeOptions): SummarizeStep<M> | SummaryNoop {
    const { summaries, settings, history } = this.#means;
    const options = wishedSummaryOf(settings, own, { todos: todosOf(settings.options), ...this.#now() });
    this.#cancel();
    if (this.machine.isDirty && this.machine.isContinuous) this.optimize();
    const planned = summaries.request(settings.adapter, history.messages(), options);
    return planned.kind === 'noop' ? planned : this.#await(new ForegroundTask<M>(this.#means.owner, planned, false));
  }

  /** What summaries are asked for with now, but for the todo items. */
  summaryOptions(todos: SummaryOptions['todos']): SummaryOptions<M> {
    return summaryOptionsOf(this.#means.settings, { todos, ...this.#now() });
  }

  /** What a summary is made with beside the settings. */
  #now(): Moment<M> {
    const { history, redact } = this.#means;
    return { threshold: this.#threshold(), state: history.state, redact };
  }

  /** Asks for a summary; nothing is awaited if there is nothing to summarise, or none can be asked for now. */
  #start(isBackground: boolean): Task<M> | undefined {
    const planned = this.#plan();
    if (planned === undefined || planned.kind === 'noop') {
      const tokens = this.#means.history.tokens();
      // From here on nothing is called that may throw.
      this.machine.summaryStarted(isBackground);
      this.machine.summaryEnded('noop', tokens, this.#pending);
      return undefined;
    }
    const Kind = isBackground ? Task<M> : ForegroundTask<M>;
    return this.#await(new Kind(this.#means.owner, planned, isBackground));
  }

  #await<T extends Task<M>>(task: T): T {
    this.machine.summaryStarted(task.isBackground);
    this.#task = task;
    return task;
  }

  /** A request; none if the history as it is now allows of none, which isn't the caller's fault. */
  #plan(): SummaryRequest<M> | SummaryNoop | undefined {
    const { summaries, settings, history } = this.#means;
    const options = this.summaryOptions(todosOf(settings.options));
    try {
      return summaries.request(settings.adapter, history.messages(), options);
    } catch (thrown) {
      if (!isDensifyError(thrown) || !REFUSALS.has(thrown.code)) throw thrown;
      this.#refusal = thrown;
      return undefined;
    }
  }

  /** Why no summary could be asked for, once. */
  #takeRefusal(): DensifyError | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** Takes a model's reply. */
  complete(task: Task<M>, reply: string): CompletedStep<M> {
    const { summaries, settings, history, tally, redact } = this.#means;
    const { countTokens, isFailure } = settings.options;
    const { result, layout, inserted } = summaries.applyWithLayout(
      settings.adapter,
      task.request,
      reply,
      history.messages(),
      { countTokens, isFailure, redact },
      this.#cuts.summarised,
    );
    if (result.kind === 'applied' && layout !== undefined && inserted !== undefined) {
      const { findings, metadata, state } = result;
      const tokens = history.begin({ layout, inserted, state });
      // From here on nothing is called that may throw.
      tally.count('summaries');
      this.#failure.forget();
      this.#ended(task, 'applied', tokens);
      return {
        kind: 'applied',
        messages: history.messages(),
        findings,
        metadata: { ...metadata, tokensAfter: tokens },
      };
    }
    if (result.kind === 'conflict') {
      this.close(task, 'conflict', conflicting(result.index));
      return { kind: 'conflict', index: result.index, reason: result.reason };
    }
    if (result.kind === 'applied') throw densifyError('core-failed', 'the summary has no place');
    const { kind, request, findings } = result;
    // A pin that can't be kept is no fault of the reply: no other would do better.
    const isHopeless = request.attempt > REPAIRS || findings.some(({ code }) => code === 'missing-pin');
    if (kind === 'failed' && isHopeless) {
      this.close(task, 'failed', unusable(findings));
      return { kind, findings };
    }
    task.request = request;
    return { kind, request, findings };
  }

  /** Ends a task that changed nothing; how many tokens there are doesn't matter then. */
  close(task: Task<M>, end: Exclude<SummaryEnd, 'applied' | 'noop'>, error?: unknown): void {
    const isAwaited = this.#task === task;
    this.#ended(task, end, 0);
    if (!isAwaited || end === 'cancelled') return;
    this.#failure.note(failure(error, task.request.profile, this.#means.redact), !task.isBackground);
  }

  #ended(task: Task<M>, end: SummaryEnd, tokens: number): void {
    task.isOpen = false;
    if (this.#task !== task) return;
    this.#task = undefined;
    if (end === 'failed') this.#means.tally.count('failures');
    this.machine.summaryEnded(end, tokens, this.#pending);
  }

  #cancel(): void {
    if (this.#task !== undefined) this.close(this.#task, 'cancelled');
  }

  /** Lets go of a task whose history is gone. */
  abandon(): void {
    if (this.#task !== undefined) this.#task.isOpen = false;
    this.#task = undefined;
  }
}
