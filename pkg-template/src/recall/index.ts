/**
 * Cut texts stay available: references that no tool can guess, a store, and tools for the model.
 *
 * @packageDocumentation
 */
export { createRecall } from './recall.js';
export { memoryStore, type RecallEntry, type RecallSnapshot, type RecallStore } from './store.js';
export { type RecallTool, type RecallTools, recallTools } from './tools.js';
export type { Recall, RecallOptions } from './types.js';
