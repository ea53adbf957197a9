// What agents load of densify, called as the agents call it; `make test-agents` runs it in the real ones.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const dist = (name: string) => new URL(`node_modules/densify/dist/${name}`, import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'densify-plugins-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the program of hooks with an event; resolves with what it prints. */
async function hook(event: unknown, env: Readonly<Record<string, string>> = {}) {
  const args = [new URL(dist('agent-hook.js')).pathname];
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

test('a session that begins while a gateway answers starts none', async () => {
  // Whatever holds the port, nothing is started twice: this one answers, or another program does.
  const server = createServer((_, response) => void response.end('ok\n'));
  const isFree = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(8787, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return;
  expect((server.address() as AddressInfo).port).toBe(8787);
  expect(await hook({ hook_event_name: 'SessionStart' })).toBe('');
  await new Promise((resolve) => server.close(resolve));
});

test('a gateway that a session starts has no token: agents on this machine send none', async () => {
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.on('error', () => resolve(false));
    probe.listen(8787, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  if (!isFree) return;
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
    createServer((_, response) => response.end('ok\\n')).listen(8787, '127.0.0.1', () => {
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

test('another program at the port of the gateway: nothing is started, and doctor says so', async () => {
  const server = createServer((_, response) => void response.writeHead(404).end('not here'));
  const isFree = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(8787, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return;
  expect(await hook({ hook_event_name: 'SessionStart' })).toBe('');
  const child = spawn(process.execPath, [new URL(dist('cli.js')).pathname, 'doctor'], {
    env: { HOME: '/nowhere', PATH: '/nowhere' },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  await new Promise((resolve) => server.close(resolve));
  expect(output).toContain('gateway on port 8787: another program answers there');
});

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

test('opencode 2: a plug-in hooks into the context', async () => {
  const { default: plugin } = (await import(dist('opencode-plugin.js'))) as {
    default: { setup(context: object): Promise<void> };
  };
  const actions = new Map<string, Action>();
  await plugin.setup({ session: { hook: async (name: string, action: Action) => actions.set(name, action) } });
  expect([...actions.keys()]).toEqual(['context']);
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'x' }] }];
  await actions.get('context')!({ messages, model: { id: 'gpt-5', providerID: 'openai' } } as never);
  expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'x' }] }]);
});
