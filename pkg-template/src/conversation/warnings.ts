import type { Foreign } from '../core/foreign.js';
import type { GiveUp } from '../generated/summary.js';
import type { ConversationWarning } from './types.js';

const MODEL_UNKNOWN =
  "edits are waiting because models have different rules for thinking blocks: set 'model' or 'generation'";

/** Warnings that the next ready step returns. */
export class Warnings {
  #unsaid: ConversationWarning[] = [];
  #found = new Set<ConversationWarning['code']>();

  /** Messages of which nothing was read. */
  foreign(foreign: Foreign | undefined): void {
    if (foreign !== undefined) this.#say({ code: 'other-format', message: foreign.message });
  }

  /** Edits wait, because no model is named. */
  modelUnknown(): void {
    this.#say({ code: 'model-unknown', message: MODEL_UNKNOWN });
  }

  /** The todo items aren't available. */
  withoutTodos(error: unknown): void {
    this.#say({ code: 'todos-failed', error });
  }

  /** A request had no room for some todo items. */
  todosLeftOut(count: number | undefined): void {
    if (count !== undefined) this.#say({ code: 'todos-left-out', count });
  }

  /** A hook of the host's failed. */
  hookFailed(error: unknown): void {
    this.#unsaid.push({ code: 'hook-failed', error });
  }

  /** Goes on with what another one has to say. */
  takeOver(other: Warnings): void {
    this.#unsaid = [...other.#unsaid];
    this.#found = other.#found;
  }

  /** The history was over the limit, and this went. */
  gaveUp(what: GiveUp | 'newest-request'): void {
    const isSaid = this.#unsaid.some((one) => one.code === 'gave-up' && one.what === what);
    if (!isSaid) this.#unsaid.push({ code: 'gave-up', what });
  }

  /** What wasn't said yet. */
  take(): ConversationWarning[] {
    const warnings = this.#unsaid;
    this.#unsaid = [];
    return warnings;
  }

  #say(warning: ConversationWarning): void {
    if (this.#found.has(warning.code)) return;
    this.#found.add(warning.code);
    this.#unsaid.push(warning);
  }
}
