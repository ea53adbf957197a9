/**
 * opencode sends its messages by the AI SDK, so the SDK's formats know what providers demand of them. A view says a message
 * in the SDK's words, part by part; edits of the view become edits of the message.
 */
import type { Bag } from '../../messages/facts.js';

/** A part of a view: it knows which part of the message it stands for. */
export interface ViewPart extends Bag {
  readonly type: string;
  readonly at: number;
}

/** The parts of a message after an edit of its view. `edited` makes one part of what its view was and became. */
export function followed<P>(
  parts: readonly P[],
  before: readonly ViewPart[],
  after: readonly Bag[],
  edited: (part: P, was: ViewPart, is: Bag) => P,
): P[] {
  let next = 0;
  return after.map((is) => {
    // Media that became a text lost its place: it stands for the next one that is left.
    const at = typeof is.at === 'number' ? is.at : before.findIndex(({ type }, own) => own >= next && isMedia(type));
    next = at + 1;
    const was = before[at]!;
    return was === is ? parts[at]! : edited(parts[at]!, was, is);
  });
}

function isMedia(type: string): boolean {
  return type === 'file';
}

/** What stands where a message has a part that no model gets. */
export const unsent = (at: number): ViewPart => ({ type: 'source-url', at });
