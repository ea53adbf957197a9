/**
 * Cut texts stay available: references that no tool can guess, a store, and tools for the model.
 *
 * @packageDocumentation
 */
export { createRecall, type Recall, type RecallOptions } from './recall.js';
export { memoryStore, type RecallEntry, type RecallSnapshot, type RecallStore } from './store.js';
export { type RecallTool, type RecallTools, recallTools } from './tools.js';
