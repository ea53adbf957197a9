/** A cache breakpoint ahead of the next flush: the provider finds everything before it, however much follows. */
import { jsonText } from '../messages/measure.js';
import { type Breakpoints, marksOf, withMark } from './breakpoints.js';
import { CHARACTERS, type RequestCache } from './request-cache.js';

/** The most breakpoints of a request (Anthropic, "Prompt caching"). */
const MOST = 4;

/** Whether a request has breakpoints, and room for another one. */
export function hasRoom(messages: readonly object[], breakpoints: Breakpoints, cache: RequestCache): boolean {
  const count = messages.reduce((sum, message) => sum + marksOf(message, breakpoints).length, 0);
  return (count > 0 || cache.automatic !== undefined) && count + cache.count < MOST;
}

/**
 * Messages with a breakpoint before the message `anchor`, a copy of the next one behind it: lifetimes must not grow towards
 * the end. None is set in a host without breakpoints, where all are in use, or where the provider would cache nothing.
 */
export function withAnchor<M extends object>(
  messages: readonly M[],
  anchor: number | undefined,
  { breakpoints, cache, least }: { breakpoints: Breakpoints; cache: RequestCache; least: number },
): readonly M[] {
  if (anchor === undefined || anchor <= 0 || anchor > messages.length) return messages;
  if (!hasRoom(messages, breakpoints, cache)) return messages;
  const { count, ahead = '' } = cache;
  if (count === 0 && !isAtLeast(messages.slice(0, anchor), least * CHARACTERS - ahead.length)) return messages;
  const behind = messages.slice(anchor).flatMap((message) => marksOf(message, breakpoints));
  const value = behind[0] ?? cache.automatic;
  return value === undefined ? messages : withMark(messages, anchor - 1, value, breakpoints);
}

/** Whether messages have at least this number of characters. */
function isAtLeast(messages: readonly object[], characters: number): boolean {
  let left = characters;
  for (const message of messages) {
    left -= jsonText(message).length;
    if (left <= 0) return true;
  }
  return false;
}
