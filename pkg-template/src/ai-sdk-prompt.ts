/**
 * densify over the prompts that the AI SDK hands to language models (`LanguageModelV4Prompt`, `LanguageModelV3Prompt`),
 * as middleware sees them.
 *
 * @packageDocumentation
 */
import { aiSdkPrompt } from './formats/ai-sdk/format.js';
import type { AiSdkMessageLike, AiSdkOptions } from './formats/ai-sdk/types.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export type { AiSdkMessageLike, AiSdkOptions } from './formats/ai-sdk/types.js';
export * from './formats/entry.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(aiSdkPrompt);
export const compress = /* @__PURE__ */ verbs.compressOf(aiSdkPrompt);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(aiSdkPrompt);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(aiSdkPrompt);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(aiSdkPrompt);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(aiSdkPrompt);
export const digest = /* @__PURE__ */ verbs.digestOf(aiSdkPrompt);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(aiSdkPrompt);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(aiSdkPrompt);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(aiSdkPrompt);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(aiSdkPrompt);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(aiSdkPrompt);
export const plan = /* @__PURE__ */ planOf(aiSdkPrompt);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf<AiSdkMessageLike, AiSdkOptions, 'prompt'>(aiSdkPrompt);
export const compressRequest = /* @__PURE__ */ compressRequestOf<AiSdkMessageLike, AiSdkOptions, 'prompt'>(aiSdkPrompt);
