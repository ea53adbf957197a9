import { type DensifyError, densifyError, isDensifyError } from '../base/errors.js';
import type { Run } from '../core/output.js';
import type { CompressMetadata, ErrorCode } from '../generated/densify.js';
import type { CompactionState, GiveUp } from '../generated/summary.js';
import { readSettings } from '../optimizer/settings.js';
import type { Cuts } from '../session/cuts.js';
import type { Redact } from '../summary/redaction.js';
import type { Summaries } from '../summary/summaries.js';
import type { DigestResult, SummaryNoop, SummaryOptions, SummaryRequest } from '../summary/types.js';
import { cleanError, conflicting, failure, LastFailure, overLimitMessage, unusable } from './failures.js';
import type { History } from './history.js';
import { GIVEN_UP, Machine, type StepName, type SummaryEnd } from './machine.js';
import {
  type atSend,
  type ConversationSettings,
  digestOptionsOf,
  givingUp,
  keepFirstOf,
  type Moment,
  mayGiveUp,
  NEWEST,
  shortest,
  summaryOptionsOf,
  wishedSummaryOf,
} from './options.js';
import { behind, legalRange, moved, type Range, rangeOf } from './range.js';
import type { Tally } from './tally.js';
import { ForegroundTask, Task, type TaskOwner } from './task.js';
import { type TodoItems, type TodoSource, Todos } from './todos.js';
import type {
  CompletedStep,
  ConversationDigestOptions,
  ConversationStep,
  ConversationSummarizeOptions,
  FallbackStrategy,
  OverLimitStep,
  RestoreResult,
  SummarizeStep,
} from './types.js';
import { Warnings } from './warnings.js';

/** A reply that can't be used is repaired so many times. */
const REPAIRS = 2;
/** A step settles after at most so many others. */
const STEPS_AT_MOST = 16;
/** A summary of a large range takes about this many tokens; in a small window about this part of the limit. */
const LEAST_SUMMARY = 1000;
const LEAST_PART = 1 / 16;
/** Stands for messages of which not even a digest fits. */
const DROPPED = '[Earlier messages were removed: they did not fit the context window.]';
const NO_STATE: CompactionState = { version: 1, lastSummary: '', readFiles: [], modifiedFiles: [] };
/** The tokens of ever shorter digests; the first one as many as it needs. */
const DIGESTS = [undefined, 600, 100] as const;
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
  #failure = new LastFailure();
  #warnings = new Warnings();
  readonly #todos: Todos;

  constructor(means: Means<M>) {
    const { summaries, settings } = means;
    this.#means = means;
    this.#todos = this.#todosOf(settings.options.todos);
    this.machine = new Machine(summaries, settings.machine);
    this.#cuts = means.cuts;
  }

  /** Notes that something couldn't be kept; the next step that is ready says so. */
  notKept(error: unknown): void {
    this.#cuts.failed(error);
  }

  #todosOf(source: TodoSource | undefined): Todos {
    const { summaries, redact } = this.#means;
    const check = (todos: TodoItems) => {
      const { json } = readSettings({ todos });
      summaries.call((glue) => glue.todoContext(json));
    };
    return new Todos(source, check, (error) => this.#warnings.withoutTodos(cleanError(error, redact)));
  }

  /** Waits for todo items that come asynchronously. */
  freshTodos(timeout: number | undefined): Promise<void> | undefined {
    return this.#todos.refresh(timeout);
  }

  /** What credentials are taken out with. */
  get redact(): Redact {
    return this.#means.redact;
  }

  /** Goes on where another one stopped, which had other settings: with the summary that is awaited, and what is unsaid. */
  takeOver(other: Compactor<M>, queued: number): void {
    this.#pending = other.#pending;
    this.#refusal = other.#refusal;
    this.#failure = other.#failure;
    this.#warnings = other.#warnings;
    this.#todos.takeOver(other.#todos);
    const task = other.#task;
    if (task === undefined) return;
    this.#task = task;
    this.machine.summaryStarted(task.isBackground);
    this.machine.added(queued);
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
    const isDue = isCold || this.machine.isDirty;
    if (isDue && this.machine.isContinuous && !this.machine.isLocked) this.optimize(isCold);
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
        case 'give-up-top':
        case 'give-up-first-request':
        case 'give-up-tail':
        case 'give-up-model': {
          const task = this.#giveUp(GIVEN_UP[step]!, pending);
          if (task !== undefined) return task;
          break;
        }
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
    const floor = history.tokens();
    const [limit] = this.machine.budget();
    return {
      kind: 'over-limit',
      message: overLimitMessage({ floor, limit, pending: this.#pending, reason, largest }),
      floor,
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

  /** Makes the history smaller without what it kept so far; returns the summary that is needed for that. */
  #giveUp(what: GiveUp, pending: number): ForegroundTask<M> | undefined {
    const { strategy = 'middle-out' } = this.#means.settings.options;
    const isRules = strategy === 'high-density' || strategy === 'top-down-truncation';
    // What is given up in vain would only be lost.
    const room = this.#limit() - pending;
    const isHopeless = this.#newest().tokens > room;
    if (!isHopeless && !isRules && what !== 'model' && strategy !== 'digest')
      return this.#start(false, what) as ForegroundTask<M> | undefined;
    if (!isHopeless && this.#shorten(isRules ? strategy : 'digest', room)) this.#warnings.gaveUp(what);
    this.machine.compressed(this.#means.history.tokens(), pending);
    return undefined;
  }

  /** The newest exchange, which nothing cuts: where it begins, and what it costs. */
  #newest(): { readonly start: number; readonly tokens: number } {
    const { summaries, settings, history } = this.#means;
    const { workspaceRoot, tools, isFailure } = settings.options;
    const messages = history.messages();
    const request = summaries.request(settings.adapter, messages, {
      ...{ strategy: 'one-shot', preserve: NEWEST, minMessages: 1, redact: false },
      ...{ workspaceRoot, tools, isFailure },
    });
    const start = request.kind === 'noop' ? 0 : request.plan.end;
    return { start, tokens: history.tokensOf(messages.slice(start)) };
  }

  /** Makes the history fit by what it has before its newest exchange; returns whether that changed anything. */
  #shorten(strategy: FallbackStrategy, room: number): boolean {
    const isDone =
      strategy === 'digest'
        ? this.#digestWithin(room, shortest(this.#means.settings))
        : typeof this.#compressBy({ strategy, preserve: NEWEST }, this.#pending).outcome !== 'string';
    return (this.#means.history.tokens() > room && this.#dropAll(room)) || isDone;
  }

  /** Drops all but the newest exchange, where not even the shortest digest fits. What a summary said stays known. */
  #dropAll(room: number): boolean {
    const { settings, history, tally } = this.#means;
    const messages = history.messages();
    const { start } = this.#newest();
    if (start === 0 || !mayGiveUp(settings, 'first-request')) return false;
    const note = DROPPED + this.#cuts.summarised(messages.slice(0, start));
    const inserted = [settings.adapter.make('human', note, false)];
    if (history.tokensOf([...inserted, ...messages.slice(start)]) > room) return false;
    history.begin({ layout: { top: 0, moved: [], tail: start }, inserted, state: history.state ?? NO_STATE });
    tally.count('compressions');
    return true;
  }

  /** Runs a strategy without a model in the place of a summary that isn't available; returns whether it changed anything. */
  fallBack(strategy: FallbackStrategy): boolean {
    const room = this.#limit() - this.#pending;
    const { history, settings } = this.#means;
    this.#cancel();
    let isDone = false;
    if (strategy === 'digest') {
      isDone = this.#digest({}, {}).kind === 'applied';
    } else {
      isDone = typeof this.#compressBy({ strategy }, this.#pending).outcome !== 'string';
    }
    if (history.tokens() > room && mayGiveUp(settings, 'tail') && this.#newest().tokens <= room) {
      const more = this.#shorten(strategy, room);
      if (more) this.#warnings.gaveUp('tail');
      isDone ||= more;
    }
    this.machine.changed();
    return isDone;
  }

  /** Makes the longest digest that leaves the history within some tokens; returns whether there is one. */
  #digestWithin(room: number, own: object): boolean {
    const { history } = this.#means;
    for (const tokens of DIGESTS) {
      const size = tokens === undefined ? {} : { tokens };
      const result = this.#digest({ ...own, ...size }, {}, undefined, (after) => after <= room);
      if (result.kind !== 'applied') return false;
      if (result.messages === history.messages()) return true;
    }
    return false;
  }

  #shrink(step: 'high-density' | 'top-down-truncation' | 'lines', pending: number): void {
    const strategy = step === 'lines' ? 'high-density' : step;
    this.#compressBy({ strategy, ...(step === 'lines' ? { truncate: false } : {}) });
    this.machine.compressed(this.#means.history.tokens(), pending);
  }

  /** `pending` is what comes on top of the history, where that must fit as well. */
  #compressBy(options: object, pending = 0): { readonly run: Run; readonly outcome: unknown } {
    const { settings, history, tally } = this.#means;
    const { budget, options: given } = settings;
    const room = this.#limit() > pending ? { overhead: (budget.overhead ?? 0) + pending } : {};
    const { json } = readSettings({
      preserve: given.preserve,
      keepFirstRequest: keepFirstOf(settings),
      ...options,
      ...budget,
      ...room,
      threshold: this.#threshold(),
    });
    const compressed = history.session.compress(json);
    this.#note(compressed.run);
    if (typeof compressed.outcome === 'string') return compressed;
    tally.count('compressions');
    if ((compressed.outcome as CompressMetadata).gaveUpFirstRequest) this.#warnings.gaveUp('first-request');
    return compressed;
  }

  /** What the window has for the history. */
  #limit(): number {
    return this.machine.budget()[0];
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
    const options = digestOptionsOf(settings, {}, this.#moment());
    return summaries.digest(settings.adapter, history.messages(), options).result.kind === 'applied';
  }

  /** Without a budget it is made however much room there is; without a range, of all but the tail. */
  #digest(
    own: ConversationDigestOptions<M>,
    budget: { readonly contextLimit?: number },
    range?: Range,
    isWanted: (tokensAfter: number) => boolean = () => true,
  ): DigestResult<M> {
    const { summaries, settings, history, tally } = this.#means;
    const messages = history.messages();
    const start = range?.start ?? 0;
    const tail = range === undefined ? {} : { preserve: { messages: messages.length - range.end } };
    const { result, layout, inserted } = summaries.digest(
      settings.adapter,
      messages.slice(start),
      digestOptionsOf(settings, { ...own, ...tail, ...budget }, this.#moment()),
      this.#cuts.summarised,
    );
    if (result.kind !== 'applied' || layout === undefined || inserted === undefined) return { ...result, messages };
    if (!isWanted(result.tokensAfter)) return result;
    const tokensBefore = history.tokens();
    const tokensAfter = history.begin({ layout: moved(layout, start), inserted, state: result.state });
    tally.count('compressions');
    // References to cut texts count as well.
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
    const options = wishedSummaryOf(settings, own, this.#moment());
    this.#cancel();
    if (this.machine.isDirty && this.machine.isContinuous) this.optimize();
    const planned = summaries.request(settings.adapter, history.messages(), options);
    return planned.kind === 'noop' ? planned : this.#await(new ForegroundTask<M>(this.#means.owner, planned, false));
  }

  /** What summaries are asked for with now, but for the todo items. */
  summaryOptions(todos: SummaryOptions['todos']): SummaryOptions<M> {
    return summaryOptionsOf(this.#means.settings, { todos, ...this.#now() });
  }

  /** The same, and the todo items. */
  #moment(): Moment<M> & { readonly todos: SummaryOptions['todos'] } {
    return { ...this.#now(), todos: this.#todos.now() };
  }

  /** What a summary is made with beside the settings. */
  #now(): Moment<M> {
    const { history, redact } = this.#means;
    return { threshold: this.#threshold(), state: history.state, redact };
  }

  /** Asks for a summary; nothing is awaited if there is nothing to summarise, or none can be asked for now. */
  #start(isBackground: boolean, givesUp?: GiveUp): Task<M> | undefined {
    const planned = this.#plan(givesUp);
    if (planned === undefined || planned.kind === 'noop' || !this.#isWorthIt(planned)) {
      const tokens = this.#means.history.tokens();
      // From here on nothing is called that may throw.
      this.machine.summaryStarted(isBackground);
      this.machine.summaryEnded('noop', tokens, this.#pending);
      return undefined;
    }
    const Kind = isBackground ? Task<M> : ForegroundTask<M>;
    return this.#await(new Kind(this.#means.owner, planned, isBackground, givesUp));
  }

  #await<T extends Task<M>>(task: T): T {
    this.machine.summaryStarted(task.isBackground);
    this.#task = task;
    return task;
  }

  /** A request; none if the history as it is now allows of none, which isn't the caller's fault. */
  #plan(givesUp?: GiveUp): SummaryRequest<M> | SummaryNoop | undefined {
    const { summaries, settings, history } = this.#means;
    const own = givesUp === undefined ? {} : givingUp(settings, givesUp);
    const options = { ...summaryOptionsOf(settings, this.#moment()), ...own };
    try {
      return summaries.request(settings.adapter, history.messages(), options);
    } catch (thrown) {
      if (!isDensifyError(thrown) || !REFUSALS.has(thrown.code)) throw thrown;
      this.#refusal = thrown;
      return undefined;
    }
  }

  /**
   * Whether a model is to be asked for a summary. Not if what the summary replaces is hardly longer than a summary, or if
   * what it leaves unchanged is too large for the window already.
   */
  #isWorthIt({ plan }: SummaryRequest<M>): boolean {
    const { start, end } = plan;
    const moved = plan['moved'] as readonly number[];
    const { history } = this.#means;
    const limit = this.#limit();
    const all = history.tokens();
    const messages = history.messages();
    const kept = [...messages.slice(0, start), ...moved.map((at) => messages[at]!), ...messages.slice(end)];
    const tokens = history.tokensOf(kept);
    const replaced = all - tokens;
    if (replaced < Math.min(LEAST_SUMMARY, limit * LEAST_PART)) return false;
    const room = limit - this.#pending;
    return all <= room || tokens + Math.min(LEAST_SUMMARY, replaced / 4) <= room;
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
      if (task.givesUp !== undefined) this.#warnings.gaveUp(task.givesUp);
      this.#ended(task, 'applied', tokens);
      return {
        kind: 'applied',
        messages: history.messages(),
        findings,
        metadata: { ...metadata, tokensAfter: tokens },
        state,
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
