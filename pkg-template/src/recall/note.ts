import { wrongOption } from '../base/options.js';
import { REFERENCE } from './references.js';
import type { RecallEntry } from './store.js';
import type { Recall } from './types.js';

/** The text of a note, which leads a model to the full text; it does not belong to the text before it. */
export function note(reference: string): string {
  return `… (all of it: recall ${reference})`;
}

/** The reference in the first note of a text, if it has a note. */
export function notedReference(text: string): string | undefined {
  return NOTED.exec(text)?.[1];
}

/** The form of `note`. */
const NOTED = /* @__PURE__ */ new RegExp(`all of it: recall (${REFERENCE})\\)`);

/** The end of every text that leads to a reference: of notes, and of the texts that replace cut ones. */
export function pointingTo(reference: string): string {
  return `recall ${reference})`;
}

/** The tools that show cut text again: their results must not be cut, since the model asked for them. */
export const RECALLING: readonly string[] = ['recall', 'restore'];

/** A placeholder with the length of a reference. */
const PLACE = 'r0000000000000';

/** A shrunk result with a note that leads to the whole one; `undefined` if that would be no shorter. */
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
  // A forgotten text gets no note either.
  return recall.recall(reference) === undefined ? shorter : start + note(reference);
}

/** Refuses a value that `createRecall` did not return; `undefined` means that there is none. */
export function checkRecall(recall: unknown): void {
  if (recall !== undefined) requireRecall(recall);
}

/** Refuses a value that `createRecall` did not return. */
export function requireRecall(recall: unknown): asserts recall is Recall {
  if (typeof (recall as { keep?: unknown } | null | undefined)?.keep === 'function') return;
  throw wrongOption('recall', recall, 'the object returned by createRecall');
}
