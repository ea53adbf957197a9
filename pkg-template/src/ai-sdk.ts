/**
 * densify over messages of the AI SDK (`ModelMessage`): they go in and come out as they are, and nothing that a
 * provider would refuse is made of them.
 *
 * @packageDocumentation
 */
import { aiSdk } from './formats/ai-sdk/format.js';
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

export type { AiSdkMessageLike, AiSdkOptions, AiSdkPartLike } from './formats/ai-sdk/types.js';
export type { Target } from './formats/format.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(aiSdk);
export const compress = /* @__PURE__ */ compressOf(aiSdk);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(aiSdk);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(aiSdk);
export const applySummary = /* @__PURE__ */ applySummaryOf(aiSdk);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(aiSdk);
export const createConversation = /* @__PURE__ */ createConversationOf(aiSdk);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(aiSdk);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(aiSdk);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(aiSdk);
export { middleware, prepareStep } from './formats/ai-sdk/integrations.js';
export type {
  CallLike,
  MiddlewareOptions,
  PrepareStepOptions,
  StepLike,
  TransformLike,
} from './formats/ai-sdk/integrations.js';
export type { HookOptions } from './formats/hooks.js';
