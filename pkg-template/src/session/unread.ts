import type { Run } from '../core/output.js';
import { CAPABILITY } from '../generated/protocol.js';
import type { Adapter } from '../messages/adapter.js';
import { DROPPED } from './live-list.js';

/**
 * Adds to a run the reasoning that the provider drops after a change: from which message on. `thoughts` are the
 * messages in which the model thought, `entries` all as they are now.
 */
export function withUnread<M>(
  run: Run,
  { capabilities }: Adapter<M>,
  thoughts: readonly number[],
  entries: readonly unknown[],
): Run {
  if ((capabilities & CAPABILITY.changesLoseReasoning) === 0) return run;
  let change = run.flush ? run.first : Infinity;
  for (const { index, pending } of run.edits) if (!pending && index < change) change = index;
  let unread: number | undefined;
  for (let at = thoughts.length - 1; at >= 0 && thoughts[at]! > change; at -= 1) {
    if (entries[thoughts[at]!] !== DROPPED) unread = thoughts[at];
  }
  return unread === undefined ? run : { ...run, unread };
}

/** How many messages with reasoning lie behind the first of some that change, where the provider then makes nothing of it. */
export function thoughtsBehind<M>(
  { capabilities }: Adapter<M>,
  thoughts: readonly number[],
  changed: Iterable<number>,
  entries: readonly unknown[],
): number {
  if ((capabilities & (CAPABILITY.changesLoseReasoning | CAPABILITY.thinkingBoundToPrefix)) === 0) return 0;
  let first = Infinity;
  for (const index of changed) first = Math.min(first, index);
  return thoughts.filter((at) => at > first && entries[at] !== DROPPED).length;
}
