/** The functions of the package over its own messages. */
import type { ContentLike, IContent } from './base/content.js';
import { densifyError } from './base/errors.js';
import { describe } from './base/options.js';
import { Densify } from './densify.js';
import type { DensityConfig } from './generated/densify.js';
import { apply } from './messages/neutral.js';
import type { MadeEdit } from './messages/patch.js';
import type { Optimizer } from './optimizer/optimizer.js';
import { sharedEngine } from './optimizer/shared-engine.js';
import type {
  Callbacks,
  CompressOptions,
  CompressResult,
  DensityResult,
  Edit,
  OptimizeOptions,
  OptimizerOptions,
  Result,
} from './types.js';

let shared: Densify | undefined;

/** The instance that the package's functions share; it is made at first use. */
function densify(): Densify {
  return (shared ??= new Densify(sharedEngine()));
}

/**
 * Prepares the core off the main thread. Optional: every function prepares it by itself, except
 * in old browsers that refuse to compile WebAssembly synchronously on the main thread.
 */
export function init(): Promise<void> {
  return densify().init();
}

/**
 * Optimizes a history, statelessly, by the rules of a `preset`: lines that are shown again, results that were superseded,
 * the bulk of old output. Over its own output it changes nothing more. Pure and synchronous; untouched messages come
 * back `===`.
 *
 * @example
 * const { messages } = optimize(history);
 */
export function optimize<M extends ContentLike>(messages: readonly M[], options?: OptimizeOptions<M>): Result<M> {
  return densify().optimize(messages, options);
}

/**
 * Makes a history fit, deterministically: for when it has passed its threshold.
 *
 * @example
 * const result = compress(history, { strategy: 'high-density', contextLimit: 200_000 });
 */
export function compress<M extends ContentLike>(
  messages: readonly M[],
  options: CompressOptions<M>,
): CompressResult<M> {
  return densify().compress(messages, options);
}

/**
 * An optimizer for one growing history. Each call processes only new messages. Between flushes each output begins with
 * the one before it, so the provider's prompt cache holds.
 *
 * @example
 * const optimizer = createOptimizer();
 * const { messages } = optimizer.optimize(history); // before every model call
 */
export function createOptimizer<M extends ContentLike = IContent>(options?: OptimizerOptions<M>): Optimizer<M> {
  return densify().createOptimizer(options);
}

/**
 * A message after edits that a result told of, in their order: for showing them one after the other. `undefined` if the
 * message is gone. Edits of other messages are left out by the caller.
 *
 * @example
 * const now = applyEdits(history[4], result.edits.filter(({ index }) => index === 4));
 */
export function applyEdits<M extends ContentLike>(message: M, edits: readonly Edit[]): M | undefined {
  if (!Array.isArray(edits)) {
    throw densifyError('invalid-options', `edits: found ${describe(edits)}, expected a list of them`, { key: 'edits' });
  }
  return edits.length === 0 ? message : apply(message, edits as readonly MadeEdit[]);
}

/** What the density rules propose for a raw history, as removals and replacements by index. */
export function proposeDensity<M extends ContentLike>(history: readonly M[], config: DensityConfig): DensityResult<M> {
  return densify().proposeDensity(history, config);
}

/** Applies a density result after checking that it fits the history. */
export function applyDensityResult<M extends ContentLike>(history: readonly M[], result: DensityResult<M>): M[] {
  return densify().applyDensityResult(history, result);
}

/**
 * The tokens of a text or a history: an estimate of `o200k_base`, unless a counter is passed; of real logs 3 % off in total.
 * Claude's and Gemini's own counts are some 1.24 times that (measured; newer Claudes' 1.6; their vocabularies aren't public): `calibrate` of
 * `densify/tokens` learns the factor, and `createConversation` goes by it.
 */
export function estimateTokens<M extends ContentLike>(
  what: string | readonly M[],
  options?: Pick<Callbacks, 'countTokens'>,
): number {
  return densify().estimateTokens(what, options);
}
