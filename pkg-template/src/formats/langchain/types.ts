import type { Target } from '../../models/target.js';

/** What messages have besides, each kind its own: named so that they may be written in place. */
type MessageKey =
  | ('id' | 'name' | 'additional_kwargs' | 'response_metadata' | 'usage_metadata')
  | ('tool_calls' | 'invalid_tool_calls' | 'tool_call_id' | 'status' | 'artifact');

/**
 * What densify reads of a message of LangChain: an instance of `BaseMessage` (of the major before this one too), its stored
 * form, or what `JSON.stringify` makes of it.
 */
export type LangChainMessageLike =
  | (Readonly<Partial<Record<MessageKey, unknown>>> & { readonly type: string; readonly content: unknown })
  | { readonly type: string; readonly data: object }
  | { getType(): string; readonly content: unknown }
  | { readonly lc: number; readonly id: readonly string[]; readonly kwargs: object };

/** Options of every verb, about where the messages go. Without them the rules of all providers hold together. */
export interface LangChainOptions extends Target {}
