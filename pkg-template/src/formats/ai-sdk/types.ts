import type { Target } from '../../models/target.js';

/** What densify reads of a message of the AI SDK: `ModelMessage`, or one of a provider's prompt. */
export interface AiSdkMessageLike {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly AiSdkPartLike[];
}

/** What densify reads of a message of a user interface: `UIMessage`. */
export interface AiSdkUiMessageLike {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly AiSdkPartLike[];
}

/** A part of a message; densify knows the types that it edits, all others ride along untouched. */
export interface AiSdkPartLike {
  readonly type: string;
}

/**
 * Options of every verb, about where the messages go: `model` and `provider` as the SDK's models have them
 * (`modelId`, `provider`). Without them the rules of all providers hold together.
 */
export interface AiSdkOptions extends Target {}
