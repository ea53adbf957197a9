// A call without state and a conversation give the result of a handle that is called before each answer of the model.
import { createConversation, createOptimizer, type IContent, optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { realLogs } from './support/shared.js';
import { TIMES } from './support/times.js';

const FLUSHES = ['when-it-pays', 'never', { tokens: 4_000 }] as const;
/** With DENSIFY_RUNS each log meets every flush; otherwise the logs take turns. */
const flushesOf = (number: number) => (TIMES > 1 ? FLUSHES : [FLUSHES[number % FLUSHES.length]!]);

const logs = [
  ...Array.from({ length: 12 }, (_, seed) => ({ name: `random, seed ${seed}`, read: () => conversation(seed, 60) })),
  ...realLogs('one-definition.test.ts'),
].map((log, number) => ({ ...log, number }));

describe.each(['lossless', 'balanced', 'aggressive'] as const)('%s', (preset) => {
  test.each(logs)('$name', ({ read, number }) => {
    const history = read();
    for (const flush of flushesOf(number)) {
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

test.each(logs)('a conversation with room: $name', ({ read }) => {
  const history = read();
  using optimizer = createOptimizer<IContent>();
  using talk = createConversation({ strategy: 'high-density', contextLimit: 10_000_000, intake: false });
  history.forEach((message, at) => {
    optimizer.push(message);
    talk.add(message);
    if (message.speaker === 'ai' || history[at + 1]?.speaker !== 'ai') return;
    expect(talk.beforeSend().kind).toBe('ready');
    expect(talk.messages).toStrictEqual(optimizer.optimize().messages);
  });
});
