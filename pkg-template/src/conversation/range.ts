/** Digests of a range: its legal start and end, and the report on it. */

import { optionError, wrongOption } from '../base/options.js';
import type { SummaryMetadata } from '../generated/summary.js';
import type { Layout, Summaries } from '../summary/summaries.js';
import type { SummaryNoop } from '../summary/types.js';
import type { History } from './history.js';
import { type ConversationSettings, readingOf } from './options.js';

/** The messages from the first to the one before the end. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The range that the options of a digest name, if they name one. */
export function rangeOf(from: unknown, to: unknown, preserve: unknown, length: number): Range | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (preserve !== undefined) {
    throw optionError('preserve', ": found it together with a range; leave out 'preserve' or the range (from, to)");
  }
  const isPlace = (at: unknown): at is number => Number.isInteger(at) && (at as number) >= 0 && (at as number) < length;
  if (!isPlace(from)) throw wrongOption('from', from, `a message index below ${length}`);
  if (!isPlace(to) || to < from) throw wrongOption('to', to, `a message index from ${from} on and below ${length}`);
  return { start: from, end: to + 1 };
}

/** The range that parts nothing which belongs together; or why there is none. */
export function legalRange<M>(
  summaries: Summaries,
  settings: ConversationSettings<M>,
  history: History<M>,
  { start, end }: Range,
): Range | SummaryNoop {
  const { adapter } = settings;
  const messages = history.messages();
  const { inserted } = history;
  // A request begins with the first summary that there is: a caller that names a range means that one.
  const plain = messages.map((message) => (inserted.has(message) ? adapter.make('human', '-', false) : message));
  const request = summaries.request(adapter, plain, {
    strategy: 'middle-out',
    topPreserve: { messages: start },
    preserve: { messages: messages.length - end },
    ...readingOf(settings),
    redact: false,
  });
  return request.kind === 'noop' ? request : { start: request.plan.start, end: request.plan.end };
}

/** The same layout behind some messages. */
export function moved({ top, moved, tail }: Layout, by: number): Layout {
  return by === 0 ? { top, moved, tail } : { top: top + by, moved: moved.map((at) => at + by), tail: tail + by };
}

/** The report on a digest, with the messages before it. */
export function behind(
  metadata: SummaryMetadata,
  start: number,
  tokensBefore: number,
  tokensAfter: number,
): SummaryMetadata {
  const { originalMessageCount, compressedMessageCount, topPreserved } = metadata;
  return {
    ...metadata,
    originalMessageCount: originalMessageCount + start,
    compressedMessageCount: compressedMessageCount + start,
    topPreserved: topPreserved + start,
    ...{ tokensBefore, tokensAfter },
  };
}
