import type { KnownProvider } from './providers.js';

/** The receiver of the messages, as the caller names it. */
export interface Target {
  /**
   * The model that the messages are sent to: it decides which rules hold. Without it those of all models do.
   *
   * @default none
   */
  readonly model?: string | undefined;
  /**
   * The provider that serves the model: one of these, or a name that contains one (`azure.chat`). It selects the rules
   * if `model` does not. For Chat Completions, `openai` and `azure` mean OpenAI's own API, all others a compatible
   * server.
   *
   * @default none
   */
  readonly provider?: KnownProvider | (string & {}) | undefined;
}
