/**
 * densify over messages of OpenAI's Chat Completions API, and of servers that speak it, as the SDK has them: they go in and come out as they
 * are, and nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { openai } from './formats/openai/format.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export * from './formats/entry.js';
export type { OpenAIMessageLike, OpenAIOptions } from './formats/openai/types.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(openai);
export const compress = /* @__PURE__ */ verbs.compressOf(openai);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(openai);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(openai);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(openai);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(openai);
export const digest = /* @__PURE__ */ verbs.digestOf(openai);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(openai);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(openai);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(openai);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(openai);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(openai);
export const plan = /* @__PURE__ */ planOf(openai);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf(openai);
export const compressRequest = /* @__PURE__ */ compressRequestOf(openai);
