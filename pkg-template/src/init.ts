import { sharedEngine } from './optimizer/shared-engine.js';

/**
 * Prepares the core ahead of the first call. Optional, except in old browsers that refuse to compile WebAssembly
 * synchronously on the main thread. Compiling doesn't block the thread; on a page, the packed file is unpacked before
 * that, which does. With the resolve condition `wasm-url`, `init` fetches `core.wasm` and compiles it while it arrives.
 */
export async function init(): Promise<void> {
  await sharedEngine().init();
}
