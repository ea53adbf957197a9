/**
 * densify over messages of opencode 1 (`{info, parts}`), as its plug-ins get them, and hooks for plug-ins of opencode 1
 * and 2. `densify setup opencode` installs such a plug-in.
 *
 * @packageDocumentation
 */
import { opencode } from './formats/opencode/format.js';
import { planOf } from './formats/plan.js';
import * as verbs from './formats/verbs.js';

export * from './formats/entry.js';
export type { HookWarning, SharedHookOptions } from './formats/hooks.js';
export type { HookOptions } from './formats/opencode/integrations.js';
export { transformContext, transformMessages } from './formats/opencode/integrations.js';
export type { OpencodeMessageLike, OpencodeModelMessageLike, OpencodeOptions } from './formats/opencode/types.js';

export const optimize = /* @__PURE__ */ verbs.optimizeOf(opencode);
export const compress = /* @__PURE__ */ verbs.compressOf(opencode);
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf(opencode);
export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf(opencode);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf(opencode);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf(opencode);
export const digest = /* @__PURE__ */ verbs.digestOf(opencode);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf(opencode);
export const createConversation = /* @__PURE__ */ verbs.createConversationOf(opencode);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf(opencode);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf(opencode);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf(opencode);
export const plan = /* @__PURE__ */ planOf(opencode);
