/** The functions without a model over densify's own messages. */
import type { ContentLike, IContent } from './base/content.js';
import * as verbs from './formats/core-verbs.js';
import { densify } from './formats/densify.js';
import type { Verbs } from './formats/verbs-of.js';

type Own = Verbs<ContentLike, object, IContent>;

/**
 * Optimizes a history, statelessly, by the rules of a `preset`, right before a model call: lines that are shown again,
 * results that were superseded, the bulk of old output. Untouched messages come back `===`; nothing is mutated.
 *
 * @example
 * const { messages } = optimize(history);
 */
export const optimize: Own['optimize'] = /* @__PURE__ */ verbs.optimizeOf(densify);
export const compress: Own['compress'] = /* @__PURE__ */ verbs.compressOf(densify);
/**
 * An optimizer for one growing history. Each call processes only new messages. Between flushes each output begins with
 * the one before it, so the provider's prompt cache holds.
 *
 * @example
 * const optimizer = createOptimizer();
 * const { messages } = optimizer.optimize(history); // before every model call
 */
export const createOptimizer: Own['createOptimizer'] = /* @__PURE__ */ verbs.createOptimizerOf(densify);
export const estimateTokens: Own['estimateTokens'] = /* @__PURE__ */ verbs.estimateTokensOf(densify);
