import { sharedEngine } from './optimizer/shared-engine.js';

/**
 * Prepares the core off the main thread. Optional: every function prepares it by itself, except
 * in old browsers that refuse to compile WebAssembly synchronously on the main thread.
 */
export async function init(): Promise<void> {
  await sharedEngine().init();
}
