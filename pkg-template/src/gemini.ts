/**
 * densify over the `contents` of Gemini's API, as the SDK has them: they go in and come out as they are, and
 * nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { gemini } from './formats/gemini/format.js';
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

export type { GeminiContentLike, GeminiOptions, GeminiPartLike } from './formats/gemini/types.js';
export type { Target } from './formats/format.js';
export type { GenerationOf } from './formats/profiles.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(gemini);
export const compress = /* @__PURE__ */ compressOf(gemini);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(gemini);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(gemini);
export const applySummary = /* @__PURE__ */ applySummaryOf(gemini);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(gemini);
export const createConversation = /* @__PURE__ */ createConversationOf(gemini);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(gemini);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(gemini);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(gemini);
