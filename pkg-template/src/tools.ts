/**
 * Tools whose results are shrunk before they enter a history, for the SDKs that run them.
 *
 * @packageDocumentation
 */

export { shrinkResult } from './intake/functions.js';
export type { ShrinkToolsOptions } from './intake/tools.js';
export { shrinkTools } from './intake/tools.js';
