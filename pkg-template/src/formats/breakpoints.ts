import type { Bag } from '../facts.js';
import { withChanges } from '../share.js';
import type { Edit } from '../types.js';

/** How a format marks where the provider's cache is to hold up to. */
export interface Breakpoints {
  /** The key of a content block. */
  readonly key: string;
  /** Whether a block may be marked. */
  canBear(block: Bag): boolean;
}

/** A message whose content is a text or a list of blocks. */
type Message = Bag;

/**
 * Messages after edits in which no breakpoint got lost: one that went with its block is on the block before it that
 * is left, unless that has one already. There are never more than there were.
 */
export function keepBreakpoints<M extends object>(
  raw: readonly M[],
  messages: readonly M[],
  edits: readonly Edit[],
  breakpoints: Breakpoints,
): readonly M[] {
  const dropped = new Set(edits.filter(({ kind, pending }) => kind === 'drop' && !pending).map(({ index }) => index));
  const output = [...messages] as unknown as Message[];
  let at = 0; // the place of the next message that is left
  raw.forEach((message, index) => {
    const given = message as unknown as Message;
    if (dropped.has(index)) {
      for (const block of blocksOf(given)) {
        const value = markOf(block, breakpoints.key);
        if (value !== undefined) mark(output, { message: at - 1, place: Infinity, value }, breakpoints);
      }
      return;
    }
    const left = output[at];
    if (left !== undefined && left !== given) {
      for (const lost of lostIn(given, left, breakpoints.key)) mark(output, { message: at, ...lost }, breakpoints);
    }
    at += 1;
  });
  const isSame = output.every((message, place) => message === (messages[place] as unknown));
  return isSame ? messages : (output as unknown as M[]);
}

function blocksOf({ content }: Message): readonly unknown[] {
  return Array.isArray(content) ? (content as unknown[]) : [];
}

/** The breakpoint of a block, or the last one within it. */
function markOf(block: unknown, key: string): unknown {
  const { content, [key]: own } = (block ?? {}) as Bag;
  if (own !== undefined && own !== null) return own;
  if (!Array.isArray(content)) return undefined;
  const marks = content.map((part) => ((part ?? {}) as Bag)[key]);
  return marks.filter((mark) => mark !== undefined && mark !== null).pop();
}

/** A breakpoint whose block went, and the place that it is for: the block of this number or one before it. */
interface Lost {
  readonly place: number;
  readonly value: unknown;
}

/** The breakpoints that an edited message lost. */
function lostIn(before: Message, after: Message, key: string): Lost[] {
  const left = blocksOf(after);
  const lost: Lost[] = [];
  let at = 0;
  for (const block of blocksOf(before)) {
    const next = left[at];
    const value = markOf(block, key);
    if (next !== undefined && (next === block || isEdited(block, next, blocksOf(before)))) at += 1;
    else if (value !== undefined) lost.push({ place: at - 1, value });
  }
  return lost;
}

/** Whether a block is another one with a new text. */
function isEdited(block: unknown, next: unknown, all: readonly unknown[]): boolean {
  const [one, other] = [(block ?? {}) as Bag, (next ?? {}) as Bag];
  return one.type === other.type && one.tool_use_id === other.tool_use_id && !all.includes(next);
}

/** Marks the last block up to a place that may be marked; none if one on the way is marked already. */
function mark(
  output: Message[],
  { message, place, value }: Lost & { readonly message: number },
  { key, canBear }: Breakpoints,
): void {
  for (let at = message; at >= 0; at -= 1) {
    const found = output[at]!;
    const { content } = found;
    const blocks = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : blocksOf(found);
    for (let number = Math.min(at === message ? place : Infinity, blocks.length - 1); number >= 0; number -= 1) {
      const block = blocks[number] as Bag | null | undefined;
      if (block === null || typeof block !== 'object') continue;
      if (markOf(block, key) !== undefined) return;
      if (!canBear(block)) continue;
      const marked = withChanges(block, { [key]: value });
      output[at] = withChanges(found, { content: blocks.map((other, index) => (index === number ? marked : other)) });
      return;
    }
  }
}
