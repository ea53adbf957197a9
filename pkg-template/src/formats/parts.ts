/** What the formats' parts of contents have in common. */

import { withChanges } from '../base/share.js';
import { type Bag, mediaSize } from '../messages/facts.js';
import { type ImageFormula, imageFormulas } from '../tokens/images.js';
import type { Atom, Blocks, Changes } from './format.js';
import type { ImageFormulaName } from './images.js';

/** A part of some content, as far as it is one. */
export type Part = Bag | null | undefined;

/** A part that is a text. */
type TextPart = Bag & { readonly text: string };

/** Tells the parts of one type that have a text. */
export const isTextOf =
  (type: string) =>
  (part: unknown): part is TextPart => {
    const found = (part ?? {}) as Bag;
    return found.type === type && typeof found.text === 'string';
  };

/** Whether a part of some content is `{type: 'text', text}`. */
export const isText = isTextOf('text');

/** All texts of some parts as one; nothing if there are none. */
export function textsOf(parts: readonly unknown[], isOne = isText): string | undefined {
  let texts: string | undefined;
  for (const part of parts) if (isOne(part)) texts = texts === undefined ? part.text : `${texts}\n${part.text}`;
  return texts;
}

/**
 * One text instead of all: the first, with another text. It takes over some keys of the last part, such as a
 * cache breakpoint.
 */
export function withOneText(parts: readonly unknown[], text: string, ...keys: readonly string[]): unknown[] {
  const [only] = parts;
  // Nearly all results are one text.
  if (parts.length === 1 && isText(only)) return [withChanges(only, { text })];
  const texts = parts.filter(isText);
  const changes: Record<string, unknown> = { text };
  for (const key of keys) {
    const mark = texts.map((part) => part[key]).filter((found) => found !== undefined);
    if (mark.length > 0) changes[key] = mark.pop();
  }
  return withFirstText(parts, (first) => withChanges(first, changes));
}

/** The first text part, which now holds all texts. */
export function withFirstText(
  parts: readonly unknown[],
  make: (first: TextPart) => unknown,
  isOne = isText,
): unknown[] {
  let isDone = false;
  return parts.flatMap((part) => {
    if (!isOne(part)) return [part];
    if (isDone) return [];
    isDone = true;
    return [make(part)];
  });
}

/** A text instead of media, of the type of a text part; it takes over some keys of the part. */
export function insteadOf(part: unknown, type: string, text: string, ...keys: readonly string[]): Bag {
  const found = part as Bag;
  return { type, text, ...Object.fromEntries(keys.flatMap((key) => (key in found ? [[key, found[key]]] : []))) };
}

/**
 * A result's parts once media among them have become texts; its own block has the number `first`, and parts that are
 * no texts the numbers behind it. Its texts come as they are to be.
 */
export function withoutMedia<P>(
  parts: readonly P[],
  changes: Changes,
  first: number,
  instead: (part: P, text: string) => P,
  isOne: (part: unknown) => boolean = isText,
): readonly P[] {
  if (parts.length === 1 && isOne(parts[0])) return parts;
  let number = first;
  return parts.map((part) => {
    if (isOne(part)) return part;
    number += 1;
    const change = changes.get(number);
    return typeof change === 'string' ? instead(part, change) : part;
  });
}

/** How the formats say results whose content is a text or a list of parts. */
export interface Parted {
  /** Whether a part is a text. */
  readonly isText: (part: unknown) => part is TextPart;
  /** Says a part that is none. */
  readonly describeOther: (part: Part, blocks: Blocks, atom?: Atom) => void;
}

/**
 * Says a result: the texts in it are its payload, what else is in it goes with it, by an atom of the message's own of
 * that number. The value is not an object: one for each result, which dies at once, costs as much as the reading.
 */
export function describeParted(
  blocks: Blocks,
  { isText: isOne, describeOther }: Parted,
  id: unknown,
  name: unknown,
  content: unknown,
  failed: boolean,
  number = 0,
): void {
  if (!Array.isArray(content)) return blocks.response(id, name, content, failed);
  const parts = content as readonly unknown[];
  const [only] = parts;
  if (parts.length === 1 && isOne(only)) return blocks.response(id, name, only.text, failed);
  if (parts.every(isOne)) return blocks.response(id, name, textsOf(parts, isOne), failed);
  const atom = blocks.ownAtom(number);
  blocks.response(id, name, textsOf(parts, isOne), failed, atom);
  for (const part of parts) if (!isOne(part)) describeOther(part as Part, blocks, atom);
}

/** Parts after changes, where each part is a block; nothing if none is left. */
export function withParts<P>(
  parts: readonly P[],
  changes: Changes,
  withText: (part: P, text: string) => P,
): P[] | undefined {
  const left: P[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const change = changes.get(at);
    if (change !== null) left.push(typeof change === 'string' ? withText(parts[at]!, change) : parts[at]!);
  }
  return left.length === 0 ? undefined : left;
}

/** The size of what a URL holds itself; the content behind any other URL is unknown. */
export function embeddedSize(url: unknown, formula?: ImageFormulaName, detail?: unknown): number {
  const isData = typeof url === 'string' && url.startsWith('data:');
  return isData ? mediaSize(url.slice(url.indexOf(',') + 1), formula, detail) : 0;
}

/** The size of an image in low detail: where tiles are counted all cost the same, even those behind a URL. */
export function lowSize(detail: unknown, name: ImageFormulaName): number | undefined {
  const formula: ImageFormula = imageFormulas[name];
  return detail === 'low' && formula.kind === 'tiles' ? -formula.base : undefined;
}

/** The size of an image of OpenAI's. */
export function openaiImage(url: unknown, detail: unknown, formula: ImageFormulaName): number {
  return lowSize(detail, formula) ?? embeddedSize(url, formula, detail);
}

/** The atom of what the provider's own tools did: it stays together, also across messages. */
export function serverAtom(id: unknown): string | undefined {
  return typeof id === 'string' ? `server ${id}` : undefined;
}
