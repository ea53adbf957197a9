/** The fields of LangChain messages that hold content: instances of either major, stored messages, serialized ones. */

import { withChanges } from '../../base/share.js';
import type { Bag } from '../../messages/facts.js';
import type { LangChainMessageLike } from './types.js';

type Message = LangChainMessageLike;

/** The forms of a message: an instance has its fields itself, the others one level deeper. */
export type Form = 'instance' | 'stored' | 'serialized';

/** In which form a message is. */
export function formOf(message: Message): Form {
  const { kwargs, data } = message as unknown as Bag;
  if (kwargs !== undefined && 'lc' in message) return 'serialized';
  return data !== undefined && !('content' in message) ? 'stored' : 'instance';
}

/** What `JSON.stringify` makes of an instance. */
interface Serialized {
  readonly id: readonly string[];
  readonly kwargs: Bag;
}

/** A message's fields. */
export function fieldsOf(message: Message, form = formOf(message)): Bag {
  if (form === 'serialized') return (message as unknown as Serialized).kwargs;
  return form === 'stored' ? ((message as { readonly data: object }).data as Bag) : (message as unknown as Bag);
}

/** The names of the classes of messages begin with their types. */
const CLASS = /^(Human|AI|Tool|System|Function|Generic|Chat|Remove|Developer)Message(?:Chunk)?$/;

/** A message's type: instances of the major before this one have a method for it. */
export function typeOf(message: Message, form = formOf(message)): string {
  if (form === 'serialized') {
    const { id } = message as unknown as Serialized;
    const name: unknown = Array.isArray(id) ? id.at(-1) : undefined;
    return typeof name === 'string' ? (CLASS.exec(name)?.[1]?.toLowerCase() ?? name) : '';
  }
  const { type } = message as unknown as Bag;
  if (typeof type === 'string') return type;
  const { getType, _getType: oldest } = message as unknown as Bag;
  const method = typeof getType === 'function' ? getType : oldest;
  const found: unknown = typeof method === 'function' ? method.call(message) : undefined;
  return typeof found === 'string' ? found : '';
}

/** A copy of a message with other fields. */
export function withFields(message: Message, changed: Bag): Message {
  const form = formOf(message);
  const fields = fieldsOf(message, form);
  if (form === 'serialized') return withChanges(message, { kwargs: withChanges(fields, changed) });
  if (form === 'stored') return withChanges(message, { data: withChanges(fields, changed) });
  // What an instance was made of says the same.
  const { lc_kwargs: made } = fields;
  const isMade = typeof made === 'object' && made !== null;
  return withChanges(message, isMade ? { ...changed, lc_kwargs: withChanges(made, changed) } : changed);
}
