import type { DensifyError } from '../base/errors.js';
import type { Redact } from '../summary/redaction.js';
import { Listeners } from './listeners.js';
import { checkPrepare, type Driven, drive, join } from './prepare.js';
import type { Conversation, ConversationWarning, PreparedStep, PrepareOptions, SummaryTask } from './types.js';

/** So often a summary is made for one `prepare` of messages that change under it. */
const CONFLICTS = 3;

/** What `prepare` asks of a conversation. */
type Prepared<M> = Pick<Conversation<M>, 'beforeSend' | 'digest' | 'messages' | 'tokens'>;

/** What it asks of what makes the history smaller. */
interface Compacting {
  /** The tokens that are to come on top of the messages. */
  readonly pending: number;
  /** Says that the caller hears why the last summary failed. */
  failureTold(): void;
}

/** A digest where no summary can be had, at most once. */
class Fallback<M> {
  readonly warnings: ConversationWarning[] = [];
  readonly #conversation: Prepared<M>;

  constructor(conversation: Prepared<M>) {
    this.#conversation = conversation;
  }

  digested(error?: unknown): boolean {
    if (this.warnings.length > 0 || this.#conversation.digest().kind !== 'applied') return false;
    this.warnings.push({ code: 'digested', ...(error === undefined ? {} : { error }) });
    return true;
  }
}

/** Brings a conversation to where its messages can be sent, and has the summaries made that are needed. */
export class Preparer<M> {
  readonly #conversation: Prepared<M>;
  readonly #redact: Redact;
  readonly #compacting: Compacting;
  /** The summary that is being made here. */
  #running: { readonly task: unknown; readonly end: Promise<Driven>; readonly listeners: Listeners } | undefined;

  constructor(conversation: Prepared<M>, redact: Redact, compacting: Compacting) {
    this.#conversation = conversation;
    this.#redact = redact;
    this.#compacting = compacting;
  }

  async prepare(options: PrepareOptions<M>): Promise<PreparedStep<M>> {
    checkPrepare(options);
    const fallback = options.fallback === 'digest' ? new Fallback(this.#conversation) : undefined;
    for (let conflicts = 0; ; ) {
      const step = this.#conversation.beforeSend({ pendingTokens: options.pendingTokens, cold: options.cold });
      if (step.kind === 'over-limit') {
        if (fallback?.digested(step.error) === true) continue;
        return step;
      }
      if (step.kind === 'ready') {
        const { background, ...ready } = step;
        if (background !== undefined) this.#run(background, options).catch(() => undefined);
        return { ...ready, warnings: [...ready.warnings, ...(fallback?.warnings ?? [])] };
      }
      const task = step.kind === 'pending' ? step.task : step;
      const driven = await this.#run(task, options);
      if (driven.kind === 'done') continue;
      // Who stopped it gets their own reason, as from whatever else takes a signal.
      if (driven.kind === 'cancelled') throw options.signal?.reason ?? driven.error;
      this.#compacting.failureTold();
      if (driven.kind === 'conflict' && (conflicts += 1) < CONFLICTS) continue;
      if (fallback?.digested(driven.error) === true) continue;
      return this.#withoutSummary(driven.error);
    }
  }

  /** Has a summary made, once: who comes later waits for the same. */
  #run(task: SummaryTask<M>, options: PrepareOptions<M>): Promise<Driven> {
    if (this.#running?.task === task) {
      const { end, listeners } = this.#running;
      const leave = listeners.join(options.onProgress);
      return join(task, end, options, this.#redact).finally(leave);
    }
    const listeners = new Listeners();
    listeners.join(options.onProgress);
    // Not at once: what is called may call `prepare`, which has to see that the summary is being made.
    const own = { ...options, onProgress: listeners.tell };
    const end = Promise.resolve().then(() => drive(task, own, this.#redact));
    this.#running = { task, end, listeners };
    return end;
  }

  /** A failed summary is no reason not to go on as long as the history fits. */
  #withoutSummary(error: DensifyError): PreparedStep<M> {
    const { tokens, messages } = this.#conversation;
    if (tokens.current + this.#compacting.pending > tokens.limit) throw error;
    return { kind: 'ready', messages, warnings: [{ code: 'summary-failed', error, offer: 'digest' }] };
  }
}
