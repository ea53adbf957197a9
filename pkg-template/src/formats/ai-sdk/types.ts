import type { Target } from '../../models/target.js';

/** What densify reads of a message of the AI SDK: `ModelMessage`, or one of a provider's prompt. */
export interface AiSdkMessageLike {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly AiSdkPartLike[];
  readonly providerOptions?: unknown;
}

/** What densify reads of a message of a user interface: `UIMessage`. */
export interface AiSdkUiMessageLike {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly AiSdkPartLike[];
  readonly metadata?: unknown;
}

/** What parts have beside their type, each kind its own: named so that they may be written in place. */
type PartKey =
  | ('text' | 'data' | 'image' | 'url' | 'mediaType' | 'filename' | 'id' | 'sourceId' | 'title')
  | ('toolCallId' | 'toolName' | 'input' | 'output' | 'state' | 'errorText' | 'providerExecuted' | 'preliminary')
  | ('approval' | 'approvalId' | 'approved' | 'reason')
  | ('providerOptions' | 'providerMetadata' | 'callProviderMetadata');

/** A part of a message; densify knows the types that it edits, all others ride along untouched. */
export interface AiSdkPartLike extends Readonly<Partial<Record<PartKey, unknown>>> {
  readonly type: string;
}

/**
 * Options of every verb, about where the messages go: `model` and `provider` as the SDK's models have them
 * (`modelId`, `provider`). Without them the rules of all providers hold together.
 */
export interface AiSdkOptions extends Target {}
