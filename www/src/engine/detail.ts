import type { IContent } from 'densify';
import { oneLine, visible } from '../lib/text.js';
import type { BlockDetail, CutText, Facts, Piece } from './api.js';
import type { FullReplay, Span } from './edit-log.js';
import { labelOf, textOf } from './facts.js';

/** An entry's blocks down to their texts, after the first so many edits; texts end after `length` characters. */
export function detailOf(
  facts: Facts,
  content: IContent,
  entry: number,
  full: FullReplay | undefined,
  edits: number,
  length: number,
): BlockDetail[] {
  const first = facts.blockStart[entry] ?? 0;
  return content.blocks.map((block, index) => {
    const { spans, after, gone } = whatBecameOf(first + index, full, edits);
    const text = textOf(block);
    const replaced = after !== undefined || gone;
    return {
      block: first + index,
      heading: labelOf(block),
      before: pieces(text, replaced ? [[0, text.length]] : spans, length),
      ...(after === undefined ? {} : { after: visible(after.slice(0, length)) }),
      clipped: Math.max(0, text.length - length),
    };
  });
}

function whatBecameOf(
  block: number,
  full: FullReplay | undefined,
  edits: number,
): { spans: Span[]; after?: string; gone: boolean } {
  const spans: Span[] = [];
  let after: string | undefined;
  let gone = false;
  full?.texts.slice(0, edits).forEach(({ text, span }, edit) => {
    if (full.replay.editBlock[edit] !== block) return;
    if (span) spans.push(span);
    gone = text === undefined;
    // Spans that were cut are shown where they stood.
    after = span ? undefined : text;
  });
  return { spans, gone, ...(after === undefined ? {} : { after }) };
}

function pieces(text: string, spans: readonly Span[], length: number): Piece[] {
  const found: Piece[] = [];
  const add = (start: number, end: number, cut: boolean): void => {
    const part = text.slice(start, Math.min(end, length));
    if (part !== '') found.push({ text: visible(part), cut });
  };
  let from = 0;
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    add(from, start, false);
    add(Math.max(from, start), end, true);
    from = Math.max(from, end);
  }
  add(from, text.length, false);
  return found;
}

export const titleOf = (name: string): string => oneLine(name, 120);

const CUT_LENGTH = 2000;

/** The shortened texts that the first cuts removed or replaced. A cut is a block, however many edits made it. */
export function cutsOf(
  facts: Facts,
  contents: readonly IContent[],
  { replay, texts }: FullReplay,
  most: number,
): CutText[] {
  const last = new Map<number, number>();
  replay.editBlock.forEach((block, edit) => last.set(block, edit));
  return [...last].slice(0, most).flatMap(([block, edit]) => {
    const entry = facts.entryOf[block] ?? 0;
    const found = contents[entry]?.blocks[block - (facts.blockStart[entry] ?? 0)];
    if (!found) return [];
    const before = textOf(found);
    const after = texts[edit]?.text;
    const shared = {
      entry,
      kind: facts.kind[block] ?? 6,
      rule: replay.editRule[edit] ?? 0,
      call: replay.editCall[edit] ?? 0,
    };
    return [{ ...shared, before: shorten(before), ...(after === undefined ? {} : { after: shorten(after) }) }];
  });
}

const shorten = (text: string): string => visible(text.length > CUT_LENGTH ? `${text.slice(0, CUT_LENGTH)}…` : text);
