/**
 * densify over messages of pi's agents (`AgentMessage`): they go in and come out as they are. Messages of roles that
 * are not pi's own stay where they are, untouched.
 *
 * @packageDocumentation
 */
import { pi } from './formats/pi/format.js';
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

export type { PiMessageLike, PiOptions } from './formats/pi/types.js';
export type { Target } from './formats/format.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(pi);
export const compress = /* @__PURE__ */ compressOf(pi);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(pi);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(pi);
export const applySummary = /* @__PURE__ */ applySummaryOf(pi);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(pi);
export const createConversation = /* @__PURE__ */ createConversationOf(pi);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(pi);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(pi);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(pi);
