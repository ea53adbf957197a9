/**
 * densify over the messages of user interfaces of the AI SDK (`UIMessage`), as `useChat` keeps them. Ids stay; results
 * that were objects become texts where they are shortened, so keep your own list for the eyes of the user.
 *
 * @packageDocumentation
 */
import { aiSdkUi } from './formats/ai-sdk/ui.js';
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

export type { AiSdkOptions, AiSdkPartLike, AiSdkUiMessageLike } from './formats/ai-sdk/types.js';
export type { Target } from './formats/format.js';
export { isDensifyError } from './errors.js';
export type { Optimizer } from './optimizer.js';
export type * from './conversation/types.js';
export type * from './summary/types.js';
export type * from './types.js';

export const optimize = /* @__PURE__ */ optimizeOf(aiSdkUi);
export const compress = /* @__PURE__ */ compressOf(aiSdkUi);
export const createOptimizer = /* @__PURE__ */ createOptimizerOf(aiSdkUi);
export const requestSummary = /* @__PURE__ */ requestSummaryOf(aiSdkUi);
export const applySummary = /* @__PURE__ */ applySummaryOf(aiSdkUi);
export const verifySummary = /* @__PURE__ */ verifySummaryOf(aiSdkUi);
export const createConversation = /* @__PURE__ */ createConversationOf(aiSdkUi);
export const restoreConversation = /* @__PURE__ */ restoreConversationOf(aiSdkUi);
export const estimateTokens = /* @__PURE__ */ estimateTokensOf(aiSdkUi);
export const fileOperations = /* @__PURE__ */ fileOperationsOf(aiSdkUi);
