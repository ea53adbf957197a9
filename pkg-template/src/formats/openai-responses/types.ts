import type { Target } from '../../models/target.js';

/** The types that requests are mostly made of; others are items as well. */
type ItemType =
  | 'message'
  | 'reasoning'
  | 'function_call'
  | 'function_call_output'
  | 'custom_tool_call'
  | 'custom_tool_call_output'
  | 'item_reference';

/** What items have beside their type, each kind its own: named so that they may be written in place. */
type ItemKey =
  | ('content' | 'id' | 'status' | 'phase')
  | ('call_id' | 'name' | 'namespace' | 'arguments' | 'input' | 'output' | 'action' | 'operation' | 'error')
  | ('summary' | 'encrypted_content' | 'result' | 'results' | 'queries' | 'code' | 'container_id' | 'outputs')
  | ('server_label' | 'tools' | 'approval_request_id' | 'approve' | 'reason');

/** What densify reads of an input item of the Responses API: `ResponseInputItem` of the SDK, or your own. */
export interface ResponsesItemLike extends Readonly<Partial<Record<ItemKey, unknown>>> {
  readonly type?: ItemType | (string & {}) | null | undefined;
  readonly role?: 'user' | 'assistant' | 'system' | 'developer' | (string & {}) | undefined;
  /** Messages of Chat Completions are none. */
  readonly tool_calls?: never;
  readonly tool_call_id?: never;
}

/** Options of every verb, about where the items go. */
export interface ResponsesOptions extends Target {}
