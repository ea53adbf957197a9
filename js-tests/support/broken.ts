// Conversations from which messages are gone, doubled or moved.
import type { IContent } from 'densify';
import fc from 'fast-check';
import { history } from './arbitrary.js';

export interface Broken {
  readonly contents: readonly IContent[];
  readonly changes: readonly (readonly [string, number, number])[];
}

/** A conversation, and what is to be done to its messages. */
export const broken: fc.Arbitrary<Broken> = fc
  .tuple(history(), fc.array(fc.tuple(fc.constantFrom('drop', 'double', 'move'), fc.nat(), fc.nat()), { maxLength: 4 }))
  .map(([contents, changes]) => ({ contents, changes }));

/** Does it. */
export function breakUp<T>(messages: readonly T[], changes: readonly (readonly [string, number, number])[]): T[] {
  const after = [...messages];
  for (const [kind, one, other] of changes) {
    if (after.length === 0) break;
    const [from, to] = [one % after.length, other % after.length];
    const item = after[from];
    if (item === undefined) continue;
    if (kind === 'drop') after.splice(from, 1);
    else if (kind === 'double') after.splice(to, 0, item);
    else after.splice(to, 0, ...after.splice(from, 1));
  }
  return after;
}
