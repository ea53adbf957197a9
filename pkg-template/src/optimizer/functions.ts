/** The functions without a model, for messages of any format. */

import { describe, needOption, optionError, WINDOW } from '../base/options.js';
import type { Run } from '../core/output.js';
import { compressKeys, flushingPresets, optimizeKeys } from '../generated/constants.js';
import type { Adapter } from '../messages/adapter.js';
import { requireRecall } from '../recall/note.js';
import { Cuts } from '../session/cuts.js';
import { DROPPED } from '../session/live-list.js';
import { type CacheUse, type HandleFactory, Session } from '../session/session.js';
import type { Callbacks, CompressOptions, CompressResult, Edit, Kept, OptimizeOptions, Result } from '../types.js';
import { readCacheSettings } from './cache.js';
import { CLOCK, clockOf } from './clock.js';
import { BESIDE_COMPRESS, BESIDE_OPTIMIZE } from './elsewhere.js';
import { checkList, listFrom, type Optimizer, outputOf, SessionOptimizer } from './optimizer.js';
import { type Counts, editsOf, plainCompression, plainResult } from './results.js';
import { mayLeadOn, Rounds } from './rounds.js';
import { type Known, readSettings } from './settings.js';
import type { CoreEngine } from './shared-engine.js';

/** Where a history is read, and how. */
interface Place<M> {
  readonly engine: CoreEngine;
  readonly adapter: Adapter<M>;
  readonly cuts?: Cuts<M> | undefined;
}

/** What is read. */
interface Input<M> {
  readonly messages: readonly M[];
  readonly callbacks: Callbacks<M>;
  /** The caller's own counts. */
  readonly tokens?: readonly number[] | undefined;
  /** How the request uses the provider's cache. */
  readonly cache?: CacheUse | undefined;
}

/** The known options of `optimize`. */
function optimizeKnown<M>({ options: taken }: Adapter<M>, ours: readonly string[]): Known {
  return { core: optimizeKeys, ours, taken, elsewhere: BESIDE_OPTIMIZE };
}

/**
 * `optimize`. Where edits wait for flushes, its result is that of a handle which was asked before each answer of the
 * model. Else the rules run until they find nothing more, so that a second run changes nothing.
 */
export function optimizeIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  messages: readonly M[],
  options: OptimizeOptions<M> | undefined,
  cache?: CacheUse,
): Result<M> {
  checkList(messages);
  const { core, callbacks } = readCacheSettings<M>(options, adapter, optimizeKnown(adapter, ['recall', CLOCK]));
  const clock = clockOf(options);
  const cuts = cutsOf(adapter, options);
  const place = { engine, adapter, cuts };
  const runOver = (input: readonly M[]) =>
    withSession(
      place,
      { messages: input, callbacks, cache },
      ({ glue }, seconds) => new glue.OptimizerHandle(core(seconds)),
      (session) => {
        session.clock = clock;
        const run = session.run(false);
        const { raw, live } = session;
        live.entries.forEach((made, at) => {
          if (made !== DROPPED && made !== raw[at]) cuts?.became(raw[at] as M, made);
        });
        return {
          run,
          anchor: session.anchor,
          edits: editsOf(run),
          raw,
          entries: live.entries,
          output: outputOf(session, run, input),
        };
      },
    );
  const first = runOver(messages);
  let newest = first;
  let told: Pick<Run, 'pairs' | 'inclusions' | 'recency'> & { readonly edits: readonly Edit[] } = {
    ...first.run,
    edits: first.edits,
  };
  const flushesAlways = alwaysFlushes(options);
  if (flushesAlways && mayLeadOn(first.edits)) {
    const rounds = new Rounds(adapter, first.raw);
    rounds.add(first.run, first.edits, first.entries);
    while (mayLeadOn(newest.edits)) {
      const next = runOver(newest.output);
      // A message that can't be edited stays unchanged, however often that is decided.
      if (next.entries.every((entry, at) => entry === next.raw[at])) break;
      newest = next;
      // What waits for a flush is told by the first run alone.
      const made = newest.edits.filter(({ pending }) => !pending);
      rounds.add(newest.run, made, newest.entries);
    }
    told = rounds;
  }
  const { output } = newest;
  const { edits, pairs, inclusions, recency } = told;
  // Who never flushes waits for nothing.
  const heldBack = options?.flush === 'never' ? undefined : first.run.heldBack;
  const { anchor } = newest;
  const run = { ...first.run, anchor, edits, pairs, inclusions, recency, heldBack };
  const outcome = { changed: output !== messages, messages: output, flushesAlways };
  return plainResult(run, outcome, countsOf(place, first.raw, listFrom(output, 0), callbacks));
}

/** `compress`. */
export function compressIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  messages: readonly M[],
  options: CompressOptions<M>,
): CompressResult<M> {
  checkList(messages);
  const { json, callbacks } = readSettings<M>(options, {
    core: compressKeys,
    ours: ['tokens', 'recall'],
    taken: adapter.options,
    elsewhere: BESIDE_COMPRESS,
  });
  needOption(options, 'strategy', "'high-density' or 'top-down-truncation'");
  needOption(options, 'contextLimit', WINDOW);
  const tokens = checkTokens((options as CompressOptions<M> | undefined)?.tokens, messages.length);
  const place = { engine, adapter, cuts: cutsOf(adapter, options) };
  return withSession(
    place,
    { messages, callbacks, tokens },
    ({ glue }) => glue.OptimizerHandle.forCompress(json),
    (session) => {
      const { run, outcome } = session.compress(json);
      // An unchanged history did not need to be counted.
      const isLate = session.isBounded && tokens === undefined && typeof outcome === 'string';
      const counts = isLate ? countsOf(place, session.raw, session.live.toList(), callbacks) : countsNow(session);
      return plainCompression(session, run, outcome, messages, counts, options.strategy);
    },
  );
}

/** `createOptimizer`. */
export function optimizerIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  options: OptimizeOptions<M> | undefined,
): Optimizer<M> {
  return new SessionOptimizer(optimizerSession(engine, adapter, options));
}

/** What an optimizer is made of. */
export function optimizerSession<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  options: OptimizeOptions<M> | undefined,
): Session<M> {
  const known = optimizeKnown(adapter, ['recall', CLOCK]);
  const { core, callbacks } = readCacheSettings<M>(options, adapter, known);
  const create: HandleFactory = ({ glue }, keptFor) => new glue.OptimizerHandle(core(keptFor));
  const session = new Session<M>(engine, adapter, callbacks, create, cutsOf(adapter, options));
  session.flushesAlways = alwaysFlushes(options);
  session.clock = clockOf(options, Date.now);
  return session;
}

/** `estimateTokens`. */
export function estimateIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  what: string | readonly M[],
  options: Pick<Callbacks, 'countTokens'>,
): number {
  readSettings(options, { core: [], taken: adapter.options, functions: ['countTokens'] });
  const { countTokens } = options;
  if (typeof what === 'string') {
    return count({ engine, adapter }, { messages: [adapter.make('human', what, false)], callbacks: { countTokens } });
  }
  checkList(what);
  return count({ engine, adapter }, { messages: what, callbacks: { countTokens } });
}

function count<M>(place: Place<M>, input: Input<M>): number {
  return withSession(
    place,
    input,
    ({ glue }) => new glue.OptimizerHandle('{}'),
    (session) => session.tokensRaw(),
  );
}

/** What keeps the things that are cut, if that is wanted. */
function cutsOf<M>(adapter: Adapter<M>, options: Kept | undefined): Cuts<M> | undefined {
  const recall = options?.recall;
  if (recall === undefined) return undefined;
  requireRecall(recall);
  return new Cuts(adapter, recall, (text) => text);
}

/** Whether edits are made at once, as far as the provider allows it. */
export function alwaysFlushes<M>(options: Pick<OptimizeOptions<M>, 'flush' | 'preset'> | undefined): boolean {
  if (options?.flush !== undefined) return options.flush === 'always';
  return options?.preset !== undefined && flushingPresets.includes(options.preset);
}

/** The tokens of a session that is about to end. */
function countsNow<M>(session: Session<M>): Counts {
  const before = session.tokensRaw();
  const after = session.tokensNow();
  return { before: () => before, after: () => after };
}

/** Counts the session's lists: those of the caller may have other messages by then. */
function countsOf<M>(place: Place<M>, raw: readonly M[], left: readonly M[], { countTokens }: Callbacks<M>): Counts {
  let before: number | undefined;
  let after: number | undefined;
  const of = (messages: readonly M[]) => count(place, { messages, callbacks: { countTokens } });
  return { before: () => (before ??= of(raw)), after: () => (after ??= of(left)) };
}

/** Loads messages into a session that lives for one call. */
export function withSession<M, T>(
  { engine, adapter, cuts }: Place<M>,
  { messages, callbacks, tokens, cache }: Input<M>,
  create: HandleFactory,
  action: (session: Session<M>) => T,
): T {
  const session = new Session<M>(engine, adapter, callbacks, create, cuts);
  try {
    if (cache !== undefined) session.noteCache(cache);
    session.push(listFrom(messages, 0), 0, tokens);
    return action(session);
  } finally {
    session.dispose();
  }
}

function checkTokens(tokens: readonly number[] | undefined, length: number): readonly number[] | undefined {
  if (tokens === undefined) return undefined;
  const fits = Array.isArray(tokens) && tokens.length === length;
  const isCount = (count: unknown) =>
    typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < 2 ** 31;
  const counts: readonly unknown[] = fits ? listFrom(tokens, 0) : [];
  if (fits && counts.every(isCount)) return counts as readonly number[];
  const found = fits ? describe(counts.find((count) => !isCount(count))) : describe(tokens);
  throw optionError('tokens', `: found ${found}, expected a whole number for each of the ${length} messages`);
}
