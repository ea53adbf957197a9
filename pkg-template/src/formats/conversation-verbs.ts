import { createIn, type Origin, restoreIn } from '../conversation/functions.js';
import type { ConversationOptions, ConversationSnapshot } from '../conversation/types.js';
import type { Target } from '../models/target.js';
import type { Format } from './format.js';
import { take } from './take.js';
import type { Verbs } from './verbs-of.js';

/** Makes `createConversation` of a format. */
export function createConversationOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['createConversation'] {
  return <M extends L>(options: ConversationOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, ConversationOptions<M>>(format, options, true);
    return createIn(adapter, rest as ConversationOptions<M>, undefined, originOf(format, options));
  };
}

/** Makes `restoreConversation` of a format. */
export function restoreConversationOf<L extends object, O extends Target>(
  format: Format<L, O>,
): Verbs<L, O>['restoreConversation'] {
  return <M extends L>(snapshot: ConversationSnapshot, messages: readonly M[], options: ConversationOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, ConversationOptions<M>>(format, options, true);
    const origin = originOf<M, L, O>(format, options);
    return restoreIn(adapter, snapshot, messages, rest as ConversationOptions<M>, undefined, origin);
  };
}

/** What a conversation needs to take other options later. */
function originOf<M extends L, L extends object, O extends Target>(
  format: Format<L, O>,
  options: ConversationOptions<M> & O,
): Origin<M> {
  return {
    options,
    take: (changed) => {
      const { adapter, rest } = take<M, L, O, ConversationOptions<M>>(
        format,
        changed as ConversationOptions<M> & O,
        true,
      );
      return { adapter, rest: rest as ConversationOptions<M> };
    },
  };
}
