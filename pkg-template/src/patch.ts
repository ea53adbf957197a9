import type { LoggedEdit } from './output.js';

/** What an edit does, whoever tells of it. */
export type MadeEdit = Pick<LoggedEdit, 'kind' | 'block' | 'text' | 'start' | 'end'>;

/** The number before a line with its separator; the core says which lines have one. */
const NUMBER = /^ *\d+(?:→|\t|\| ?|: ?)/;

/**
 * A text after edits of spans in it, whose offsets are those of the text as it was pushed. Spans may lie in each other:
 * then the outer one counts.
 */
export function patched(text: string, edits: readonly Pick<MadeEdit, 'kind' | 'start' | 'end' | 'text'>[]): string {
  const spans = edits.flatMap(({ kind, start = 0, end = 0, text: put = '' }) =>
    kind === 'unnumber' ? numbersIn(text, start, end) : [{ start, end, put }],
  );
  spans.sort((left, right) => left.start - right.start || right.end - left.end);
  let left = '';
  let from = 0;
  for (const { start, end, put } of spans) {
    if (end <= from) continue;
    if (start >= from) left += text.slice(from, start) + put;
    from = end;
  }
  return left + text.slice(from);
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
