/**
 * The compiled core. It is compiled when it is first needed, never at import, and once:
 * every instance is made from the same module.
 */
import { compile, compileAsync as compileInBackground } from '#wasm';

let compiled: WebAssembly.Module | undefined;
let pending: Promise<WebAssembly.Module> | undefined;

/** The compiled core; compiles it right now if that hasn't happened yet. */
export function compiledModule(): WebAssembly.Module {
  return (compiled ??= compile());
}

/** The compiled core; compiles it off the main thread where the host can. */
export function compileAsync(): Promise<WebAssembly.Module> {
  if (compiled) return Promise.resolve(compiled);
  return (pending ??= compileInBackground().then(
    (module) => (compiled ??= module),
    (error: unknown) => {
      pending = undefined; // so that the next call tries again
      throw error;
    },
  ));
}
