// One maker for each function, in one file for each wasm file: bundlers then drop the unused ones.
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
