import type { Foreign } from '../core/foreign.js';
import type { ConversationWarning } from './types.js';

const MODEL_UNKNOWN =
  "edits wait, since thinking is bound to what precedes it with some models and demanded back by others: name 'model' or 'generation'";

/** Warnings that are said with the next step that is ready, each kind once. */
export class Warnings {
  #unsaid: ConversationWarning[] = [];
  readonly #found = new Set<ConversationWarning['code']>();

  /** Messages of which nothing was read. */
  foreign(foreign: Foreign | undefined): void {
    if (foreign !== undefined) this.#say({ code: 'other-format', message: foreign.message });
  }

  /** Edits wait, since nobody says which model the messages go to. */
  modelUnknown(): void {
    this.#say({ code: 'model-unknown', message: MODEL_UNKNOWN });
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
