import type { Adapter } from './adapter.js';
import type { ContentLike } from './content.js';
import { Engine, Trapped } from './engine.js';
import { densifyError, fromHere } from './errors.js';
import type { DensityConfig } from './generated/densify.js';
import { DROPPED } from './live-list.js';
import { neutral } from './neutral.js';
import { checkList, type Optimizer, outputOf, SessionOptimizer } from './optimizer.js';
import { CompressionResult, type Counts, densityMetadata, OptimizeResult } from './results.js';
import { type HandleFactory, Session } from './session.js';
import { CALLBACKS, describe, readSettings, refuse } from './settings.js';
import type {
  Callbacks,
  CompressOptions,
  CompressResult,
  DensityResult,
  OptimizeOptions,
  OptimizerOptions,
  Result,
} from './types.js';

/**
 * densify on an instance of the core of its own: nothing is shared with other tenants. The
 * functions of the package are those of one such object.
 */
export class Densify {
  readonly #engine = new Engine();

  /** Prepares the core off the main thread where the host can; optional everywhere else. */
  async init(): Promise<void> {
    await this.#engine.init();
  }

  /** Bytes of the core's memory. */
  memoryBytes(): number {
    return this.#engine.memoryBytes;
  }

  /** Optimizes a history, statelessly: deterministic edits for right before a model call. */
  optimize<M extends ContentLike>(messages: readonly M[], options?: OptimizeOptions<M>): Result<M> {
    checkList(messages);
    const { json, callbacks } = readSettings<M>(options);
    return this.#with(
      messages,
      callbacks,
      ({ glue }) => new glue.OptimizerHandle(json),
      (session) => {
        const run = session.run(false);
        const output = outputOf(session, run, messages);
        return new OptimizeResult(session, run, output !== messages, output, this.#counts(messages, output, callbacks));
      },
    );
  }

  /** Makes a history fit, deterministically: for when it has passed its threshold. */
  compress<M extends ContentLike>(messages: readonly M[], options: CompressOptions<M>): CompressResult<M> {
    checkList(messages);
    const { json, callbacks } = readSettings<M>(options, ['tokens']);
    const tokens = checkTokens(options?.tokens, messages.length);
    return this.#with(
      messages,
      callbacks,
      ({ glue }) => glue.OptimizerHandle.forCompress(json),
      (session) => {
        const { run, outcome } = session.compress(json);
        const [before, after] = [session.tokensRaw(), session.tokensNow()];
        return CompressionResult.of(session, run, outcome, messages, { before: () => before, after: () => after });
      },
      tokens,
    );
  }

  /** An optimizer for one growing history: each call costs what is new. */
  createOptimizer<M extends ContentLike>(options?: OptimizerOptions<M>): Optimizer<M> {
    const { json, callbacks } = readSettings<M>(options, ['verify']);
    const verify: unknown = options?.verify ?? false;
    if (typeof verify !== 'boolean') {
      throw densifyError('invalid-options', `option verify: found ${describe(verify)}, expected true or false`, {
        key: 'verify',
      });
    }
    return new SessionOptimizer(
      new Session<M>(this.#engine, this.#neutral<M>(), callbacks, ({ glue }) => new glue.OptimizerHandle(json)),
      verify,
    );
  }

  /** What the density rules propose for a raw history, in the form of the documents. */
  proposeDensity<M extends ContentLike>(history: readonly M[], config: DensityConfig): DensityResult<M> {
    checkList(history);
    refuse(config, CALLBACKS, 'the documents know no such key');
    const { json } = readSettings<M>(config);
    return this.#with(
      history,
      {},
      ({ glue }) => glue.OptimizerHandle.forDensity(json),
      (session) => {
        const run = session.run(true);
        const removals: number[] = [];
        const replacements = new Map<number, M>();
        session.live.entries.forEach((message, index) => {
          if (message === DROPPED) removals.push(index);
          else if (message !== history[index]) replacements.set(index, message);
        });
        return { removals, replacements, metadata: densityMetadata(run) };
      },
    );
  }

  /** Applies a density result: replacements first, then removals; every other entry is shared. */
  applyDensityResult<M extends ContentLike>(history: readonly M[], result: DensityResult<M>): M[] {
    checkList(history);
    const { removals, replacements } = (result ?? {}) as Partial<DensityResult<M>>;
    if (!Array.isArray(removals) || !(replacements instanceof Map)) {
      throw densifyError('invalid-density-result', 'found no {removals: number[], replacements: Map}');
    }
    const indices = Float64Array.from(replacements.keys());
    this.#once(({ glue }) => glue.checkDensity(history.length, Float64Array.from(removals), indices));
    const removed = new Set<number>(removals);
    const kept: M[] = [];
    history.forEach((entry, index) => {
      if (!removed.has(index)) kept.push(replacements.get(index) ?? entry);
    });
    return kept;
  }

  /** The tokens of a text or a history: an estimate, unless a counter is passed. */
  estimateTokens<M extends ContentLike>(
    what: string | readonly M[],
    options: Pick<Callbacks, 'countTokens'> = {},
  ): number {
    const others = Object.keys(options).filter((key) => key !== 'countTokens');
    refuse(options, others, 'an unknown key, expected countTokens');
    readSettings(options);
    if (typeof what === 'string') {
      return this.#count([{ speaker: 'human', blocks: [{ type: 'text', text: what }] }], options);
    }
    checkList(what);
    return this.#count(what, options);
  }

  /** Gives the instance up; optimizers that still live make themselves a new one when they are used. */
  [Symbol.dispose](): void {
    this.#engine.retire();
  }

  #count<M extends ContentLike>(messages: readonly M[], callbacks: Callbacks<M>): number {
    const { countTokens } = callbacks;
    return this.#with(
      messages,
      { countTokens },
      ({ glue }) => new glue.OptimizerHandle('{}'),
      (session) => session.tokensRaw(),
    );
  }

  #counts<M extends ContentLike>(input: readonly M[], output: readonly M[], callbacks: Callbacks<M>): Counts {
    let before: number | undefined;
    let after: number | undefined;
    return {
      before: () => (before ??= this.#count(input, callbacks)),
      after: () => (after ??= this.#count(output, callbacks)),
    };
  }

  #neutral<M extends ContentLike>(): Adapter<M> {
    // The adapter reads what every content has and returns contents of the type that it was given.
    return neutral as unknown as Adapter<M>;
  }

  /** Loads messages into a session that lives for one call. */
  #with<M extends ContentLike, T>(
    messages: readonly M[],
    callbacks: Callbacks<M>,
    create: HandleFactory,
    action: (session: Session<M>) => T,
    tokens?: readonly number[],
  ): T {
    const session = new Session<M>(this.#engine, this.#neutral<M>(), callbacks, create);
    try {
      session.push(messages, 0, tokens);
      return action(session);
    } finally {
      session.dispose();
    }
  }

  /** A call without state: after a trap it is simply made again. */
  #once<T>(action: (instance: Engine['instance']) => T): T {
    try {
      return this.#engine.guard(() => action(this.#engine.instance));
    } catch (thrown) {
      if (!(thrown instanceof Trapped)) throw fromHere(thrown);
      return this.#engine.guard(() => action(this.#engine.instance));
    }
  }
}

function checkTokens(tokens: readonly number[] | undefined, length: number): readonly number[] | undefined {
  if (tokens === undefined) return undefined;
  const fits = Array.isArray(tokens) && tokens.length === length;
  const isCount = (count: unknown) =>
    typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < 2 ** 31;
  if (fits && tokens.every(isCount)) return tokens;
  const found = fits ? describe(tokens.find((count) => !isCount(count))) : describe(tokens);
  throw densifyError(
    'invalid-options',
    `option tokens: found ${found}, expected a whole number for each of the ${length} messages`,
    { key: 'tokens' },
  );
}
