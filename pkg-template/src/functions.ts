/** The functions without a model, for messages of any format. */
import type { Adapter } from './adapter.js';
import type { Engine } from './engine.js';
import { densifyError } from './errors.js';
import { checkList, listFrom, type Optimizer, outputOf, SessionOptimizer } from './optimizer.js';
import { type Counts, plainCompression, plainResult } from './results.js';
import { type HandleFactory, Session } from './session.js';
import { describe, readSettings, refuse } from './settings.js';
import type { Callbacks, CompressOptions, CompressResult, OptimizeOptions, OptimizerOptions, Result } from './types.js';
import type { CoreGlue } from './wasm/core.js';

type CoreEngine = Engine<CoreGlue>;

/** Where a history is read, and how. */
interface Place<M> {
  readonly engine: CoreEngine;
  readonly adapter: Adapter<M>;
}

/** What is read. */
interface Input<M> {
  readonly messages: readonly M[];
  readonly callbacks: Callbacks<M>;
  /** The caller's own counts. */
  readonly tokens?: readonly number[] | undefined;
}

/** `optimize`. */
export function optimizeIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  messages: readonly M[],
  options: OptimizeOptions<M> | undefined,
): Result<M> {
  checkList(messages);
  const { json, callbacks } = readSettings<M>(options);
  const place = { engine, adapter };
  return withSession(
    place,
    { messages, callbacks },
    ({ glue }) => new glue.OptimizerHandle(json),
    (session) => {
      const run = session.run(false);
      const output = outputOf(session, run, messages);
      const flushesAlways = alwaysFlushes(options);
      const outcome = { changed: output !== messages, messages: output, flushesAlways };
      return plainResult(run, outcome, countsOf(place, session, callbacks));
    },
  );
}

/** `compress`. */
export function compressIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  messages: readonly M[],
  options: CompressOptions<M>,
): CompressResult<M> {
  checkList(messages);
  const { json, callbacks } = readSettings<M>(options, ['tokens']);
  const tokens = checkTokens((options as CompressOptions<M> | undefined)?.tokens, messages.length);
  const place = { engine, adapter };
  return withSession(
    place,
    { messages, callbacks, tokens },
    ({ glue }) => glue.OptimizerHandle.forCompress(json),
    (session) => {
      const { run, outcome } = session.compress(json);
      // Of what was left as it is nothing had to be counted.
      const isLate = session.isBounded && tokens === undefined && typeof outcome === 'string';
      const counts = isLate ? countsOf(place, session, callbacks) : countsNow(session);
      return plainCompression(session, run, outcome, messages, counts);
    },
  );
}

/** `createOptimizer`. */
export function optimizerIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  options: OptimizerOptions<M> | undefined,
): Optimizer<M> {
  const { json, callbacks } = readSettings<M>(options, ['verify']);
  const verify: unknown = options?.verify ?? false;
  if (typeof verify !== 'boolean') {
    throw densifyError('invalid-options', `option verify: found ${describe(verify)}, expected true or false`, {
      key: 'verify',
    });
  }
  const session = new Session<M>(engine, adapter, callbacks, ({ glue }) => new glue.OptimizerHandle(json));
  session.flushesAlways = alwaysFlushes(options);
  return new SessionOptimizer(session, verify);
}

/** `estimateTokens`. */
export function estimateIn<M>(
  engine: CoreEngine,
  adapter: Adapter<M>,
  what: string | readonly M[],
  options: Pick<Callbacks, 'countTokens'>,
): number {
  readSettings(options);
  const others = Object.keys(options).filter((key) => key !== 'countTokens');
  refuse(options, others, 'an unknown key, expected countTokens');
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

/** Whether edits are made at once, as far as the provider allows it. */
function alwaysFlushes<M>(options: OptimizeOptions<M> | undefined): boolean {
  return (options?.flush ?? 'always') === 'always';
}

/** The tokens of a session that is about to end. */
function countsNow<M>(session: Session<M>): Counts {
  const before = session.tokensRaw();
  const after = session.tokensNow();
  return { before: () => before, after: () => after };
}

/** Counts the session's lists: those of the caller may have other messages by then. */
function countsOf<M>(place: Place<M>, { raw, live }: Session<M>, { countTokens }: Callbacks<M>): Counts {
  let before: number | undefined;
  let after: number | undefined;
  const of = (messages: readonly M[]) => count(place, { messages, callbacks: { countTokens } });
  return { before: () => (before ??= of(raw)), after: () => (after ??= of(live.toList())) };
}

/** Loads messages into a session that lives for one call. */
export function withSession<M, T>(
  { engine, adapter }: Place<M>,
  { messages, callbacks, tokens }: Input<M>,
  create: HandleFactory,
  action: (session: Session<M>) => T,
): T {
  const session = new Session<M>(engine, adapter, callbacks, create);
  try {
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
  throw densifyError(
    'invalid-options',
    `option tokens: found ${found}, expected a whole number for each of the ${length} messages`,
    { key: 'tokens' },
  );
}
