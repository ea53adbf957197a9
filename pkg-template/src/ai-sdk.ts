/**
 * densify over messages of the AI SDK (`ModelMessage`): they go in and come out as they are, and nothing that a
 * provider would refuse is made of them.
 *
 * @packageDocumentation
 */
import { aiSdk } from './formats/ai-sdk/format.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export type { AiSdkMessageLike, AiSdkOptions } from './formats/ai-sdk/types.js';
export * from './formats/entry.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(aiSdk);
export const compress = /* @__PURE__ */ verbs.compressOf(aiSdk);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(aiSdk);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(aiSdk);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(aiSdk);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(aiSdk);
export const digest = /* @__PURE__ */ verbs.digestOf(aiSdk);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(aiSdk);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(aiSdk);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(aiSdk);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(aiSdk);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(aiSdk);
export const plan = /* @__PURE__ */ planOf(aiSdk);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf(aiSdk);
export const compressRequest = /* @__PURE__ */ compressRequestOf(aiSdk);
export type { HookOptions } from './formats/ai-sdk/integrations.js';
export { mastraProcessor, middleware, prepareStep } from './formats/ai-sdk/integrations.js';
export type { HookWarning, SharedHookOptions } from './formats/hooks.js';
