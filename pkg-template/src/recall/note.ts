import { densifyError } from '../base/errors.js';
import { describe } from '../base/options.js';
import type { Recall } from './recall.js';
import type { RecallEntry } from './store.js';

/** The text of a note, which leads a model to the full text; it does not belong to the text before it. */
export function note(reference: string): string {
  return `… (all of it: recall ${reference})`;
}

/** What all that leads to a reference ends with: notes, and the texts that replace cut ones. */
export function pointingTo(reference: string): string {
  return `recall ${reference})`;
}

/** The tools that show cut text again: their results must not be cut, since the model asked for them. */
export const RECALLING: readonly string[] = ['recall', 'restore'];

/** As long as a reference. */
const PLACE = 'r0000000000000';

/** A shrunk result with a note where all of it is; nothing if that would be no shorter. */
export function noted(
  recall: Recall | undefined,
  whole: string,
  shorter: string,
  about: Pick<RecallEntry, 'tool' | 'subject'> = {},
): string | undefined {
  if (recall === undefined) return shorter;
  const start = `${shorter}${shorter.endsWith('\n') ? '' : '\n'}`;
  if (start.length + note(PLACE).length >= whole.length) return undefined;
  const reference = recall.keep(whole, { cause: 'intake', ...about });
  // Who had it forgotten doesn't want a note of it either.
  return recall.recall(reference) === undefined ? shorter : start + note(reference);
}

/** Refuses what should be what `createRecall` gives and isn't. */
export function requireRecall(recall: unknown): asserts recall is Recall {
  if (typeof (recall as { keep?: unknown } | null | undefined)?.keep === 'function') return;
  const message = `option recall: found ${describe(recall)}, expected the object returned by createRecall`;
  throw densifyError('invalid-options', message, { key: 'recall' });
}
