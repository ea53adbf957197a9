import type { Target } from '../models/target.js';
import { compressIn, estimateIn, optimizeIn, optimizerIn } from '../optimizer/functions.js';
import { type CoreEngine, sharedEngine } from '../optimizer/shared-engine.js';
import type { Callbacks, CompressOptions, OptimizeOptions } from '../types.js';
import type { Readable } from './format.js';
import { take } from './take.js';
import type { Verbs } from './verbs-of.js';

/** Makes `optimize` of a format. */
export function optimizeOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  engine: () => CoreEngine = sharedEngine,
): Verbs<L, O>['optimize'] {
  return <M extends L>(messages: readonly M[], options?: OptimizeOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, OptimizeOptions<M>>(format, options);
    return optimizeIn(engine(), adapter, messages, rest);
  };
}

/** Makes `compress` of a format. */
export function compressOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  engine: () => CoreEngine = sharedEngine,
): Verbs<L, O>['compress'] {
  return <M extends L>(messages: readonly M[], options: CompressOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, CompressOptions<M>>(format, options);
    return compressIn(engine(), adapter, messages, rest as CompressOptions<M>);
  };
}

/** Makes `createOptimizer` of a format. */
export function createOptimizerOf<L extends object, O extends Target, D extends L = L>(
  format: Readable<L, O>,
  engine: () => CoreEngine = sharedEngine,
): Verbs<L, O, D>['createOptimizer'] {
  return <M extends L>(options?: OptimizeOptions<M> & O) => {
    const { adapter, rest } = take<M, L, O, OptimizeOptions<M>>(format, options);
    return optimizerIn(engine(), adapter, rest);
  };
}

/** Makes `estimateTokens` of a format. */
export function estimateTokensOf<L extends object, O extends Target>(
  format: Readable<L, O>,
  engine: () => CoreEngine = sharedEngine,
): Verbs<L, O>['estimateTokens'] {
  return <M extends L>(what: string | readonly M[], options?: Pick<Callbacks, 'countTokens'> & O) => {
    const { adapter, rest } = take<M, L, O, Pick<Callbacks, 'countTokens'>>(format, options);
    return estimateIn(engine(), adapter, what, rest === undefined ? {} : rest);
  };
}
