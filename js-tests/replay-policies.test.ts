// Replay policies: flush policies, budgets, the caller's own, and the checks of their requests.
import { estimateTokens, type IContent } from 'densify';
import { type OwnPolicy, type ReplayPolicy, type ReplayReport, replay, sumReplays } from 'densify/replay';
import { describe, expect, test } from 'vitest';
import { ai, call, human, response, tool } from './support/say.js';
import { thrownBy } from './support/thrown.js';
import { work } from './support/work.js';

type PolicyReport = ReplayReport['policies'][number];

const log: readonly IContent[] = [
  human('Please mend a.ts.'),
  ai(call('1', 'read_file', { path: 'src/a.ts' })),
  tool(response('1', 'read_file', 'const a = 1;\n'.repeat(40))),
  ai('Going on.', call('2', 'bash', { command: 'make' })),
  tool(response('2', 'bash', 'ok')),
  ai(call('3', 'bash', { command: 'make test' })),
  tool(response('3', 'bash', 'ok')),
  ai('Done.'),
];

function of(policy: ReplayPolicy, contents = log, options: object = {}): PolicyReport {
  const found = replay(contents, { policies: [policy], ...options }).policies.find((each) => each.policy === policy);
  if (found === undefined) throw new Error(policy);
  return found;
}

/** The log as it was sent, changed before each request. */
function own(name: string, change: (messages: readonly IContent[]) => readonly IContent[]): OwnPolicy {
  return {
    name,
    create: () => {
      const sent: IContent[] = [];
      return { add: (contents) => sent.push(...contents), messages: () => change(sent), dispose: () => undefined };
    },
  };
}

/** Requests of texts of 100 tokens each, the first of them changed at the last of 30 requests; and where it has an anchor. */
function changedAtLast(at: number, anchor?: number): OwnPolicy {
  let calls = 0;
  const sent: IContent[] = [];
  const changed = (message: IContent, place: number): IContent => (place === at ? ai('other') : message);
  return {
    name: 'changed',
    create: () => ({
      add: (contents) => sent.push(...contents),
      messages: () => ((calls += 1) === 30 ? sent.map(changed) : sent),
      dispose: () => undefined,
      ...(anchor !== undefined && { anchor: () => anchor }),
    }),
  };
}

describe('a host that marks the end of requests', () => {
  const text = 'word '.repeat(100);
  const long = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? human(text) : ai(text)));
  const cached = (policy: OwnPolicy, lookback: number): number =>
    replay(long, { policies: [policy], lookback }).policies[1]!.cachedTokens;
  const sizes = [...Array(5).keys()].map((more) => estimateTokens(long.slice(0, 20 + more)));

  test('finds what stands at most so many blocks before its breakpoints', () => {
    const none = replay(long, { policies: ['none'], lookback: 20 }).policies[0]!;
    expect(none).toEqual(replay(long, { policies: ['none'] }).policies[0]);
    const warm = cached(changedAtLast(21), Infinity);
    // The last request has 59 messages: of those before the change none is within reach.
    expect(warm - cached(changedAtLast(21), 20)).toBe(sizes[1]);
    expect(cached(changedAtLast(45), 20)).toBe(cached(changedAtLast(45), Infinity));
  });

  test('finds what stands before an anchor', () => {
    // The anchor is behind 21 messages, as the request was that ended there.
    expect(cached(changedAtLast(21, 21), 20)).toBe(cached(changedAtLast(21), Infinity));
    expect(cached(changedAtLast(21, 20), 20)).toBe(cached(changedAtLast(20), Infinity));
    // Behind the change nothing is the same.
    expect(cached(changedAtLast(21, Number.NaN), 20)).toBe(cached(changedAtLast(21), 20));
  });

  test.each([-1, Number.NaN, '20'])('lookback %s is an error that names the option', (lookback) => {
    expect(thrownBy(() => replay([], { lookback: lookback as number }))).toMatchObject({ key: 'lookback' });
  });
});

test('the dearest moment of a log is told, and of several logs that of the worst', () => {
  const text = 'word '.repeat(100);
  const long = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? human(text) : ai(text)));
  const early = own('early', (sent) => sent.map((message, at) => (at === 0 && sent.length === 3 ? ai('x') : message)));
  const report = replay(long, { policies: [early] });
  const [none, mine] = report.policies;
  expect(none!.worst).toBe(1);
  expect(mine!.worst).toBeGreaterThan(mine!.dollars / none!.dollars);
  const other = replay(log, { policies: [own('early', (sent) => sent.slice())] });
  expect(sumReplays([report, other]).policies[1]!.worst).toBe(mine!.worst);
});

describe('a policy of your own', () => {
  const reports = (contents: readonly IContent[], policy: OwnPolicy, options: object = {}) =>
    replay(contents, { policies: ['none', policy], ...options }).policies;

  test('is measured as others are, and stands behind them', () => {
    const [none, mine] = reports(
      log,
      own('mine', (sent) => sent.slice()),
    );
    expect(mine).toEqual({ ...none, policy: 'mine' });
    expect(
      replay(log, { policies: [own('mine', (sent) => sent), 'auto'] }).policies.map(({ policy }) => policy),
    ).toEqual(['none', 'auto', 'mine']);
  });

  test('that leaves a call without its result is rejected, each time', () => {
    const [none, mine] = reports(
      log,
      own('orphans', (sent) => sent.filter((_, at) => at !== 2)),
    );
    // At least one request holds the torn pair.
    expect(mine!.rejected).toBeGreaterThanOrEqual(1);
    expect(none!.rejected).toBe(0);
    const cut = own('calls', (sent) => sent.filter(({ blocks }) => !blocks.some(({ type }) => type === 'tool_call')));
    expect(reports(log, cut)[1]!.rejected).toBeGreaterThanOrEqual(1);
  });

  test('is held against the rules of the provider, named or known by the model of the log', () => {
    const headless = own('headless', (sent) => sent.slice(1));
    const rejected = (contents: readonly IContent[], options: object = {}) =>
      reports(contents, headless, options)[1]!.rejected;
    // Whoever begins with the model's words is refused by some.
    expect(rejected(log)).toBe(0);
    expect(rejected(log, { provider: 'openai' })).toBe(0);
    expect(rejected(log, { provider: 'anthropic' })).toBeGreaterThanOrEqual(1);
    const claude = log.map((content, at) =>
      at === 1 ? { ...content, metadata: { model: 'claude-opus-4-6' } } : content,
    );
    expect(rejected(claude)).toBe(rejected(log, { provider: 'anthropic' }));
    expect(rejected(claude, { provider: 'openai' })).toBe(0);
  });
});

describe('flush policies and budgets', () => {
  const contents = work(7);

  test('balanced:when-it-pays is the default: it breaks the prefix less often than `always`, by the prices that are given', () => {
    const [always, pays, never] = [of('balanced:always', contents), of('balanced:when-it-pays', contents), of('balanced:never', contents)]; // biome-ignore format: one thing
    expect(of('balanced', contents)).toEqual({ ...pays, policy: 'balanced' });
    expect(never.prefixBreaks).toBe(0);
    expect(pays.prefixBreaks).toBeLessThan(always.prefixBreaks);
    expect(pays.prefixBreaks).toBeGreaterThan(0);
    expect(pays.tokens).toBeGreaterThan(always.tokens);
    // Where the cache is nearly free hardly anything that saves pays for what lies behind it.
    const dear = of('balanced:when-it-pays', contents, { prices: { cached: 0.01, uncached: 10 } });
    expect(dear.prefixBreaks).toBeLessThan(pays.prefixBreaks);
    expect(of('balanced:20000', contents).prefixBreaks).toBeLessThan(always.prefixBreaks);
    expect(of('auto:never', contents).prefixBreaks).toBe(0);
  });

  test('budget:60% keeps to that share of the log, budget:N to so many tokens', () => {
    const none = of('none', contents);
    const [most, half] = [of('budget:60%', contents), of('budget:30%', contents)];
    const whole = estimateTokens(contents);
    expect(most.largest).toBeLessThanOrEqual(0.6 * whole);
    expect(half.largest).toBeLessThanOrEqual(0.3 * whole);
    expect(half.tokens).toBeLessThan(most.tokens);
    expect(most.tokens).toBeLessThan(none.tokens);
    const tokens = `budget:${Math.floor(0.6 * whole)}` as const;
    expect(of(tokens, contents)).toEqual({ ...most, policy: tokens });
    expect(of('budget:60%:never', contents).prefixBreaks).toBe(0);
  });

  test.each([
    'budget',
    'budget:0',
    'budget:101%',
    'budget:1.5',
    'budget:-5',
    'balanced:',
    'balanced:when-cold',
    'balanced:0',
    'digest:never',
    'none:always',
    'toString',
    'auto:never:never',
  ])('a name that is none is refused: %s', (name) => {
    expect(() => replay(log, { policies: [name as ReplayPolicy] })).toThrow(/option policies: .*budget:65%/s);
  });
});
