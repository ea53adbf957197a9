import type { Names, Writer } from './stream.js';
import type { Callbacks } from './types.js';

/** An edit as an adapter applies it: what is to happen to one block, or to the whole message. */
export type AppliedEdit =
  | { readonly kind: 'drop' }
  | { readonly kind: 'drop-block'; readonly block: number }
  | { readonly kind: 'set'; readonly block: number; readonly text: string }
  | { readonly kind: 'cut'; readonly block: number; readonly start: number; readonly end: number };

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
  apply(message: M, edits: readonly AppliedEdit[]): M | undefined;
  /** Whether two messages that read alike hold the same texts where an edit depends on them. */
  sameTexts(known: M, fresh: M): boolean;
}
