/**
 * densify over input items of OpenAI's Responses API, as the SDK has them: they go in and come out as they
 * are, and nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { openaiResponses } from './formats/openai-responses/format.js';
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

export type { ResponsesItemLike, ResponsesOptions } from './formats/openai-responses/types.js';
export type { Target } from './formats/format.js';
export type { GenerationOf } from './formats/profiles.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(openaiResponses);
export const compress = /* @__PURE__ */ compressOf(openaiResponses);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(openaiResponses);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(openaiResponses);
export const applySummary = /* @__PURE__ */ applySummaryOf(openaiResponses);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(openaiResponses);
export const createConversation = /* @__PURE__ */ createConversationOf(openaiResponses);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(openaiResponses);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(openaiResponses);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(openaiResponses);
