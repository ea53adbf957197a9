/**
 * `#wasm-intake` wherever code may be compiled at run time: Node, browsers, workers, Deno, Bun.
 * The module is part of the JavaScript, so there is no file to find and none to bundle.
 */
import { base64 } from '../generated/intake-base64.js';
import { decode } from './decode.js';

export function compile(): WebAssembly.Module {
  return new WebAssembly.Module(decode(base64));
}

export function compileAsync(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(decode(base64));
}
