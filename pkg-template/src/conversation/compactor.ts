import type { Run } from '../core/output.js';
import type { StepName, SummaryEnd } from '../generated/protocol.js';
import type { GiveUp } from '../generated/summary.js';
import { readSettings } from '../optimizer/settings.js';
import type { Redact } from '../summary/redaction.js';
import type { DigestResult, SummaryNoop, SummaryOptions } from '../summary/types.js';
import { cleanError, overLimitMessage } from './failures.js';
import type { CompressionReason } from './hooks.js';
import { GIVEN_UP, Machine } from './machine.js';
import { budgetNow, type Means, momentWithoutTodos, type Tools } from './means.js';
import { type atSend, keptBy, mayGiveUp, summaryOptionsOf } from './options.js';
import { Rules } from './rules.js';
import { Summarizing } from './summarizing.js';
import { ForegroundTask, type Task } from './task.js';
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
import { Watch } from './watch.js';

/** A step settles after at most this number of others. */
const STEPS_AT_MOST = 16;
/** The tail of a digest that pays for itself, unless the conversation says which tail it keeps. */
const PAYBACK_TAIL = { tokens: 20_000 };

/** Makes a conversation's history smaller, as the machine decides. */
export class Compactor<M> {
  readonly machine: Machine;
  readonly #tools: Tools<M>;
  readonly #watch: Watch<M>;
  readonly #rules: Rules<M>;
  readonly #summaries: Summarizing<M>;

  constructor(means: Means<M>) {
    const { summaries, settings } = means;
    const warnings = new Warnings();
    this.machine = new Machine(summaries, settings.machine);
    const todos = todosOf(means, settings.options.todos, (error) => this.#tools.warnings.withoutTodos(error));
    this.#tools = { ...means, machine: this.machine, warnings, todos };
    this.#watch = new Watch(means);
    this.#rules = new Rules(this.#tools);
    this.#summaries = new Summarizing(this.#tools, this.#watch);
  }

  /** Notes that something couldn't be kept; the next step that is ready says so. */
  notKept(error: unknown): void {
    this.#tools.cuts.failed(error);
  }

  /** Notes that a hook of the host's failed. */
  hookFailed(error: unknown): void {
    this.#tools.warnings.hookFailed(cleanError(error, this.redact));
  }

  /** See `Prepared`. */
  todosFor(pending: number): Todos | undefined {
    const { history, todos } = this.#tools;
    if (!todos.hasSource) return undefined;
    const isNear = (least: number, most: number) => this.machine.isNear(least, most, pending);
    return this.machine.mayShrink(history.tokensNear(isNear), pending) ? todos : undefined;
  }

  /** What credentials are taken out with. */
  get redact(): Redact {
    return this.#tools.redact;
  }

  /** Takes over from a compactor with other settings: its pending summary, and the warnings not given yet. */
  takeOver(other: Compactor<M>, queued: number): void {
    this.#tools.warnings.takeOver(other.#tools.warnings);
    this.#tools.todos.takeOver(other.#tools.todos);
    this.#summaries.takeOver(other.#summaries, queued);
  }

  /** The tokens that were to come at the last send. */
  get pending(): number {
    return this.#summaries.pending;
  }

  /** Says that the caller hears why the last summary failed. */
  failureTold(): void {
    this.#summaries.failure.told();
  }

  /** Does what is due until the messages can be sent, or something must be awaited. */
  settle({ pending, isCold }: ReturnType<typeof atSend>): ConversationStep<M> {
    this.#summaries.pending = pending;
    const { history, warnings } = this.#tools;
    // What is edited under a summary can't be summarised by it.
    const isDue = isCold === true || this.machine.isDirty;
    if (isDue && this.machine.isContinuous && !this.machine.isLocked) this.optimize(isCold);
    if (!this.machine.isLocked) this.#cutNewest(pending);
    warnings.foreign(history.session.takeForeign());
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
        case 'digest':
        case 'payback':
          this.#shrink(step, pending);
          break;
        case 'summarize':
        case 'summarize-background': {
          const task = this.#summaries.start(this.#reason(pending), step === 'summarize-background');
          if (task instanceof ForegroundTask) return task as ForegroundTask<M>;
          background = task;
          break;
        }
        case 'pending':
          return { kind: 'pending', task: this.#summaries.task! };
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
    const { history, settings } = this.#tools;
    const { failure } = this.#summaries;
    const { isVetoed } = this.#watch;
    const { offset } = this.machine;
    const largest = history.largest();
    const error = this.#summaries.takeRefusal() ?? (reason === 'summaries-stopped' ? failure.tell() : undefined);
    const floor = Math.max(0, history.tokens() + offset);
    const limit = this.machine.limit + offset;
    const found = { floor, limit, pending: this.pending, offset, reason, largest, isVetoed, kept: keptBy(settings) };
    // The hook is asked again at the next send.
    if (isVetoed) this.machine.changed();
    return {
      kind: 'over-limit',
      message: overLimitMessage(found),
      floor,
      reason,
      ...(largest === undefined ? {} : { largest }),
      ...(error === undefined ? {} : { error }),
      ...(settings.options.strategy !== 'digest' && this.#rules.canDigest() ? { offer: 'digest' } : {}),
    };
  }

  #ready(step: StepName, background: Task<M> | undefined): ConversationStep<M> {
    const { cuts, redact, history } = this.#tools;
    const { failure } = this.#summaries;
    const warnings = this.#tools.warnings.take();
    if (step === 'ready-unreachable') warnings.push({ code: 'threshold-unreachable' });
    if (step === 'ready-stopped') {
      const error = failure.tell();
      warnings.push({ code: 'summaries-stopped', ...(error === undefined ? {} : { error }), offer: 'digest' });
    }
    for (const error of [failure.tellOnce(), this.#summaries.takeRefusal()]) {
      if (error !== undefined) warnings.push({ code: 'summary-failed', error, offer: 'digest' });
    }
    const unkept = cuts.takeFailure();
    if (unkept !== undefined) warnings.push({ code: 'recall-failed', error: cleanError(unkept.error, redact) });
    const messages = history.sent();
    return { kind: 'ready', messages, warnings, ...(background === undefined ? {} : { background }) };
  }

  /** Runs the rules, for a cache that may be cold; returns whether they changed anything. */
  optimize(isCold?: boolean): boolean {
    return this.#rules.optimize(isCold);
  }

  /** Why something is due that isn't over the limit. */
  #reason(pending: number): CompressionReason {
    const [, trigger] = this.machine.budget();
    return this.#tools.history.tokens() + pending >= trigger ? 'threshold' : 'soft-threshold';
  }

  #shrink(step: 'high-density' | 'top-down-truncation' | 'lines' | 'digest' | 'payback', pending: number): void {
    const { settings } = this.#tools;
    const reason = step === 'payback' ? 'payback' : this.#reason(pending);
    if (step === 'digest' || step === 'payback') {
      const tail = settings.options.preserve === undefined ? { preserve: PAYBACK_TAIL } : {};
      this.#byRules('digest', reason, () =>
        step === 'digest' ? this.#rules.digest({}, budgetNow(this.#tools)) : this.#rules.digest(tail, {}),
      );
    } else {
      const strategy = step === 'lines' ? 'high-density' : step;
      const more = step === 'lines' ? { truncate: false } : {};
      this.#byRules(strategy, reason, () => this.#rules.compress({ strategy, ...more }));
    }
    this.machine.compressed(this.#tools.history.tokens(), pending);
  }

  /** Lets rules make the history smaller, unless a hook forbids it; hooks hear what comes of it. */
  #byRules<T>(strategy: FallbackStrategy, reason: CompressionReason, action: () => T, givesUp?: GiveUp): T | undefined {
    const start = this.#watch.start({ strategy, reason, usesModel: false, isBackground: false, givesUp });
    if (start === 'vetoed') return undefined;
    this.#rules.takeReport();
    const { history } = this.#tools;
    // The list is the same as long as nothing changes.
    const before = start === undefined ? undefined : history.messages();
    const result = action();
    const report = this.#rules.takeReport();
    if (start === undefined) return result;
    const hasChanged = history.messages() !== before;
    this.#watch.end(start, hasChanged ? { outcome: 'applied', ...report } : { outcome: 'noop', ...report });
    return result;
  }

  /** Lets the rules have a newest exchange that doesn't fit alone; once it was compressed they leave it. */
  #cutNewest(pending: number): void {
    const { history, settings, warnings } = this.#tools;
    if (this.machine.isContinuous || !this.machine.isDirty || !mayGiveUp(settings, 'tail')) return;
    const room = this.machine.limit - pending;
    const tokens = history.tokensNear((least, most) => least <= room !== most <= room);
    if (tokens <= room || this.#rules.newest().tokens <= room) return;
    const before = history.tokens();
    this.#byRules('high-density', 'limit', () => this.#rules.cutNewest(room), 'tail');
    if (history.tokens() < before) warnings.gaveUp('tail');
  }

  /** Makes the history smaller without what it kept so far; returns the summary that is needed for that. */
  #giveUp(what: GiveUp, pending: number): ForegroundTask<M> | undefined {
    const { settings, history, warnings } = this.#tools;
    const { strategy } = settings.options;
    const isRules = strategy === 'high-density' || strategy === 'top-down-truncation';
    // What is given up in vain would only be lost.
    const room = this.machine.limit - pending;
    const isHopeless = this.#rules.newest().tokens > room;
    if (!isHopeless && !isRules && what !== 'model' && strategy !== 'digest')
      return this.#summaries.start('limit', false, what) as ForegroundTask<M> | undefined;
    const by = isRules ? strategy : 'digest';
    const shorten = () => this.#rules.shorten(by, room, pending);
    if (!isHopeless && this.#byRules(by, 'limit', shorten, what) === true) warnings.gaveUp(what);
    this.machine.compressed(history.tokens(), pending);
    return undefined;
  }

  /** Runs a strategy without a model instead of a summary that isn't available; returns whether it changed anything. */
  fallBack(strategy: FallbackStrategy): boolean {
    this.#summaries.cancel();
    const room = this.machine.limit - this.pending;
    const { history, settings, warnings } = this.#tools;
    const run = () =>
      strategy === 'digest'
        ? this.#rules.digest({}, {}).kind === 'applied'
        : typeof this.#rules.compress({ strategy }, this.pending).outcome !== 'string';
    const isDone = this.#byRules(strategy, 'fallback', run);
    const isTooMuch = history.tokens() > room && mayGiveUp(settings, 'tail') && this.#rules.newest().tokens <= room;
    // A second step is an event of its own, with its own counts.
    const shorten = () => this.#rules.shorten(strategy, room, this.pending);
    const isShorter = isDone !== undefined && isTooMuch && this.#byRules(strategy, 'limit', shorten, 'tail') === true;
    if (isShorter) warnings.gaveUp('tail');
    this.machine.changed();
    return isShorter || isDone === true;
  }

  /** Runs a deterministic strategy that the caller asks for. */
  compress(options: { readonly strategy: FallbackStrategy }): { readonly run: Run; readonly outcome: unknown } {
    // What is edited under a summary can't be summarised by it.
    this.#summaries.cancel();
    const compressed = this.#byRules(options.strategy, 'requested', () => this.#rules.compress(options))!;
    this.machine.changed();
    return compressed;
  }

  /** Makes a digest that the caller asks for. */
  digest(options: ConversationDigestOptions<M>): DigestResult<M> {
    this.#rules.checkRange(options);
    this.#summaries.cancel();
    const result = this.#byRules('digest', 'requested', () => this.#rules.digestOf(options))!;
    this.machine.changed();
    return result;
  }

  /** Takes the newest summary back, if a reference names it and there is room for what it stands for. */
  restore(reference: string): RestoreResult<M> {
    const result = this.#rules.restore(reference);
    if (result.kind !== 'applied') return result;
    this.#summaries.cancel();
    this.machine.changed();
    return result;
  }

  /** Asks for a summary that the caller wants now. */
  summarize(own: ConversationSummarizeOptions): SummarizeStep<M> | SummaryNoop {
    this.#summaries.cancel();
    if (this.machine.isDirty && this.machine.isContinuous) this.optimize();
    return this.#summaries.summarize(own);
  }

  /** What summaries are asked for with now, but for the todo items. */
  summaryOptions(todos: SummaryOptions['todos']): SummaryOptions<M> {
    return summaryOptionsOf(this.#tools.settings, { todos, ...momentWithoutTodos(this.#tools) });
  }

  /** Takes a model's reply. */
  complete(task: Task<M>, reply: string): CompletedStep<M> {
    return this.#summaries.complete(task, reply);
  }

  /** Ends a task that changed nothing. */
  close(task: Task<M>, end: Exclude<SummaryEnd, 'applied' | 'noop'>, error?: unknown): void {
    this.#summaries.close(task, end, error);
  }

  /** Lets go of a task whose history is gone. */
  abandon(): void {
    this.#summaries.abandon();
  }
}

function todosOf<M>(
  { summaries, redact }: Means<M>,
  source: TodoSource | undefined,
  failed: (error: unknown) => void,
): Todos {
  const check = (todos: TodoItems) => {
    const { json } = readSettings({ todos });
    summaries.call((glue) => glue.todoContext(json));
  };
  return new Todos(source, check, (error) => failed(cleanError(error, redact)));
}
