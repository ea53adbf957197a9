import { shrinker } from '../intake/shrinker.js';
import { conversationEngine } from '../summary/engine.js';
import { summaries } from '../summary/functions.js';

/** Prepares conversations, summaries and shrinking ahead of the first call, as `init` does for `optimize`. */
export async function initConversations(): Promise<void> {
  await Promise.all([conversationEngine().init(), summaries().init(), shrinker().init()]);
}
