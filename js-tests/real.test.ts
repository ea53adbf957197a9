// Real logs through the rules: at once, turn by turn, and against the oracle.
import { applyEdits, createOptimizer, estimateTokens, type IContent, optimize, type Result } from 'densify';
import { describe, expect, test } from 'vitest';
import { humanText, openCalls, stringsOf, withEdits } from './support/facts.js';
import { Oracle, type OracleOptions } from './support/oracle.js';
import { realLogs } from './support/shared.js';
import { expectStable, frozen } from './support/simulation.js';

const logs = realLogs('real.test.ts');
const OPTIONS: readonly (OracleOptions & { preset: 'seed' })[] = [
  { preset: 'seed' },
  { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 2 }, workspaceRoot: '/w' },
];

/** What the oracle has is what there is; untouched entries are the caller's own. */
function expectAlike(oracle: Oracle, messages: readonly IContent[]): void {
  let at = 0;
  for (let index = 0; index < oracle.length; index += 1) {
    const entry = oracle.entry(index);
    if (entry === undefined) continue;
    if (messages[at] !== entry && JSON.stringify(messages[at]) !== JSON.stringify(entry))
      expect(messages[at]).toStrictEqual(entry);
    if (entry === oracle.raw(index) && messages[at] !== entry)
      expect.fail(`message ${at} was not touched, and is not the caller's object`);
    at += 1;
  }
  expect(messages).toHaveLength(at);
}

/** What the model's next call would see is added at once: an answer of the model with all that follows it. */
function turnsOf(history: readonly IContent[]): IContent[][] {
  const turns: IContent[][] = [[]];
  for (const entry of history) {
    if (entry.speaker === 'ai') turns.push([]);
    turns.at(-1)?.push(entry);
  }
  return turns;
}

describe.skipIf(logs.length === 0).each(logs)('$name', ({ read }) => {
  test.each(OPTIONS)('at once, with %o: all invariants', (options) => {
    const history = frozen(read());
    const oracle = new Oracle(options);
    oracle.push(...history);
    const run = oracle.run();
    const { messages, metadata, edits, tokensBefore, tokensAfter, changed } = optimize(history, options);
    expectAlike(oracle, messages);
    expect(metadata).toStrictEqual(run.metadata);
    expect(openCalls(messages)).toStrictEqual(openCalls(history));
    expect(JSON.stringify(withEdits(history, edits))).toBe(JSON.stringify(messages));
    expect([changed, messages === history]).toStrictEqual([run.touched.length > 0, run.touched.length === 0]);
    expect([tokensBefore, tokensAfter]).toStrictEqual([estimateTokens(history), estimateTokens(messages)]);
    expect(JSON.stringify(messages).length).toBeLessThanOrEqual(JSON.stringify(history).length);
    expect(optimize(messages, options).messages).toBe(messages);
    for (const entry of messages.filter(({ speaker }) => speaker === 'human')) {
      if (!history.includes(entry)) expect(humanText(entry)).toBeDefined();
    }
    expect(stringsOf(messages).some((text) => /\p{Surrogate}/u.test(text))).toBe(
      stringsOf(history).some((text) => /\p{Surrogate}/u.test(text)),
    );
  });

  test.each(['seed', 'lossless', 'balanced', 'aggressive'] as const)(
    'over its own output %s changes nothing, and the edits make it',
    (preset) => {
      const history = frozen(read());
      const { messages, edits } = optimize(history, { preset, flush: 'always' });
      expect(optimize(messages, { preset, flush: 'always' }).messages).toBe(messages);
      const own = history.map((entry, at) =>
        applyEdits(
          entry,
          edits.filter(({ index }) => index === at),
        ),
      );
      expect(own.filter((entry) => entry !== undefined)).toStrictEqual(messages);
    },
  );

  test.each(OPTIONS)('turn by turn, raw and stored, with %o: the composition of the runs', (options) => {
    const history = frozen(read());
    const oracle = new Oracle(options);
    const optimizers = [createOptimizer<IContent>(options), createOptimizer<IContent>(options)] as const;
    let before: readonly (readonly IContent[])[] = [[], []];
    const raw: IContent[] = [];
    for (const turn of turnsOf(history)) {
      raw.push(...turn);
      oracle.push(...turn);
      const { metadata } = oracle.run();
      const results: Result<IContent>[] = [
        optimizers[0].optimize([...raw]),
        optimizers[1].optimize([...(before[1] ?? []), ...turn]),
      ];
      results.forEach((result, way) => {
        expectAlike(oracle, result.messages);
        expect(result.metadata).toStrictEqual(metadata);
        expectStable(before[way] ?? [], result);
      });
      before = results.map(({ messages }) => messages);
    }
    for (const optimizer of optimizers) optimizer.dispose();
  });
});
