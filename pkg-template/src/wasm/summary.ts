import { compile, compileAsync } from '#wasm-summary';
import { createGlue, type Glue } from '../generated/summary-glue.js';
import { type Instance, InstanceSource } from './instance.js';
import { LazyModule } from './module.js';

export type SummaryGlue = Glue;
export type SummaryInstance = Instance<SummaryGlue>;

let source: InstanceSource<SummaryGlue> | undefined;

/** Where instances of the module of summaries come from. */
export function summaryInstances(): InstanceSource<SummaryGlue> {
  return (source ??= new InstanceSource(createGlue, new LazyModule(compile, compileAsync)));
}
