/** Instances of a wasm file: each has its own memory, tables, classes and text coders. */
import { type Coders, coders } from '../base/utf8.js';
import type { Compiled, LazyModule } from './module.js';

/** What the glue of every wasm file has. */
export interface GlueBase {
  initSync(source: { module: Compiled }): { readonly memory: WebAssembly.Memory };
  initAsync(source: { module: Compiled }): Promise<{ readonly memory: WebAssembly.Memory }>;
  retire(): void;
}

/** The glue of a wasm file that asks the caller for texts. */
export interface TextGlue extends GlueBase {
  /** The buffer through which texts arrive: its address and its length in bytes. */
  textBuffer(): Uint32Array;
}

/** An instance with what it exports: its classes and functions. */
export interface Instance<G extends GlueBase = GlueBase> {
  readonly glue: G;
  readonly memory: WebAssembly.Memory;
}

/** Where instances of one wasm file come from. */
export class InstanceSource<G extends GlueBase> {
  readonly #createGlue: (coders: Coders) => G;
  readonly #module: LazyModule;

  constructor(createGlue: (coders: Coders) => G, module: LazyModule) {
    this.#createGlue = createGlue;
    this.#module = module;
  }

  create(): Instance<G> {
    const glue = this.#createGlue(coders);
    const { memory } = glue.initSync({ module: this.#module.compiled() });
    return { glue, memory };
  }

  /** For hosts that refuse to compile or instantiate synchronously (old Chromes, on the main thread). */
  async createAsync(): Promise<Instance<G>> {
    const glue = this.#createGlue(coders);
    const { memory } = await glue.initAsync({ module: await this.#module.compiledAsync() });
    return { glue, memory };
  }
}
