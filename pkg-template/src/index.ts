/**
 * densify packs an LLM agent's conversation history down before each model call, without losing
 * the thread.
 *
 * @packageDocumentation
 */
import type { ContentLike, IContent } from './base/content.js';
import { densify } from './formats/densify.js';
import * as verbs from './formats/verbs.js';

export { initConversations } from './conversation/init.js';
export * from './formats/entry.js';
export { compress, createOptimizer, estimateTokens, optimize } from './functions.js';
export { init } from './init.js';
export { applyEdits } from './messages/apply-edits.js';
export { redact } from './summary/functions.js';
export { createDensify } from './tenants.js';

export const requestSummary = /* @__PURE__ */ verbs.requestSummaryOf<ContentLike, object>(densify);
export const applySummary = /* @__PURE__ */ verbs.applySummaryOf<ContentLike, object>(densify);
export const verifySummary = /* @__PURE__ */ verbs.verifySummaryOf<ContentLike, object>(densify);
export const digest = /* @__PURE__ */ verbs.digestOf<ContentLike, object>(densify);
export const shrinkResults = /* @__PURE__ */ verbs.shrinkResultsOf<ContentLike, object>(densify);
/**
 * A conversation: a history and what keeps it within a model's window. Before each send it tells you what to do. It
 * does everything that needs no model.
 *
 * @example
 * const conversation = createConversation({ contextLimit: 200_000 });
 * conversation.addAll(history);
 * const step = await conversation.prepare({ summarize: async ({ messages }) => ask(messages) });
 * if (step.kind === 'ready') send(step.messages);
 */
export const createConversation = /* @__PURE__ */ verbs.createConversationOf<ContentLike, object, IContent>(densify);
export const restoreConversation = /* @__PURE__ */ verbs.restoreConversationOf<ContentLike, object, IContent>(densify);
export const fileOperations = /* @__PURE__ */ verbs.fileOperationsOf<ContentLike, object>(densify);
