import { compile, compileAsync } from '#wasm-intake';
import { createGlue, type Glue } from '../generated/intake-glue.js';
import { InstanceSource } from './instance.js';
import { LazyModule } from './module.js';

type IntakeGlue = Glue;

let source: InstanceSource<IntakeGlue> | undefined;

/** Where instances of the module that shrinks results come from. */
export function intakeInstances(): InstanceSource<IntakeGlue> {
  return (source ??= new InstanceSource(createGlue, new LazyModule(compile, compileAsync)));
}
