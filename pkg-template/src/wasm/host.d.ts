// What every module behind `#wasm…` has: the hosts' own are made by rollup.config.js.

/** Compiles the wasm file right now. */
export declare function compile(): WebAssembly.Module;
/** Compiles it off the main thread where the host can. */
export declare function compileAsync(): Promise<WebAssembly.Module>;
