import type { Target } from '../../models/target.js';

/** What densify reads of an item of OpenAI's Agents SDK: `AgentInputItem`, or your own. */
export interface AgentsItemLike {
  readonly type?: string | undefined;
}

/** Options of every verb, about where the items go. */
export interface AgentsOptions extends Target {}
