// `densify run` with stand-ins for agents; `make test-agents` runs the real ones.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLI, endOf } from './support/command.js';
import { requestOf, session, startUpstream, type Upstream } from './support/gateway.js';

const folder = mkdtempSync(join(tmpdir(), 'densify-run-'));
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((_, response) => {
    response.end('{"usage":{"input_tokens":100,"cache_read_input_tokens":300,"output_tokens":1}}');
  });
  writeFileSync(join(folder, 'request.json'), JSON.stringify(requestOf(session(40))));
});
afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

/** An executable of an agent's name that runs a program. */
function standIn(name: string, program: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${program}`, { mode: 0o755 });
  return path;
}

const env = (more: Readonly<Record<string, string>> = {}) => ({ HOME: folder, PATH: process.env.PATH, ...more });

/** Runs it without blocking, since the provider is in this process. */
async function densify(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [CLI, 'run', ...args], { env: env(more), stdio: ['ignore', 'pipe', 'pipe'] });
  const { code, out, err } = await endOf(child);
  return { code, stdout: out, stderr: err };
}

const ASKING = `
const { readFileSync } = require('node:fs');
const body = readFileSync(${JSON.stringify(join(folder, 'request.json'))});
fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body }).then(async (answer) => {
  console.log(JSON.stringify({ args: process.argv.slice(2), search: process.env.ENABLE_TOOL_SEARCH, answer: await answer.json() }));
  process.exitCode = 7;
});`;

test('the agent gets its arguments, its exit code is passed on, and one line ends the run', async () => {
  const claude = standIn('claude', ASKING);
  const { code, stdout, stderr } = await densify([
    `--upstream=anthropic=${upstream.url}`,
    '--',
    claude,
    '-p',
    '--json',
  ]);
  expect(code).toBe(7);
  expect(JSON.parse(stdout)).toMatchObject({ args: ['-p', '--json'], search: 'true', answer: { usage: {} } });
  expect(stderr).toMatch(
    /^densify: 1 request, sent \d+k? of \d+k? tokens \(-\d+%\), input about \$\d.\d\d instead of \$\d.\d\d, 0% from the cache instead of 0%\n$/,
  );
  const sent = upstream.arrived.at(-1)!.body.length;
  expect(sent).toBeLessThan(JSON.stringify(requestOf(session(40))).length);
});

test('requests that the provider refused are counted in the last line', async () => {
  const refusing = await startUpstream((_, response) => void response.writeHead(401).end('{}'));
  const { stderr } = await densify([`--upstream=anthropic=${refusing.url}`, '--', standIn('claude', ASKING)]);
  expect(stderr).toMatch(/^densify: 1 request, and none succeeded\n/);
  await refusing.close();
});

test('--observe and --json', async () => {
  const claude = standIn('claude', ASKING);
  const args = ['--observe', '--json', `--upstream=anthropic=${upstream.url}`, claude];
  const { stderr } = await densify(args);
  const figures = JSON.parse(stderr) as Record<string, number>;
  expect(figures).toMatchObject({ requests: 1, rejected: 0, reportedInput: 400, reportedCached: 300 });
  expect(figures.tokensAfter).toBeLessThan(figures.tokensBefore!);
  expect(upstream.arrived.at(-1)!.body.toString()).toBe(JSON.stringify(requestOf(session(40))));
});

test('a base URL that the user has set stays the provider', async () => {
  const claude = standIn('claude', ASKING);
  const before = upstream.arrived.length;
  await densify(['--', claude], { ANTHROPIC_BASE_URL: upstream.url });
  expect(upstream.arrived.length).toBe(before + 1);
  // In the settings it wins over the environment: the agent is told by settings of its own.
  mkdirSync(join(folder, '.claude'), { recursive: true });
  writeFileSync(
    join(folder, '.claude', 'settings.json'),
    JSON.stringify({ env: { ANTHROPIC_BASE_URL: upstream.url } }),
  );
  const { stdout } = await densify(['--', claude, '-p']);
  rmSync(join(folder, '.claude'), { recursive: true });
  const { args } = JSON.parse(stdout) as { args: string[] };
  expect([args[0], args[2]]).toEqual(['--settings', '-p']);
  expect(JSON.parse(args[1]!).env.ANTHROPIC_BASE_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/anthropic$/);
  expect(upstream.arrived.length).toBe(before + 2);
});

test('Claude Code: tool search stays as it is behind an own URL, and settings win', async () => {
  const claude = standIn('claude', ASKING);
  const searchOf = async (settings: object, more: Readonly<Record<string, string>> = {}) => {
    mkdirSync(join(folder, '.claude'), { recursive: true });
    writeFileSync(join(folder, '.claude', 'settings.json'), JSON.stringify({ env: settings }));
    const { stdout } = await densify([`--upstream=anthropic=${upstream.url}`, '--', claude], more);
    rmSync(join(folder, '.claude'), { recursive: true });
    const { args, search } = JSON.parse(stdout) as { args: string[]; search?: string };
    return [search, args[1] === undefined ? undefined : Object.keys(JSON.parse(args[1]).env)];
  };
  expect(await searchOf({}, { ANTHROPIC_BASE_URL: 'https://llm.acme.example' })).toEqual([undefined, undefined]);
  expect(await searchOf({ ENABLE_TOOL_SEARCH: 'false' })).toEqual([undefined, undefined]);
  expect(await searchOf({ ANTHROPIC_BASE_URL: 'https://llm.acme.example', ENABLE_TOOL_SEARCH: 'false' })).toEqual([
    undefined,
    ['ANTHROPIC_BASE_URL'],
  ]);
  expect((await searchOf({ NO_PROXY: 'acme.example' }))[1]).toEqual(['NO_PROXY', 'no_proxy']);
});

test('the token of a gateway for others is not asked of the agent', async () => {
  const claude = standIn('claude', ASKING);
  const args = [`--upstream=anthropic=${upstream.url}`, '--flush=always', '--', claude];
  const { stdout, stderr } = await densify(args, { DENSIFY_TOKEN: 'a-token-of-the-team' });
  expect(JSON.parse(stdout)).toMatchObject({ answer: { usage: {} } });
  expect(stderr).toContain('1 request,');
  const { code, stderr: line } = await densify(['--flush=often', '--', claude]);
  expect([code, line.trim().split('\n').length]).toEqual([2, 1]);
  expect(line).toContain('expected one of when-it-pays, when-cold,');
});

test('a model that binds its thinking to the packed messages: one more line at the end', async () => {
  const body = JSON.stringify({ ...requestOf(session(40)), model: 'claude-opus-5-5' });
  const program = `fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body: ${JSON.stringify(body)} })`;
  const args = [`--upstream=anthropic=${upstream.url}`, '--', standIn('claude', program)];
  expect((await densify(args)).stderr.split('\n')[0]).toMatch(
    /^densify: claude-opus-5-5 refuses thinking .*densify run/,
  );
  expect((await densify(['--observe', ...args])).stderr).not.toContain('refuses');
});

test('requests to this machine pass a proxy by, in both spellings', () => {
  const of = (more: Readonly<Record<string, string>>) => shown('gemini', more).env;
  const both = (text: string) => ({ NO_PROXY: text, no_proxy: text });
  expect(of({})).toMatchObject(both('127.0.0.1,localhost'));
  expect(of({ NO_PROXY: 'a.example, localhost', no_proxy: '.b.example' })).toMatchObject(
    both('a.example,localhost,.b.example,127.0.0.1'),
  );
  expect(of({ no_proxy: '*' })).toMatchObject(both('*'));
});

test('Codex asks for a WebSocket first: the answer makes it use HTTP immediately', async () => {
  const program = `const { request } = require('node:http');
    const url = process.argv[3].split('"')[1] + '/responses';
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'x' };
    request(url, { headers }, (answer) => {
      console.log(answer.statusCode);
      process.exit();
    }).end();`;
  expect((await densify(['--', standIn('codex', program)])).stdout).toBe('426\n');
});

test('a run without a request says so', async () => {
  const { code, stderr } = await densify(['--', standIn('gemini', '')]);
  expect([code, stderr]).toEqual([
    0,
    'densify: no request went through the gateway: it called no model, or its settings name another base URL\n',
  ]);
});

test.each<[string, string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
  [
    'codex',
    '',
    {},
    { '.codex/config.toml': 'no TOML' },
    "/.codex/config.toml isn't TOML, so densify can't see its provider",
  ],
  [
    'codex',
    '',
    {},
    { '.codex/config.toml': 'model_provider = "ollama"' },
    'densify can\'t read the base URL of model_provider "ollama"',
  ],
  ['claude', '', { CLAUDE_CODE_USE_VERTEX: '1' }, {}, 'its requests go to a cloud such as Bedrock or Vertex'],
  ['gemini', '', { GOOGLE_GENAI_USE_VERTEXAI: 'true' }, {}, 'its requests go to Vertex AI, bypassing densify'],
  ['opencode', '', { ANTHROPIC_API_KEY: 'k' }, { 'opencode.json': '{ "a" 1 }' }, "/opencode.json isn't a JSON object"],
  [
    'opencode',
    '',
    { ANTHROPIC_API_KEY: 'k' },
    { 'opencode.json': '{"model":"groq/x"}' },
    'its model is one of "groq", and densify points only anthropic, openai, google at its gateway',
  ],
  ['pi', '', {}, { '.pi/agent/models.json': '[' }, "/.pi/agent/models.json isn't a JSON object: correct it"],
  ['claude', "console.log('99.0.0')", {}, {}, 'its version is 99.0.0, and densify was tested with 2.'],
])('a run without a request says why: %s', (name, program, more, files, expected) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = [CLI, 'run', '--', standIn(name, program)];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: env(more), cwd: folder });
  for (const path of Object.keys(files)) rmSync(join(folder, path));
  expect([status, stderr.trim().split('\n').length]).toEqual([0, 1]);
  expect(stderr).toContain('densify: no request went through the gateway: ');
  expect(stderr).toContain(expected);
});

test('signals reach the agent, and its end by one is its exit code', async () => {
  const program = `for (const signal of ['SIGTERM', 'SIGINT', 'SIGQUIT']) process.on(signal, () => process.exit(3));
    setInterval(() => {}, 1000); console.log('ready');`;
  for (const [name, source, signal, expected] of [
    ['pi', program, 'SIGTERM', 3],
    ['pi', program, 'SIGINT', 3],
    ['pi', program, 'SIGQUIT', 3],
    ['codex', `console.log('ready'); setInterval(() => {}, 1000);`, 'SIGTERM', 143],
  ] as const) {
    const child = spawn(process.execPath, [CLI, 'run', '--', standIn(name, source)], {
      env: env(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill(signal);
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(expected);
  }
});

test.skipIf(spawnSync('script', ['--version']).status !== 0)(
  'at a terminal the agent has it whole: size, one Ctrl+C, exit code, and the last line comes after it',
  async () => {
    const program = `const { stdin, stdout, stderr } = process;
      let interrupts = 0;
      process.on('SIGINT', () => {
        interrupts += 1;
        setTimeout(() => { console.log('interrupts', interrupts); process.exit(5); }, 300);
      });
      setInterval(() => {}, 1000);
      console.log('terminal', stdin.isTTY, stdout.isTTY, stderr.isTTY, stdout.columns, stdout.rows);`;
    const run = `stty cols 97 rows 31; exec ${process.execPath} ${CLI} run -- ${standIn('pi', program)}`;
    const child = spawn('script', ['--quiet', '--return', '--command', run, '/dev/null'], { env: env() });
    let output = '';
    child.stdout.on('data', (chunk) => {
      // The terminal turns this into SIGINT for everything in its foreground.
      if (!output.includes('terminal') && `${output}${chunk}`.includes('terminal')) child.stdin.write('\u0003');
      output += chunk;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(5);
    expect(output).toMatch(/terminal true true true 97 31\r\n(?:\^C)?interrupts 1\r\ndensify: no request/);
  },
);

/** What a stand-in for an agent is given. */
function shown(name: string, more: Readonly<Record<string, string>> = {}, given: readonly string[] = ['x']) {
  const program = `console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env }))`;
  const args = [CLI, 'run', '--', standIn(name, program), ...given];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: env(more), cwd: folder });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout.replace(/127\.0\.0\.1:\d+/g, 'HOST')) as { args: string[]; env: Record<string, string> };
}

/** Writes a file of an agent's settings for one action. */
function withFile<T>(path: string, text: string, action: () => T): T {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  try {
    return action();
  } finally {
    rmSync(join(folder, path), { recursive: true });
  }
}

test('what other agents are given', () => {
  expect(shown('codex', { OPENAI_API_KEY: 'k' }).args).toEqual(['-c', 'openai_base_url="http://HOST/openai/v1"', 'x']);
  expect(shown('gemini').env).toMatchObject({ GOOGLE_GEMINI_BASE_URL: 'http://HOST/gemini' });
  const given = '{"theme":"x","provider":{"anthropic":{"options":{"apiKey":"k"}}}}';
  expect(JSON.parse(shown('opencode', { OPENCODE_CONFIG_CONTENT: given }).env.OPENCODE_CONFIG_CONTENT!)).toMatchObject({
    theme: 'x',
    provider: { anthropic: { options: { apiKey: 'k', baseURL: 'http://HOST/anthropic/v1' } } },
  });
  const { args, env: own } = shown('pi');
  expect(args[0]).toBe('--extension');
  expect(JSON.parse(own.DENSIFY_GATEWAY!)).toMatchObject({ anthropic: 'http://HOST/anthropic' });
});

test('Codex: the provider and the base URL of its settings stay, with their key', () => {
  const codex = (toml: string) =>
    withFile('.codex/config.toml', toml, () => shown('codex', { OPENAI_API_KEY: 'k' }).args);
  const table = 'model_provider = "acme"\n[model_providers.acme]\nbase_url = "https://llm.acme.example/v1"\n';
  expect(codex(table)).toEqual(['-c', 'model_providers.acme.base_url="http://HOST/codex-provider"', 'x']);
  // A key for another URL must not reach OpenAI.
  for (const first of ['', 'model_provider = "openai"\n']) {
    expect(codex(`${first}openai_base_url = "https://llm.acme.example/v1"\n`)[1]).toBe(
      'openai_base_url="http://HOST/codex-provider"',
    );
  }
  // The same in other words.
  const acme = 'model_providers.acme.base_url="http://HOST/codex-provider"';
  for (const toml of [
    table.replace('model_provider ', '"model_provider" '),
    `notify = [\n["a"],\n]\n${table}`,
    'model_providers = { acme = { base_url = "https://llm.acme.example/v1" } }\nmodel_provider = "acme"\n',
    `profile = "p"\nprofiles.p.model_provider = "acme"\n${table.slice(table.indexOf('['))}`,
  ]) {
    expect(codex(toml)[1]).toBe(acme);
  }
  expect(codex('model_provider = "my.acme"\n[model_providers."my.acme"]\nbase_url = "https://x.example"')).toEqual([
    'x',
  ]);
  const file = `${table}[profiles.q]\nmodel_provider = "openai"\n`;
  expect(withFile('.codex/p.config.toml', file, () => shown('codex', {}, ['--profile', 'p']).args[1])).toBe(acme);
  // A built-in one, and one whose URL can't be read: it works as if densify were not there.
  for (const toml of ['model_provider = "ollama"\n', 'model_provider = "a"\n[model_providers.a]\nbase_url = "x"\n']) {
    expect(codex(toml)).toEqual(['x']);
  }
  expect(codex('this is no TOML')).toEqual(['x']);
  const usual = 'openai_base_url="http://HOST/openai/v1"';
  expect(withFile('.codex/config.toml/folder', '', () => shown('codex').args)[1]).toBe(usual);
});

test('opencode and pi: base URLs of their settings stay the providers', () => {
  type Providers = Record<string, { options: { baseURL?: string } }>;
  const opencode = (text: string, more: Readonly<Record<string, string>> = {}) => {
    const keys = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };
    const { env: given } = withFile('opencode.jsonc', text, () => shown('opencode', { ...keys, ...more }));
    const { provider } = JSON.parse(given.OPENCODE_CONFIG_CONTENT!) as { provider: Providers };
    return [provider.anthropic?.options.baseURL, provider.openai?.options.baseURL];
  };
  const urls = (anthropic: string) =>
    `{ // mine\n"provider": {"anthropic": {"options": {"baseURL": "${anthropic}"}},},}`;
  const usual = 'http://HOST/openai/v1';
  expect(opencode(urls('https://llm.acme.example/v1'))).toEqual(['http://HOST/opencode-anthropic', usual]);
  expect(opencode(urls('{env:ACME}'), { ACME: 'https://x.example' })).toEqual([
    'http://HOST/opencode-anthropic',
    usual,
  ]);
  expect(opencode(urls('{file:url}'))).toEqual([undefined, usual]);
  expect(opencode('{', { OPENAI_BASE_URL: 'https://x.example/v1' })).toEqual([
    'http://HOST/anthropic/v1',
    'http://HOST/opencode-openai',
  ]);

  const pi = (provider: object) => {
    const text = JSON.stringify({ providers: { anthropic: provider } });
    return JSON.parse(withFile('.pi/agent/models.json', text, () => shown('pi')).env.DENSIFY_GATEWAY!) as object;
  };
  expect(pi({ baseUrl: 'https://llm.acme.example' })).toMatchObject({ anthropic: 'http://HOST/pi-anthropic' });
  expect(pi({ models: [{ id: 'a', baseUrl: 'https://x.example' }] })).not.toHaveProperty('anthropic');
});

test('opencode: a provider without a key, a login or settings is not offered', () => {
  const offered = (more: Readonly<Record<string, string>> = {}) => {
    const { OPENCODE_CONFIG_CONTENT: given } = shown('opencode', more).env;
    return given === undefined ? undefined : Object.keys((JSON.parse(given) as { provider: object }).provider);
  };
  expect(offered()).toBeUndefined();
  expect(offered({ GEMINI_API_KEY: 'k', OPENAI_API_KEY: '' })).toEqual(['google']);
  const login = '{"anthropic":{"type":"api","key":"k"}}';
  expect(withFile('.local/share/opencode/auth.json', login, () => offered())).toEqual(['anthropic']);
  expect(withFile('opencode.json', '{"provider":{"openai":{}}}', () => offered())).toEqual(['openai']);
});

test('Gemini CLI: a base URL in its file of variables stays the provider, and one of a project is left alone', async () => {
  const program = `fetch(process.env.GOOGLE_GEMINI_BASE_URL + '/x').then(async (answer) => console.log(await answer.text()))`;
  const gemini = standIn('gemini', program);
  const before = upstream.arrived.length;
  writeFileSync(join(folder, '.env'), `GEMINI_API_KEY=k\nexport GOOGLE_GEMINI_BASE_URL="${upstream.url}" # mine\n`);
  await densify(['--', gemini]);
  rmSync(join(folder, '.env'));
  expect(upstream.arrived.length).toBe(before + 1);
  withFile('project/.env', 'GOOGLE_GEMINI_BASE_URL=https://other.example\n', () => {
    const args = [CLI, 'run', '--', standIn('gemini', 'console.log(Object.keys(process.env).join())')];
    const { stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: env(),
      cwd: join(folder, 'project'),
    });
    expect(stdout).toContain('CODE_ASSIST_ENDPOINT');
    expect(stdout).not.toContain('GOOGLE_GEMINI_BASE_URL');
  });
});

test('Windows: a command that is a script is run by the shell, which gets every argument whole', () => {
  const preload = join(folder, 'windows.cjs');
  writeFileSync(preload, "Object.defineProperty(process, 'platform', { value: 'win32' });");
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin', 'codex.cmd'), '');
  const shell = standIn('shell', 'console.log(JSON.stringify(process.argv.slice(2)))');
  const given = ['--require', preload, CLI, 'run', '--', 'codex', 'say "a&b"', '100%', 'c:\\x\\'];
  const windows = { ComSpec: shell, PATH: join(folder, 'bin'), PATHEXT: '.EXE;.CMD' };
  const { stdout } = spawnSync(process.execPath, given, { encoding: 'utf8', env: env(windows) });
  const [, , , line] = JSON.parse(stdout) as string[];
  expect(line!.slice(0, 20)).toContain('"');
  // The shell takes the carets away twice: once for the line, and once in the script.
  const read = line!.replace(/\^(.)/g, '$1').replace(/\^(.)/g, '$1');
  expect(read.replace(/127\.0\.0\.1:\d+/, 'HOST')).toBe(
    `"${join(folder, 'bin', 'codex.cmd')} "-c" "openai_base_url=\\"http://HOST/openai/v1\\"" "say \\"a&b\\"" "100%" "c:\\x\\\\""`,
  );
  expect(line).toContain('^^^&');
  expect(line).not.toMatch(/[^^][&%]/);
});

test('a base URL that is empty is none, and one that is no URL is one line', async () => {
  const claude = standIn('claude', '');
  expect((await densify(['--', claude], { ANTHROPIC_BASE_URL: '' })).code).toBe(0);
  const { code, stderr } = await densify(['--', claude], { ANTHROPIC_BASE_URL: 'llm.acme.example' });
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain("ANTHROPIC_BASE_URL: found 'llm.acme.example', expected a URL such as");
});

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
  ['claude', { ANTHROPIC_BASE_URL: 'https://me:secret@x' }, {}, 'ANTHROPIC_BASE_URL: '],
  [
    'claude',
    {},
    { '.claude/settings.json': '{"env":{"ANTHROPIC_BASE_URL":"https://me:secret@x"}}' },
    'env.ANTHROPIC_BASE_URL in HOME/.claude/settings.json: ',
  ],
  ['gemini', { GOOGLE_GEMINI_BASE_URL: 'https://me:secret@x' }, {}, 'GOOGLE_GEMINI_BASE_URL: '],
  [
    'gemini',
    {},
    { '.gemini/.env': 'CODE_ASSIST_ENDPOINT=https://me:secret@x' },
    'CODE_ASSIST_ENDPOINT in HOME/.gemini/.env: ',
  ],
  [
    'codex',
    {},
    { '.codex/config.toml': 'openai_base_url = "https://me:secret@x"' },
    'the base URL in HOME/.codex/config.toml: ',
  ],
  ['opencode', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://me:secret@x' }, {}, 'ANTHROPIC_BASE_URL: '],
  [
    'opencode',
    {},
    { '.config/opencode/opencode.json': '{"provider":{"openai":{"options":{"baseURL":"https://me:secret@x"}}}}' },
    'the base URL of openai in HOME/.config/opencode/opencode.json: ',
  ],
  [
    'pi',
    {},
    { '.pi/agent/models.json': '{"providers":{"openai-codex":{"baseUrl":"https://me:secret@x"}}}' },
    'the base URL of openai-codex in HOME/.pi/agent/models.json: ',
  ],
])('a base URL with a password: the error names where it is set: %s', async (name, more, files, origin) => {
  for (const [path, text] of Object.entries(files)) {
    rmSync(join(folder, path), { recursive: true, force: true });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { code, stderr } = await densify(['--', standIn(name, '')], more);
  for (const path of Object.keys(files)) rmSync(join(folder, path));
  const line = `densify: ${origin.replace('HOME', folder)}found a URL with a user name or password, expected`;
  expect([code, stderr.startsWith(line)], stderr).toEqual([2, true]);
  expect(stderr).not.toContain('secret');
});

test.each<[string, string, RegExp, string?]>([
  [
    'a body in a compression that nobody knows',
    "{ method: 'POST', body: 'x', headers: { 'content-encoding': 'odd' } }",
    /^densify: 1 request not packed \(of an unknown compression/,
  ],
  ['a body without messages', "{ method: 'POST', body: '{}' }", /^densify: 1 request not packed \(without messages\)/],
  [
    'a count of tokens',
    "{ method: 'POST', body }",
    /^densify: 1 request not packed \(that only count tokens\)/,
    '/count_tokens',
  ],
  ['a request for no model', '{}', /^densify: 1 request not packed \(for no model\)/],
  [
    'a client that leaves before the answer',
    '{ method: "POST", body, signal: AbortSignal.timeout(1000) }',
    /^densify: 1 request, and none succeeded/,
  ],
])('the closing line counts what came, packed or not: %s', async (_, init, line, path = '') => {
  const silent = await startUpstream(({ url, body }, response) => {
    if (body.length < 100 || url.endsWith('count_tokens')) response.end('{}');
  });
  const program = `const body = require('node:fs').readFileSync(${JSON.stringify(join(folder, 'request.json'))});
    fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages${path}', ${init}).catch(() => undefined)
      .then(() => new Promise((go) => setTimeout(go, 500)));`;
  const { stderr } = await densify([`--upstream=anthropic=${silent.url}`, '--', standIn('claude', program)]);
  await silent.close();
  expect(stderr).toMatch(line);
});

test('the request that a provider has sent to its own URL carries the key there', async () => {
  const program = `fetch(JSON.parse(process.env.OPENCODE_CONFIG_CONTENT).provider.anthropic.options.baseURL + '/messages',
    { method: 'POST', body: '{}', headers: { 'x-api-key': 'of acme' } });`;
  const before = upstream.arrived.length;
  const env = { ANTHROPIC_API_KEY: 'of acme', ANTHROPIC_BASE_URL: `${upstream.url}/base/v1` };
  await densify(['--', standIn('opencode', program)], env);
  const { url, headers } = upstream.arrived.at(-1)!;
  expect([upstream.arrived.length, url, headers['x-api-key']]).toEqual([before + 1, '/base/v1/messages', 'of acme']);
});
