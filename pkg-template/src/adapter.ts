import type { LoggedEdit } from './output.js';
import { isStackFull } from './stack.js';
import type { Names, Writer } from './stream.js';
import type { Callbacks } from './types.js';

/**
 * What a message format must be able to do: read a message's facts, hand out its texts, apply
 * edits. Reading never throws because of content, and nothing mutates a message.
 */
export interface Adapter<M> {
  /** Describes a message as one unit. `tokens` is the caller's own count. */
  read(message: M, index: number, writer: Writer, names: Names, callbacks: Callbacks<M>, tokens?: number): void;
  /** One of a block's strings, if there is such a one. */
  text(message: M, block: number, leaf: number): string | undefined;
  /** The message after its edits, everything else shared; `undefined` if it goes. */
  apply(message: M, edits: readonly LoggedEdit[]): M | undefined;
  /** A message of ours: a part of a request, or what stands in the history for what was summarised. */
  make(speaker: 'human' | 'ai', text: string, isSummary: boolean): M;
  /** The message with results of tools as they are after `shrink`, which gives nothing for what stays. */
  withResults(message: M, shrink: (text: string, tool: string) => string | undefined): M;
  /** Whether a message of the model says nothing. */
  isEmpty(message: M): boolean;
  /** Whether two messages that read alike hold the same texts where an edit depends on them. */
  sameTexts(known: M, fresh: M): boolean;
}

/** One of a message's strings; a message that throws when it is read has none. */
export function leafText<M>(
  adapter: Adapter<M>,
  messages: readonly M[],
  unit: number,
  block: number,
  leaf: number,
): string {
  try {
    const message = messages[unit];
    return message === undefined ? '' : (adapter.text(message, block, leaf) ?? '');
  } catch (thrown) {
    if (isStackFull(thrown)) throw thrown;
    return '';
  }
}
