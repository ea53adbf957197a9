import type { Target } from '../../models/target.js';

/** The types that runs are mostly made of; others are items as well. */
type ItemType = 'message' | 'reasoning' | 'function_call' | 'function_call_result' | 'hosted_tool_call' | 'compaction';

/** What items have beside their type, each kind its own: named so that they may be written in place. */
type ItemKey =
  | ('content' | 'id' | 'status' | 'phase' | 'providerData')
  | ('callId' | 'name' | 'namespace' | 'arguments' | 'output' | 'action' | 'operation')
  | ('rawContent' | 'encrypted_content' | 'created_by' | 'code');

/** What densify reads of an item of OpenAI's Agents SDK: `AgentInputItem`, or your own. */
export interface AgentsItemLike extends Readonly<Partial<Record<ItemKey, unknown>>> {
  readonly type?: ItemType | (string & {}) | undefined;
  readonly role?: 'user' | 'assistant' | 'system' | (string & {}) | undefined;
  /** Messages of Chat Completions are none. */
  readonly tool_calls?: never;
  readonly tool_call_id?: never;
}

/** Options of every verb, about where the items go. */
export interface AgentsOptions extends Target {}
