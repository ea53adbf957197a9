import { shrinker } from '../intake/shrinker.js';
import { conversationEngine } from '../summary/engine.js';
import { summaries } from '../summary/functions.js';

/** Prepares conversations, summaries and shrinking off the main thread, as `init` does for `optimize`. It is optional. */
export async function initConversations(): Promise<void> {
  await Promise.all([conversationEngine().init(), summaries().init(), shrinker().init()]);
}
