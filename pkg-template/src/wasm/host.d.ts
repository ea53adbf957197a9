// What every module behind `#wasm…` has: the hosts' own are made by rollup.config.js.
import type { Compiled } from './module.js';

/** Compiles the wasm file right now. */
export declare function compile(): Compiled;
/** Compiles it without blocking the thread, where the host can do that. */
export declare function compileAsync(): Promise<Compiled>;
