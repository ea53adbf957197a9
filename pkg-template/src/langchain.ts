/**
 * densify over messages of LangChain, instances or stored: they go in and come out as they are, instances of the
 * same classes and with the same ids, and nothing that a provider would refuse is made of them.
 *
 * @packageDocumentation
 */
import { langchain } from './formats/langchain/format.js';
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

export type { LangChainMessageLike, LangChainOptions } from './formats/langchain/types.js';
export { wrapModelCall } from './formats/langchain/integrations.js';
export type { ModelRequestLike, WrapModelCallOptions } from './formats/langchain/integrations.js';
export type { HookOptions } from './formats/hooks.js';
export type { Target } from './formats/format.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(langchain);
export const compress = /* @__PURE__ */ compressOf(langchain);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(langchain);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(langchain);
export const applySummary = /* @__PURE__ */ applySummaryOf(langchain);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(langchain);
export const createConversation = /* @__PURE__ */ createConversationOf(langchain);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(langchain);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(langchain);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(langchain);
