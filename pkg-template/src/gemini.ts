/**
 * densify over the `contents` of Gemini's API, as the SDK has them: they go in and come out as they are, and
 * nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { gemini } from './formats/gemini/format.js';
import type { GeminiContentLike, GeminiOptions } from './formats/gemini/types.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export * from './formats/entry.js';
export type { GeminiContentLike, GeminiOptions } from './formats/gemini/types.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(gemini);
export const compress = /* @__PURE__ */ verbs.compressOf(gemini);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(gemini);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(gemini);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(gemini);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(gemini);
export const digest = /* @__PURE__ */ verbs.digestOf(gemini);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(gemini);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(gemini);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(gemini);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(gemini);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(gemini);
export const plan = /* @__PURE__ */ planOf(gemini);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf<GeminiContentLike, GeminiOptions, 'contents'>(gemini);
export const compressRequest = /* @__PURE__ */ compressRequestOf<GeminiContentLike, GeminiOptions, 'contents'>(gemini);
