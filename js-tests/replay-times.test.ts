// Replays of logs with gaps and compactions. Policies that send equal copies count as if they sent the same objects.
import type { IContent } from 'densify';
import { type OwnPolicy, type ReplayOptions, type ReplayReport, replay, sumReplays } from 'densify/replay';
import { readTranscript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';
import { thrownBy } from './support/thrown.js';
import { fixture } from './support/transcripts.js';

type PolicyReport = ReplayReport['policies'][number];

const text = (words: string) => [{ type: 'text' as const, text: words }];
const START = Date.UTC(2026, 6, 1, 12);
const stamp = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

/** A log in which the user asks and the model answers, at the given seconds. */
const talk = (
  times: readonly (readonly [asked: unknown, answered: unknown])[],
  model = 'claude-sonnet-5',
): IContent[] =>
  times.flatMap(([asked, answered], at) => [
    {
      speaker: 'human' as const,
      blocks: text(`question ${at} ${'and more '.repeat(40)}`),
      metadata: { timestamp: asked },
    },
    {
      speaker: 'ai' as const,
      blocks: text(`answer ${at} ${'and so on '.repeat(40)}`),
      metadata: { timestamp: answered, model },
    },
  ]);
/** Three questions, the last of them this many seconds after the answer before it. */
const waiting = (seconds: number): readonly (readonly [string, string])[] => [
  [stamp(0), stamp(5)],
  [stamp(60), stamp(65)],
  [stamp(65 + seconds), stamp(70 + seconds)],
];

const none = (log: readonly IContent[], options: ReplayOptions = {}): { report: ReplayReport; sent: PolicyReport } => {
  const report = replay(log, { policies: [], ...options });
  return { report, sent: report.policies[0]! };
};

describe('gaps', () => {
  test('a request after a longer gap than the cache lives finds nothing in it', () => {
    const [warm, cold] = [none(talk(waiting(299))), none(talk(waiting(301)))];
    expect(warm.report.coldRequests).toBe(0);
    expect(cold.report.coldRequests).toBe(1);
    expect(cold.sent.tokens).toBe(warm.sent.tokens);
    expect(cold.sent.cachedTokens).toBeLessThan(warm.sent.cachedTokens);
    expect(cold.sent.dollars).toBeGreaterThan(warm.sent.dollars);
    // It is no fault of the policy: nothing was changed.
    expect(cold.sent.prefixBreaks).toBe(0);
  });

  test.each([
    ['the lifetime that is given', 'claude-sonnet-5', { cacheTtl: 3600 }, 0],
    ['a cache that is always warm', 'claude-sonnet-5', { cacheTtl: Infinity }, 0],
    ['the lifetime of the provider', 'gpt-5.6-sol', {}, 0],
    ['a provider that publishes none', 'gemini-3-flash', {}, 0],
    ['an unknown model', 'my-model', {}, 0],
    ['an unknown model with a lifetime that is given', 'my-model', { cacheTtl: 300 }, 1],
  ] as const)('%s', (_, model, options, cold) => {
    expect(none(talk(waiting(1000), model), options).report.coldRequests).toBe(cold);
  });

  test('what the log says of its cache comes before the figure of the provider', () => {
    const log = talk(waiting(1000)).map((each) => ({ ...each, metadata: { ...each.metadata, cacheTtl: 3600 } }));
    expect(none(log).report.coldRequests).toBe(0);
  });

  test.each([
    [
      'no times',
      [
        [undefined, undefined],
        [undefined, undefined],
        [undefined, undefined],
      ],
      0,
    ],
    [
      'clocks that run backwards',
      [
        [stamp(9000), stamp(9005)],
        [stamp(60), stamp(65)],
        [stamp(0), stamp(1)],
      ],
      0,
    ],
    [
      'times that are none',
      [
        ['yesterday', {}],
        [Number.NaN, -1],
        [null, 'tomorrow'],
      ],
      0,
    ],
    [
      'times without a zone',
      [
        ['2026-07-01T12:00:00', '2026-07-01 12:00:05'],
        ['2026-07-01T12:01:00', '2026-07-01T12:01:05'],
        ['2026-07-01T13:00:00', '2026-07-01T13:00:05'],
      ],
      1,
    ],
    [
      'numbers of milliseconds',
      [
        [START, START + 5000],
        [START + 60_000, START + 65_000],
        [START + 3_600_000, START + 3_605_000],
      ],
      1,
    ],
    [
      'numbers of seconds',
      [
        [START / 1000, START / 1000 + 5],
        [START / 1000 + 60, START / 1000 + 65],
        [START / 1000 + 3600, START / 1000 + 3605],
      ],
      1,
    ],
  ] as const)('%s', (_, times, cold) => {
    expect(none(talk(times)).report.coldRequests).toBe(cold);
  });

  test('policies are told, so that edits which wait are made when they cost nothing', () => {
    const told: boolean[] = [];
    const policy: OwnPolicy = {
      name: 'listens',
      create: () => {
        const sent: IContent[] = [];
        const messages = ({ cold }: { readonly cold: boolean }) => {
          told.push(cold);
          return sent;
        };
        return { add: (contents) => void sent.push(...contents), messages, dispose: () => undefined };
      },
    };
    replay(talk(waiting(301)), { policies: [policy] });
    expect(told).toEqual([false, false, true]);
  });

  test.each([0, -1, Number.NaN, '300'])('cacheTtl %s is an error that names the option', (cacheTtl) => {
    expect(thrownBy(() => replay([], { cacheTtl: cacheTtl as number }))).toMatchObject({
      code: 'invalid-options',
      key: 'cacheTtl',
    });
  });

  test('cold requests of several logs are summed', () => {
    const reports = [waiting(301), waiting(10)].map((times) => none(talk(times)).report);
    expect(sumReplays(reports)).toMatchObject({ logs: 2, requests: 6, coldRequests: 1 });
  });
});

describe('what is sent', () => {
  const history = (copied: (content: IContent) => IContent): OwnPolicy => ({
    name: 'own',
    create: () => {
      const sent: IContent[] = [];
      return {
        add: (contents) => void sent.push(...contents),
        messages: () => sent.map(copied),
        dispose: () => undefined,
      };
    },
  });
  const reported = (copied: (content: IContent) => IContent): PolicyReport =>
    replay(talk(waiting(10)), { policies: [history(copied)] }).policies[1]!;

  test('equal copies are no break, and neither is what only the host sees', () => {
    const kept = reported((content) => content);
    expect(reported((content) => structuredClone(content))).toEqual(kept);
    let calls = 0;
    expect(reported((content) => ({ ...content, metadata: { seen: (calls += 1) } }))).toMatchObject({
      prefixBreaks: 0,
      cachedTokens: kept.cachedTokens,
    });
  });

  test('another word is one', () => {
    let calls = 0;
    expect(reported((content) => ({ ...content, blocks: text(`word ${(calls += 1)}`) })).prefixBreaks).toBe(2);
  });
});

describe('compactions', () => {
  const { contents } = readTranscript(fixture('claude-code-attachments.jsonl'));

  test('the model sees the summary and what was kept, and nothing else of before', () => {
    const sent: string[][] = [];
    const watch: OwnPolicy = {
      name: 'watch',
      create: () => {
        const list: IContent[] = [];
        const said = () =>
          list.map(({ blocks }) => blocks.map((block) => (block.type === 'text' ? block.text : block.type)).join());
        return {
          add: (more) => void list.push(...more),
          messages: () => {
            sent.push(said());
            return list;
          },
          dispose: () => undefined,
        };
      },
    };
    const report = replay(contents, { policies: [watch] });
    expect(sent.at(-1)).toEqual(['The total is rounded once.', 'Done.', 'Thanks. Commit it.']);
    expect(report).toMatchObject({ logs: 1, requests: 4 });
    expect(report.policies.map(({ prefixBreaks, rejected }) => [prefixBreaks, rejected])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test('a history that took the place of another is no reply of the model', () => {
    const codex = readTranscript(fixture('codex-code-mode.jsonl')).contents;
    expect(replay(codex, { policies: [] }).requests).toBe(5);
  });
});

test('lines of a patch in a script count as edited', () => {
  const { contents } = readTranscript(fixture('codex-code-mode.jsonl'));
  const [report] = replay(contents, { policies: [] }).policies;
  expect(report?.recollection.editedLines).toEqual({ kept: 1, of: 1 });
});
