/**
 * Cut texts stay available: references that no tool can guess, a store, and tools for the model.
 *
 * @packageDocumentation
 */
export { createRecall, type Recall, type Recalled, type RecallMatch, type RecallOptions } from './recall.js';
export { memoryStore, type RecallEntry, type RecallSnapshot, type RecallStore } from './store.js';
export { type Compressible, type PiRecallTool, type RecallTool, type RecallTools, recallTools } from './tools.js';
