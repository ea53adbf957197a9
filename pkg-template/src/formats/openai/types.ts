import type { Target } from '../../models/target.js';

/** What densify reads of a message of Chat Completions: `ChatCompletionMessageParam` of the SDK, or your own. */
export interface OpenAIMessageLike {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  readonly content?: string | readonly OpenAIPartLike[] | null | undefined;
}

/** A part of a message's content; densify knows the types that it edits, all others ride along untouched. */
export interface OpenAIPartLike {
  readonly type: string;
}

/** Options of every verb, about where the messages go. */
export interface OpenAIOptions extends Target {
  /**
   * Whose Chat Completions these are: `'openai'`, or `'compatible'`: servers with strict templates among them.
   *
   * @default that of `provider`; without one OpenAI's if `model` is one of its own (`gpt-5`, not `gpt-oss`), else what all
   * demand together
   */
  readonly generation?: 'openai' | 'compatible' | undefined;
}
