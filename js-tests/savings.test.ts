// `densify savings` finds the logs of agents in a home folder, asks, reads them, and writes only what was asked for.
import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CLI, type Ended, endOf } from './support/command.js';
import { chartLabels, widest } from './support/reports.js';
import { fixture } from './support/transcripts.js';

const homes: string[] = [];
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })));

/** A home folder with these files. */
function homeWith(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'densify-savings-'));
  homes.push(home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

const run = (home: string, args: readonly string[]): Promise<Ended> => densify(home, ['savings', ...args]);

function densify(
  home: string,
  args: readonly string[],
  COLUMNS = '',
  node: readonly string[] = [process.execPath],
): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: home, USERPROFILE: home, COLUMNS };
  const [program = '', ...given] = node;
  return endOf(spawn(program, [...given, CLI, ...args], { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** A Node.js that reads SQLite: this one, or one that other tests have installed. */
const withSqlite = [
  process.execPath,
  ...['../runtimes', 'agents'].map((of) => new URL(`${of}/node_modules/node24/bin/node`, import.meta.url).pathname),
].find(
  (node) => spawnSync(node, ['--eval', "process.exit(process.getBuiltinModule('node:sqlite') ? 0 : 1)"]).status === 0,
);

/** Writes the fixture as opencode 1.18 keeps it; `isOpen`: it runs, so the newest rows are beside the database. */
function writeDatabase(path: string, isOpen: boolean): void {
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const { messages } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    const database = new DatabaseSync(process.argv[1]);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('CREATE TABLE session (id text, time_created integer)');
    database.exec('CREATE TABLE message (id text, session_id text, time_created integer, data text)');
    database.exec('CREATE TABLE part (id text, message_id text, session_id text, data text)');
    database.prepare('INSERT INTO session VALUES (?, 1)').run('ses_1');
    const insertPart = database.prepare('INSERT INTO part VALUES (?, ?, ?, ?)');
    const of = (value) => JSON.stringify({ ...value, id: undefined, sessionID: undefined, messageID: undefined });
    messages.forEach(({ info, parts }, at) => {
      database.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(info.id, 'ses_1', at, of(info));
      parts.forEach((part, nth) =>
        insertPart.run('prt_' + at + '_' + nth, info.id, 'ses_1', of(part)));
    });
    if (${isOpen}) process.kill(process.pid, 'SIGKILL');
    database.close();`;
  spawnSync(withSqlite!, ['--eval', program, path], { input: fixture('opencode.json') });
}

/** The files of opencode's store, of which `opencode export` would make the fixture. */
function opencodeStore(): Record<string, string> {
  const { info, messages } = JSON.parse(fixture('opencode.json')) as {
    info: { id?: string };
    messages: { info: { id: string }; parts: { id?: string }[] }[];
  };
  const root = '.local/share/opencode/storage';
  const files: Record<string, string> = { [`${root}/session/project/ses_1.json`]: JSON.stringify(info) };
  messages.forEach((message, at) => {
    const id = `msg_${String(at).padStart(3, '0')}`;
    files[`${root}/message/ses_1/${id}.json`] = JSON.stringify(message.info);
    message.parts.forEach((part, nth) => {
      files[`${root}/part/${id}/prt_${String(nth).padStart(3, '0')}.json`] = JSON.stringify(part);
    });
  });
  return files;
}

const LOGS = {
  '.claude/projects/-shop/11.jsonl': fixture('claude-code-attachments.jsonl'),
  '.claude/projects/-shop/agent-22.jsonl': 'a sub-agent, which is no session of its own',
  '.codex/sessions/2026/08/01/rollout-1.jsonl': fixture('codex-code-mode.jsonl'),
  '.gemini/tmp/abc/chats/session-1.json': fixture('gemini-cli.json'),
  '.pi/agent/sessions/-shop/1.jsonl': fixture('pi.jsonl'),
  '.copilot/session-state/1/events.jsonl': fixture('copilot-cli.jsonl'),
  ...opencodeStore(),
};

interface Json {
  readonly trajectory: string;
  readonly total: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly sessions: readonly { readonly agent: string; readonly name: string; readonly model: string }[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

describe('logs on this machine', () => {
  test('are read only with consent', async () => {
    const { code, out, err } = await run(homeWith(LOGS), []);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/found 6 logs in/);
    expect(err).toContain('--yes');
  });

  test('that are too large are named and skipped, whether they lie in one file or in many', async () => {
    const home = homeWith(LOGS);
    // Sparse files: they take no room.
    truncateSync(join(home, '.pi/agent/sessions/-shop/1.jsonl'), 201 * 2 ** 20);
    const parts = Object.keys(LOGS).filter((path) => path.includes('/part/'));
    for (const part of parts) truncateSync(join(home, part), Math.ceil(201 / parts.length) * 2 ** 20);
    const { code, out, err } = await run(home, ['--yes', '--json']);
    expect(code).toBe(1);
    const { skipped, sessions } = JSON.parse(out) as Json;
    expect(skipped.map(({ name }) => name).sort()).toEqual(['1.jsonl', 'ses_1.json']);
    for (const { reason } of skipped) expect(reason).toContain('more than 200 MB');
    expect(sessions.length).toBe(4);
    expect(err).toContain('ses_1.json');
  });

  test('of each agent are found, and the sum is that of the agents', async () => {
    const home = homeWith(LOGS);
    const { code, out, err } = await run(home, ['--yes', '--json']);
    expect([code, err]).toEqual([0, '']);
    const { total, agents, sessions, trajectory } = JSON.parse(out) as Json;
    expect(sessions.map(({ agent }) => agent).sort()).toEqual([
      'claude-code',
      'codex',
      'copilot-cli',
      'gemini-cli',
      'opencode',
      'pi',
    ]);
    expect(trajectory).toBe('same');
    for (const key of ['sessions', 'requests', 'sent', 'densified', 'reported']) {
      expect(Object.values(agents).reduce((sum, figures) => sum + (figures[key] ?? 0), 0)).toBeCloseTo(
        total[key] ?? 0,
        9,
      );
    }
    expect(total['sent']).toBeGreaterThan(0);
    // 4,000 tokens read and 900 written for an hour, three times: $0.2 and twice $2 a million, and 3 others at $2.
    expect(agents['claude-code']?.['reported']).toBeCloseTo((4 * (4000 * 0.2 + 900 * 4 + 3 * 2)) / 1e6, 9);
  });

  test('nothing is written, and nothing of the logs is printed', async () => {
    const home = homeWith(LOGS);
    const stamps = () =>
      readdirSync(home, { recursive: true, encoding: 'utf8' }).map((path) => {
        const { mtimeMs, size, isDirectory } = {
          ...statSync(join(home, path)),
          isDirectory: statSync(join(home, path)).isDirectory(),
        };
        return isDirectory ? path : `${path} ${mtimeMs} ${size}`;
      });
    const before = stamps();
    const { out, err } = await run(home, ['--yes']);
    expect(stamps()).toEqual(before);
    expect(out + err).not.toMatch(/round|total = |cart/i);
    expect(out).toContain('same trajectory');
    expect(out.split('\n').length).toBeLessThan(40);
  });

  test('only of the agents that are named', async () => {
    const { out } = await run(homeWith(LOGS), ['--yes', '--json', '--agents=codex,pi']);
    expect(Object.keys((JSON.parse(out) as Json).agents).sort()).toEqual(['codex', 'pi']);
  });

  test.skipIf(withSqlite === undefined).each([false, true])(
    "of opencode's database: as those of its files, and each session once (in use: %s)",
    async (isOpen) => {
      const files = await run(homeWith(opencodeStore()), ['--yes', '--json']);
      const home = homeWith(opencodeStore());
      const folder = join(home, '.local/share/opencode');
      writeDatabase(join(folder, 'opencode.db'), isOpen);
      const before = readdirSync(folder).sort();
      expect(before.includes('opencode.db-wal')).toBe(isOpen);
      const args = ['savings', '--yes', '--json'];
      const { code, out, err } = await densify(home, args, '', [withSqlite!]);
      expect([code, err]).toEqual([0, '']);
      const { sessions, total } = JSON.parse(out) as Json;
      expect(sessions.map(({ agent, name }) => [agent, name])).toEqual([['opencode', 'ses_1']]);
      expect(total).toEqual((JSON.parse(files.out) as Json).total);
      expect(total['requests']).toBeGreaterThan(0);
      expect(readdirSync(folder).sort()).toEqual(before);
      const named = await densify(home, ['replay', '--json', '--policies=none', folder], '', [withSqlite!]);
      expect((JSON.parse(named.out) as { logs: { name: string }[] }).logs.map(({ name }) => name)).toEqual(['ses_1']);
    },
  );

  test("opencode's database, and a Node.js that can not read it: one line says what to do", async () => {
    const home = homeWith({ '.local/share/opencode/opencode.db': 'SQLite format 3' });
    const old = [process.execPath, '--import=data:text/javascript,process.getBuiltinModule=undefined'];
    const { code, err } = await densify(home, ['savings', '--yes'], '', old);
    expect([code, err.trim().split('\n').length]).toEqual([1, 1]);
    expect(err).toMatch(/opencode\.db: found opencode's database.* use Node\.js 22\.13 .*`opencode export SESSION/);
  });

  test('there may be none', async () => {
    const { code, err } = await run(homeWith({}), ['--yes']);
    expect(code).toBe(2);
    expect(err).toContain('found no logs');
  });
});

describe('logs that are named', () => {
  test('broken ones are named and left out, and the exit code is 1', async () => {
    const home = homeWith({
      'good.jsonl': fixture('codex-code-mode.jsonl'),
      'bad.jsonl': 'no log at all\n',
      'gone/x.txt': '',
    });
    const { code, out, err } = await run(home, ['good.jsonl', 'bad.jsonl', 'missing.jsonl', '--json']);
    expect(code).toBe(1);
    const { sessions, skipped } = JSON.parse(out) as Json;
    expect(sessions.map(({ agent, name }) => [agent, name])).toEqual([['codex', 'good.jsonl']]);
    expect(skipped.map(({ name }) => name)).toEqual(['bad.jsonl', 'missing.jsonl']);
    expect(err).toMatch(/bad\.jsonl: found no log format that densify knows/);
    expect((await run(home, ['bad.jsonl'])).code).toBe(1);
  });

  test('an empty one has no session, and is not broken', async () => {
    const home = homeWith({ 'empty.jsonl': '\n', 'good.jsonl': fixture('codex-code-mode.jsonl') });
    expect((await run(home, ['empty.jsonl', 'good.jsonl'])).code).toBe(0);
    const { code, err } = await run(home, ['empty.jsonl']);
    expect([code, err]).toEqual([0, expect.stringContaining('no model was called in these logs')]);
  });

  test('a folder stands for the logs in it, and a page is written where it is wanted', async () => {
    const home = homeWith({
      'logs/a.jsonl': fixture('codex-code-mode.jsonl'),
      'logs/in/b.jsonl': fixture('copilot-cli.jsonl'),
    });
    const { code, out } = await run(home, ['logs', '--html=page.html']);
    expect(code).toBe(0);
    expect(out).toMatch(/^all +2 /m);
    const page = readFileSync(join(home, 'page.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('same trajectory');
    expect(page).not.toMatch(/<script|https?:\/\//);
    // Screen readers get the figures of both charts.
    expect(chartLabels(page)).toEqual([
      expect.stringMatching(/^Dollars of input: codex \$[\d.]+ as sent, .*; copilot-cli /),
      expect.stringMatching(/^2 sessions, of which \d would have cost more/),
    ]);
    // A session that would have cost more differs by its shape, not only by its colour.
    const shapes = new Set(
      [...page.matchAll(/<(rect|circle) [^>]*fill="(#\w+)"[^>]*><title>/g)].map(([, ...of]) => of.join()),
    );
    for (const shape of shapes) expect(['circle,#4878cf', 'rect,#c44']).toContain(shape);
  });

  test('a page never replaces a log', async () => {
    const home = homeWith({ 'logs/a.jsonl': fixture('codex-code-mode.jsonl') });
    const { code, err } = await run(home, ['logs', '--html=logs/a.jsonl']);
    expect([code, err]).toEqual([2, 'densify: option --html: logs/a.jsonl is one of the inputs: name another file\n']);
    expect(readFileSync(join(home, 'logs/a.jsonl'), 'utf8')).toBe(fixture('codex-code-mode.jsonl'));
  });

  test('a page never replaces a file that densify did not make, unless it is told to', async () => {
    const home = homeWith({ 'a.jsonl': fixture('codex-code-mode.jsonl'), 'mine.html': 'precious' });
    const { code, err } = await run(home, ['a.jsonl', '--html=mine.html']);
    expect([code, err]).toEqual([2, expect.stringContaining('densify did not make the file mine.html')]);
    expect(readFileSync(join(home, 'mine.html'), 'utf8')).toBe('precious');
    for (const more of [['--force'], []]) {
      expect((await run(home, ['a.jsonl', '--html=mine.html', ...more])).code).toBe(0);
      expect(readFileSync(join(home, 'mine.html'), 'utf8')).toMatch(/^<!doctype html>/);
    }
  });

  test('the report and the help fit a narrow terminal, and lose nothing', async () => {
    const home = homeWith({ 'a.jsonl': fixture('codex-code-mode.jsonl'), 'b.jsonl': fixture('copilot-cli.jsonl') });
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
    for (const args of [['savings', 'a.jsonl', 'b.jsonl'], ['--help']]) {
      const whole = (await densify(home, args, '300')).out;
      for (const columns of [80, 50]) {
        const { out } = await densify(home, args, String(columns));
        expect(widest(out), args.join(' ')).toBeLessThanOrEqual(columns);
        expect(words(out)).toEqual(expect.arrayContaining(words(whole)));
      }
    }
  });

  test('a model without prices is named once, unless prices are given', async () => {
    const log = fixture('copilot-cli.jsonl').replaceAll('gpt-5.6-sol', 'my-model');
    const home = homeWith({ 'a.jsonl': log, 'b.jsonl': log });
    const { out } = await run(home, ['a.jsonl', 'b.jsonl']);
    expect(out.match(/my-model/g)).toHaveLength(1);
    expect((await run(home, ['a.jsonl', '--prices=1,2'])).out).not.toContain('my-model');
  });

  test.each([['--prices=1'], ['--prices=a,b'], ['--agents=vim'], ['--what']])('%s is wrong', async (option) => {
    const { code, err } = await run(homeWith({}), [option]);
    expect(code).toBe(2);
    expect(err).toMatch(/^densify: (?:option --|unknown option)/);
  });
});
