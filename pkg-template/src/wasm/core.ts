import { compile, compileAsync } from '#wasm';
import { createGlue, type Glue } from '../generated/glue.js';
import { type Instance, InstanceSource } from './instance.js';
import { LazyModule } from './module.js';

export type CoreGlue = Glue;
export type CoreInstance = Instance<CoreGlue>;

let source: InstanceSource<CoreGlue> | undefined;

/** Where instances of the core come from. */
export function coreInstances(): InstanceSource<CoreGlue> {
  return (source ??= new InstanceSource(createGlue, new LazyModule(compile, compileAsync)));
}
