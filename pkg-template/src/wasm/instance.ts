/** Instances of the core: each has its own memory, tables, classes and text coders. */
import { createGlue, type Glue } from '../generated/glue.js';
import { compileAsync, compiledModule } from './module.js';

export interface Instance {
  /** What the core exports: its classes and functions. */
  readonly glue: Glue;
  readonly memory: WebAssembly.Memory;
}

export function createInstance(): Instance {
  const glue = createGlue();
  const { memory } = glue.initSync({ module: compiledModule() });
  return { glue, memory };
}

/** For hosts that refuse to compile or instantiate synchronously (old Chromes, on the main thread). */
export async function createInstanceAsync(): Promise<Instance> {
  const glue = createGlue();
  const { memory } = await glue.initAsync({ module: await compileAsync() });
  return { glue, memory };
}
