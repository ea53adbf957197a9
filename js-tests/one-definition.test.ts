// A call without a memory gives what a handle gives that was asked before each answer of the model.
import { createOptimizer, type IContent, optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { realLogs } from './support/shared.js';

const logs = [
  ...Array.from({ length: 12 }, (_, seed) => ({ name: `random, seed ${seed}`, read: () => conversation(seed, 60) })),
  ...realLogs('one-definition.test.ts'),
];

describe.each(['lossless', 'balanced', 'aggressive'] as const)('%s', (preset) => {
  test.each(logs)('$name', ({ read }) => {
    const history = read();
    for (const flush of ['when-it-pays', 'never', { tokens: 4_000 }] as const) {
      using optimizer = createOptimizer<IContent>({ preset, flush });
      history.forEach((message, at) => {
        optimizer.push(message);
        if (message.speaker !== 'ai' && history[at + 1]?.speaker === 'ai') optimizer.optimize();
      });
      const { messages, tokensAfter } = optimizer.optimize();
      const whole = optimize(history, { preset, flush });
      expect(whole.messages).toStrictEqual(messages);
      expect(whole.tokensAfter).toBe(tokensAfter);
    }
  });
});
