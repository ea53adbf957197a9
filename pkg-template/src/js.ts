/**
 * The core in one file of plain JavaScript, without WebAssembly and without imports: for pages whose policy forbids
 * WebAssembly, and for plug-ins that are a single file. Bundlers take it for all of the package by the condition `no-wasm`.
 *
 * @packageDocumentation
 */

/** @internal For other entries of the package, which then hold the core once. */
export { compile, compileAsync } from '#wasm';
export { isDensifyError } from './base/errors.js';
export * from './functions.js';
export { errorCodes, strategies } from './generated/constants.js';
export type { Optimizer } from './optimizer/optimizer.js';
export type * from './types.js';
