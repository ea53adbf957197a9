/** A log cut at its compactions: from each of them on the model saw another history. */
import type { IContent } from '../base/content.js';
import { about } from './odd.js';

/** A stretch of a log between two compactions. */
export interface Segment {
  readonly entries: readonly IContent[];
  /** How many of them were there before the model's first call. */
  readonly given: number;
}

/** The segments of a log; a log without compactions is one. */
export function segmentsOf(log: readonly IContent[]): readonly Segment[] {
  const starts = log.flatMap((entry, at) => (at > 0 && about(entry, 'compactBoundary') === true ? [at] : []));
  return [0, ...starts].map((start, at) => segment(log, start, starts[at] ?? log.length));
}

/** What the model saw after a compaction: what took the place of the history, then the entries that were kept. */
function segment(log: readonly IContent[], start: number, end: number): Segment {
  if (start === 0) return { entries: log.slice(0, end), given: 0 };
  let rest = start + 1;
  while (rest < end && about(log[rest]!, 'fromCompaction') === true) rest += 1;
  const ids = about(log[start]!, 'compactKept');
  const wanted = new Set<unknown>(Array.isArray(ids) ? ids : []);
  const kept = log.slice(0, start).filter((entry) => wanted.has(about(entry, 'id')));
  const given = [...log.slice(start, rest), ...kept];
  return { entries: [...given, ...log.slice(rest, end)], given: given.length };
}
