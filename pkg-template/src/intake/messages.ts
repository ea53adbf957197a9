import { refuse, wrongOption } from '../base/options.js';
import { intakeKeys } from '../generated/constants.js';
import type { Adapter } from '../messages/adapter.js';
import { checkList, listFrom } from '../optimizer/optimizer.js';
import { readSettings } from '../optimizer/settings.js';
import { checkRecall } from '../recall/note.js';
import type { Callbacks } from '../types.js';
import type { ShrinkOptions, ShrunkResult } from './functions.js';
import { intakeOf } from './intake.js';
import { type Shrinker, shrinker } from './shrinker.js';

/** Options of `shrinkResults`. */
export interface ShrinkResultsOptions<M> extends ShrinkOptions, Pick<Callbacks<M>, 'protect'> {
  /**
   * The index of the first message to shorten. Earlier messages were already sent unchanged, but densify reads their
   * calls.
   *
   * @default 0
   */
  readonly since?: number | undefined;
}

/** The outcome of the results of a history. */
export interface ShrunkMessages<M> {
  /** The messages. Those without a shorter result are the same objects (`===`); without any, it is your own list. */
  readonly messages: readonly M[];
  readonly changed: boolean;
  /** The reducers that had a part in it. */
  readonly reducers: ShrunkResult<unknown>['reducers'];
}

const OURS = ['since', 'recall'];

/** Shrinks the results of a history's tools. */
export function shrinkResultsIn<M>(
  adapter: Adapter<M>,
  messages: readonly M[],
  options: ShrinkResultsOptions<M> | undefined,
  instance: Shrinker = shrinker(),
): ShrunkMessages<M> {
  checkList(messages);
  refuse(options, ['countTokens', 'isFailure'], 'shrinking results does not use it; leave it out');
  const known = { core: [...intakeKeys, 'tools'], ours: OURS, taken: adapter.options, functions: ['protect'] };
  const { json, callbacks } = readSettings<M>(options, known);
  const { since = 0, recall } = options ?? {};
  if (!(Number.isInteger(since) && since >= 0)) {
    throw wrongOption('since', since, 'a whole number of at least 0');
  }
  checkRecall(recall);
  instance.check(json);
  const reducers = new Set<string>();
  const tell = (names: readonly string[]) => names.forEach((name) => reducers.add(name));
  const { protect } = callbacks;
  const intake = intakeOf({ adapter, shrinker: instance, settings: json, recall, tell, ...(protect && { protect }) });
  const list = listFrom(messages, 0);
  const shrunk = list.map((message, index) => {
    if (index >= since) return intake.take(message, index);
    intake.note(message);
    return message;
  });
  const changed = shrunk.some((message, index) => message !== list[index]);
  return {
    messages: changed ? shrunk : messages,
    changed,
    reducers: [...reducers] as readonly string[] as ShrunkMessages<M>['reducers'],
  };
}
