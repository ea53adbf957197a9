/**
 * densify over the prompts that the AI SDK hands to language models (`LanguageModelV4Prompt`, `LanguageModelV3Prompt`),
 * as middleware sees them.
 *
 * @packageDocumentation
 */
import { aiSdkPrompt } from './formats/ai-sdk/format.js';
import {
  applySummaryOf,
  compressOf,
  createConversationOf,
  createOptimizerOf,
  estimateTokensOf,
  fileOperationsOf,
  optimizeOf,
  requestSummaryOf,
  restoreConversationOf,
  verifySummaryOf,
} from './formats/verbs.js';

export type { AiSdkMessageLike, AiSdkOptions, AiSdkPartLike } from './formats/ai-sdk/types.js';
export type { Target } from './formats/format.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(aiSdkPrompt);
export const compress = /* @__PURE__ */ compressOf(aiSdkPrompt);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(aiSdkPrompt);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(aiSdkPrompt);
export const applySummary = /* @__PURE__ */ applySummaryOf(aiSdkPrompt);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(aiSdkPrompt);
export const createConversation = /* @__PURE__ */ createConversationOf(aiSdkPrompt);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(aiSdkPrompt);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(aiSdkPrompt);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(aiSdkPrompt);
