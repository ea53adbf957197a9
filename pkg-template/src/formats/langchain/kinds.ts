import type { Bag } from '../../messages/facts.js';
import type { Form } from './fields.js';
import type { LangChainMessageLike } from './types.js';

type Constructor = new (fields: { content: string }) => LangChainMessageLike;

/** Of which classes the messages of a history are. */
export interface Kinds {
  note(message: LangChainMessageLike, form: Form, type: string): void;
  /** A message of ours, like those of the history; a plain object, which LangChain coerces, where there was none. */
  make(speaker: 'human' | 'ai', text: string): LangChainMessageLike;
}

/** Remembers nothing yet. */
export function kindsOf(): Kinds {
  const classes = new Map<string, Constructor>();
  let form: Form = 'instance';
  return {
    note(message, found, type) {
      if (type !== 'human' && type !== 'ai') return;
      form = found;
      if (form !== 'instance' || classes.has(type)) return;
      const Class = (message as { readonly constructor?: unknown }).constructor;
      if (typeof Class === 'function' && Class !== Object) classes.set(type, Class as Constructor);
    },
    make(type, content) {
      const Class = classes.get(type);
      if (Class !== undefined && form === 'instance') return new Class({ content });
      if (form === 'instance') return { type, content };
      const fields: Bag = { content, additional_kwargs: {}, response_metadata: {} };
      if (form === 'stored') return { type, data: fields };
      const id = ['langchain_core', 'messages', type === 'ai' ? 'AIMessage' : 'HumanMessage'];
      return { lc: 1, type: 'constructor', id, kwargs: fields } as LangChainMessageLike;
    },
  };
}
