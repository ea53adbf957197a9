/**
 * densify over items of OpenAI's Agents SDK (`AgentInputItem`): they go in and come out as they are, and nothing that the
 * API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { openaiAgents } from './formats/openai-agents/format.js';
import type { AgentsItemLike, AgentsOptions } from './formats/openai-agents/types.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export * from './formats/entry.js';
export type { HookWarning, SharedHookOptions } from './formats/hooks.js';
export type { HookOptions } from './formats/openai-agents/integrations.js';
export { callModelInputFilter, session } from './formats/openai-agents/integrations.js';
export type { AgentsItemLike, AgentsOptions } from './formats/openai-agents/types.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(openaiAgents);
export const compress = /* @__PURE__ */ verbs.compressOf(openaiAgents);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(openaiAgents);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(openaiAgents);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(openaiAgents);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(openaiAgents);
export const digest = /* @__PURE__ */ verbs.digestOf(openaiAgents);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(openaiAgents);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(openaiAgents);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(openaiAgents);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(openaiAgents);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(openaiAgents);
export const plan = /* @__PURE__ */ planOf(openaiAgents);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf<AgentsItemLike, AgentsOptions, 'input'>(openaiAgents);
export const compressRequest = /* @__PURE__ */ compressRequestOf<AgentsItemLike, AgentsOptions, 'input'>(openaiAgents);
