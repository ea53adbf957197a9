import { shrinker } from '../intake/shrinker.js';
import { conversationEngine } from '../summary/engine.js';
import { summaries } from '../summary/functions.js';

/** Prepares what conversations, summaries and shrinking need, as `init` does for `optimize`. Optional, likewise. */
export async function initConversations(): Promise<void> {
  await Promise.all([conversationEngine().init(), summaries().init(), shrinker().init()]);
}
