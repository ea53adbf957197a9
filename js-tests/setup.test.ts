// `densify setup` in homes of all kinds: it shows its changes, writes them, and `--undo` leaves no trace.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { CLI } from './support/command.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'densify-setup-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The working folder of the command: a relative path that it writes by mistake lands here. */
const elsewhere = mkdtempSync(join(tmpdir(), 'densify-elsewhere-'));
afterAll(() => rmSync(elsewhere, { recursive: true }));

const densify = (...args: readonly string[]) => densifyWith({}, ...args);

function densifyWith(more: Readonly<Record<string, string>>, ...args: readonly string[]) {
  // No agent is in this PATH, and none of the machine's own settings counts.
  const env = { HOME: home, PATH: '/nowhere', ...more };
  const options = { encoding: 'utf8', env, cwd: elsewhere } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
  return { status, stdout, stderr };
}

function write(path: string, text: string | Buffer) {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** All folders and files, with their bytes. */
const everything = () =>
  Object.fromEntries(
    (readdirSync(home, { recursive: true }) as string[])
      .sort()
      .map((path) => [path, statSync(join(home, path)).isFile() ? readFileSync(join(home, path), 'base64') : '/']),
  );

const BASE = 'http://127.0.0.1:8787';
const SETTINGS = '{\n\t"model": "opus",\n\t"env": { "A": "1" }\n}';
const TOML = '# mine\nmodel = "gpt-5.2"  # the model\r\nnotify = [\n  "a",\n]\n\n[profiles.x]\nmodel = \'y\'';

test.each<[string, Record<string, string>, string, (text: string) => void]>([
  [
    'claude',
    { '.claude/settings.json': SETTINGS },
    '.claude/settings.json',
    (text) => {
      const env = { A: '1', ANTHROPIC_BASE_URL: `${BASE}/anthropic`, ENABLE_TOOL_SEARCH: 'true' };
      const { hooks, ...others } = JSON.parse(text) as { hooks: Record<string, object[]> };
      expect(others).toEqual({ model: 'opus', env });
      expect(Object.keys(hooks)).toEqual(['SessionStart', 'UserPromptSubmit', 'PostToolUse']);
      expect(hooks.PostToolUse).toMatchObject([
        { matcher: expect.stringContaining('Bash'), hooks: [{ type: 'command' }] },
      ]);
      expect(text).toContain('\n\t"model"');
    },
  ],
  [
    'claude',
    { '.claude/settings.json': '{"hooks":{"PostToolUse":[{"matcher":"Edit","hooks":[]}],"Stop":[]}}' },
    '.claude/settings.json',
    (text) => {
      const { hooks } = JSON.parse(text) as { hooks: Record<string, object[]> };
      expect(hooks.Stop).toEqual([]);
      expect(hooks.PostToolUse).toMatchObject([{ matcher: 'Edit', hooks: [] }, { hooks: [{ type: 'command' }] }]);
    },
  ],
  [
    'codex',
    { '.codex/config.toml': TOML },
    '.codex/config.toml',
    (text) => {
      expect(text).toBe(`openai_base_url = "${BASE}/openai/v1"\n${TOML}`);
    },
  ],
  [
    'codex',
    { '.codex/auth.json': '{"OPENAI_API_KEY":null,"tokens":{"access_token":"x"}}' },
    '.codex/config.toml',
    (text) => {
      expect(text).toBe(`openai_base_url = "${BASE}/chatgpt/backend-api/codex"\n`);
    },
  ],
  [
    'codex',
    { '.codex/config.toml': 'model_provider = "openai"\nmodel_providers = { acme = { base_url = "https://x" } }\n' },
    '.codex/config.toml',
    (text) => expect(text).toMatch(/^openai_base_url = .*\nmodel_provider = "openai"\n/),
  ],
  [
    'gemini',
    { '.gemini/.env': 'GEMINI_API_KEY=x' },
    '.gemini/.env',
    (text) => expect(text).toContain(`GEMINI_API_KEY=x\nGOOGLE_GEMINI_BASE_URL=${BASE}/gemini\n`),
  ],
  [
    'codex',
    { '.codex/hooks.json': '{"hooks":{"Stop":[],"SessionStart":[{"hooks":[]}]}}' },
    '.codex/hooks.json',
    (text) => {
      const { hooks } = JSON.parse(text) as { hooks: Record<string, object[]> };
      const own = {
        hooks: [{ type: 'command', command: expect.stringMatching(/agent-hook\.js" codex$/), timeout: 15 }],
      };
      expect(hooks).toEqual({ Stop: [], SessionStart: [{ hooks: [] }, own], UserPromptSubmit: [own] });
    },
  ],
  [
    'gemini',
    { '.gemini/settings.json': '{ "hooks": {} }' },
    '.gemini/extensions/densify/hooks/hooks.json',
    (text) => {
      const { hooks } = JSON.parse(text) as { hooks: Record<string, object[]> };
      expect(Object.keys(hooks)).toEqual(['SessionStart', 'BeforeAgent']);
      expect(text).toContain('agent-hook.js\\" gemini"');
    },
  ],
  [
    'gemini',
    { '.env': 'GEMINI_API_KEY=x' },
    '.env',
    (text) => expect(text).toContain(`GEMINI_API_KEY=x\nGOOGLE_GEMINI_BASE_URL=${BASE}/gemini\n`),
  ],
  [
    'claude',
    { '.claude/settings.json': '\uFEFF{"model":"opus"}' },
    '.claude/settings.json',
    (text) => expect([text[0], JSON.parse(text.slice(1)).model]).toEqual(['\uFEFF', 'opus']),
  ],
  [
    'codex',
    { '.codex/config.toml': '\uFEFFmodel = "x"\n' },
    '.codex/config.toml',
    (text) => expect(text).toBe(`\uFEFFopenai_base_url = "${BASE}/openai/v1"\nmodel = "x"\n`),
  ],
  [
    'claude',
    { '.claude/settings.json': '' },
    '.claude/settings.json',
    (text) => expect(JSON.parse(text).env.ANTHROPIC_BASE_URL).toBe(`${BASE}/anthropic`),
  ],
  ['opencode', {}, '.config/opencode/plugin/densify.js', (text) => expect(text).toContain('opencode-plugin.js')],
  ['pi', {}, '.pi/agent/extensions/densify.js', (text) => expect(text).toContain('pi-extension.js')],
])('%s: the change is shown, written and taken back without a trace', (agent, files, path, check) => {
  for (const [name, text] of Object.entries(files)) write(name, text);
  const before = everything();
  const dry = densify('setup', agent);
  expect(dry).toMatchObject({ status: 0, stderr: '' });
  expect(dry.stdout).toContain(join(home, path));
  expect(dry.stdout).toContain('Nothing is written yet');
  expect(everything()).toEqual(before);

  expect(densify('setup', agent, '--yes').status).toBe(0);
  check(readFileSync(join(home, path), 'utf8'));
  for (const [, file] of readFileSync(join(home, path), 'utf8').matchAll(/(\/[\w/.-]*dist\/[\w/.-]+\.js)/g)) {
    expect(existsSync(file!)).toBe(true);
  }
  const after = everything();
  expect(densify('setup', agent, '--yes').stdout).toContain('is already set up');
  expect(everything()).toEqual(after);
  const doctor = densify('doctor').stdout;
  expect(doctor).toMatch(new RegExp(`^${agent}: not found in PATH; set up`, 'm'));

  expect(densify('setup', agent, '--undo')).toMatchObject({ status: 0, stderr: '' });
  expect(everything()).toEqual(before);
  expect(densify('setup', agent, '--undo').stdout).toContain('nothing to undo');
});

test.each<[string, string, string, string | Buffer, string]>([
  ['no JSON', 'claude', '.claude/settings.json', '{ env: 1', "it isn't JSON"],
  ['no object', 'claude', '.claude/settings.json', '[]', 'it holds no object'],
  ['no UTF-8', 'claude', '.claude/settings.json', Buffer.from([0x7b, 0xff, 0x7d]), "it isn't UTF-8"],
  [
    'hooks that are no lists',
    'claude',
    '.claude/settings.json',
    '{"hooks":{"PostToolUse":1}}',
    "settings.json: 'hooks' must map event names to lists",
  ],
  ['a plug-in of that name', 'opencode', '.config/opencode/plugin/densify.js', 'mine', 'the file already exists'],
  [
    'a base URL with a password',
    'claude',
    '.claude/settings.json',
    '{"env":{"ANTHROPIC_BASE_URL":"https://a:b@x"}}',
    'ANTHROPIC_BASE_URL: found a URL with a user name or password',
  ],
  [
    'a gateway of densify',
    'claude',
    '.claude/settings.json',
    `{"env":{"ANTHROPIC_BASE_URL":"${BASE}/x"}}`,
    'remove it first',
  ],
  ['no TOML', 'codex', '.codex/config.toml', 'model = "x"\nthis is no TOML\n', "it isn't TOML"],
  ['another provider', 'codex', '.codex/config.toml', 'model_provider = "azure"\n', 'names a provider or a base URL'],
  [
    'an inline provider',
    'codex',
    '.codex/config.toml',
    '"model_provider" = "azure"\n',
    'names a provider or a base URL',
  ],
  [
    'another base URL',
    'codex',
    '.codex/config.toml',
    'openai_base_url = "https://x"\n',
    'names a provider or a base URL',
  ],
  ['another base URL', 'gemini', '.gemini/.env', 'GOOGLE_GEMINI_BASE_URL=https://x\n', 'names a base URL already'],
  ['an extension of that name', 'pi', '.pi/agent/extensions/densify.js', 'mine', 'the file already exists'],
  ['a folder instead of a file', 'codex', '.codex/config.toml/x', '', "it can't be read"],
])('%s: one line, and nothing is touched (%s)', (_, agent, path, text, line) => {
  write(path, text);
  const before = everything();
  const { status, stdout, stderr } = densify('setup', agent, '--yes');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(line);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(everything()).toEqual(before);
});

test("Claude Code: the user's own provider, of the settings or the shell, stays the provider", () => {
  const url = 'https://llm.acme.example';
  const expected = { ANTHROPIC_BASE_URL: `${BASE}/claude-provider`, DENSIFY_UPSTREAM: `claude-provider=${url}` };
  const settings = () => JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8')) as { env: object };
  expect(densifyWith({ ANTHROPIC_BASE_URL: url }, 'setup', 'claude', '--yes').status).toBe(0);
  expect(settings().env).toEqual(expected);
  densify('setup', 'claude', '--undo');
  expect(readdirSync(home)).toEqual([]);
  write('.claude/settings.json', JSON.stringify({ env: { ANTHROPIC_BASE_URL: url, DENSIFY_UPSTREAM: 'a=https://a' } }));
  const before = everything();
  densifyWith({ ANTHROPIC_BASE_URL: 'https://other.example', HTTPS_PROXY: 'http://p' }, 'setup', 'claude', '--yes');
  expect(settings().env).toEqual({
    ...expected,
    DENSIFY_UPSTREAM: `a=https://a,claude-provider=${url}`,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  });
  // One run more: it goes to the provider itself, not through two gateways.
  const agent = join(home, 'claude');
  writeFileSync(agent, `#!/bin/sh\necho "$@"`, { mode: 0o755 });
  expect(densifyWith({ PATH: process.env.PATH! }, 'run', '--', agent).stdout).toContain('/anthropic"');
  rmSync(agent);
  densify('setup', 'claude', '--undo');
  expect(everything()).toEqual(before);
});

test('variables of folders that are empty count as not set', () => {
  const empty = { XDG_STATE_HOME: '', XDG_CONFIG_HOME: '', CODEX_HOME: '', PI_CODING_AGENT_DIR: '' };
  for (const [agent, path] of [
    ['codex', '.codex/config.toml'],
    ['opencode', '.config/opencode/plugin/densify.js'],
    ['pi', '.pi/agent/extensions/densify.js'],
  ] as const) {
    expect(densifyWith(empty, 'setup', agent, '--yes').status).toBe(0);
    expect([existsSync(join(home, path)), existsSync(join(home, `.local/state/densify/${agent}.json`))]).toEqual([
      true,
      true,
    ]);
    expect(densify('setup', agent, '--undo').status).toBe(0);
  }
});

test('a package in a folder with a quotation mark in its name', async () => {
  const folder = join(home, "o'neil", 'densify');
  cpSync(join(dirname(CLI), '..'), folder, { recursive: true, dereference: true });
  const args = [join(folder, 'dist', 'cli.js'), 'setup', 'pi', '--yes'];
  expect(spawnSync(process.execPath, args, { env: { HOME: home } }).status).toBe(0);
  const file = readFileSync(join(home, '.pi/agent/extensions/densify.js'), 'utf8');
  writeFileSync(join(home, 'extension.mjs'), file);
  const extension = (await import(join(home, 'extension.mjs'))) as { default: unknown };
  expect(extension.default).toBeTypeOf('function');
});

test('a link that leads nowhere leads nowhere again', () => {
  mkdirSync(join(home, '.codex'));
  mkdirSync(join(home, 'dotfiles'));
  symlinkSync(join(home, 'dotfiles', 'codex.toml'), join(home, '.codex', 'config.toml'));
  densify('setup', 'codex', '--yes');
  expect(readFileSync(join(home, 'dotfiles', 'codex.toml'), 'utf8')).toContain('openai_base_url');
  densify('setup', 'codex', '--undo');
  expect(readdirSync(join(home, 'dotfiles'))).toEqual([]);
  expect(readdirSync(join(home, '.codex'))).toEqual(['config.toml']);
});

test('a file that can not be written leaves nothing half done, and one line says so', () => {
  // Not even root can write this one.
  mkdirSync(join(home, '.gemini'));
  symlinkSync('/proc/version', join(home, '.gemini', '.env'));
  const { status, stderr } = densify('setup', 'gemini', '--yes');
  expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain("it can't be written");
  expect(readdirSync(home)).toEqual(['.gemini']);
});

test.each<[string, string, string, (text: string) => string, string]>([
  [
    'claude',
    '.claude/settings.json',
    '{"env":{"A":"1"},"hooks":{"Stop":[]}}',
    // Claude Code writes a model and a hook of the user.
    (text) => {
      const { hooks, ...others } = JSON.parse(text) as { hooks: Record<string, object[]> };
      const changed = {
        ...others,
        model: 'opus',
        hooks: { ...hooks, PostToolUse: [...hooks.PostToolUse!, { mine: 1 }] },
      };
      return JSON.stringify(changed, null, 4);
    },
    JSON.stringify({ env: { A: '1' }, model: 'opus', hooks: { Stop: [], PostToolUse: [{ mine: 1 }] } }, null, 4),
  ],
  ['claude', '.claude/settings.json', SETTINGS, () => '{"changed": true}', '{"changed": true}'],
  [
    'codex',
    '.codex/config.toml',
    'model = "x"\n',
    (text) => `${text.replace('"x"', '"y"')}\n[projects."/w"]\ntrust_level = "trusted"\n`,
    'model = "y"\n\n[projects."/w"]\ntrust_level = "trusted"\n',
  ],
  ['codex', '.codex/config.toml', '\uFEFFmodel = "x"\n', (text) => `${text}[tui]\n`, '\uFEFFmodel = "x"\n[tui]\n'],
])(
  '%s: what was changed after the set-up stays, and only what densify added goes',
  (agent, path, text, change, left) => {
    write(path, text);
    densify('setup', agent, '--yes');
    write(path, change(readFileSync(join(home, path), 'utf8')));
    expect(densify('setup', agent, '--yes').stdout).toContain('--undo');
    const { status, stdout } = densify('setup', agent, '--undo');
    expect([status, stdout.split('\n')[0]]).toEqual([0, `${agent} is restored; later changes of its files stay`]);
    expect(everything()).toMatchObject({ [path]: Buffer.from(left).toString('base64') });
    expect(readdirSync(home)).toEqual([path.split('/')[0]]);
  },
);

test('doctor knows a set-up in changed files, and one that is gone', () => {
  write('.claude/settings.json', SETTINGS);
  densify('setup', 'claude', '--yes');
  const settings = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8')) as object;
  write('.claude/settings.json', JSON.stringify({ ...settings, model: 'sonnet' }));
  expect(densify('doctor').stdout).toMatch(/^claude: not found in PATH; set up;/m);
  write('.claude/settings.json', '{"changed": true}');
  const doctor = densify('doctor');
  expect([doctor.status, doctor.stderr]).toEqual([1, '']);
  expect(doctor.stdout).toMatch(/^claude: .*its files no longer hold the set-up/m);
});

/** A folder of commands that print a version. */
function commands(versions: Readonly<Record<string, string>>) {
  for (const [name, version] of Object.entries(versions)) {
    write(`bin/${name}`, `#!/bin/sh\necho "${version}"`);
    chmodSync(join(home, 'bin', name), 0o755);
  }
  return { PATH: join(home, 'bin') };
}

const pinned = JSON.parse(readFileSync(new URL('agents/package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};

test('doctor: the versions that it names are those that the tests run, and it tells what is installed', () => {
  const path = commands({ claude: '2.9.9 (Claude Code)', codex: 'codex-cli 0.171.0', gemini: 'no number' });
  const { stdout } = densifyWith(path, 'doctor');
  const packages = {
    claude: '@anthropic-ai/claude-code',
    codex: '@openai/codex',
    gemini: '@google/gemini-cli',
  };
  const found = { claude: '2.9.9', codex: '0.171.0', gemini: 'unknown' };
  for (const name of ['claude', 'codex', 'gemini'] as const) {
    const tested = pinned.dependencies[packages[name]];
    expect(stdout).toContain(`\n${name}: version ${found[name]}, tested with ${tested}; not set up`);
  }
  const more = densifyWith(commands({ opencode: '1.0.0', pi: '1.0.0' }), 'doctor').stdout;
  expect(more).toContain(`tested with ${pinned.dependencies['opencode-ai']};`);
  expect(more).toContain(`tested with ${pinned.dependencies['@earendil-works/pi-coding-agent']};`);
});

test("doctor: how the agent's own compaction is set", () => {
  const path = commands({ claude: '1.0.0', codex: '1.0.0', gemini: '1.0.0', opencode: '1.0.0', pi: '1.0.0' });
  const phrases = () =>
    densifyWith(path, 'doctor')
      .stdout.trim()
      .split('\n')
      .slice(1)
      .map((line) => [line.split(':', 1)[0], line.split('; ').slice(2).join('; ')]);
  const usual = Object.fromEntries(phrases());
  expect(Object.values(usual).join()).not.toMatch(/are off|summarises (?:a long session )?at/);
  write('.claude/settings.json', '{"env":{"DISABLE_AUTO_COMPACT":"1"}}');
  write('.codex/config.toml', 'model_auto_compact_token_limit = 200000\n');
  write('.gemini/settings.json', '{"model":{"compressionThreshold":0.3}}');
  write('.config/opencode/opencode.json', '{"compaction":{"auto":false},"provider":{"anthropic":{}}}');
  write('.pi/agent/settings.json', '{"compaction":{"enabled":false}}');
  expect(phrases()).toEqual([
    ['claude', expect.stringContaining('its own summaries are off')],
    ['codex', expect.stringContaining('at 200000 tokens')],
    ['gemini', expect.stringContaining('summarises at 30% of the window')],
    ['opencode', expect.stringContaining('its own summaries are off')],
    ['pi', expect.stringContaining('its own summaries are off')],
  ]);
});

test('doctor: Gemini CLI starts the gateway only where its hooks are on', () => {
  densify('setup', 'gemini', '--yes');
  expect(densify('doctor').stdout).toMatch(/^gemini: .*its next session starts the gateway/m);
  for (const hooksConfig of [{ enabled: false }, { disabled: ['densify'] }]) {
    write('.gemini/settings.json', JSON.stringify({ hooksConfig }));
    const { status, stdout } = densify('doctor');
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^gemini: .*until you start.*turn hooks off/m)]);
  }
});

test('doctor: Codex runs the hook only after the user has trusted it', () => {
  write('.codex/config.toml', 'model = "x"\n');
  densify('setup', 'codex', '--yes');
  const advice = 'start `codex` and choose so when it asks';
  const untrusted = densify('doctor');
  expect([untrusted.status, untrusted.stdout]).toEqual([1, expect.stringContaining(advice)]);
  const events = ['session_start', 'user_prompt_submit'];
  const state = events.map(
    (event) => `[hooks.state."${join(home, '.codex/hooks.json')}:${event}:0:0"]\ntrusted_hash = "x"\n`,
  );
  write('.codex/config.toml', `${readFileSync(join(home, '.codex/config.toml'), 'utf8')}${state.join('')}`);
  expect(densify('doctor').stdout).toMatch(/^codex: .*its next session starts the gateway/m);
  expect(densify('doctor').stdout).not.toContain(advice);
  expect(densify('setup', 'codex', '--undo').status).toBe(0);
  expect(readFileSync(join(home, '.codex/config.toml'), 'utf8')).toBe(`model = "x"\n${state.join('')}`);
});

test('doctor sees what keeps requests from the gateway', () => {
  write('.claude/settings.json', '{"env":{"CLAUDE_CODE_USE_BEDROCK":"true"}}');
  write('.codex/config.toml', 'no TOML');
  const seen = densifyWith(commands({ claude: '1.0.0', codex: '1.0.0' }), 'doctor').stdout;
  expect(seen).toMatch(/^claude: .*go to a cloud such as Bedrock/m);
  expect(seen).toMatch(/^codex: .*config\.toml isn't TOML/m);
  expect(densify('doctor').stdout).not.toContain('instead');
  densify('setup', 'gemini', '--yes');
  densify('setup', 'pi', '--yes');
  write('project/.env', 'A=1');
  const { stdout } = densify('doctor');
  expect(stdout).not.toContain('instead');
  const env = { HOME: home, PATH: '/nowhere' };
  const options = { encoding: 'utf8', env, cwd: join(home, 'project') } as const;
  expect(spawnSync(process.execPath, [CLI, 'doctor'], options).stdout).toContain(
    `in this folder it reads ${join(home, 'project', '.env')} instead`,
  );
  const record = JSON.parse(readFileSync(join(home, '.local/state/densify/pi.json'), 'utf8')) as { programs: string[] };
  expect(record.programs).toEqual([expect.stringMatching(/pi-extension\.js$/)]);
  write('.local/state/densify/pi.json', JSON.stringify({ ...record, programs: ['/nowhere/pi-extension.js'] }));
  const doctor = densify('doctor');
  expect(doctor.status).toBe(1);
  expect(doctor.stdout).toMatch(/^pi: .*\/nowhere\/pi-extension\.js is gone: run `densify setup pi --undo`/m);
});

test('an agent whose requests go to a cloud: setup says that they bypass densify', () => {
  const line = 'Note: the set-up has no effect, because its requests go to a cloud such as Bedrock or Vertex';
  expect(densifyWith({ CLAUDE_CODE_USE_BEDROCK: '1' }, 'setup', 'claude').stdout).toContain(line);
  expect(densify('setup', 'claude').stdout).not.toContain('Note:');
  write('.claude/settings.json', '{"env":{"CLAUDE_CODE_USE_VERTEX":"1"}}');
  expect(densify('setup', 'claude', '--yes')).toMatchObject({ status: 0, stdout: expect.stringContaining(line) });
});

test('the guide names the versions that the tests run', () => {
  const guide = readFileSync(new URL('../docs/agents.md', import.meta.url), 'utf8');
  const versionIn = (start: string) =>
    guide
      .split('\n')
      .find((line) => line.startsWith(`| ${start}`))
      ?.split('|')
      .at(-2);
  const found = ['opencode', 'pi (`@earendil-works/pi-coding-agent`)', 'Claude Code', 'Gemini CLI', 'Codex'].map(
    (start) => versionIn(start)?.trim(),
  );
  const packages = ['opencode-ai', '@earendil-works/pi-coding-agent', '@anthropic-ai/claude-code'];
  expect(found).toEqual(
    [...packages, '@google/gemini-cli', '@openai/codex'].map((name) => (pinned.dependencies as never)[name]),
  );
});

test("a copy in npx's cache is not set up: the cache may be cleared", () => {
  const cache = mkdtempSync(join(tmpdir(), 'densify-cache-'));
  const copy = join(cache, '_npx', '0a1b', 'node_modules');
  mkdirSync(copy, { recursive: true });
  symlinkSync(new URL('node_modules/densify', import.meta.url), join(copy, 'densify'));
  const links = ['--preserve-symlinks', '--preserve-symlinks-main', join(copy, 'densify', 'dist', 'cli.js')];
  const env = { HOME: home, PATH: '/nowhere' };
  const run = (...args: string[]) => spawnSync(process.execPath, [...links, ...args], { encoding: 'utf8', env });
  expect(run('setup', 'pi', '--yes').stderr).toContain('run `npm install --global densify`, then `densify setup pi`');
  expect(run('setup', 'pi', '--undo').status).toBe(0);
  rmSync(cache, { recursive: true });
  expect(readdirSync(home)).toEqual([]);
});

test('agents behind a proxy: a line says how requests reach the gateway', () => {
  const line = 'A proxy is set: add 127.0.0.1 to NO_PROXY';
  expect(densifyWith({ https_proxy: 'http://p' }, 'setup', 'codex').stdout).toContain(line);
  const local = { https_proxy: 'http://p', NO_PROXY: '127.0.0.1,localhost' };
  expect(densifyWith(local, 'setup', 'codex').stdout).not.toContain(line);
});

test('a file of densify that the user changed is left alone', () => {
  densify('setup', 'opencode', '--yes');
  write('.config/opencode/plugin/densify.js', 'mine');
  const { status, stderr } = densify('setup', 'opencode', '--undo');
  expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain('changed since the set-up, so nothing was restored');
  expect(readFileSync(join(home, '.config/opencode/plugin/densify.js'), 'utf8')).toBe('mine');
});

test.each(['', '{', '{"changes":1}', Buffer.from([0xff])])('a damaged record is one line', (text) => {
  write('.local/state/densify/codex.json', text);
  for (const args of [['--undo'], ['--yes']]) {
    const { status, stderr } = densify('setup', 'codex', ...args);
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain('densify/codex.json: ');
  }
  const doctor = densify('doctor');
  expect([doctor.status, doctor.stderr]).toEqual([1, '']);
  expect(doctor.stdout).toMatch(/^codex: .*densify\/codex\.json: /m);
});

test('a path that can not be written leaves nothing half done', () => {
  write('.pi/agent/extensions', 'a file where the folder should be');
  const before = everything();
  const { status, stderr } = densify('setup', 'pi', '--yes');
  expect(status).toBe(2);
  expect(stderr).toContain("it can't be written");
  expect(everything()).toEqual(before);
});

test('unknown agents and commands are one line', () => {
  expect(densify('setup', 'emacs').stderr).toBe(
    'densify: unknown agent "emacs", expected one of claude, codex, gemini, opencode, pi\n',
  );
  expect(densify('run', '--', 'emacs').stderr).toContain(
    'densify run doesn\'t know "emacs" (it knows claude, codex, gemini, opencode, pi)',
  );
  expect(densify('setup').stderr).toBe(
    'densify: name an agent: densify setup claude | codex | gemini | opencode | pi\n',
  );
  expect(densify('run').stderr).toBe(
    'densify: name the agent: densify run -- claude | codex | gemini | opencode | pi\n',
  );
  expect(densify('run', '--', '/nowhere/claude').stderr).toBe(
    'densify: /nowhere/claude: found no such command; install the agent or name its path\n',
  );
  expect(densify('run', '--sped', '--', 'claude').stderr).toContain('unknown option --sped');
});
