/**
 * The core in one file of plain JavaScript, without WebAssembly and without imports: for pages whose policy forbids
 * WebAssembly, and for plug-ins that are a single file. Bundlers take it for all of the package by the condition `no-wasm`.
 *
 * @packageDocumentation
 */

/** @internal For other entries of the package, which then hold the core once. */
export { compile, compileAsync } from '#wasm';
export type { ContentBlock, ContentLike, IContent } from './base/content.js';
export { isDensifyError } from './base/errors.js';
export { compress, createOptimizer, estimateTokens, optimize } from './functions.js';
export { errorCodes, strategies } from './generated/constants.js';
export { init } from './init.js';
export { applyEdits } from './messages/apply-edits.js';
export { applyDensityResult, proposeDensity } from './optimizer/density.js';
export type { Optimizer } from './optimizer/optimizer.js';
export type { CompressOptions, CompressResult, Edit, OptimizeOptions, Result } from './types.js';
