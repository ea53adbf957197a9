import { compile, compileAsync } from '#wasm-tokens';
import { createGlue, type Glue } from '../generated/tokens-glue.js';
import { type Instance, InstanceSource } from './instance.js';
import { LazyModule } from './module.js';

export type TokensGlue = Glue;
export type TokensInstance = Instance<TokensGlue>;

let source: InstanceSource<TokensGlue> | undefined;

/** Where instances of the module of tokens come from. */
export function tokensInstances(): InstanceSource<TokensGlue> {
  return (source ??= new InstanceSource(createGlue, new LazyModule(compile, compileAsync)));
}
