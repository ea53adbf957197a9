import { isPlain } from '../share.js';
import { isStackFull } from '../stack.js';
import type { Summaries } from '../summary/summaries.js';
import type { ConversationSettings } from './options.js';

/** Makes of a message what goes into the history; `index` is its place among those that were added. */
export type Intake<M> = (message: M, index: number) => M;

/** Notes the calls of a message that went in as it was: a later result may not name its tool. */
export function noticed<M>({ adapter, intake }: ConversationSettings<M>, message: M): M {
  try {
    if (intake !== undefined) adapter.notice?.(message);
  } catch (thrown) {
    if (isStackFull(thrown)) throw thrown; // what can't be read calls nothing
  }
  return message;
}

/** Shrinks results of tools before they were ever sent, if the conversation is to do so. */
export function intakeOf<M>(summaries: Summaries, settings: ConversationSettings<M>): Intake<M> {
  const { intake, callbacks, adapter } = settings;
  if (intake === undefined) return (message) => message;
  const shrink = (text: string, tool: string) => summaries.call((glue) => glue.shrinkResult(text, tool, intake));
  return (message, index) => {
    try {
      adapter.notice?.(message);
      // A copy of an instance would lack its private fields.
      if (!isPlain(message) || callbacks.protect?.(message, index) === true) return message;
      return adapter.withResults(message, shrink);
    } catch (thrown) {
      if (isStackFull(thrown)) throw thrown;
      return message; // what can't be read stays as it is; what the caller's function throws is said by who reads it next
    }
  };
}
