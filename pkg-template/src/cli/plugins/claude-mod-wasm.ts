/** The wasm file of the mod: Claude Code compiles it, and only from a path in the mod's own source. */
import type { Compiled } from '../../wasm/module.js';

let given: WebAssembly.Module | undefined;

export function give(module: WebAssembly.Module): void {
  given = module;
}

export function compile(): Compiled {
  if (given === undefined) throw new Error('no wasm file was given');
  return given;
}

export const compileAsync = async (): Promise<Compiled> => compile();
