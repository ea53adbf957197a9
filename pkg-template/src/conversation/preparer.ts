import type { DensifyError } from '../base/errors.js';
import type { Redact } from '../summary/redaction.js';
import { Listeners } from './listeners.js';
import { checkPrepare, type Driven, drive, join, within } from './prepare.js';
import { TODO_PATIENCE, type Todos } from './todos.js';
import type {
  Conversation,
  ConversationWarning,
  FallbackStrategy,
  PreparedStep,
  PrepareOptions,
  SummaryTask,
} from './types.js';

/** So often a summary is made for one `prepare` of messages that change under it. */
const CONFLICTS = 3;

/** What `prepare` asks of a conversation. */
interface Prepared<M> extends Pick<Conversation<M>, 'beforeSend' | 'messages' | 'tokens'> {
  /** Makes the history smaller by a strategy without a model; returns whether anything changed. */
  fallBack(strategy: FallbackStrategy): boolean;
  /** The todo items, if those of the moment may be needed before a send of so many more tokens. */
  todosFor(pending: number): Todos | undefined;
}

/** The methods that make the history smaller. */
interface Compacting {
  /** The tokens that are to come on top of the messages. */
  readonly pending: number;
  /** Says that the caller hears why the last summary failed. */
  failureTold(): void;
}

/** Runs the fallback strategy if no summary is available, at most once. */
class Fallback<M> {
  readonly warnings: ConversationWarning[] = [];
  readonly #conversation: Prepared<M>;
  readonly #strategy: FallbackStrategy | undefined;

  constructor(conversation: Prepared<M>, strategy: FallbackStrategy | undefined) {
    this.#conversation = conversation;
    this.#strategy = strategy;
  }

  run(error?: unknown): boolean {
    const strategy = this.#strategy;
    if (strategy === undefined || this.warnings.length > 0 || !this.#conversation.fallBack(strategy)) return false;
    this.warnings.push({ code: 'fell-back', strategy, ...(error === undefined ? {} : { error }) });
    return true;
  }
}

/** Brings a conversation to where its messages can be sent, and has the summaries made that are needed. */
export class Preparer<M> {
  readonly #conversation: Prepared<M>;
  readonly #compacting: () => Compacting & { readonly redact: Redact };
  /** The summary that is being made here. */
  #running: { readonly task: unknown; readonly end: Promise<Driven>; readonly listeners: Listeners } | undefined;

  /** `compacting` is another one once the conversation was configured. */
  constructor(conversation: Prepared<M>, compacting: () => Compacting & { readonly redact: Redact }) {
    this.#conversation = conversation;
    this.#compacting = compacting;
  }

  async prepare(options: PrepareOptions<M>): Promise<PreparedStep<M>> {
    checkPrepare(options);
    const fallback = new Fallback(this.#conversation, options.fallback);
    for (let conflicts = 0; ; ) {
      const todos = this.#conversation.todosFor(options.pendingTokens ?? 0);
      const answer = todos?.refresh();
      if (answer !== undefined && (await this.#replaced(todos!, answer, options)) && (conflicts += 1) < CONFLICTS)
        continue;
      const step = this.#conversation.beforeSend({ pendingTokens: options.pendingTokens, cold: options.cold });
      if (step.kind === 'over-limit') {
        if (fallback.run(step.error)) continue;
        return step;
      }
      if (step.kind === 'ready') {
        const { background, ...ready } = step;
        if (background !== undefined) this.#run(background, options).catch(() => undefined);
        return { ...ready, warnings: [...ready.warnings, ...fallback.warnings] };
      }
      const task = step.kind === 'pending' ? step.task : step;
      const driven = await this.#run(task, options);
      if (driven.kind === 'done') continue;
      // The caller that stopped it gets its own reason, as from any function that takes a signal.
      if (driven.kind === 'cancelled') throw options.signal?.reason ?? driven.error;
      this.#compacting().failureTold();
      if (driven.kind === 'conflict' && (conflicts += 1) < CONFLICTS) continue;
      if (fallback.run(driven.error)) continue;
      return this.#withoutSummary(driven.error);
    }
  }

  /** Waits for todo items; returns whether they were replaced meanwhile. */
  async #replaced(todos: Todos, answer: Promise<void>, options: PrepareOptions<M>): Promise<boolean> {
    const { signal, timeout = TODO_PATIENCE, pendingTokens = 0 } = options;
    try {
      await within({ signal, timeout: Math.min(timeout, TODO_PATIENCE) }, () => answer);
    } catch (error) {
      if (signal?.aborted === true) throw error;
      todos.late();
    }
    return this.#conversation.todosFor(pendingTokens)?.isAs(todos) === false;
  }

  /** Has a summary made, once: who comes later waits for the same. */
  #run(task: SummaryTask<M>, options: PrepareOptions<M>): Promise<Driven> {
    if (this.#running?.task === task) {
      const { end, listeners } = this.#running;
      const leave = listeners.join(options.onProgress);
      return join(task, end, options, this.#compacting().redact).finally(leave);
    }
    const listeners = new Listeners();
    listeners.join(options.onProgress);
    // Not at once: the callback may call `prepare`, which must see the running summary.
    const own = { ...options, onProgress: listeners.tell };
    const end = Promise.resolve().then(() => drive(task, own, this.#compacting().redact));
    this.#running = { task, end, listeners };
    return end;
  }

  /** A failed summary is no reason not to go on as long as the history fits. */
  #withoutSummary(error: DensifyError): PreparedStep<M> {
    const { tokens, messages } = this.#conversation;
    if (tokens.current + this.#compacting().pending > tokens.limit) throw error;
    return { kind: 'ready', messages, warnings: [{ code: 'summary-failed', error, offer: 'digest' }] };
  }
}
