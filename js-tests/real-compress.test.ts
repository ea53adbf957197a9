// Real logs through the deterministic strategies, at several limits, with all that must hold.
import { estimateTokens } from 'densify';
import { describe, expect, test } from 'vitest';
import { compressed, HOLDS } from './support/compressions.js';
import { realLogs } from './support/shared.js';
import { frozen } from './support/simulation.js';

const logs = realLogs('real-compress.test.ts');
const STRATEGIES = ['high-density', 'top-down-truncation'] as const;
/** Parts of what a history costs: from hopeless to hardly anything to do. */
const LIMITS = [0.01, 0.3, 1, 1.9];

describe.skipIf(logs.length === 0).each(logs)('$name', ({ read }) => {
  test.each(STRATEGIES)('%s', (strategy) => {
    const history = frozen(read());
    const tokens = estimateTokens(history);
    let applied = 0;
    for (const limit of LIMITS) {
      const found = compressed(history, { strategy, contextLimit: Math.max(1, Math.floor(tokens * limit)) });
      if (found === undefined) continue;
      applied += 1;
      for (const holds of HOLDS[strategy]) holds(found);
    }
    expect(applied).toBeGreaterThan(0);
  });
});
