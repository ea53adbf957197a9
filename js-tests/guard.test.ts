// With the default no log costs two per cent more than without densify, at whichever call it ends.
import { readdirSync, readFileSync } from 'node:fs';
import { createConversation, createOptimizer, estimateTokens, type IContent, type OptimizeOptions } from 'densify';
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

  send(messages: readonly IContent[], isCold: boolean): void {
    let isSame = !isCold;
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

/** When a message was written, if the log says so. */
function timeOf({ metadata }: IContent): number {
  const stamp = metadata?.['timestamp'];
  return typeof stamp === 'number' ? stamp : Date.parse(String(stamp));
}

/** The dearest moment of a log, as a ratio to the bill without edits, and the last one. */
function ratios(history: readonly IContent[], prices: Prices, options: OptimizeOptions) {
  const now = () => Number.NaN;
  using optimizer = createOptimizer<IContent>({ now, ...options, prices });
  const { cacheTtl = Infinity } = options;
  const [ours, theirs] = [new Bill(prices), new Bill(prices)];
  let [worst, answered] = [0, Number.NaN];
  history.forEach((message, at) => {
    optimizer.push(message);
    if (message.speaker === 'ai') {
      // An answer without a time came after what it answers.
      const [own, before] = [timeOf(message), history[at - 1]];
      if (!Number.isNaN(own)) answered = own;
      else if (before?.speaker !== 'ai') answered = before === undefined ? Number.NaN : timeOf(before);
    }
    if (message.speaker === 'ai' || history[at + 1]?.speaker !== 'ai') return;
    // After a longer gap the provider's cache holds nothing.
    const isCold = timeOf(message) - answered > cacheTtl * 1000;
    ours.send(optimizer.optimize().messages, isCold);
    theirs.send(history.slice(0, at + 1), isCold);
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

describe('with a cache that lives for 300 seconds', () => {
  test.each(logs)('$name', ({ read }) => {
    const history = read();
    for (const preset of ['balanced', 'aggressive'] as const) {
      expect(ratios(history, PRICES[2]!, { preset, cacheTtl: 300 }).worst, preset).toBeLessThanOrEqual(MOST);
    }
  });
});

/** The sessions of current agents, whose tools write results in forms of their own. */
const sessions = realLogs('guard.test.ts', 'transcripts-new');

describe('sessions of current agents', () => {
  test.each(sessions)('$name', ({ read }) => {
    const history = read();
    for (const preset of ['balanced', 'aggressive'] as const) {
      expect(ratios(history, PRICES[2]!, { preset }).worst, preset).toBeLessThanOrEqual(MOST);
    }
  });
});

// The guard counts what the core cut; if the package sent anything else, it would guard other requests.
test.each([...logs, ...sessions])('what the core counts is what is sent: $name', ({ read }) => {
  const history = read();
  using talk = createConversation({ contextLimit: 10_000_000, strategy: 'high-density', intake: false });
  talk.addAll(history);
  const step = talk.beforeSend();
  expect(step.kind).toBe('ready');
  expect(talk.tokens.current).toBe(estimateTokens(talk.messages));
});

test('a session that was made pays, and where edits are made at once it costs more than that', () => {
  const prices = PRICES[2]!;
  expect(ratios(made, prices, {}).last).toBeLessThan(1);
  expect(ratios(made, prices, { flush: 'always' }).worst).toBeGreaterThan(MOST);
});
