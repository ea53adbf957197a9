import { withChanges } from '../base/share.js';
import type { Bag } from '../messages/facts.js';
import type { Edit } from '../types.js';

/** How a format marks where the provider's cache is to hold up to. */
export interface Breakpoints {
  /** The breakpoint of a block, if it has one. */
  read(block: Bag): unknown;
  /** A copy of a block with a breakpoint. */
  write(block: Bag, mark: unknown): Bag;
  /** Whether a block may be marked. */
  canBear(block: Bag): boolean;
  /** Whether messages may be marked as a whole, which marks the last block of them. */
  readonly onMessages?: boolean;
  /**
   * A message's text as a block that may be marked; `undefined` if there can be none.
   *
   * @default `{type: 'text', text}`
   */
  blockOf?(text: string, message: Bag): Bag | undefined;
  /**
   * Where the blocks of a message are.
   *
   * @default the message itself
   */
  fieldsOf?(message: Bag): Bag;
  /** A copy of a message whose fields are others. */
  withFields?(message: Bag, changes: Bag): Bag;
}

/** Breakpoints that are a key of their blocks. */
export function breakpointsAt(key: string, canBear: Breakpoints['canBear']): Breakpoints {
  return { read: (block) => block[key], write: (block, mark) => withChanges(block, { [key]: mark }), canBear };
}

/** A message whose content is a text or a list of blocks. */
type Message = Bag;

/**
 * Messages after edits in which no breakpoint got lost: one that went with its block is on the block before it that
 * is left, unless that has one already. There are never more than there were; in formats without any nothing changes.
 * `gone` says which messages are; if it does not know, the remaining messages tell.
 */
export function keepBreakpoints<M extends object>(
  raw: readonly M[],
  messages: readonly M[],
  breakpoints: Breakpoints | undefined,
  gone: () => ReadonlySet<number> | undefined,
): readonly M[] {
  if (breakpoints === undefined || messages === raw) return messages;
  const dropped = gone() ?? droppedOf(raw, messages);
  if (dropped === undefined) return messages;
  const output = [...messages] as unknown as Message[];
  let at = 0; // the place of the next message that is left
  raw.forEach((message, index) => {
    const given = message as unknown as Message;
    if (dropped.has(index)) {
      const whole = ownMark(given, breakpoints);
      const marks = [...blocksOf(given, breakpoints).map((block) => markOf(block, breakpoints)), whole];
      for (const value of marks)
        if (isThere(value)) mark(output, { message: at - 1, place: Infinity, value }, breakpoints);
      return;
    }
    const left = output[at];
    if (left !== undefined && left !== given) {
      for (const lost of lostIn(given, left, breakpoints)) mark(output, { message: at, ...lost }, breakpoints);
    }
    at += 1;
  });
  const isSame = output.every((message, place) => message === (messages[place] as unknown));
  return isSame ? messages : (output as unknown as M[]);
}

/** The breakpoints of a message, in their order. */
export function marksOf(message: object, breakpoints: Breakpoints): readonly unknown[] {
  const marks = blocksOf(message as Message, breakpoints).map((block) => markOf(block, breakpoints));
  return [...marks, ownMark(message as Message, breakpoints)].filter(isThere);
}

/** Messages with a breakpoint at the end of the one at a place, or before it; the same list if one is there already. */
export function withMark<M extends object>(
  messages: readonly M[],
  at: number,
  value: unknown,
  breakpoints: Breakpoints,
): readonly M[] {
  const output = [...messages] as unknown as Message[];
  mark(output, { message: at, place: Infinity, value }, breakpoints);
  return output.every((message, place) => message === (messages[place] as unknown))
    ? messages
    : (output as unknown as M[]);
}

/** The messages that edits dropped. */
export function droppedBy(edits: readonly Edit[]): ReadonlySet<number> {
  return new Set(edits.filter(({ kind, pending }) => kind === 'drop' && !pending).map(({ index }) => index));
}

/**
 * The removed messages, found from the remaining ones alone: an optimizer's edits are of its own history, not of the
 * list that it was handed this time. Nothing where it doesn't tell.
 */
function droppedOf(raw: readonly object[], messages: readonly object[]): ReadonlySet<number> | undefined {
  const given = new Set(raw);
  const dropped = new Set<number>();
  let at = 0;
  raw.forEach((message, index) => {
    const left = messages[at];
    const isLeft =
      left === message || (left !== undefined && !given.has(left) && isCopyOf(left as Bag, message as Bag));
    if (isLeft) at += 1;
    else dropped.add(index);
  });
  return at === messages.length ? dropped : undefined;
}

/** Whether a message may be another one after edits: it shares a part with it, or a call, or is words of the same side. */
function isCopyOf(left: Bag, message: Bag): boolean {
  if (left.role !== message.role) return false;
  if (!Array.isArray(left.content) || !Array.isArray(message.content)) return true;
  const parts = message.content as unknown[];
  const calls = new Set(parts.map((part) => (part as Bag | null)?.toolCallId).filter(isThere));
  const isOf = (part: unknown): boolean => parts.includes(part) || calls.has((part as Bag | null)?.toolCallId);
  return (left.content as unknown[]).some(isOf) || (left.role === 'user' && calls.size === 0);
}

/** The lifetimes that a breakpoint can ask for, in seconds. */
const LIFETIMES: Readonly<Record<string, number>> = { '5m': 300, '1h': 3600 };

/** For how many seconds the breakpoints of a message ask the cache to live; 0 if none says so. */
export function keptFor(message: object, breakpoints: Breakpoints): number {
  return Math.max(0, ...marksOf(message, breakpoints).map(lifetimeOf));
}

/** The seconds that a breakpoint asks for, as APIs have it, or by providers and keys as frameworks do; 0 if it says none. */
export function lifetimeOf(mark: unknown): number {
  if (typeof mark !== 'object' || mark === null) return 0;
  const { ttl, ...others } = mark as Bag;
  return LIFETIMES[String(ttl)] ?? Math.max(0, ...Object.values(others).map(lifetimeOf));
}

/** Where a message has its blocks, or the text that is all of them. */
function contentOf(message: Message, { fieldsOf }: Breakpoints): { key: string; value: unknown } {
  const fields = fieldsOf?.(message) ?? message;
  const key = 'content' in fields ? 'content' : 'output';
  return { key, value: fields[key] };
}

function blocksOf(message: Message, breakpoints: Breakpoints): readonly unknown[] {
  const { value } = contentOf(message, breakpoints);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The blocks of a message; a text that is all of it as one. */
function markableBlocks(message: Message, breakpoints: Breakpoints): readonly unknown[] {
  const { value } = contentOf(message, breakpoints);
  if (typeof value !== 'string' || value === '') return blocksOf(message, breakpoints);
  const block = breakpoints.blockOf === undefined ? { type: 'text', text: value } : breakpoints.blockOf(value, message);
  return block === undefined ? [] : [block];
}

/** Whether there is a breakpoint. */
export function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The breakpoint of a block, or the last one within it. */
function markOf(block: unknown, { read }: Breakpoints): unknown {
  if (typeof block !== 'object' || block === null) return undefined;
  const own = read(block as Bag);
  if (isThere(own)) return own;
  const { content, output } = block as Bag;
  const parts = Array.isArray(content) ? content : (output as Bag | null | undefined)?.value;
  if (!Array.isArray(parts)) return undefined;
  const marks = parts.map((part: unknown) =>
    typeof part === 'object' && part !== null ? read(part as Bag) : undefined,
  );
  return marks.filter(isThere).pop();
}

/** The breakpoint of a message as a whole. */
function ownMark(message: Message, { read, onMessages }: Breakpoints): unknown {
  return onMessages === true ? read(message) : undefined;
}

/** A breakpoint whose block went, and the place that it is for: the block of this number or one before it. */
interface Lost {
  readonly place: number;
  readonly value: unknown;
}

/** The breakpoints that an edited message lost. */
function lostIn(before: Message, after: Message, breakpoints: Breakpoints): Lost[] {
  const left = blocksOf(after, breakpoints);
  const all = blocksOf(before, breakpoints);
  const lost: Lost[] = [];
  let at = 0;
  for (const block of all) {
    const next = left[at];
    const value = markOf(block, breakpoints);
    // An edited block has the breakpoint that it had: one without it is another's.
    const isLeft =
      next === block || (isEdited(block, next, all) && (!isThere(value) || isThere(markOf(next, breakpoints))));
    if (next !== undefined && isLeft) at += 1;
    else if (isThere(value)) lost.push({ place: at - 1, value });
  }
  return lost;
}

/** Whether a block is another one with a new text. */
function isEdited(block: unknown, next: unknown, all: readonly unknown[]): boolean {
  const [one, other] = [(block ?? {}) as Bag, (next ?? {}) as Bag];
  const isSameCall = one.tool_use_id === other.tool_use_id && one.toolCallId === other.toolCallId;
  return one.type === other.type && isSameCall && !all.includes(next);
}

/** Marks the last block up to a place that may be marked; none if one on the way is marked already. */
function mark(
  output: Message[],
  { message, place, value }: Lost & { readonly message: number },
  breakpoints: Breakpoints,
): void {
  for (let at = message; at >= 0; at -= 1) {
    const found = output[at]!;
    const { key, value: content } = contentOf(found, breakpoints);
    const blocks = markableBlocks(found, breakpoints);
    const from = Math.min(at === message ? place : Infinity, blocks.length - 1);
    // The mark of a message is that of its last block.
    if (from === blocks.length - 1 && isThere(ownMark(found, breakpoints))) return;
    if (typeof content === 'string' && content !== '' && breakpoints.onMessages === true) {
      output[at] = breakpoints.write(found, value);
      return;
    }
    for (let number = from; number >= 0; number -= 1) {
      const block = blocks[number] as Bag | null | undefined;
      if (block === null || typeof block !== 'object') continue;
      if (isThere(markOf(block, breakpoints))) return;
      if (!breakpoints.canBear(block)) continue;
      const marked = breakpoints.write(block, value);
      const changes = { [key]: blocks.map((other, index) => (index === number ? marked : other)) };
      output[at] = breakpoints.withFields?.(found, changes) ?? withChanges(found, changes);
      return;
    }
  }
}
