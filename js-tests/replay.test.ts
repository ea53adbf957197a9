// Replays of logs, by the function and by the command: what each policy would have saved and lost.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { estimateTokens, type IContent } from 'densify';
import { type ReplayPolicy, type ReplayReport, replay, replayHtml, replayTable, sumReplays } from 'densify/replay';
import { readTranscript } from 'densify/transcripts';
import { afterAll, describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { chartLabels, widest } from './support/reports.js';
import { ai, call, human, response, tool } from './support/say.js';
import { realLogs, someOf } from './support/shared.js';

type PolicyReport = ReplayReport['policies'][number];

const packed = new URL('node_modules/densify/', import.meta.url);
const fixtures = new URL('fixtures/transcripts/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'densify-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CODE = Array.from({ length: 60 }, (_, at) => `  const value_${at} = compute(${at});`).join('\n');

/** A read, a write, other work, an edit that quotes the first read, and the read again. */
const log: readonly IContent[] = [
  human('Please mend the SECRET_REQUEST of a.ts.'),
  ai(call('1', 'read_file', { path: 'src/a.ts' })),
  tool(response('1', 'read_file', CODE)),
  ai({ type: 'thinking', thought: 'I see.' }, 'Going on.', call('2', 'write_file', { path: 'src/a.ts', content: 'x' })),
  tool(response('2', 'write_file', 'ok')),
  ai(call('3', 'bash', { command: 'make' })),
  tool(response('3', 'bash', 'warning: odd\n'.repeat(200))),
  ai(call('4', 'edit_file', { path: 'src/a.ts', old_string: '  const value_7 = compute(7);', new_string: 'value_9' })),
  tool(response('4', 'edit_file', 'ok')),
  ai(call('5', 'read_file', { path: 'src/a.ts' })),
  tool(response('5', 'read_file', CODE)),
  ai('Done with value_3.'),
];

function of(policy: ReplayPolicy, contents = log, options: object = {}): PolicyReport {
  const found = replay(contents, { policies: [policy], ...options }).policies.find((each) => each.policy === policy);
  if (found === undefined) throw new Error(policy);
  return found;
}

describe('a log as it was sent', () => {
  test('costs each message once from the start and then from the cache', () => {
    const none = of('none');
    const calls = [1, 3, 5, 7, 9, 11].map((at) => estimateTokens(log.slice(0, at)));
    const sum = calls.reduce((total, tokens) => total + tokens, 0);
    expect(none.tokens).toBe(sum);
    expect(none.cachedTokens).toBe(sum - calls.at(-1)!);
    expect(none.largest).toBe(calls.at(-1));
    const prices = { cached: 1, uncached: 10 };
    expect(of('none', log, { prices }).dollars).toBeCloseTo((none.cachedTokens + 10 * calls.at(-1)!) / 1e6, 12);
    expect(none).toMatchObject({ prefixBreaks: 0, reasoningLost: 0, regret: 0, rejected: 0, overLimit: 0 });
    for (const { kept, of: all } of Object.values(none.recollection)) expect(kept).toBe(all);
    expect(none.recollection.editedLines.of).toBeGreaterThan(0);
    expect(of('none', log, { contextLimit: 500 }).overLimit).toBeGreaterThan(0);
  });

  test('has no calls, or nothing at all', () => {
    expect(replay([])).toMatchObject({ requests: 0, policies: [{ policy: 'none', tokens: 0, dollars: 0 }, {}, {}, {}, {}, {}, {}, {}, {}, {}] }); // biome-ignore format: one thing
    expect(replay([ai('Hello.')]).requests).toBe(0);
    expect(replayTable(replay([]))).toContain('–');
  });
});

test('tokens are counted the same whoever gets them, as the page on replays says', () => {
  const tokens = [undefined, 'anthropic', 'google', 'openai'].map((provider) => of('none', log, { provider }).tokens);
  expect(new Set(tokens).size).toBe(1);
  expect(readFileSync(new URL('docs/replay.md', packed), 'utf8')).toMatch(/\*\*estimates\*\*[^|]*1\.24 times/);
});

describe('a policy', () => {
  test('at intake breaks no prefix and loses nothing that was used', () => {
    const [none, intake] = [of('none'), of('intake')];
    expect(intake.tokens).toBeLessThan(none.tokens);
    expect(intake.dollars).toBeLessThan(none.dollars);
    expect(intake).toMatchObject({ prefixBreaks: 0, regret: 0, rejected: 0, recollection: none.recollection });
  });

  test('that drops a read is charged with the break, the lines that an edit names, and the read that comes again', () => {
    const seed = of('seed');
    expect(seed.prefixBreaks).toBeGreaterThan(0);
    expect(seed.cachedTokens).toBeLessThan(of('none').cachedTokens);
    expect(seed.recollection.editedLines).toEqual({ kept: 0, of: 1 });
    expect(seed.regret).toBe(1);
    expect(seed.recollection.requests).toEqual(of('none').recollection.requests);
  });

  test.each([
    ['short', 'a.ts'],
    ['of seventy characters', `packages/${'deeply-nested/'.repeat(4)}a.ts`],
    ['with brackets', 'app/[slug]/[...rest]/page.tsx'],
  ])('regrets a cut whatever the path of what is read again: %s', (_, path) => {
    const read = (id: string) => [
      ai(call(id, 'read_file', { path })),
      tool(response(id, 'read_file', `${CODE}\n`.repeat(4))),
    ];
    const work = Array.from({ length: 60 }, (_, at) => [
      ai(call(`w${at}`, 'bash', { command: `make step-${at}` })),
      tool(response(`w${at}`, 'bash', `step ${at}: built in ${at * 7} ms\n`)),
    ]).flat();
    const contents = [human('Look at it.'), ...read('r1'), ...work, ...read('r2'), ai('Done.')];
    expect(of('none', contents).regret).toBe(0);
    expect(of('lossless', contents).regret).toBe(0);
    expect(of('aggressive:always', contents).regret).toBe(1);
  });

  describe('regrets a cut only where the agent gets again what went', () => {
    const lines = (from: number, to: number) => CODE.split('\n').slice(from, to);
    const numbered = (from: number, to: number) =>
      lines(from, to).map((line, at) => `${from + at + 1}\t${line.trim()}`);
    const all = lines(0, 60).join('\n');
    /** The regret of a call whose result is cut, after another call. */
    const twice = (name: string, first: object, before: string, then: object, after: string) => {
      const one = [ai(call('1', name, first)), tool(response('1', name, before))];
      const other = [ai(call('2', name, then)), tool(response('2', name, after))];
      const drops = { name: 'own', create: () => dropping('1') };
      const contents = [human('Go.'), ...one, ...other, ai('Done.')];
      return replay(contents, { policies: ['none', drops] }).policies.map(({ regret }) => regret);
    };
    /** A policy that cuts one result. */
    const dropping = (id: string) => {
      const messages: IContent[] = [];
      const isCut = ({ blocks }: IContent) => blocks.some((block) => 'callId' in block && block.callId === id);
      const cut = response(id, 'bash', '[… 60 lines of it were cut]');
      return {
        add: (news: readonly IContent[]) => void messages.push(...news.map((each) => (isCut(each) ? tool(cut) : each))),
        messages: () => messages,
        dispose: () => undefined,
      };
    };
    const [file, tests] = [{ path: 'src/a.ts' }, { command: 'cargo test' }];

    test.each([
      ['the same file', 'read_file', file, all, file, all, 1],
      ['with other numbers and blanks', 'read_file', file, all, file, numbered(0, 60).join('\n'), 1],
      ['a part of it', 'read_file', file, all, { ...file, offset: 20, limit: 20 }, lines(20, 40).join('\n'), 1],
      ['a part, with words around it', 'read_file', file, all, { ...file, offset: 9 }, `<file>\n${lines(9, 30).join('\n')}\n(more)\n</file>`, 1], // biome-ignore format: one thing
      ['another part than that which went', 'read_file', { ...file, limit: 20 }, lines(0, 20).join('\n'), { ...file, offset: 15 }, lines(15, 60).join('\n'), 0], // biome-ignore format: one thing
      ['the file after a change', 'read_file', file, all, file, all.replace('value_7', 'value_8'), 0],
      ['another file that holds the same', 'read_file', file, all, { path: 'src/b.ts' }, all, 0],
      ['a command that says something else now', 'bash', tests, `${all}\n1 failed`, tests, `${all}\n0 failed`, 0],
      ['a command that says the same', 'bash', tests, all, tests, all, 1],
      ['a command that said nothing', 'bash', tests, '', tests, '', 0],
      [
        'another edit of the file',
        'edit_file',
        { ...file, new_string: 'a' },
        'ok',
        { ...file, new_string: 'b' },
        'ok',
        0,
      ],
    ])('%s', (_, name, first, before, then, after, regret) => {
      expect(twice(name, first, before, then, after)).toEqual([0, regret]);
    });
  });

  test('regrets no result that the log itself has in brackets', () => {
    const look = (id: string) => [ai(call(id, 'list', {})), tool(response(id, 'list', '[nothing — yet]'))];
    const contents = [human('Look.'), ...look('1'), ...look('2'), ai('Done.')];
    for (const { policy, regret } of replay(contents).policies) expect([policy, regret]).toEqual([policy, 0]);
  });

  test.each(['high-density', 'top-down-truncation', 'digest', 'auto'] as const)('%s keeps to the window', (policy) => {
    const contents = Array.from({ length: 6 }, (_, at) => conversation(at + 1, 40)).flat();
    const none = of('none', contents);
    const contextLimit = Math.floor(none.largest / 3);
    const report = of(policy, contents, { contextLimit });
    expect(report).toMatchObject({ overLimit: 0, rejected: 0 });
    expect(report.largest).toBeLessThanOrEqual(contextLimit);
    expect(report.tokens).toBeLessThan(none.tokens);
    if (policy === 'digest') expect(report.reasoningLost).toBeGreaterThan(0);
  });
});

describe('reports', () => {
  test('of several logs are summed', () => {
    const [one, other] = [replay(log), replay(conversation(3, 60))];
    const sum = sumReplays([one, other]);
    expect(sum).toMatchObject({ logs: 2, requests: one.requests + other.requests });
    sum.policies.forEach((each, at) => {
      expect(each.tokens).toBe(one.policies[at]!.tokens + other.policies[at]!.tokens);
      expect(each.recollection.paths.of).toBe(
        one.policies[at]!.recollection.paths.of + other.policies[at]!.recollection.paths.of,
      );
    });
  });

  const report = replay(log);
  test.each([
    ['no list', undefined, undefined],
    ['an empty list', [], undefined],
    ['other prices', [report, replay(log, { prices: { cached: 0, uncached: 1 } })], 1],
    ['another window', [report, report, replay(log, { contextLimit: 1000 })], 2],
    ['other policies', [report, replay(log, { policies: ['auto'] })], 1],
  ])('that have no sum are an error that says why: %s', (_, reports, index) => {
    const wrong = index === undefined ? {} : { index };
    expect(() => sumReplays(reports as never)).toThrow(
      expect.objectContaining({ code: 'invalid-options', key: 'reports', ...wrong }),
    );
  });

  test('are summed whatever the order in which their policies were named', () => {
    const [one, other] = [
      ['auto:never', 'auto'],
      ['auto', 'auto:never'],
    ].map((policies) => replay(log, { policies: policies as ReplayPolicy[] }));
    expect(sumReplays([one!, other!]).policies.map(({ tokens }) => tokens)).toEqual(
      one!.policies.map(({ tokens }) => 2 * tokens),
    );
  });

  test('resolve relative paths against the folder that is named', () => {
    const text = 'const total = 5;\n'.repeat(50);
    const entries = [
      human('Change it.'),
      ai(call('1', 'read_file', { path: 'src/a.ts' })),
      tool(response('1', 'read_file', text)),
      ai(call('2', 'write_file', { path: '/shop/src/a.ts', content: 'const total = 6;' })),
      tool(response('2', 'write_file', 'written')),
      ai('Done.'),
      human('Thanks.'),
      ai('You are welcome.'),
    ];
    const seed = (options: object) => of('seed', entries, options).tokens;
    expect(seed({ workspaceRoot: '/shop' })).toBeLessThan(seed({}));
    expect(replay(entries, { workspaceRoot: '/' })).toEqual(replay(entries));
  });

  test('fit a terminal: a table that is too wide goes on below, with the same figures', () => {
    const report = replay(log);
    const cells = (text: string) => text.split(/\s{2,}|\n/).filter((cell) => cell !== '');
    const whole = replayTable(report);
    expect(widest(whole)).toBeGreaterThan(120);
    for (const columns of [100, 80, 40, 24]) {
      const narrow = replayTable(report, { columns });
      expect(widest(narrow)).toBeLessThanOrEqual(columns);
      const tables = narrow.slice(narrow.indexOf('\n\n'));
      // Below 40 each value has a line with its heading.
      for (const cell of cells(whole.slice(whole.indexOf('\n\n'))).slice(1)) expect(tables).toContain(cell);
      for (const { policy } of report.policies) expect(tables).toMatch(new RegExp(`^${policy}\\b`, 'm'));
    }
    for (const columns of [0, 1.5, '80', null]) {
      expect(() => replayTable(report, { columns } as never)).toThrow('expected a whole number of characters above 0');
    }
    expect(() => replayTable(report, { column: 80 } as never)).toThrow("Did you mean 'columns'?");
  });

  test('hold nothing of what the log says, and names that are harmless', () => {
    const report = replay(log);
    const html = replayHtml(report, [{ name: '<script>alert("1")</script>&', report }]);
    for (const text of [JSON.stringify(report), replayTable(report), html]) {
      expect(text).not.toMatch(/SECRET|a\.ts|value_|odd|I see/);
    }
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;');
    expect(html).not.toMatch(/<script|https?:|src=|url\(/);
    expect(html).toContain("default-src 'none'");
    expect(html.match(/<circle/g)).toHaveLength(10);
    // Screen readers get the figures of both charts.
    const labels = chartLabels(html);
    expect(labels).toHaveLength(2);
    for (const { policy } of report.policies) for (const label of labels) expect(label).toContain(`${policy} `);
    // The page alone explains its numbers.
    expect(html).toMatch(/<dt>tokens<\/dt><dd>[^<]*estimates[^<]*1\.24 times/);
  });

  test.each([
    ['policies', { policies: ['sandwich'] }],
    ['policies', { policies: 'none' }],
    ['contextLimit', { contextLimit: 0 }],
    ['prices.cached', { prices: { uncached: 1 } }],
    ['policies', { policies: [{ name: 'auto', create: () => undefined }] }],
    ['policies', { policies: [{ name: 'mine' }] }],
    ['provider', { provider: 'nobody' }],
    ['workspaceRoot', { workspaceRoot: 5 }],
    ['colour', { colour: 1 }],
    ['options', []],
  ])('a wrong option is an error that names it: %s', (key, options) => {
    expect(() => replay(log, options as never)).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
  });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command as its manifest names it. */
function densify(...given: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [binary(), ...given], { cwd: folder }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

function binary(): string {
  const { bin } = JSON.parse(readFileSync(new URL('package.json', packed), 'utf8')) as { bin: { densify: string } };
  return new URL(bin.densify, packed).pathname;
}

const files = readdirSync(fixtures).map((name) => new URL(name, fixtures).pathname);

describe('the command', () => {
  test('says how it is used', async () => {
    expect(readFileSync(binary(), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(await densify('--help')).toMatchObject({ code: 0, out: expect.stringContaining('densify replay LOGS') });
    expect(await densify('replay', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('--window') });
    expect(await densify()).toMatchObject({ code: 2 });
    expect(await densify('compress')).toMatchObject({ code: 2, err: expect.stringContaining('"compress"') });
  });

  test('replays logs of all formats: a table, JSON, a page', async () => {
    const readable = files.filter((path) => readTranscript(readFileSync(path, 'utf8')).contents.length > 0);
    expect(readable.length).toBeGreaterThan(5);
    const table = await densify('replay', ...readable);
    expect(table.code).toBe(0);
    // A warning names each fault of a log, and nothing else.
    const odd = readable.flatMap((path) => {
      const { format, warnings } = readTranscript(readFileSync(path, 'utf8'));
      return warnings.length === 0 ? [] : [`${path}: read as ${format}, with warnings: ${warnings[0]!.code} `];
    });
    expect(odd.length).toBeGreaterThan(0);
    const said = table.err.trimEnd().split('\n');
    expect(said).toHaveLength(odd.length);
    odd.forEach((start, at) => expect(said[at]).toContain(start));
    expect(table.out).toContain(`${readable.length} logs`);
    expect(table.out.split('\n').filter((line) => /^(none|intake|lossless|auto) /.test(line))).toHaveLength(4);
    const json = await densify('replay', '--json', '--html=report.html', '--policies=none,balanced', '--', ...readable);
    const { total, logs } = JSON.parse(json.out) as { total: { requests: number }; logs: { name: string; requests: number }[] }; // biome-ignore format: one thing
    expect(logs.map(({ name }) => name)).toEqual(readable.map((path) => basename(path)));
    expect(total.requests).toBe(logs.reduce((sum, { requests }) => sum + requests, 0));
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<td>balanced</td>');
  });

  test('writes no page over a log, by whatever name, nor over a file that densify did not make', async () => {
    const log = join(folder, 'log.json');
    const found = files.find((path) => readTranscript(readFileSync(path, 'utf8')).contents.length > 0) ?? '';
    const before = readFileSync(found, 'utf8');
    writeFileSync(log, before);
    const link = join(folder, 'link.html');
    symlinkSync(log, link);
    const own = join(folder, 'notes.html');
    writeFileSync(own, '<p>mine</p>');
    for (const [page, words] of [
      [log, 'is one of the inputs'],
      [link, 'is one of the inputs'],
      [own, '--force'],
    ] as const) {
      const refused = await densify('replay', `--html=${page}`, '--policies=none', '--', log);
      expect(refused.code, page).toBe(2);
      expect(refused.err).toContain(words);
    }
    const forced = await densify('replay', '--force', `--html=${link}`, '--policies=none', '--', log);
    expect(forced.code).toBe(2);
    expect(readFileSync(log, 'utf8')).toBe(before);
    expect(readFileSync(own, 'utf8')).toBe('<p>mine</p>');
    for (const given of [['--force', `--html=${own}`], [`--html=${own}`]]) {
      expect((await densify('replay', ...given, '--policies=none', '--', log)).code).toBe(0);
      expect(readFileSync(own, 'utf8')).toContain('<!doctype html>');
    }
  });

  test('names files without their folders, and no credential', async () => {
    const key = `sk-ant-api03-${'A1b2'.repeat(23)}-AAAAAAAA`;
    const home = join(folder, '-home-alice-secret');
    mkdirSync(home);
    writeFileSync(join(home, `${key}.json`), JSON.stringify(chat()));
    const given = ['--html=names.html', '--policies=none', '--json', join(home, `${key}.json`), join(home, key)];
    const { out, err } = await densify('replay', ...given);
    const page = readFileSync(join(folder, 'names.html'), 'utf8');
    for (const text of [out, page, err]) expect(text).not.toContain('A1b2A1b2');
    for (const text of [out, page]) expect(text).not.toContain('alice');
    expect(JSON.parse(out)).toMatchObject({ logs: [{ requests: 6 }] });
    const named = await densify('replay', '--paths', '--json', '--policies=none', join(home, `${key}.json`));
    expect(named.out).toContain('-home-alice-secret');
  });

  test('goes on after a file that is no log, and says so in its exit code', async () => {
    writeFileSync(join(folder, 'odd.txt'), 'nothing\0of ours');
    writeFileSync(join(folder, 'log.json'), JSON.stringify(chat()));
    const { code, out, err } = await densify('replay', 'odd.txt', 'missing.jsonl', 'log.json');
    expect(code).toBe(1);
    expect(out).toContain('1 log,');
    expect(err).toMatch(
      /odd\.txt: found no log format that densify knows; .* --format=NAME chooses one\n.*missing\.jsonl: found no such file: check the path\n/,
    );
    expect(await densify('replay', 'odd.txt')).toMatchObject({ code: 1, out: '' });
  });

  test('takes a value as an argument of its own, says its version, and knows a folder', async () => {
    writeFileSync(join(folder, 'log.json'), JSON.stringify(chat()));
    const apart = await densify('replay', '--policies', 'none, lossless', '--json', 'log.json');
    expect(apart).toEqual(await densify('replay', '--policies=none,lossless', '--json', 'log.json'));
    expect(apart.code).toBe(0);
    const { out } = await densify('--version');
    expect(out.trim()).toMatch(/^\d+\.\d+\.\d+/);
    const logs = join(folder, 'logs', 'inner');
    mkdirSync(logs, { recursive: true });
    writeFileSync(join(logs, 'log.json'), JSON.stringify(chat()));
    writeFileSync(join(logs, 'notes.txt'), 'no log');
    const { out: found } = await densify('replay', '--policies=none,lossless', '--json', join(folder, 'logs'));
    expect(found).toBe(apart.out);
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(await densify('replay', empty)).toMatchObject({ code: 2, err: expect.stringContaining('found no logs in') });
  });

  test('its help names all policies', async () => {
    const { err } = await densify('replay', '--policies=no-such-policy', 'log.json');
    const names = /expected one of ([^;]*);/.exec(err)![1]!.split(', ');
    expect(names).toContain('gateway');
    const { out } = await densify('replay', '--help');
    for (const name of names) expect(out).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test.skipIf(process.platform === 'win32')('a pipe as a log does not hang it', async () => {
    spawnSync('mkfifo', [join(folder, 'pipe.json')]);
    for (const command of ['replay', 'savings', 'prove']) {
      const { code, err } = await densify(command, join(folder, 'pipe.json'));
      expect([code, err]).toEqual([1, expect.stringContaining('found a pipe or a device, expected a file')]);
    }
  });

  test('takes flush policies and budgets as policies, and a provider', async () => {
    writeFileSync(join(folder, 'log.json'), JSON.stringify(chat()));
    const { code, out } = await densify('replay', '--policies=balanced:when-it-pays,budget:65%,none', 'log.json');
    expect(code).toBe(0);
    expect(
      out.split('\n').flatMap((line) => /^(?:none|balanced:when-it-pays|budget:65%)(?= )/.exec(line) ?? []),
    ).toEqual(['none', 'balanced:when-it-pays', 'budget:65%']);
    expect((await densify('replay', '--provider=anthropic', '--policies=none', 'log.json')).code).toBe(0);
  });

  test.each([
    [['replay'], '--stdin'],
    [['replay', '--stdin', 'a'], 'found --stdin and files'],
    [['replay', '--colour', 'a'], 'unknown option --colour, expected one of --'],
    [['replay', '--polices=none', 'a'], "Did you mean '--policies'?"],
    [['reply', 'a'], "expected one of savings, replay, prove, run, setup, doctor, gateway. Did you mean 'replay'?"],
    [['replay', 'a', '--window'], '--window=…'],
    [['replay', '--window', 'b', 'a'], '--window: expected a whole number of tokens above 0, found "b"'],
    [['replay', '--window=0', 'a'], '--window: expected a whole number of tokens above 0, found "0"'],
    [['replay', '--window=1.5', 'a'], '--window: expected a whole number of tokens above 0, found "1.5"'],
    [['replay', '--window=1,2', 'a'], '--window: expected a whole number of tokens above 0, found "1,2"'],
    [['replay', '--policies=budget:1e3', 'a'], "found 'budget:1e3', expected one of none, "],
    [['replay', '--policies=sandwich', 'a'], 'sandwich'],
    [['replay', '--policies=budget:150%', 'a'], 'budget:65%'],
    [['replay', '--provider=bogus', 'a'], 'provider'],
    [['replay', '--prices=1', 'a'], '--prices: expected two prices, as in 0.3,3.75, found 1'],
    [['replay', '--policies=balanced:when-pays', 'a'], "found 'balanced:when-pays', expected one of none, "],
    [['replay', '--policies=sk-ant-api03-A1b2A1b2A1b2', 'a'], 'found a string of 25 characters'],
    [['replay', '--json=1', 'a'], '--json'],
    [['replay', '--format=bogus', 'a'], 'format'],
    [['replay', '--stdin', '--format=bogus'], 'format'],
    [['replay', '--html=no/such/folder/x.html', 'a'], '--html'],
    [['replay', '--stdin', '--html=x.html'], '--html'],
    [['replay', '--prices=1,2,3', 'a'], '--prices'],
    [['replay', '--prices=,', 'a'], '--prices: expected two numbers'],
    [['replay', '--window=0x10', 'a'], '--window'],
  ])('refuses what it cannot do: %j', async (given, word) => {
    expect(await densify(...given)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(word) });
  });

  test('filters lines: a log in, a result out, in order', async () => {
    const text = readFileSync(files.find((path) => path.endsWith('.jsonl'))!, 'utf8');
    const lines = [JSON.stringify(chat()), JSON.stringify(text), 'no log', '', '"half'];
    const child = spawn(process.execPath, [binary(), 'replay', '--stdin', '--policies=none,lossless']);
    let [out, err] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    // In pieces that end anywhere.
    const bytes = Buffer.from(`${lines.join('\n')}\n${JSON.stringify(chat())}`);
    for (let at = 0; at < bytes.length; at += 997) child.stdin.write(bytes.subarray(at, at + 997));
    child.stdin.end();
    expect(await ended).toBe(1); // for the lines that hold no log
    const results = out.trimEnd().split('\n').map((line) => JSON.parse(line) as { logs?: number; error?: string }); // biome-ignore format: one thing
    // As many as lines, so that who counts lines finds the log of each.
    expect(results).toHaveLength(6);
    expect(results[0]).toMatchObject({ logs: 1, policies: [{ policy: 'none' }, { policy: 'lossless' }] });
    expect(results[1]).toMatchObject({ logs: 1 });
    expect(results.slice(2, 5).every(({ error }) => typeof error === 'string')).toBe(true);
    expect(results[5]).toEqual(results[0]);
    expect(err).toMatch(/^densify: line 2: read as claude-code, with warnings: unknown-record at \d+\n$/);
  });
});

test('a slow reader of many results is waited for, and nothing is printed beside them', async () => {
  const lines = 40_000;
  const child = spawn(process.execPath, [binary(), 'replay', '--stdin']);
  child.stdin.end('\n'.repeat(lines));
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  let found = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    found += chunk.toString().split('\n').length - 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect([found, err]).toEqual([lines, '']);
});

test('a line of the command takes time by its length, not by its square', async () => {
  const timed = join(folder, 'timed.mjs');
  const print = "process.on('exit', () => console.error(process.cpuUsage().user / 1000));";
  writeFileSync(timed, `${print}\nawait import(${JSON.stringify(binary())});`);
  /** The processor's time in milliseconds for a line of so many megabytes. */
  const time = async (megabytes: number): Promise<number> => {
    const child = spawn(process.execPath, [timed, 'replay', '--stdin', '--policies=none']);
    child.stdin.write('x'.repeat(megabytes * 2 ** 20));
    child.stdin.end();
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    expect(out).toContain('found no log format that densify knows');
    return Number(err);
  };
  // By its square it would be sixteen times the smaller, or minutes.
  expect(await time(32)).toBeLessThan(10 * Math.max(await time(8), 500));
}, 120_000);

test('many logs take no more memory than few: a filter keeps none of them', async () => {
  const measured = join(folder, 'measured.mjs');
  const print = "process.on('exit', () => console.error(process.resourceUsage().maxRSS / 1024));";
  writeFileSync(measured, `${print}\nawait import(${JSON.stringify(binary())});`);
  /** The megabytes of the process at its largest, for so many logs of a quarter of one. */
  const peak = async (logs: number): Promise<number> => {
    const child = spawn(process.execPath, [measured, 'replay', '--stdin', '--policies=none']);
    let [results, err] = [0, ''];
    child.stdout.on('data', (chunk: Buffer) => (results += chunk.toString().split('"logs":1').length - 1));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const closed = new Promise((resolve) => child.once('close', resolve));
    for (let at = 0; at < logs; at += 1) {
      const text = `${at} ${'some words of a long request. '.repeat(2 ** 13)}`;
      const log = {
        messages: [
          { role: 'user', content: text },
          { role: 'assistant', content: 'Done.' },
        ],
      };
      const isTaken = child.stdin.write(`${JSON.stringify(log)}\n`);
      if (!isTaken) await new Promise((resolve) => child.stdin.once('drain', resolve));
    }
    child.stdin.end();
    await closed;
    expect(results).toBe(logs);
    return Number(err);
  };
  const few = await peak(40);
  // Were they kept, it would be 90 megabytes more at least.
  expect(await peak(400)).toBeLessThan(few + 60);
}, 120_000);

/** A log of chat completions, as one JSON document. */
function chat(): object {
  const messages: object[] = [{ role: 'user', content: 'Hello.' }];
  for (let at = 0; at < 5; at += 1) {
    const call = { id: `${at}`, type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } };
    messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: `${at}`, content: `out ${at}` });
  }
  return { messages: [...messages, { role: 'assistant', content: 'Done.' }] };
}

const logs = someOf(realLogs('replay.test.ts'));

test.skipIf(logs.length === 0)(
  'real logs: nothing that a provider would refuse, and intake never breaks a prefix',
  () => {
    for (const { read } of logs) {
      const { policies } = replay(read());
      for (const report of policies) expect([report.policy, report.rejected]).toEqual([report.policy, 0]);
      const [none, intake] = policies;
      expect(intake!.prefixBreaks).toBe(0);
      expect(intake!.dollars).toBeLessThanOrEqual(none!.dollars);
    }
  },
);

const python = process.env['DENSIFY_PYTHON'] ?? 'python3';
const hasSpark = spawnSync(python, ['-c', 'import pyspark'], { stdio: 'ignore' }).status === 0;
if (!hasSpark) console.log('replay.test.ts: no pyspark, so the example for Spark is skipped; make test-spark runs it');

test.skipIf(!hasSpark)('on Apache Spark, by pipe', async () => {
  const program = new URL('../examples/spark/replay.py', import.meta.url).pathname;
  const env = { ...process.env, DENSIFY: `${process.execPath} ${binary()}` };
  const out = await new Promise<string>((resolve, reject) => {
    execFile(python, [program, ...files], { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  const results = out.trimEnd().split('\n').map((line) => JSON.parse(line) as { logs: number; requests: number }); // biome-ignore format: one thing
  const requests = files.map((path) => replay(readTranscript(readFileSync(path, 'utf8')).contents).requests);
  expect(results.map((each) => each.requests).sort()).toEqual(requests.sort());
});
