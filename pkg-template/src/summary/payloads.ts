import type { Adapter } from '../adapter.js';
import { LEAF } from '../stream.js';

/**
 * An adapter that writes a payload as JSON once: a request needs it for the fingerprint and again for its text.
 * It is for one call: what it remembers is as large as the payloads.
 */
export function remembering<M>(adapter: Adapter<M>): Adapter<M> {
  const known = new Map<M, (string | undefined)[]>();
  return {
    ...adapter,
    text(message, block, leaf) {
      if (leaf !== LEAF.json) return adapter.text(message, block, leaf);
      let texts = known.get(message);
      if (texts === undefined) known.set(message, (texts = []));
      return (texts[block] ??= adapter.text(message, block, leaf));
    },
  };
}
