import { Engine } from '../core/engine.js';
import { type CoreGlue, coreInstances } from '../wasm/core.js';

let engine: Engine<CoreGlue> | undefined;

/** The instance of the core that the package's functions share; it is made at first use. */
export function sharedEngine(): Engine<CoreGlue> {
  return (engine ??= new Engine(coreInstances));
}
