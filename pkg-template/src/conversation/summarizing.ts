/** The summaries that a conversation asks a model for: at most one is awaited at a time. */

import { type DensifyError, densifyError, isDensifyError } from '../base/errors.js';
import type { ErrorCode } from '../generated/densify.js';
import type { SummaryEnd } from '../generated/protocol.js';
import type { Finding, GiveUp, SummaryMetadata } from '../generated/summary.js';
import type { SummaryNoop, SummaryOptions, SummaryRequest } from '../summary/types.js';
import { conflicting, failure, LastFailure, unusable } from './failures.js';
import { hasFirstRequest } from './first-request.js';
import type { CompressionReason } from './hooks.js';
import { budgetNow, momentNow, type Tools } from './means.js';
import { givingUp, keepFirstOf, requestedSummaryOf, summaryOptionsOf } from './options.js';
import { ForegroundTask, Task } from './task.js';
import type { CompletedStep, ConversationSummarizeOptions, SummarizeStep } from './types.js';
import type { Watch } from './watch.js';

/** The number of repairs of an unusable reply. */
const REPAIRS = 2;
/** A summary of a large range takes about this many tokens; in a small window about this part of the limit. */
const LEAST_SUMMARY = 1000;
const LEAST_PART = 1 / 16;
/** Why no summary can be asked for now: it may be otherwise with the next messages, or once a prompt file is right. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['window-too-small', 'open-calls', 'invalid-prompt']);

/** Asks for summaries, and takes replies. */
export class Summarizing<M> {
  readonly #tools: Tools<M>;
  readonly #watch: Watch<M>;
  #task: Task<M> | undefined;
  /** Why no summary could be asked for, until that is said. */
  #refusal: DensifyError | undefined;
  /** Why the last summary came to nothing: one in the background tells nobody else. */
  failure = new LastFailure();
  /** The tokens that were to come at the last send. */
  pending = 0;

  constructor(tools: Tools<M>, watch: Watch<M>) {
    this.#tools = tools;
    this.#watch = watch;
  }

  /** The summary that is awaited. */
  get task(): Task<M> | undefined {
    return this.#task;
  }

  /** Goes on where another one stopped, which had other settings. */
  takeOver(other: Summarizing<M>, queued: number): void {
    const { machine } = this.#tools;
    this.pending = other.pending;
    this.#refusal = other.#refusal;
    this.failure = other.failure;
    const task = other.#task;
    if (task === undefined) return;
    this.#task = task;
    machine.summaryStarted(task.isBackground);
    machine.added(queued);
  }

  /** Asks for a summary; nothing is awaited if there is nothing to summarise, or none can be asked for now. */
  start(reason: CompressionReason, isBackground: boolean, givesUp?: GiveUp): Task<M> | undefined {
    const { machine, history, owner } = this.#tools;
    const planned = this.#plan(givesUp);
    if (planned !== undefined && planned.kind !== 'noop' && this.#isWorthIt(planned)) {
      const start = this.#watch.start({ strategy: planned.strategy, reason, usesModel: true, isBackground, givesUp });
      if (start !== 'vetoed') {
        const Kind = isBackground ? Task<M> : ForegroundTask<M>;
        return this.#await(new Kind(owner, planned, { isBackground, givesUp, start }));
      }
    }
    const tokens = history.tokens();
    // From here on nothing is called that may throw.
    machine.summaryStarted(isBackground);
    machine.summaryEnded('noop', tokens, this.pending);
    return undefined;
  }

  /** Asks for a summary that the caller wants now. */
  summarize(own: ConversationSummarizeOptions): SummarizeStep<M> | SummaryNoop {
    const { summaries, settings, history, owner } = this.#tools;
    const planned = summaries.request(
      settings.adapter,
      history.messages(),
      requestedSummaryOf(settings, own, momentNow(this.#tools)),
    );
    if (planned.kind === 'noop') return planned;
    const { strategy } = planned;
    const start = this.#watch.start({ strategy, reason: 'requested', usesModel: true, isBackground: false });
    const heard = start === 'vetoed' ? undefined : start;
    return this.#await(new ForegroundTask<M>(owner, planned, { isBackground: false, start: heard }));
  }

  #await<T extends Task<M>>(task: T): T {
    this.#tools.warnings.todosLeftOut(task.request.todosLeftOut);
    this.#tools.machine.summaryStarted(task.isBackground);
    this.#task = task;
    return task;
  }

  /** A request; none if the history as it is now allows of none, which isn't the caller's fault. */
  #plan(givesUp?: GiveUp): SummaryRequest<M> | SummaryNoop | undefined {
    const { summaries, settings, history } = this.#tools;
    const own = givesUp === undefined ? {} : givingUp(settings, givesUp);
    const options: SummaryOptions<M> = {
      ...summaryOptionsOf(settings, momentNow(this.#tools)),
      ...budgetNow(this.#tools),
      ...own,
    };
    try {
      return summaries.request(settings.adapter, history.messages(), options);
    } catch (thrown) {
      if (!isDensifyError(thrown) || !REFUSALS.has(thrown.code)) throw thrown;
      this.#refusal = thrown;
      return undefined;
    }
  }

  /**
   * Whether to ask a model for a summary. A summary does not help if the replaced part is hardly longer than a summary, or
   * if the rest is too large for the window already.
   */
  #isWorthIt({ plan }: SummaryRequest<M>): boolean {
    const { start, end } = plan;
    const moved = plan['moved'] as readonly number[];
    const { history, machine } = this.#tools;
    const { limit } = machine;
    const all = history.tokens();
    const messages = history.messages();
    const kept = [...messages.slice(0, start), ...moved.map((at) => messages[at]!), ...messages.slice(end)];
    const tokens = history.tokensOf(kept);
    const replaced = all - tokens;
    if (replaced < Math.min(LEAST_SUMMARY, limit * LEAST_PART)) return false;
    const room = limit - this.pending;
    return all <= room || tokens + Math.min(LEAST_SUMMARY, replaced / 4) <= room;
  }

  /** Why no summary could be asked for, once. */
  takeRefusal(): DensifyError | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  /** Takes a model's reply. */
  complete(task: Task<M>, reply: string): CompletedStep<M> {
    const { summaries, settings, history, redact, cuts } = this.#tools;
    const { countTokens, isUser, isFailure, keepFirstRequest } = settings.options;
    const hadFirst = task.givesUp === 'tail' && keepFirstRequest === true && hasFirstRequest(this.#tools);
    const { result, layout, inserted, withoutRequest } = summaries.applyWithLayout(
      settings.adapter,
      task.request,
      reply,
      history.messages(),
      { countTokens, isUser, isFailure, redact },
      cuts.summarised,
    );
    if (result.kind === 'applied' && layout !== undefined && inserted !== undefined) {
      const { findings, state } = result;
      const tokensAfter = history.begin({ layout, inserted, withoutRequest, state });
      const metadata = { ...result.metadata, tokensAfter };
      if (hadFirst && keepFirstOf(settings) !== 'always') this.#tools.warnings.gaveUp('first-request');
      this.#applied(task, tokensAfter, metadata);
      return { kind: 'applied', messages: history.messages(), findings, metadata, state };
    }
    if (result.kind === 'conflict') {
      this.close(task, 'conflict', conflicting(result.index));
      return { kind: 'conflict', index: result.index, reason: result.reason };
    }
    if (result.kind === 'applied')
      throw densifyError(
        'core-failed',
        'the summary replaces no message of this history, which is a fault of densify; please report it',
      );
    const { kind, request, findings } = result;
    if (kind === 'failed' && this.#isHopeless(request, findings)) {
      this.close(task, 'failed', unusable(findings));
      return { kind, findings };
    }
    task.request = request;
    return { kind, request, findings };
  }

  /** Whether no other reply would do better: a pin that can't be kept is no fault of the reply. */
  #isHopeless(request: SummaryRequest<M>, findings: readonly Finding[]): boolean {
    return request.attempt > REPAIRS || findings.some(({ code }) => code === 'missing-pin');
  }

  /** From here on nothing is called that may throw. */
  #applied(task: Task<M>, tokens: number, metadata: SummaryMetadata): void {
    const { tally, warnings } = this.#tools;
    tally.count('summaries');
    this.failure.forget();
    if (task.givesUp !== undefined) warnings.gaveUp(task.givesUp);
    if (this.#ended(task, 'applied', tokens)) this.#watch.end(task.start, { outcome: 'applied', metadata });
  }

  /** Ends a task that changed nothing; how many tokens there are doesn't matter then. */
  close(task: Task<M>, end: Exclude<SummaryEnd, 'applied' | 'noop'>, error?: unknown): void {
    if (!this.#ended(task, end, 0)) return;
    if (end === 'cancelled') {
      this.#watch.end(task.start, { outcome: end });
      return;
    }
    const failed = failure(error, task.request.profile, this.#tools.redact);
    this.failure.note(failed, !task.isBackground);
    this.#watch.end(task.start, { outcome: end, error: failed });
  }

  /** Returns whether it was the one that is awaited. */
  #ended(task: Task<M>, end: SummaryEnd, tokens: number): boolean {
    task.isOpen = false;
    if (this.#task !== task) return false;
    this.#task = undefined;
    if (end === 'failed') this.#tools.tally.count('failures');
    this.#tools.machine.summaryEnded(end, tokens, this.pending);
    return true;
  }

  cancel(): void {
    if (this.#task !== undefined) this.close(this.#task, 'cancelled');
  }

  /** Lets go of a task whose history is gone. */
  abandon(): void {
    const task = this.#task;
    this.#task = undefined;
    if (task === undefined) return;
    task.isOpen = false;
    this.#watch.end(task.start, { outcome: 'cancelled' });
  }
}
