import type { Target } from '../../models/target.js';

/** What densify reads of a message of the Messages API: `MessageParam` of the SDK, `BetaMessageParam`, or your own. */
export interface AnthropicMessageLike {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content?: string | readonly AnthropicBlockLike[] | undefined;
}

/** What blocks have beside their type, each kind its own: named so that they may be written in place. */
type BlockKey =
  | ('text' | 'source' | 'title' | 'context' | 'citations' | 'cache_control')
  | ('id' | 'name' | 'input' | 'tool_use_id' | 'content' | 'is_error' | 'caller')
  | ('thinking' | 'signature' | 'data');

/** A block of a message; densify knows the types that it edits, all others ride along untouched. */
export interface AnthropicBlockLike extends Readonly<Partial<Record<BlockKey, unknown>>> {
  readonly type: string;
}

/** Options of every verb, about where the messages go. */
export interface AnthropicOptions extends Target {
  /**
   * The generation of the model, where its name doesn't tell: `'preserved-thinking'` (thinking is bound to
   * everything before it), `'adaptive-thinking'` (Claude 4.6 to 5.4: neither that nor the next),
   * `'manual-thinking'` (an open tool loop must keep its thinking), `'no-thinking'`.
   *
   * @default that of `model`; without one, what all generations demand together
   */
  readonly generation?: 'preserved-thinking' | 'adaptive-thinking' | 'manual-thinking' | 'no-thinking' | undefined;
}
