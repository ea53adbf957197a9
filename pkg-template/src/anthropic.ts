/**
 * densify over messages of Anthropic's Messages API, as the SDK has them: they go in and come out as they
 * are, and nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { anthropic } from './formats/anthropic/format.js';
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

export type { AnthropicBlockLike, AnthropicMessageLike, AnthropicOptions } from './formats/anthropic/types.js';
export type { Target } from './formats/format.js';
export type { MessageOf, RequestLike, RequestOverhead, RequestResult } from './formats/requests.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(anthropic);
export const compress = /* @__PURE__ */ compressOf(anthropic);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(anthropic);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(anthropic);
export const applySummary = /* @__PURE__ */ applySummaryOf(anthropic);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(anthropic);
export const createConversation = /* @__PURE__ */ createConversationOf(anthropic);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(anthropic);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(anthropic);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(anthropic);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf(anthropic);
export const compressRequest = /* @__PURE__ */ compressRequestOf(anthropic);
