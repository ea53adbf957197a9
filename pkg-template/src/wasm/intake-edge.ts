/** `#wasm-intake` in edge runtimes (`edge-light`), whose bundlers compile wasm when asked to by `?module`. */
import module from './intake.wasm?module';

export function compile(): WebAssembly.Module {
  return module;
}

export function compileAsync(): Promise<WebAssembly.Module> {
  return Promise.resolve(module);
}
