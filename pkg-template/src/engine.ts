import { createInstance, createInstanceAsync, type Instance } from './wasm/instance.js';

/** Thrown inside the package when the core's instance is no longer to be trusted. */
export class Trapped extends Error {
  override readonly name = 'Trapped';
}

/**
 * One instance of the core, and a fresh one after a trap. A trap, a stack overflow or exhausted
 * memory ends an instance, never the user: whoever has state in it builds it anew from messages.
 */
export class Engine {
  #instance: Instance | undefined;

  /** The live instance; it is made at first use. */
  get instance(): Instance {
    return (this.#instance ??= createInstance());
  }

  /** Makes the instance off the main thread where the host can. */
  async init(): Promise<void> {
    const instance = await createInstanceAsync();
    this.#instance ??= instance;
  }

  /** Runs an action of the core; if the instance traps it is retired and `Trapped` is thrown. */
  guard<T>(action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      if (!isTrap(thrown)) throw thrown;
      this.retire();
      throw new Trapped('the core trapped', { cause: thrown });
    }
  }

  /** Gives the instance up; what still refers to it must not be used again. */
  retire(): void {
    this.#instance?.glue.retire();
    this.#instance = undefined;
  }

  /** Bytes of the live instance's memory. */
  get memoryBytes(): number {
    return this.#instance?.memory.buffer.byteLength ?? 0;
  }
}

/**
 * A `RuntimeError` is a trap; a `RangeError` is a stack overflow or an allocation that failed;
 * the glue's own complaint about aliasing means that an earlier call never returned.
 */
function isTrap(thrown: unknown): boolean {
  if (thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError) return true;
  return thrown instanceof Error && thrown.message.includes('recursive use of an object');
}
