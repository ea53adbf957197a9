import type { Bag } from '../../facts.js';
import type { LangChainMessageLike } from './types.js';

type Constructor = new (fields: { content: string }) => LangChainMessageLike;

/** Of which classes the messages of a history are. */
export interface Kinds {
  note(message: LangChainMessageLike): void;
  /** A message of ours, like those of the history; a plain object, which LangChain coerces, where there was none. */
  make(speaker: 'human' | 'ai', text: string): LangChainMessageLike;
}

/** Remembers nothing yet. */
export function kindsOf(): Kinds {
  const classes = new Map<string, Constructor>();
  let isStored = false;
  return {
    note(message) {
      const { type } = message;
      if (type !== 'human' && type !== 'ai') return;
      isStored = !('content' in message);
      if (isStored || classes.has(type)) return;
      const Class = (message as { readonly constructor?: unknown }).constructor;
      if (typeof Class === 'function' && Class !== Object) classes.set(type, Class as Constructor);
    },
    make(type, content) {
      const Class = classes.get(type);
      if (Class !== undefined && !isStored) return new Class({ content });
      const data: Bag = { content, additional_kwargs: {}, response_metadata: {} };
      return isStored ? { type, data } : { type, content };
    },
  };
}
