import type { ContentLike } from '../base/content.js';
import { wrongArgument } from '../base/options.js';
import type { Edit } from '../types.js';
import { apply } from './neutral.js';
import type { MadeEdit } from './patch.js';

/**
 * Applies edits of a result to one message, in order, to show them step by step. Returns `undefined` if the message is
 * gone. Pass only the edits of this message.
 *
 * @example
 * const now = applyEdits(history[4], result.edits.filter(({ index }) => index === 4));
 */
export function applyEdits<M extends ContentLike>(message: M, edits: readonly Edit[]): M | undefined {
  if (!Array.isArray(edits)) {
    throw wrongArgument('edits', edits, 'a list of them');
  }
  return edits.length === 0 ? message : apply(message, edits as readonly MadeEdit[]);
}
