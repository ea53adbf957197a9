import { compile, compileAsync } from '#wasm-full';
import { createGlue, type Glue } from '../generated/full-glue.js';
import { type Instance, InstanceSource } from './instance.js';
import { LazyModule } from './module.js';

export type FullGlue = Glue;
export type FullInstance = Instance<FullGlue>;

let source: InstanceSource<FullGlue> | undefined;

/** Where instances of the whole core come from: what `core.wasm` has, summaries and the intake. */
export function fullInstances(): InstanceSource<FullGlue> {
  return (source ??= new InstanceSource(createGlue, new LazyModule(compile, compileAsync)));
}
