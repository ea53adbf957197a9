/** A cache breakpoint ahead of the next flush: the provider finds everything before it, however much follows. */
import type { Bag } from '../messages/facts.js';
import { jsonText } from '../messages/measure.js';
import { type Breakpoints, isThere, marksOf, withMark } from './breakpoints.js';

/** The most breakpoints of a request (Anthropic, "Prompt caching"). */
const MOST = 4;
/** Characters per token, roughly. */
const CHARACTERS = 4;

/** The breakpoints of a request beside its messages. */
export interface Elsewhere {
  /** How many there are: on the system prompt, on tools, and one that the provider sets at the end by itself. */
  readonly count: number;
  /** What asks the provider to set one at the end by itself. */
  readonly automatic?: unknown;
}

/** A hook that sees messages only assumes one on the system prompt and one on the tools. */
export const UNSEEN: Elsewhere = { count: 2 };

/** The breakpoints of a request beside its messages, in the form that APIs and SDKs have of it. */
export function elsewhereIn(request: object, { read }: Breakpoints): Elsewhere {
  const { system, tools, cache_control: automatic } = request as Bag;
  const parts = [system, tools].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const marked = parts.filter((part) => typeof part === 'object' && part !== null && isThere(read(part as Bag)));
  if (!isThere(automatic)) return { count: marked.length };
  return { count: marked.length + 1, automatic };
}

/** Whether a request has breakpoints, and room for another one. */
export function hasRoom(messages: readonly object[], breakpoints: Breakpoints, elsewhere: Elsewhere): boolean {
  const count = messages.reduce((sum, message) => sum + marksOf(message, breakpoints).length, 0);
  return (count > 0 || elsewhere.automatic !== undefined) && count + elsewhere.count < MOST;
}

/**
 * Messages with a breakpoint before the message `anchor`, a copy of the next one behind it: lifetimes must not grow towards
 * the end. None is set in a host without breakpoints, where all are in use, or where the provider would cache nothing.
 */
export function withAnchor<M extends object>(
  messages: readonly M[],
  anchor: number | undefined,
  { breakpoints, elsewhere, least }: { breakpoints: Breakpoints; elsewhere: Elsewhere; least: number },
): readonly M[] {
  if (anchor === undefined || anchor <= 0 || anchor > messages.length) return messages;
  if (!hasRoom(messages, breakpoints, elsewhere)) return messages;
  if (elsewhere.count === 0 && !isAtLeast(messages.slice(0, anchor), least * CHARACTERS)) return messages;
  const behind = messages.slice(anchor).flatMap((message) => marksOf(message, breakpoints));
  const value = behind[0] ?? elsewhere.automatic;
  return value === undefined ? messages : withMark(messages, anchor - 1, value, breakpoints);
}

/** Whether messages have so many characters. */
function isAtLeast(messages: readonly object[], characters: number): boolean {
  let left = characters;
  for (const message of messages) {
    left -= jsonText(message).length;
    if (left <= 0) return true;
  }
  return false;
}
