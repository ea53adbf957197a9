import { Engine } from '../core/engine.js';
import type { CoreGlue } from '../wasm/core.js';
import { fullInstances } from '../wasm/full.js';

let engine: Engine<CoreGlue> | undefined;

/** The instance that conversations and replays optimize in. They need `full.wasm` for summaries, and so load no other file. */
export function conversationEngine(): Engine<CoreGlue> {
  return (engine ??= new Engine(fullInstances));
}
