/** Shortens tool results before they are first sent: there it costs no cache. */
import type { Format } from '../formats/format.js';
import { take } from '../formats/take.js';
import { type Intake, intakeOf } from '../intake/intake.js';
import { shrinker } from '../intake/shrinker.js';
import type { Target } from '../models/target.js';

/** Makes what shortens the results of one session. A list becomes the same list each time, after any earlier list. */
export function sessionIntake<L extends object, O extends Target>(format: Format<L, O>) {
  const { adapter } = take<L, L, O, object>(format, undefined);
  const create = (): Intake<L> => intakeOf({ adapter, shrinker: shrinker(), settings: '{}' });
  let intake = create();
  let given: readonly L[] = [];
  const made: L[] = [];
  const makesCalls = (message: L): boolean => {
    try {
      return !adapter.calls(message)[Symbol.iterator]().next().done;
    } catch {
      return true;
    }
  };
  return (messages: readonly L[]): readonly L[] => {
    let common = 0;
    while (common < given.length && given[common] === messages[common]) common += 1;
    // A result depends on the calls before it. Those of messages that are gone must be forgotten.
    if (given.slice(common).some(makesCalls)) {
      intake = create();
      for (const message of messages.slice(0, common)) intake.note(message);
    }
    made.length = common;
    for (let at = common; at < messages.length; at += 1) made.push(intake.take(messages[at]!, at));
    given = messages;
    return made.some((message, at) => message !== messages[at]) ? made.slice() : messages;
  };
}
