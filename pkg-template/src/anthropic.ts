/**
 * densify over messages of Anthropic's Messages API, as the SDK has them: they go in and come out as they
 * are, and nothing that the API would refuse is made of them.
 *
 * @packageDocumentation
 */
import { anthropic } from './formats/anthropic/format.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export type { HookOptions } from './formats/anthropic/integrations.js';
export { middleware } from './formats/anthropic/integrations.js';
export type { AnthropicMessageLike, AnthropicOptions } from './formats/anthropic/types.js';
export * from './formats/entry.js';
export type { HookWarning, SharedHookOptions } from './formats/hooks.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(anthropic);
export const compress = /* @__PURE__ */ verbs.compressOf(anthropic);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(anthropic);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(anthropic);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(anthropic);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(anthropic);
export const digest = /* @__PURE__ */ verbs.digestOf(anthropic);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(anthropic);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(anthropic);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(anthropic);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(anthropic);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(anthropic);
export const plan = /* @__PURE__ */ planOf(anthropic);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf(anthropic);
export const compressRequest = /* @__PURE__ */ compressRequestOf(anthropic);
