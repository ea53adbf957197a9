// What every runtime must say alike of the same conversations.
import type * as Densify from 'densify';
import type { IContent } from 'densify';
import { conversation } from './conversations.js';

/** All that the package says of some conversations, as text. */
export function probe(densify: typeof Densify): string {
  return JSON.stringify([1, 2, 3].map((seed) => [stateless(densify, seed), handle(densify, seed), failures(densify)]));
}

function stateless({ optimize, compress, estimateTokens, strategies }: typeof Densify, seed: number): unknown {
  const history = conversation(seed, 40);
  return [
    optimize(history, { recencyPruning: true }),
    compress(history, { strategy: 'high-density', contextLimit: 4_000 }),
    compress(history, { strategy: 'top-down-truncation', contextLimit: 4_000 }),
    estimateTokens(history, { countTokens: (text) => text.length }),
    strategies,
  ];
}

function handle({ createDensify }: typeof Densify, seed: number): unknown {
  const optimizer = createDensify().createOptimizer<IContent>({ flush: { tokens: 500 } });
  let history: readonly IContent[] = [];
  return Array.from({ length: 20 }, (_, turn) => {
    history = [...history, ...conversation(seed + turn, 2)];
    const result = optimizer.optimize(history);
    history = result.messages;
    return JSON.parse(JSON.stringify(result)) as unknown;
  });
}

function failures({ optimize, isDensifyError }: typeof Densify): unknown {
  try {
    optimize([], { fileDedup: true } as object);
    return 'no error';
  } catch (thrown) {
    return isDensifyError(thrown) ? [thrown.name, thrown.code, thrown.key, thrown.message] : String(thrown);
  }
}
