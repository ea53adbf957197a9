import type { LoggedEdit } from '../core/edits.js';

/** The effect of an edit, from any source. */
export type MadeEdit = Pick<LoggedEdit, 'kind' | 'block' | 'text' | 'start' | 'end'>;

/**
 * The number before a line with its separator, in each form of `src/lines.rs`; the core says which lines have one. After
 * `12|` a blank is the line's own, after `012|` it isn't.
 */
const NUMBER = /^(?:(?:0\d*|\d{5})\| ?|L\d+: ?| *\d+(?:→|\t|: ?|\. ?| \| ?|\|))/;

/**
 * A text after edits of spans in it, whose offsets are those of the text as it was pushed. Spans may lie in each other:
 * then the outer one counts.
 */
export function patched(text: string, edits: readonly Patch[]): string {
  let left = '';
  let from = 0;
  for (const { start, end, put } of spansOf(text, edits)) {
    left += text.slice(from, start) + put;
    from = end;
  }
  return left + text.slice(from);
}

/** The spans of a text that some edits replace, in order and apart from each other. */
export function spansOf(text: string, edits: readonly Patch[]): Span[] {
  const spans = edits.flatMap((edit) => {
    const { start = 0, end = 0 } = edit;
    return edit.kind === 'unnumber' ? numbersIn(text, start, end) : [{ start, end, put: edit.text ?? '' }];
  });
  spans.sort((left, right) => left.start - right.start || right.end - left.end);
  let from = 0;
  return spans.flatMap(({ start, end, put }) => {
    const before = from;
    from = Math.max(from, end);
    if (end <= before) return [];
    return [start < before ? { start: before, end, put: '' } : { start, end, put }];
  });
}

/** An edit of a span; what has no text takes it out. */
interface Patch {
  readonly kind: MadeEdit['kind'];
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly text?: string | undefined;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

/** The numbers before the lines that start in a span. */
function numbersIn(text: string, from: number, to: number): Span[] {
  const spans: Span[] = [];
  for (let start = from; start < to; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const number = NUMBER.exec(text.slice(start, Math.min(end, start + 20)))?.[0];
    if (number !== undefined) spans.push({ start, end: start + number.length, put: '' });
    start = end + 1;
  }
  return spans;
}
