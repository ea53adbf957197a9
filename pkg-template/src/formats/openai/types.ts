import type { Target } from '../../models/target.js';

/** What messages have besides, each kind its own: named so that they may be written in place. */
type MessageKey =
  | 'name'
  | 'tool_calls'
  | 'tool_call_id'
  | 'function_call'
  | 'refusal'
  | 'audio'
  | 'reasoning'
  | 'reasoning_content';

/** What densify reads of a message of Chat Completions: `ChatCompletionMessageParam` of the SDK, or your own. */
export interface OpenAIMessageLike extends Readonly<Partial<Record<MessageKey, unknown>>> {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  readonly content?: string | readonly OpenAIPartLike[] | null | undefined;
}

/** What parts have beside their type, each kind its own: named so that they may be written in place. */
type PartKey = 'text' | 'image_url' | 'input_audio' | 'file' | 'refusal' | 'cache_control' | 'prompt_cache_breakpoint';

/** A part of a message's content; densify knows the types that it edits, all others ride along untouched. */
export interface OpenAIPartLike extends Readonly<Partial<Record<PartKey, unknown>>> {
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
