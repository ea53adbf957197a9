import type { GiveUp } from '../generated/summary.js';
import type { SummaryRequest } from '../summary/types.js';
import type { CompressionStart } from './hooks.js';
import type { CompletedStep, SummarizeStep, SummaryTask } from './types.js';

/** What a task asks of its conversation. */
export interface TaskOwner<M> {
  complete(task: Task<M>, reply: string): CompletedStep<M>;
  end(task: Task<M>, end: 'failed' | 'cancelled', error?: unknown): void;
}

/** What a summary is for. */
interface Purpose {
  readonly isBackground: boolean;
  readonly givesUp?: GiveUp | undefined;
  /** What hooks were told when it began. */
  readonly start?: CompressionStart | undefined;
}

/** A summary that was asked for. */
export class Task<M> implements SummaryTask<M> {
  request: SummaryRequest<M>;
  isOpen = true;
  readonly isBackground: boolean;
  readonly givesUp: GiveUp | undefined;
  readonly start: CompressionStart | undefined;
  readonly #owner: TaskOwner<M>;

  constructor(owner: TaskOwner<M>, request: SummaryRequest<M>, { isBackground, givesUp, start }: Purpose) {
    this.#owner = owner;
    this.request = request;
    this.isBackground = isBackground;
    this.givesUp = givesUp;
    this.start = start;
  }

  complete(reply: string): CompletedStep<M> {
    return this.isOpen ? this.#owner.complete(this, reply) : { kind: 'ended' };
  }

  fail(error?: unknown): void {
    if (this.isOpen) this.#owner.end(this, 'failed', error);
  }

  cancel(): void {
    if (this.isOpen) this.#owner.end(this, 'cancelled');
  }
}

/** A task that must be done before the messages can be sent. */
export class ForegroundTask<M> extends Task<M> implements SummarizeStep<M> {
  readonly kind = 'summarize';
}
