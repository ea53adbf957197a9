/**
 * densify over messages of pi's agents (`AgentMessage`): they go in and come out as they are. Messages of roles that
 * are not pi's own stay where they are, untouched.
 *
 * @packageDocumentation
 */
import { pi } from './formats/pi/format.js';
import { planOf } from './formats/plan.js';
import { compressRequestOf, optimizeRequestOf } from './formats/requests.js';
import * as verbs from './formats/verbs.js';

export * from './formats/entry.js';
export type { HookWarning, SharedHookOptions } from './formats/hooks.js';
export type { HookOptions } from './formats/pi/integrations.js';
export { transformContext } from './formats/pi/integrations.js';
export type { PiMessageLike, PiOptions } from './formats/pi/types.js';
export type { RequestOverhead, RequestResult } from './formats/requests.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(pi);
export const compress = /* @__PURE__ */ verbs.compressOf(pi);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(pi);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(pi);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(pi);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(pi);
export const digest = /* @__PURE__ */ verbs.digestOf(pi);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(pi);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(pi);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(pi);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(pi);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(pi);
export const plan = /* @__PURE__ */ planOf(pi);
export const optimizeRequest = /* @__PURE__ */ optimizeRequestOf(pi);
export const compressRequest = /* @__PURE__ */ compressRequestOf(pi);
