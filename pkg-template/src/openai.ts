/**
 * densify over messages of OpenAI's Chat Completions API, and of servers that speak it, as the SDK has them: they go in and come out as they
 * are, and nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { openai } from './formats/openai/format.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
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

export type { OpenAIMessageLike, OpenAIOptions, OpenAIPartLike } from './formats/openai/types.js';
export type { Target } from './formats/format.js';
export type { MessageOf, RequestLike, RequestOverhead, RequestResult } from './formats/requests.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(openai);
export const compress = /* @__PURE__ */ compressOf(openai);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(openai);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(openai);
export const applySummary = /* @__PURE__ */ applySummaryOf(openai);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(openai);
export const createConversation = /* @__PURE__ */ createConversationOf(openai);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(openai);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(openai);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(openai);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf(openai);
export const compressRequest = /* @__PURE__ */ compressRequestOf(openai);
