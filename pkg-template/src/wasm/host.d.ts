// What every module behind `#wasm…` has: the hosts' own are made by rollup.config.js.
import type { Compiled } from './module.js';

/** Compiles the wasm file right now. */
export declare function compile(): Compiled;
/** Compiles it off the main thread where the host can. */
export declare function compileAsync(): Promise<Compiled>;
