import type { GlueBase, Instance, InstanceSource } from '../wasm/instance.js';

/** Thrown inside the package when the core's instance is no longer to be trusted. */
export class Trapped extends Error {
  override readonly name = 'Trapped';
}

/**
 * One instance of a wasm file, and a fresh one after a trap. A trap, a stack overflow or exhausted memory ends an
 * instance, never the user: its owner must rebuild its state from the messages.
 */
export class Engine<G extends GlueBase = GlueBase> {
  /** The live instance, if there is one by now. */
  current: Instance<G> | undefined;
  readonly #source: () => InstanceSource<G>;

  constructor(source: () => InstanceSource<G>) {
    this.#source = source;
  }

  /** The live instance; it is made at first use. */
  get instance(): Instance<G> {
    return (this.current ??= this.#source().create());
  }

  /** Makes the instance off the main thread where the host can. */
  async init(): Promise<void> {
    const instance = await this.#source().createAsync();
    this.current ??= instance;
  }

  /** Runs an action of the core; if the instance traps it is retired and `Trapped` is thrown. */
  guard<T>(action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      const { current } = this;
      this.current = undefined;
      throw this.judge(thrown, current) ?? thrown;
    }
  }

  /**
   * Tells whether an error from the core is a trap. A trap retires the instance. The caller has set `current` to
   * `undefined`, so that the instance is given up even if the stack ends in here.
   */
  judge(thrown: unknown, current: Instance<G> | undefined): Trapped | undefined {
    if (isTrap(thrown)) {
      current?.glue.retire();
      return new Trapped('the core trapped', { cause: thrown });
    }
    this.current = current;
    return thrown instanceof Trapped ? thrown : undefined;
  }

  /** Gives the instance up; what still refers to it must not be used again. */
  retire(): void {
    this.current?.glue.retire();
    this.current = undefined;
  }

  /** Bytes of the live instance's memory. */
  get memoryBytes(): number {
    return this.current?.memory.buffer.byteLength ?? 0;
  }
}

/**
 * A `RuntimeError` is a trap; a `RangeError` is a stack overflow or an allocation that failed;
 * the glue's own complaint about aliasing means that an earlier call never returned.
 */
function isTrap(thrown: unknown): boolean {
  if (thrown instanceof RangeError) return true;
  if (typeof WebAssembly === 'object' && thrown instanceof WebAssembly.RuntimeError) return true;
  return thrown instanceof Error && thrown.message.includes('recursive use of an object');
}
