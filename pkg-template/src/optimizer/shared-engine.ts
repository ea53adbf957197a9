import { Engine } from '../core/engine.js';
import { type CoreGlue, coreInstances } from '../wasm/core.js';

export type CoreEngine = Engine<CoreGlue>;

let engine: CoreEngine | undefined;

/** The instance of the core that the package's functions share; it is made at first use. */
export function sharedEngine(): CoreEngine {
  return (engine ??= new Engine(coreInstances));
}
