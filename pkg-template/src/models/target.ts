import type { ProviderName } from './providers.js';

/** The receiver of the messages, as the caller names it. */
export interface Target {
  /**
   * The model that the messages are sent to: it decides which rules hold. Without it those of all models do.
   *
   * @default none
   */
  readonly model?: string | undefined;
  /**
   * Who serves the model: one of these, or a name that holds one (`azure.chat`). It selects the rules if `model` does
   * not; of Chat Completions `openai` and `azure` are OpenAI's own, all others compatible servers.
   *
   * @default none
   */
  readonly provider?: ProviderName | (string & {}) | undefined;
}
