/**
 * densify over messages of LangChain, instances or stored: they go in and come out as they are, instances of the
 * same classes and with the same ids, and nothing that a provider would refuse is made of them.
 *
 * @packageDocumentation
 */
import { langchain } from './formats/langchain/format.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export * from './formats/entry.js';
export type { HookWarning, SharedHookOptions } from './formats/hooks.js';
export type { HookOptions } from './formats/langchain/integrations.js';
export { preModelHook, wrapModelCall } from './formats/langchain/integrations.js';

export type { LangChainMessageLike, LangChainOptions } from './formats/langchain/types.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(langchain);
export const compress = /* @__PURE__ */ verbs.compressOf(langchain);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(langchain);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(langchain);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(langchain);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(langchain);
export const digest = /* @__PURE__ */ verbs.digestOf(langchain);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(langchain);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(langchain);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(langchain);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(langchain);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(langchain);
export const plan = /* @__PURE__ */ planOf(langchain);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf(langchain);
export const compressRequest = /* @__PURE__ */ compressRequestOf(langchain);
