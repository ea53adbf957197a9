import { createIn, type Host, type Origin, restoreIn, sharedHost } from '../conversation/functions.js';
import type { ConversationOptions, ConversationSnapshot } from '../conversation/types.js';
import type { Adapter } from '../messages/adapter.js';
import type { Target } from '../models/target.js';
import type { Readable } from './format.js';
import { take } from './take.js';
import type { Verbs } from './verbs-of.js';

/** Makes `createConversation` of a format. */
export function createConversationOf<L extends object, O extends Target, D extends L = L>(
  format: Readable<L, O>,
  host: () => Host = sharedHost,
): Verbs<L, O, D>['createConversation'] {
  return <M extends L>(options: ConversationOptions<M> & O) => {
    const { adapter, rest } = taken(format, options);
    return createIn(adapter, rest, host(), originOf(format, options));
  };
}

/** Makes `restoreConversation` of a format. */
export function restoreConversationOf<L extends object, O extends Target, D extends L = L>(
  format: Readable<L, O>,
  host: () => Host = sharedHost,
): Verbs<L, O, D>['restoreConversation'] {
  return <M extends L>(snapshot: ConversationSnapshot, messages: readonly M[], options: ConversationOptions<M> & O) => {
    const { adapter, rest } = taken(format, options);
    const origin = originOf<M, L, O>(format, options);
    return restoreIn(adapter, snapshot, messages, rest, host(), origin);
  };
}

/** What a conversation needs to take other options later. */
function originOf<M extends L, L extends object, O extends Target>(
  format: Readable<L, O>,
  options: ConversationOptions<M> & O,
): Origin<M> {
  return {
    options,
    take: (changed) => taken(format, changed as ConversationOptions<M> & O),
  };
}

/** What a conversation is made with. */
function taken<M extends L, L extends object, O extends Target>(
  format: Readable<L, O>,
  options: ConversationOptions<M> & O,
): { readonly adapter: Adapter<M>; readonly rest: ConversationOptions<M> } {
  const { adapter, rest } = take<M, L, O, ConversationOptions<M>>(format, options, true);
  return { adapter, rest: rest as ConversationOptions<M> };
}
