// With the default no log costs two per cent more than without densify, at whichever call it ends.
import { readdirSync, readFileSync } from 'node:fs';
import { createConversation, createOptimizer, estimateTokens, type IContent, type OptimizeOptions } from 'densify';
import * as anthropic from 'densify/anthropic';
import { replay } from 'densify/replay';
import { describe, expect, test } from 'vitest';
import { formatOf } from './support/hooks.js';
import { realLogs } from './support/shared.js';
import { TIMES } from './support/times.js';

const MOST = 1.02;
/** Where the provider finds its cache at breakpoints only. */
const MOST_AT_BREAKPOINTS = 1.03;
/** Anthropic looks for its cache in this many blocks before a breakpoint. */
const LOOK_BACK = 20;
/** The prices of OpenAI's older models, its newer ones, Anthropic, and Anthropic with a cache for an hour. */
const PRICES = [
  { cached: 0.25, uncached: 1 },
  { cached: 0.1, uncached: 1 },
  { cached: 0.1, uncached: 1.25 },
  { cached: 0.1, uncached: 2 },
] as const satisfies readonly Prices[];
const PRESETS = ['balanced', 'aggressive'] as const;

interface Prices {
  readonly cached: number;
  readonly uncached: number;
}

const counts = new WeakMap<object, number>();

/** Tokens of a message; each is counted once. */
function tokensOf<M extends object>(message: M, count: (messages: M[]) => number): number {
  let tokens = counts.get(message);
  if (tokens === undefined) counts.set(message, (tokens = count([message])));
  return tokens;
}

/** The cost of requests if the cache holds all messages that the request before had in the same places. */
class Bill {
  sum = 0;
  #before: readonly IContent[] = [];

  constructor(private readonly prices: Prices) {}

  send(messages: readonly IContent[], isCold: boolean): void {
    let isSame = !isCold;
    messages.forEach((message, at) => {
      // Messages that no edit touched stay the same objects, and so do edited ones between flushes.
      isSame &&= message === this.#before[at];
      this.sum += tokensOf(message, estimateTokens) * (isSame ? this.prices.cached : this.prices.uncached);
    });
    this.#before = messages;
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

/** The sessions of current agents, whose tools write results in forms of their own. */
const sessions = realLogs('guard.test.ts', 'transcripts-new');
/** All logs. Their numbers choose prices and presets, of which each log meets some; with DENSIFY_RUNS it meets all. */
const numbered = [...logs, ...sessions].map((log, number) => ({ ...log, number }));
const priceOf = (number: number): Prices => PRICES[number % PRICES.length]!;

describe('a cache that never expires', () => {
  test.each(numbered)('$name', ({ read, number }) => {
    const history = read();
    PRESETS.forEach((preset, at) => {
      for (const prices of TIMES > 1 ? PRICES : [priceOf(number + 2 * at)]) {
        expect(ratios(history, prices, { preset }).worst, `${preset}, ${prices.uncached}`).toBeLessThanOrEqual(MOST);
      }
    });
  });
});

describe('a cache that lives for 300 seconds', () => {
  test.each(numbered)('$name', ({ read, number }) => {
    const history = read();
    const prices = priceOf(number + 1);
    for (const preset of TIMES > 1 ? PRESETS : [PRESETS[(number >> 2) % 2]!]) {
      expect(ratios(history, prices, { preset, cacheTtl: 300 }).worst, preset).toBeLessThanOrEqual(MOST);
    }
  });
});

/** The cost of requests if the host sets one breakpoint, at the end. */
class BreakpointBill {
  sum = 0;
  #before: readonly anthropic.AnthropicMessageLike[] = [];
  /** How many messages each prefix has that the cache holds. */
  #held: number[] = [];

  constructor(private readonly prices: Prices) {}

  send(messages: readonly anthropic.AnthropicMessageLike[]): void {
    const changed = messages.findIndex((message, at) => message !== this.#before[at]);
    const same = changed < 0 ? messages.length : changed;
    this.#held = this.#held.filter((end) => end <= same);
    const blocks = (end: number) =>
      messages.slice(end).reduce((sum, { content }) => sum + (Array.isArray(content) ? content.length : 1), 0);
    const found = Math.max(0, ...this.#held.filter((end) => blocks(end) <= LOOK_BACK));
    messages.forEach((message, at) => {
      const tokens = tokensOf(message, anthropic.estimateTokens);
      this.sum += tokens * (at < found ? this.prices.cached : this.prices.uncached);
    });
    this.#held.push(messages.length);
    this.#before = messages;
  }
}

/** The logs for one of two tests; with DENSIFY_RUNS both take all of them. */
const half = (rest: number) =>
  numbered.filter(({ number }) => TIMES > 1 || number % 2 === rest).map((log, number) => ({ ...log, number }));

describe('a provider that looks for its cache at breakpoints', () => {
  const { from } = formatOf({ format: 'anthropic' });

  test.each(half(0))('$name: a handle, whose host has one at the end', ({ read, number }) => {
    const history = from(read()) as unknown as anthropic.AnthropicMessageLike[];
    const prices = priceOf(number);
    const options = {
      preset: PRESETS[number % 2]!,
      prices,
      generation: 'adaptive-thinking',
      cacheTtl: Infinity,
    } as const;
    using optimizer = anthropic.createOptimizer<anthropic.AnthropicMessageLike>(options);
    const [ours, theirs] = [new BreakpointBill(prices), new BreakpointBill(prices)];
    let worst = 0;
    history.forEach((message, at) => {
      optimizer.push(message);
      if (message.role === 'assistant' || history[at + 1]?.role !== 'assistant') return;
      ours.send(optimizer.optimize().messages);
      theirs.send(history.slice(0, at + 1));
      worst = Math.max(worst, ours.sum / theirs.sum);
    });
    expect(worst).toBeLessThanOrEqual(MOST_AT_BREAKPOINTS);
  });

  test.each(half(1))('$name: a host that keeps the anchor', ({ read, number }) => {
    const options = { prices: priceOf(number + 1), cacheTtl: Infinity, lookback: LOOK_BACK };
    const { policies } = replay(read(), { policies: [PRESETS[(number + 1) % 2]!], ...options });
    expect(policies.at(-1)!.worst).toBeLessThanOrEqual(MOST_AT_BREAKPOINTS);
  });
});

// The guard counts what the core cut; if the package sent anything else, it would guard other requests.
test.each(numbered)('what the core counts is what is sent: $name', ({ read }) => {
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

test.each([
  { cached: 0, uncached: 0 },
  { cached: 1, uncached: 0 },
  { cached: 0, uncached: 1 },
  { cached: 2, uncached: 1 },
])('odd prices keep it, too: $cached and $uncached', (prices) => {
  // Without a bill there is no ratio.
  const ratio = ratios(made, prices, {}).worst;
  expect(Number.isNaN(ratio) || ratio <= MOST).toBe(true);
});
