/** `#wasm` in edge runtimes (`edge-light`), whose bundlers compile wasm when asked to by `?module`. */
import core from './core.wasm?module';

export function compile(): WebAssembly.Module {
  return core;
}

export function compileAsync(): Promise<WebAssembly.Module> {
  return Promise.resolve(core);
}
