/** The functions without a model over densify's own messages. */
import type { ContentLike, IContent } from './base/content.js';
import * as verbs from './formats/core-verbs.js';
import { densify } from './formats/densify.js';

/**
 * Shortens a history by the rules of a `preset`, right before a model call. It is stateless. It removes repeated lines,
 * outdated results and most of old output. Untouched messages are the same objects (`===`); nothing is mutated.
 *
 * @example
 * const { messages } = optimize(history);
 */
export const optimize = /* @__PURE__ */ verbs.optimizeOf<ContentLike, object>(densify);
export const compress = /* @__PURE__ */ verbs.compressOf<ContentLike, object>(densify);
/**
 * An optimizer for one growing history. Each call processes only new messages. Between flushes each output begins with
 * the one before it, so the provider's prompt cache holds.
 *
 * @example
 * const optimizer = createOptimizer();
 * const { messages } = optimizer.optimize(history); // before every model call
 */
export const createOptimizer = /* @__PURE__ */ verbs.createOptimizerOf<ContentLike, object, IContent>(densify);
export const estimateTokens = /* @__PURE__ */ verbs.estimateTokensOf<ContentLike, object>(densify);
