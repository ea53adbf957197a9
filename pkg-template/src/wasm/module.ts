type Compile = () => WebAssembly.Module;
type CompileAsync = () => Promise<WebAssembly.Module>;

/**
 * A compiled wasm file. It is compiled when it is first needed, never at import, and once: every
 * instance is made from the same module.
 */
export class LazyModule {
  readonly #compile: Compile;
  readonly #compileInBackground: CompileAsync;
  #compiled: WebAssembly.Module | undefined;
  #pending: Promise<WebAssembly.Module> | undefined;

  constructor(compile: Compile, compileInBackground: CompileAsync) {
    this.#compile = compile;
    this.#compileInBackground = compileInBackground;
  }

  /** The module; compiles it right now if that hasn't happened yet. */
  compiled(): WebAssembly.Module {
    return (this.#compiled ??= this.#compile());
  }

  /** The module; compiles it off the main thread where the host can. */
  compiledAsync(): Promise<WebAssembly.Module> {
    if (this.#compiled) return Promise.resolve(this.#compiled);
    return (this.#pending ??= this.#compileInBackground().then(
      (module) => (this.#compiled ??= module),
      (error: unknown) => {
        this.#pending = undefined; // so that the next call tries again
        throw error;
      },
    ));
  }
}
