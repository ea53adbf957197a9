import type { KnownCall } from '../adapter.js';
import type { Shrinker } from '../intake/shrinker.js';
import { isPlain } from '../share.js';
import { isStackFull } from '../stack.js';
import { Cuts } from './cuts.js';
import type { ConversationSettings } from './options.js';

/** Makes of messages what goes into the history. */
export interface Intake<M> {
  /** What goes in; `index` is the message's place among those that were added. */
  take(message: M, index: number): M;
  /** Notes the calls of a message that is in the history already. */
  note(message: M): void;
}

/** Shrinks results of tools before they were ever sent, if the conversation is to do so. */
export function intakeOf<M>(shrinker: Shrinker, settings: ConversationSettings<M>): Intake<M> {
  const { intake, callbacks, adapter } = settings;
  if (intake === undefined) return { take: (message) => message, note: () => undefined };
  const calls = new Map<string, KnownCall>();
  const note = (message: M) => {
    try {
      for (const call of adapter.calls(message)) calls.set(call.id, call);
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
    }
  };
  const cuts = new Cuts<M>(adapter, settings.options.recall);
  const shrink = (text: string, tool: string, id: string) => {
    const call = calls.get(id);
    const name = tool || (call?.name ?? '');
    const [shorter] = shrinker.shrink(text, name, call?.parameters, intake) ?? [];
    return shorter === undefined ? undefined : cuts.shrunk(text, shorter, name);
  };
  const take = (message: M, index: number) => {
    note(message);
    try {
      // A copy of an instance would lack its private fields.
      if (!isPlain(message) || callbacks.protect?.(message, index) === true) return message;
      return adapter.withResults(message, shrink);
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      return message; // what can't be read stays as it is; what the caller's function throws is said by who reads it next
    }
  };
  return { take, note };
}
