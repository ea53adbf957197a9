import { densifyError } from '../base/errors.js';
import { isStackFull } from '../base/stack.js';
import { NOT_FETCHED } from './fetched.js';

/** A compiled wasm file; without WebAssembly, the same code as a function from its imports to its exports. */
export type Compiled = WebAssembly.Module | ((imports: object) => object);

type Compile = () => Compiled;
type CompileAsync = () => Promise<Compiled>;

/**
 * A compiled wasm file. It is compiled when it is first needed, never at import, and once: every
 * instance is made from the same module.
 */
export class LazyModule {
  readonly #compile: Compile;
  readonly #compileInBackground: CompileAsync;
  #compiled: Compiled | undefined;
  #pending: Promise<Compiled> | undefined;

  constructor(compile: Compile, compileInBackground: CompileAsync) {
    this.#compile = compile;
    this.#compileInBackground = compileInBackground;
  }

  /** The module; compiles it right now if that hasn't happened yet. */
  compiled(): Compiled {
    try {
      return (this.#compiled ??= this.#compile());
    } catch (thrown) {
      throw refusal(thrown);
    }
  }

  /** The module. Its compilation doesn't block the thread, where the host can do that. */
  compiledAsync(): Promise<Compiled> {
    if (this.#compiled) return Promise.resolve(this.#compiled);
    return (this.#pending ??= this.#compileInBackground().then(
      (module) => (this.#compiled ??= module),
      (error: unknown) => {
        this.#pending = undefined; // so that the next call tries again
        throw refusal(error);
      },
    ));
  }
}

/** The error if the host refuses to compile; want of stack or memory is no refusal. */
function refusal(thrown: unknown): unknown {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  if (isStackFull(thrown) || (thrown instanceof RangeError && !reason.includes('main thread'))) return thrown;
  if (thrown instanceof Error && thrown.name === NOT_FETCHED)
    return densifyError('wasm-unavailable', reason, { cause: thrown });
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  // The second is what esbuild says in an ES module of the files that Node.js requires.
  if (code === 'ENOENT' || reason.startsWith('Dynamic require')) {
    const message =
      `a densify file is missing: your bundler did not copy it (${reason}). ` +
      'Add the resolve condition "module", or mark densify as external';
    return densifyError('wasm-unavailable', message, { cause: thrown });
  }
  if (typeof WebAssembly === 'undefined') {
    const message =
      'this host has no WebAssembly. Import `densify/js`, or set the resolve condition "no-wasm" ' +
      '(React Native: "react-native")';
    return densifyError('wasm-unavailable', message, { cause: thrown });
  }
  return densifyError(
    'wasm-unavailable',
    `this host can't compile WebAssembly (${reason}). ` +
      "Content-Security-Policy: allow 'wasm-unsafe-eval' in script-src, or use `densify/js`. " +
      'Edge workers: set the resolve condition "workerd" or "edge-light". Old browsers: call `await init()` first',
    { cause: thrown },
  );
}
