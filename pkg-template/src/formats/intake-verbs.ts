import { type ShrinkResultsOptions, shrinkResultsIn } from '../intake/messages.js';
import { type Shrinker, shrinker } from '../intake/shrinker.js';
import type { Target } from '../models/target.js';
import type { Readable } from './format.js';
import { take } from './take.js';
import type { Verbs } from './verbs-of.js';

/** Makes `shrinkResults` of a format. */
export function shrinkResultsOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  instance: () => Shrinker = shrinker,
): Verbs<L, O>['shrinkResults'] {
  return <M extends L>(messages: readonly M[], options?: ShrinkResultsOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, ShrinkResultsOptions<M>>(format, options);
    return shrinkResultsIn(adapter, messages, rest, instance());
  };
}
