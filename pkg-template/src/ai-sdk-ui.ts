/**
 * densify over the messages of user interfaces of the AI SDK (`UIMessage`), as `useChat` keeps them. Ids stay; results
 * that were objects become texts where they are shortened, so keep your own list for the eyes of the user.
 *
 * @packageDocumentation
 */
import { aiSdkUi } from './formats/ai-sdk/ui.js';
import { planOf } from './formats/plan.js';
import * as verbs from './formats/verbs.js';

export type { AiSdkOptions, AiSdkUiMessageLike } from './formats/ai-sdk/types.js';
export * from './formats/entry.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(aiSdkUi);
export const compress = /* @__PURE__ */ verbs.compressOf(aiSdkUi);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(aiSdkUi);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(aiSdkUi);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(aiSdkUi);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(aiSdkUi);
export const digest = /* @__PURE__ */ verbs.digestOf(aiSdkUi);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(aiSdkUi);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(aiSdkUi);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(aiSdkUi);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(aiSdkUi);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(aiSdkUi);
export const plan = /* @__PURE__ */ planOf(aiSdkUi);
