/**
 * Tools whose results are shrunk before they enter a history, for the SDKs that run them.
 *
 * @packageDocumentation
 */

export type { AnsweredCall, IntakeOptions, ReducerName, ShrinkOptions } from './intake/functions.js';
export type { ShrinkToolsOptions, ShrunkTool } from './intake/tools.js';
export { shrinkTools } from './intake/tools.js';
