/**
 * densify over input items of OpenAI's Responses API, as the SDK has them: they go in and come out as they
 * are, and nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { openaiResponses } from './formats/openai-responses/format.js';
import type { ResponsesItemLike, ResponsesOptions } from './formats/openai-responses/types.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export * from './formats/entry.js';
export type { ResponsesItemLike, ResponsesOptions } from './formats/openai-responses/types.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(openaiResponses);
export const compress = /* @__PURE__ */ verbs.compressOf(openaiResponses);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(openaiResponses);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(openaiResponses);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(openaiResponses);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(openaiResponses);
export const digest = /* @__PURE__ */ verbs.digestOf(openaiResponses);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(openaiResponses);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(openaiResponses);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(openaiResponses);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(openaiResponses);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(openaiResponses);
export const plan = /* @__PURE__ */ planOf(openaiResponses);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf<ResponsesItemLike, ResponsesOptions, 'input'>(
  openaiResponses,
);
export const compressRequest = /* @__PURE__ */ compressRequestOf<ResponsesItemLike, ResponsesOptions, 'input'>(
  openaiResponses,
);
