// The parts of densify that agents load, called as agents call them. `make test-agents` runs them in real agents.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const dist = (name: string) => new URL(`node_modules/densify/dist/${name}`, import.meta.url).href;
/** The gateway's port in the settings of agents. */
const PORT = 8787;
const folder = mkdtempSync(join(tmpdir(), 'densify-plugins-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program of hooks with an event; resolves with what it prints. */
async function hook(event: unknown, env: Readonly<Record<string, string>> = {}, agent = 'claude') {
  const args = [new URL(dist('agent-hook.js')).pathname, agent];
  const child = spawn(process.execPath, args, { env: { HOME: folder, PATH: '/nowhere', ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.end(typeof event === 'string' ? event : JSON.stringify(event));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const LOG = Array.from({ length: 300 }, (_, at) => `test case_${at} ... ok`).join('\n');
const bash = (response: unknown) => ({
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'cargo test' },
  tool_response: response,
});

test("Claude Code: a new result is shorter, in the tool's own form", async () => {
  const response = { stdout: LOG, stderr: '', interrupted: false, isImage: false };
  const { hookSpecificOutput: output } = JSON.parse(await hook(bash(response))) as {
    hookSpecificOutput: { hookEventName: string; updatedToolOutput: typeof response };
  };
  const { hookEventName, updatedToolOutput } = output;
  expect(hookEventName).toBe('PostToolUse');
  expect(updatedToolOutput).toEqual({ ...response, stdout: expect.stringContaining('passing tests left out') });
  expect(updatedToolOutput.stdout.length).toBeLessThan(LOG.length / 4);
  expect(await hook(bash(response), { DENSIFY_INTAKE: 'off' })).toBe('');
  const parts = [
    { type: 'text', text: LOG },
    { type: 'image', source: {} },
  ];
  const mcp = { ...bash(parts), tool_name: 'mcp__ci__run_tests' };
  const found = JSON.parse(await hook(mcp)) as { hookSpecificOutput: { updatedToolOutput: { text: string }[] } };
  expect(found.hookSpecificOutput.updatedToolOutput[0]!.text.length).toBeLessThan(LOG.length);
  expect(found.hookSpecificOutput.updatedToolOutput[1]).toEqual(parts[1]);
});

test.each<[string, unknown]>([
  ['a short result', bash({ stdout: 'ok', stderr: '' })],
  ['a file', { ...bash({ file: { content: LOG } }), tool_name: 'Read' }],
  ['a result of another form', bash(null)],
  ['another event', { hook_event_name: 'Stop' }],
  ['no JSON', '{'],
  ['nothing', ''],
])('Claude Code: %s stays', async (_, event) => expect(await hook(event)).toBe(''));

/** Whether nothing on this machine holds the gateway's port. */
async function isPortFree(): Promise<boolean> {
  const probe = createServer();
  return new Promise<boolean>((resolve) => {
    probe.on('error', () => resolve(false));
    probe.listen(PORT, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
const isFree = await isPortFree();

/** What `densify doctor` says of the port, and its exit code. */
async function doctor(own: string) {
  const args = [new URL(dist('cli.js')).pathname, 'doctor'];
  const child = spawn(process.execPath, args, { env: { HOME: own, PATH: '/nowhere' } });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { output, code };
}

/** Starts the user's gateway at its port; resolves with what ends it. */
async function standingGateway(own: string, ...more: readonly string[]) {
  const args = [new URL(dist('cli.js')).pathname, 'gateway', ...more];
  const child = spawn(process.execPath, args, { env: { HOME: own, PATH: '/nowhere' } });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  while (!output.includes('gateway at') && child.exitCode === null) await new Promise((go) => setTimeout(go, 20));
  const stop = async () => {
    if (child.exitCode !== null) return;
    const closed = new Promise((resolve) => child.on('close', resolve));
    child.kill();
    await closed;
  };
  return { stop, output: () => output };
}

/** The process with this home folder. A hook starts it detached, so it can't be found as a child. */
function processOf(own: string): number {
  const isIts = (id: string) => {
    try {
      return readFileSync(`/proc/${id}/environ`, 'utf8').includes(`HOME=${own}\0`);
    } catch {
      return false; // it has ended, or belongs to another user
    }
  };
  return Number(readdirSync('/proc').find((id) => /^\d+$/.test(id) && isIts(id)) ?? 0);
}

const STANDING = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${PORT}/anthropic` };
const userFolder = () => mkdtempSync(join(folder, 'user-'));

test.runIf(isFree)("a gateway proves to its user's agents that it is theirs", async () => {
  const [one, other] = [userFolder(), userFolder()];
  const key = join(one, '.local/state/densify/gateway.key');
  const gateway = await standingGateway(one);
  try {
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect((await doctor(one)).output).toContain(`gateway on port ${PORT}: running`);
    for (const name of ['SessionStart', 'UserPromptSubmit']) {
      expect(await hook({ hook_event_name: name }, { HOME: one, ...STANDING })).toBe('');
    }
    // Another user's gateway is another program.
    expect((await doctor(other)).output).toContain('another program answers there');
    const blocked = await hook({ hook_event_name: 'UserPromptSubmit' }, { HOME: other, ...STANDING });
    expect(JSON.parse(blocked)).toMatchObject({ decision: 'block' });
    // A challenge of the caller's choice is no way to the key, and the answer is another one each time.
    const ask = async (text: string) => (await fetch(`http://127.0.0.1:${PORT}/healthz${text}`)).text();
    for (const odd of ['', '?challenge=', '?challenge=x', `?challenge=${'0'.repeat(63)}`])
      expect(await ask(odd)).toBe('ok\n');
    const answers = await Promise.all([...'01'].map((digit) => ask(`?challenge=${digit.repeat(64)}`)));
    expect(new Set(answers).size).toBe(2);
    expect(answers.join()).not.toContain(readFileSync(key, 'utf8'));
    // A key that others could read or have written doesn't count: the gateway writes its own again.
    chmodSync(key, 0o644);
    expect((await doctor(one)).output).toContain(': running');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    rmSync(join(one, '.local'), { recursive: true });
    expect((await doctor(one)).output).toContain(': running');
  } finally {
    await gateway.stop();
  }
  expect(readdirSync(one)).toEqual([]);
  expect((await doctor(one)).output).toContain('not running');
});

test.runIf(isFree)('a gateway at another address has no key: it could answer for a program that asks it', async () => {
  const own = userFolder();
  const gateway = await standingGateway(own, '--host=::1');
  const challenge = '0'.repeat(64);
  try {
    if (gateway.output().includes('no such address')) return;
    expect(await (await fetch(`http://[::1]:${PORT}/healthz?challenge=${challenge}`)).text()).toBe('ok\n');
    expect(readdirSync(own)).toEqual([]);
  } finally {
    await gateway.stop();
  }
});

test.runIf(isFree)('a gateway that can not write its key says so, and serves', async () => {
  const own = userFolder();
  writeFileSync(join(own, '.local'), 'a file where the folder should be');
  const gateway = await standingGateway(own);
  expect((await fetch(`http://127.0.0.1:${PORT}/healthz`)).status).toBe(200);
  const { output } = await doctor(own);
  await gateway.stop();
  expect(gateway.output()).toContain("gateway.key can't be written, so agents don't recognise this gateway");
  expect(output).toContain('another program answers there');
});

test.runIf(isFree)('a gateway that a session starts has no token: agents on this machine send none', async () => {
  // The package, except for the command, which here only writes down how it was started and answers for a moment.
  const root = mkdtempSync(join(tmpdir(), 'densify-dist-'));
  const own = join(root, 'dist');
  mkdirSync(own);
  const real = new URL(dist('')).pathname;
  symlinkSync(join(real, '..', 'package.json'), join(root, 'package.json'));
  for (const name of readdirSync(real)) if (name !== 'cli.js') symlinkSync(join(real, name), join(own, name));
  writeFileSync(
    join(own, 'cli.js'),
    `import { writeFileSync } from 'node:fs';
    import { createServer } from 'node:http';
    const { DENSIFY_TOKEN: token, KEPT: kept } = process.env;
    createServer((_, response) => response.end('ok\\n')).listen(${PORT}, '127.0.0.1', () => {
      writeFileSync(${JSON.stringify(join(own, 'started'))}, JSON.stringify({ token, kept, args: process.argv.slice(2) }));
      setTimeout(() => process.exit(), 1000);
    });`,
  );
  const args = ['--preserve-symlinks', '--preserve-symlinks-main', join(own, 'agent-hook.js')];
  const env = {
    HOME: folder,
    PATH: '/nowhere',
    DENSIFY_TOKEN: 'x'.repeat(20),
    DENSIFY_UPSTREAM: 'a=https://a',
    KEPT: '1',
  };
  const child = spawn(process.execPath, args, { env });
  child.stdin.end(JSON.stringify({ hook_event_name: 'SessionStart' }));
  await new Promise((resolve) => child.on('close', resolve));
  const started = readFileSync(join(own, 'started'), 'utf8');
  rmSync(root, { recursive: true });
  expect(JSON.parse(started)).toEqual({ kept: '1', args: ['gateway', '--idle=240', '--upstream=a=https://a'] });
  await new Promise((resolve) => setTimeout(resolve, 1200));
});

test.runIf(isFree)('a gateway that does not start: one line says how to find out why', async () => {
  const env = { HOME: userFolder(), DENSIFY_PRESET: 'balanc' };
  const event = { hook_event_name: 'UserPromptSubmit' };
  expect(JSON.parse(await hook(event, { ...env, ...STANDING }))).toEqual({
    systemMessage: expect.stringMatching(/^densify: your gateway did not start.*`densify gateway`.*claude --undo`/),
  });
  expect(await hook(event, env)).toBe('');
});

test.runIf(isFree)('another program at the port gets no prompt: one line says what to do', async () => {
  const own = userFolder();
  const asked: string[] = [];
  // It answers like a gateway that isn't asked for a proof, and repeats the question.
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end(url.includes('challenge') ? url.replace(/.*=/, '') : 'ok\n');
  });
  await new Promise<void>((resolve) => server.listen(PORT, '127.0.0.1', resolve));
  try {
    const set = spawnSync(process.execPath, [new URL(dist('cli.js')).pathname, 'setup', 'claude', '--yes'], {
      env: { HOME: own, PATH: '/nowhere' },
    });
    expect(set.status).toBe(0);
    const env = { HOME: own, ...STANDING };
    const line = /^densify: the program at port 8787 is not your densify gateway.*`densify run -- claude`.*--undo`\.$/;
    expect(JSON.parse(await hook({ hook_event_name: 'SessionStart' }, env))).toEqual({
      systemMessage: expect.stringMatching(line),
    });
    expect(JSON.parse(await hook({ hook_event_name: 'UserPromptSubmit' }, env))).toEqual({
      decision: 'block',
      reason: expect.stringMatching(line),
    });
    // Requests that go elsewhere are none of its business.
    for (const elsewhere of [
      { ANTHROPIC_BASE_URL: 'https://llm.acme.example' },
      { CLAUDE_CODE_USE_BEDROCK: '1' },
      { DENSIFY_RUN: 'claude' },
    ]) {
      expect(await hook({ hook_event_name: 'UserPromptSubmit' }, { ...env, ...elsewhere })).toBe('');
    }
    for (const [agent, event, more] of [
      ['gemini', 'BeforeAgent', { GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${PORT}/gemini` }],
      ['codex', 'UserPromptSubmit', {}],
    ] as const) {
      const elsewhere = await hook({ hook_event_name: event }, { HOME: own }, agent);
      expect(elsewhere).toBe('');
      spawnSync(process.execPath, [new URL(dist('cli.js')).pathname, 'setup', agent, '--yes'], { env: { HOME: own } });
      const refused = JSON.parse(await hook({ hook_event_name: event }, { HOME: own, ...more }, agent)) as object;
      expect(refused).toEqual({
        decision: agent === 'gemini' ? 'deny' : 'block',
        reason: expect.stringContaining(
          `\`densify run -- ${agent}\` instead, or run \`densify setup ${agent} --undo\``,
        ),
      });
      const start = JSON.parse(
        await hook({ hook_event_name: 'SessionStart' }, { HOME: own, ...more }, agent),
      ) as object;
      expect(Object.keys(start)).toEqual(['systemMessage']);
    }
    const { output, code } = await doctor(own);
    expect(code).toBe(1);
    expect(output).toContain('gateway on port 8787: another program answers there, not your gateway');
    expect(output).toMatch(/^claude: .*its hook blocks prompts until you stop that program/m);
    expect(asked.every((url) => url.startsWith('/healthz?challenge='))).toBe(true);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test.runIf(isFree)('a session starts a gateway that it then recognises, and the last --undo ends it', async () => {
  const own = userFolder();
  const setup = (...args: readonly string[]) =>
    spawnSync(process.execPath, [new URL(dist('cli.js')).pathname, 'setup', ...args], {
      env: { HOME: own, PATH: '/nowhere' },
      encoding: 'utf8',
    }).stdout;
  setup('claude', '--yes');
  setup('gemini', '--yes');
  expect(await hook({ hook_event_name: 'SessionStart' }, { HOME: own, ...STANDING }, 'gemini')).toBe('');
  expect((await doctor(own)).output).toContain(': running');
  expect(await hook({ hook_event_name: 'UserPromptSubmit' }, { HOME: own, ...STANDING })).toBe('');
  const started = processOf(own);
  setup('claude', '--undo');
  expect(processOf(own)).toBe(started); // Gemini CLI still needs it
  setup('gemini', '--undo');
  while (processOf(own) !== 0) await new Promise((go) => setTimeout(go, 20)); // its port is free already
  expect(readdirSync(own)).toEqual([]);
  // One that the user has started goes on.
  const gateway = await standingGateway(own);
  expect(setup('codex', '--yes')).toContain('Your `densify gateway` may not know its provider: end it with Ctrl-C');
  expect(setup('codex', '--undo')).toContain('Your `densify gateway` goes on');
  expect((await doctor(own)).output).toContain(': running');
  await gateway.stop();
  expect(readdirSync(own)).toEqual([]);
});

/** The package as another version. */
function otherVersion(version: string): string {
  const root = mkdtempSync(join(folder, 'version-'));
  cpSync(new URL(dist('..')), root, { recursive: true, dereference: true });
  const path = join(root, 'package.json');
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), version }));
  return join(root, 'dist');
}

/** Runs a hook of some version before a prompt. */
async function promptBy(programs: string, own: string) {
  const child = spawn(process.execPath, [join(programs, 'agent-hook.js'), 'claude'], {
    env: { HOME: own, PATH: '/nowhere', ...STANDING },
  });
  child.stdin.end(JSON.stringify({ hook_event_name: 'UserPromptSubmit' }));
  await new Promise((resolve) => child.on('close', resolve));
}

/** The program of the gateway that a hook has started. */
const programOf = (own: string) => readFileSync(`/proc/${processOf(own)}/cmdline`, 'utf8').split('\0')[1];

test.runIf(isFree)(
  'after an upgrade a hook replaces the gateway of the old version, and no older one that of a newer',
  async () => {
    const own = userFolder();
    const [older, newer] = ['0.0.1', '999.0.0'].map(otherVersion) as [string, string];
    const settled = async (programs: string) => {
      while (processOf(own) === 0 || programOf(own) !== join(programs, 'cli.js')) {
        await new Promise((go) => setTimeout(go, 20));
      }
    };
    await promptBy(older, own);
    await settled(older);
    expect((await doctor(own)).output).toMatch(
      /: running, but of version 0\.0\.1, .* an agent's next session replaces it/,
    );
    await promptBy(newer, own);
    await settled(newer);
    await promptBy(older, own);
    expect(programOf(own)).toBe(join(newer, 'cli.js'));
    const { output, code } = await doctor(own);
    expect(output).toMatch(/: running, but of version 999\.0\.0, .*: end it and start `densify gateway` again/);
    expect(code).toBe(1);
    // Setting up an agent ends it too: it may not know the agent's provider.
    const args = [new URL(dist('cli.js')).pathname, 'setup', 'claude', '--yes'];
    const env = { HOME: own, PATH: '/nowhere' };
    expect(spawnSync(process.execPath, args, { env, encoding: 'utf8' }).stdout).toContain(
      'The gateway that ran already was ended: the next session or prompt starts a new one.',
    );
    while (processOf(own) !== 0) await new Promise((go) => setTimeout(go, 20));
  },
);

type Action = (...given: never[]) => unknown;

test('under `densify run` the gateway packs, and what agents load of densify does nothing', async () => {
  process.env.DENSIFY_RUN = 'pi';
  const { default: pi } = (await import(dist('pi-extension.js'))) as { default: (pi: object) => void };
  const { default: opencode } = (await import(dist('opencode-plugin.js'))) as {
    default: { server(): Promise<object>; setup(context: object): Promise<void> };
  };
  const names: string[] = [];
  const on = (name: string) => names.push(name);
  pi({ on });
  expect(names).toEqual([]);
  process.env.DENSIFY_RUN = 'opencode';
  expect(await opencode.server()).toEqual({});
  await opencode.setup({ session: { hook: on } });
  expect(names).toEqual([]);
  // An agent that another one starts is not behind that gateway.
  pi({ on });
  expect(names).toContain('context');
  delete process.env.DENSIFY_RUN;
  const response = { stdout: LOG, stderr: '', interrupted: false, isImage: false };
  expect(await hook(bash(response), { DENSIFY_RUN: 'claude' })).toBe('');
});

test('pi: an extension packs, shortens new results, and fails open', async () => {
  const { default: extension } = (await import(dist('pi-extension.js'))) as { default: (pi: object) => void };
  const actions = new Map<string, Action>();
  extension({ on: (event: string, action: Action) => actions.set(event, action) });
  expect([...actions.keys()]).toEqual(['context', 'tool_result']);
  const image = { type: 'image', data: '', mimeType: 'image/png' };
  const content = [{ type: 'text', text: LOG }, image];
  const event = { toolName: 'bash', input: { command: 'cargo test' }, content };
  const shorter = actions.get('tool_result')!(event as never) as { content: { text: string }[] };
  expect(shorter.content[0]!.text.length).toBeLessThan(LOG.length / 4);
  expect(shorter.content[1]).toBe(image);
  expect(actions.get('tool_result')!({ ...event, content: [image] } as never)).toBeUndefined();
  expect(actions.get('tool_result')!({ ...event, content: 5 } as never)).toBeUndefined();
  const odd = [{ role: 'user', content: 'x', timestamp: 1 }, null];
  const model = { id: 'claude-opus-4-8', provider: 'anthropic' };
  expect(await actions.get('context')!({ messages: odd } as never, { model } as never)).toEqual({ messages: odd });
});

test('pi: a digest in the place of the summary, where it is asked for', async () => {
  process.env.DENSIFY_COMPACTION = 'digest';
  const { default: extension } = (await import(dist('pi-extension.js'))) as { default: (pi: object) => void };
  const actions = new Map<string, Action>();
  extension({ on: (event: string, action: Action) => actions.set(event, action) });
  delete process.env.DENSIFY_COMPACTION;
  const messagesToSummarize = [
    { role: 'user', content: 'Never touch the folder vendor.', timestamp: 1 },
    ...Array.from({ length: 20 }, (_, at) => [
      {
        role: 'assistant',
        content: [{ type: 'toolCall', id: `c${at}`, name: 'bash', arguments: { command: `make t${at}` } }],
      },
      {
        role: 'toolResult',
        toolCallId: `c${at}`,
        toolName: 'bash',
        content: [{ type: 'text', text: LOG }],
        isError: false,
      },
    ]).flat(),
  ];
  const preparation = { firstKeptEntryId: 'e9', messagesToSummarize, tokensBefore: 9000 };
  const compact = actions.get('session_before_compact')!;
  const { compaction } = compact({ preparation } as never) as { compaction: Record<string, string> };
  expect(compaction).toMatchObject({ firstKeptEntryId: 'e9', tokensBefore: 9000 });
  expect(compaction.summary).toContain('Never touch the folder vendor.');
  expect(compact({ preparation: { ...preparation, previousSummary: 'x' } } as never)).toBeUndefined();
  expect(compact({ preparation: { ...preparation, messagesToSummarize: [] } } as never)).toBeUndefined();
});

test('opencode 1: a plug-in packs, shortens new results, and tells the facts before a compaction', async () => {
  const { default: plugin } = (await import(dist('opencode-plugin.js'))) as {
    default: { id: string; server(): Promise<Record<string, Action>> };
  };
  expect(plugin.id).toBe('densify');
  const hooks = await plugin.server();
  const result = { output: LOG };
  await hooks['tool.execute.after']!({ tool: 'bash', args: { command: 'cargo test' } } as never, result as never);
  expect(result.output.length).toBeLessThan(LOG.length / 4);
  const messages = [
    {
      info: { id: 'm', sessionID: 's', role: 'user' },
      parts: [{ type: 'text', text: 'Never touch the folder vendor.' }],
    },
    ...Array.from({ length: 20 }, (_, at) => ({
      info: { id: `m${at}`, sessionID: 's', role: 'assistant' },
      parts: [
        {
          type: 'tool',
          callID: `c${at}`,
          tool: 'bash',
          state: { status: 'completed', input: { command: `make t${at}` }, output: LOG, time: {} },
        },
      ],
    })),
  ];
  await hooks['experimental.chat.messages.transform']!({} as never, { messages } as never);
  const context: string[] = [];
  await hooks['experimental.session.compacting']!({ sessionID: 's' } as never, { context } as never);
  expect(context).toHaveLength(1);
  expect(context[0]).toContain('Never touch the folder vendor.');
  await hooks['experimental.session.compacting']!({ sessionID: 'unknown' } as never, { context } as never);
  expect(context).toHaveLength(1);
});

/** The plug-in's actions in opencode 2, whose types are those of `packages/plugin/src/promise/session.ts`. */
async function opencode2() {
  const { default: plugin } = (await import(dist('opencode-plugin.js'))) as {
    default: { setup(context: object): Promise<void> };
  };
  const actions = new Map<string, Action>();
  await plugin.setup({ session: { hook: async (name: string, action: Action) => actions.set(name, action) } });
  return actions;
}

test('opencode 2: a plug-in hooks into the context and the compaction', async () => {
  const actions = await opencode2();
  expect([...actions.keys()]).toEqual(['context', 'compaction']);
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }];
  await actions.get('context')!({ messages, model: { id: 'gpt-5', providerID: 'openai' } } as never);
  expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'x' }] }]);
});

/** A message of opencode 2 is of a class. */
class Message {
  constructor(
    readonly role: string,
    readonly content: readonly Readonly<Record<string, unknown>>[],
  ) {}
}
const said = (text: string) => new Message('user', [{ type: 'text', text }]);
const PROMPT = 'You MUST summarize the conversation above.';

/** The event of a compaction: the history, then opencode's own prompt. */
const compaction = (first = 'Never touch the folder vendor.') => ({
  sessionID: 's',
  agent: 'compaction',
  kind: 'compaction',
  model: { id: 'gpt-5', providerID: 'openai' },
  system: [{ type: 'text', text: 'You write software.' }],
  tools: {},
  options: {},
  messages: [
    said(first),
    ...Array.from({ length: 20 }, (_, at) => [
      new Message('assistant', [{ type: 'tool-call', id: `c${at}`, name: 'bash', input: { command: `make t${at}` } }]),
      new Message('tool', [{ type: 'tool-result', id: `c${at}`, name: 'bash', result: { type: 'text', value: LOG } }]),
    ]).flat(),
    said(PROMPT),
  ],
  result: undefined as { summary: string } | undefined,
});
type Compaction = ReturnType<typeof compaction>;
const textsOf = (message: Message | undefined) => message?.content.map(({ text }) => text) ?? [];

test("opencode 2: facts stand behind its prompt for a summary, and the cache's messages stay first", async () => {
  const compact = (await opencode2()).get('compaction')!;
  const event: Compaction = compaction();
  await compact(event as never);
  expect(event.result).toBeUndefined();
  expect(event.system).toEqual(compaction().system);
  expect(event.messages).toHaveLength(42);
  const last = event.messages.at(-1);
  expect(last).toBeInstanceOf(Message);
  expect(textsOf(last)).toEqual([PROMPT, expect.stringContaining('Never touch the folder vendor.')]);
  expect(textsOf(event.messages[0])).toEqual(['Never touch the folder vendor.']);
  // What another plug-in has summarised stays; so does a list that isn't as expected.
  for (const odd of [
    { ...compaction(), result: { summary: 'x' } },
    { ...compaction(), messages: [] },
  ]) {
    const before = JSON.stringify(odd);
    await compact(odd as never);
    expect(JSON.stringify(odd)).toBe(before);
  }
  await compact({ messages: [null, 5] } as never);
});

test('opencode 2: a digest in the place of the summary, where it is asked for', async () => {
  process.env.DENSIFY_COMPACTION = 'digest';
  const compact = (await opencode2()).get('compaction')!;
  delete process.env.DENSIFY_COMPACTION;
  const event: Compaction = compaction();
  await compact(event as never);
  expect(event.result?.summary).toContain('Never touch the folder vendor.');
  expect(event.result?.summary).not.toContain(PROMPT);
  // An earlier summary is the model's: it goes on.
  const later: Compaction = compaction('<conversation-checkpoint>The folder vendor stays.</conversation-checkpoint>');
  await compact(later as never);
  expect(later.result).toBeUndefined();
});
