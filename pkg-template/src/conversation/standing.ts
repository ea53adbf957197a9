/** The places that still hold a text that you forget. */

import type { Recall } from '../recall/index.js';
import { pointingTo } from '../recall/note.js';

/** A shorter line stands in other texts by chance. */
const LEAST = 16;

/** The result of forgetting, with the places that may still hold the text. You must erase it there. */
export interface ForgetResult {
  /** Whether the store had it. */
  readonly wasKept: boolean;
  /** The places in `messages` that hold it, a line of 16 characters and more of it, or what leads to it. */
  readonly messages: readonly number[];
  /** The places in `raw` likewise. */
  readonly raw: readonly number[];
  /** Whether a snapshot holds some of it, in a summary. */
  readonly isInSnapshot: boolean;
}

/** Tells whether a value holds a referenced text, or a part of it. */
export function holdingOf(recall: Recall, reference: string): (value: unknown) => boolean {
  const text = wholeOf(recall, reference);
  const lines = new Set(linesIn(text));
  const said = pointingTo(reference);
  const holds = (found: string) =>
    found.includes(said) ||
    (text.trim() !== '' && (text.length >= LEAST ? found.includes(text) : found.trim() === text.trim())) ||
    (lines.size > 0 && linesIn(found).some((line) => lines.has(line)));
  return (value) => stringsIn(value).some(holds);
}

function wholeOf(recall: Recall, reference: string): string {
  let text = '';
  for (let at: number | undefined = 0; at !== undefined; ) {
    const piece = recall.recall(reference, at);
    text += piece?.text ?? '';
    at = piece?.next;
  }
  return text;
}

/** Lines that say something, also of a text that stands in JSON, without what quotes and lists put around them. */
function linesIn(text: string): readonly string[] {
  const lines = text.split(/\n|\\n/);
  return lines.map((line) => line.replace(/^[\s>*#"-]+/, '').trimEnd()).filter((line) => line.length >= LEAST);
}

function stringsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') found.push(next);
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (ArrayBuffer.isView(next)) continue;
    for (const key of Object.keys(next)) open.push(valueAt(next, key));
  }
  return found;
}

/** A property's value; nothing, where its accessor throws. */
function valueAt(of: object, key: string): unknown {
  try {
    return (of as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
