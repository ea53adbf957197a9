// With the default no log costs two per cent more than without densify, at whichever call it ends.
import { readdirSync, readFileSync } from 'node:fs';
import { createOptimizer, estimateTokens, type IContent, type OptimizeOptions } from 'densify';
import { describe, expect, test } from 'vitest';
import { realLogs } from './support/shared.js';

const MOST = 1.02;
const PRICES = [
  { cached: 0.25, uncached: 1 },
  { cached: 0.1, uncached: 1 },
  { cached: 0.1, uncached: 1.25 },
];

type Prices = (typeof PRICES)[number];

/** What requests cost with a cache that holds what the request before began with. */
class Bill {
  sum = 0;
  #before: readonly IContent[] = [];
  readonly #counts = new WeakMap<IContent, number>();

  constructor(private readonly prices: Prices) {}

  send(messages: readonly IContent[]): void {
    let isSame = true;
    messages.forEach((message, at) => {
      // Messages that no edit touched stay the same objects, and so do edited ones between flushes.
      isSame &&= message === this.#before[at];
      this.sum += this.#tokensOf(message) * (isSame ? this.prices.cached : this.prices.uncached);
    });
    this.#before = messages;
  }

  #tokensOf(message: IContent): number {
    const known = this.#counts.get(message);
    if (known !== undefined) return known;
    const tokens = estimateTokens([message]);
    this.#counts.set(message, tokens);
    return tokens;
  }
}

/** The dearest moment of a log, as a ratio to the bill without edits, and the last one. */
function ratios(history: readonly IContent[], prices: Prices, options: OptimizeOptions) {
  using optimizer = createOptimizer<IContent>({ ...options, prices });
  const [ours, theirs] = [new Bill(prices), new Bill(prices)];
  let worst = 0;
  history.forEach((message, at) => {
    optimizer.push(message);
    if (message.speaker === 'ai' || history[at + 1]?.speaker !== 'ai') return;
    ours.send(optimizer.optimize().messages);
    theirs.send(history.slice(0, at + 1));
    worst = Math.max(worst, ours.sum / theirs.sum);
  });
  return { worst, last: ours.sum / theirs.sum };
}

/** A session that reads long files, each of them again and again. */
const made: readonly IContent[] = Array.from({ length: 80 }, (_, at): IContent[] => {
  const lines = Array.from({ length: 40 + ((at * 37) % 90) }, (__, line) => `line ${line} of file ${at % 7}\n`);
  return [
    {
      speaker: 'ai',
      blocks: [{ type: 'tool_call', id: `${at}`, name: 'read_file', parameters: { path: `/f${at % 7}` } }],
    },
    {
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId: `${at}`, toolName: 'read_file', result: lines.join('') }],
    },
  ];
}).flat();

const bundled = new URL('../demo/conversations/', import.meta.url);
const conversations = readdirSync(bundled).map((name) => ({
  name,
  read: () => (JSON.parse(readFileSync(new URL(name, bundled), 'utf8')) as { contents: IContent[] }).contents,
}));
const logs = [{ name: 'a session that was made', read: () => made }, ...conversations, ...realLogs('guard.test.ts')];

describe.each(PRICES)('at $cached and $uncached', (prices) => {
  test.each(logs)('$name', ({ read }) => {
    const history = read();
    for (const preset of ['balanced', 'aggressive'] as const) {
      expect(ratios(history, prices, { preset }).worst, preset).toBeLessThanOrEqual(MOST);
    }
  });
});

test('a session that was made pays, and where edits are made at once it costs more than that', () => {
  const prices = PRICES[2]!;
  expect(ratios(made, prices, {}).last).toBeLessThan(1);
  expect(ratios(made, prices, { flush: 'always' }).worst).toBeGreaterThan(MOST);
});
