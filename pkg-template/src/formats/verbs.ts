// Each function is made separately, and of each wasm file in a file of its own, so that bundlers drop what isn't used.
export { createConversationOf, restoreConversationOf } from './conversation-verbs.js';
export { compressOf, createOptimizerOf, estimateTokensOf, optimizeOf } from './core-verbs.js';
export { shrinkResultsOf } from './intake-verbs.js';
export {
  applySummaryOf,
  digestOf,
  fileOperationsOf,
  requestSummaryOf,
  verifySummaryOf,
} from './summary-verbs.js';
export type { Verbs } from './verbs-of.js';
