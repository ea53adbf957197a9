import { Engine } from '../core/engine.js';
import type { CoreGlue } from '../wasm/core.js';
import { fullInstances } from '../wasm/full.js';

let engine: Engine<CoreGlue> | undefined;

/** The instance that all conversations optimize in; of the file that they need for summaries, so that it is the only one. */
export function conversationEngine(): Engine<CoreGlue> {
  return (engine ??= new Engine(fullInstances));
}
