// The mod of Claude Code, called as its engine calls it. `make test-agents` runs it in the engine itself.
import { readFileSync, statSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';

const root = new URL('node_modules/densify/', import.meta.url);
const text = (path: string) => readFileSync(new URL(path, root), 'utf8');
const MOD = 'dist/claude-mod.js';

interface Message {
  readonly role: string;
  readonly text: string;
  readonly toolUses: readonly object[];
  readonly toolResults?: readonly object[];
  readonly handle?: string;
}
type Event = Readonly<Record<string, unknown>>;
type Next = (event: Event) => Promise<Event>;
type Hook = ($: object, event: Event, next: Next) => Promise<Event>;

const WASM = globalThis.WebAssembly;

/** An engine whose modules have no WebAssembly until they ask for a file of their own. */
async function engine(env: Readonly<Record<string, string>> = {}, compile = compiled) {
  vi.resetModules();
  Reflect.deleteProperty(globalThis, 'WebAssembly');
  const { register } = (await import(new URL(`${MOD}?${Math.random()}`, root).href)) as {
    register(on: (name: string, hook: Hook) => void): void;
  };
  const hooks = new Map<string, Hook>();
  register((name, hook) => hooks.set(name, hook));
  const $ = { env: { get: async (name: string) => env[name] }, wasm: { compile } };
  return (name: string, event: Event, next: Next) => hooks.get(name)!($, event, next);
}

async function compiled(path: string): Promise<WebAssembly.Module> {
  globalThis.WebAssembly = WASM;
  return WASM.compile(readFileSync(new URL(path, new URL(MOD, root))));
}

beforeEach(() => () => {
  globalThis.WebAssembly = WASM;
});

const LOG = Array.from({ length: 300 }, (_, at) => `test case_${at} ... ok`).join('\n');
const CALL = { tool: 'Bash', tool_use_id: 't1', command: 'cargo test' };
const RECORD = { stdout: LOG, stderr: '', interrupted: false, isImage: false };

test("what the engine refuses isn't in the mod", () => {
  const code = text(MOD);
  expect(statSync(new URL(MOD, root)).size).toBeLessThan(2 ** 20);
  expect(code).not.toMatch(/\bimport\b(?!\.meta)|\brequire\(|\bnew Function\b|\beval\(/);
  // It reads the source for its own names.
  expect(code).toContain('$.wasm.compile("./full.wasm")');
  for (const name of ['DENSIFY_INTAKE', 'DENSIFY_COMPACTION', 'DENSIFY_RUN'])
    expect(code).toContain(`$.env.get("${name}")`);
  for (const event of ['tool.call', 'session.compact']) expect(code).toMatch(new RegExp(`\\bon\\("${event}",`));
});

test('the package is a plug-in', () => {
  const { version } = JSON.parse(text('package.json')) as { version: string };
  expect(JSON.parse(text('.claude-plugin/plugin.json'))).toMatchObject({ name: 'densify', version });
  const { modules } = JSON.parse(text('hooks/hooks.json')) as { modules: string[] };
  expect(modules.map((path) => new URL(path, new URL('hooks/', root)).pathname)).toEqual([new URL(MOD, root).pathname]);
});

test("tool.call: a new result is shorter, in the tool's own form", async () => {
  const call = await engine();
  const context = ['a hook says'];
  const answer = await call('tool.call', CALL, async () => ({ ref: 1, result: RECORD, text: LOG, context }));
  expect(answer).toEqual({
    result: { ...RECORD, stdout: expect.stringContaining('passing tests left out') },
    context,
  });
  expect(await call('tool.call', CALL, async () => ({ ref: 1, result: RECORD, text: LOG }))).not.toHaveProperty(
    'context',
  );
});

test.each<[string, Event, Event, Record<string, string>]>([
  ['a file', { tool: 'Read', file_path: 'a.ts' }, { ref: 1, result: { file: { content: LOG } } }, {}],
  ['a failed command', CALL, { ref: 1, isError: true, result: LOG, text: LOG }, {}],
  ['a refusal', CALL, { deny: 'no' }, {}],
  ['a short result', CALL, { ref: 1, result: { stdout: 'ok', stderr: '' } }, {}],
  ['a result of another form', CALL, { ref: 1, result: null }, {}],
  ['everything with intake off', CALL, { ref: 1, result: RECORD }, { DENSIFY_INTAKE: 'off' }],
  ['everything under `densify run`', CALL, { ref: 1, result: RECORD }, { DENSIFY_RUN: 'claude' }],
])('tool.call: %s stays the very answer of the engine', async (_, event, answer, env) => {
  const call = await engine(env);
  expect(await call('tool.call', event, async () => answer)).toBe(answer);
});

const history = (first = 'Never touch the folder vendor.'): Message[] => [
  { role: 'user', text: first, toolUses: [], handle: 'h0' },
  ...Array.from({ length: 20 }, (_, at) => [
    {
      role: 'assistant',
      text: '',
      toolUses: [{ tool_use_id: `c${at}`, tool: 'Bash', input: { command: `make t${at}` } }],
      handle: `a${at}`,
    },
    {
      role: 'user',
      text: '',
      toolUses: [],
      toolResults: [{ tool_use_id: `c${at}`, text: LOG, isError: false }],
      handle: `u${at}`,
    },
  ]).flat(),
];

/** The instructions that the engine's own summary gets, and its result. */
async function compacted(event: Event, env: Readonly<Record<string, string>> = {}, compile = compiled) {
  const call = await engine(env, compile);
  const seen: Event[] = [];
  const own = { messages: [] };
  const result = await call('session.compact', event, async (given) => {
    seen.push(given);
    return own;
  });
  return { seen, result, isOwn: result === own };
}

test('session.compact: the model is told what its summary must keep', async () => {
  const event = { trigger: 'manual', messages: history() };
  const { seen, isOwn } = await compacted(event);
  expect(isOwn).toBe(true);
  expect(seen).toEqual([{ ...event, instructions: expect.stringContaining('Never touch the folder vendor.') }]);
  expect(seen[0]!.messages).toBe(event.messages);
  const asked = await compacted({ ...event, instructions: 'Keep the plan.' });
  expect(asked.seen[0]!.instructions).toMatch(/^Keep the plan\.\n\nThese facts were read from the session/);
});

test('session.compact: a digest in the place of the summary, where it is asked for', async () => {
  const messages = history();
  const { seen, result } = await compacted({ trigger: 'auto', messages }, { DENSIFY_COMPACTION: 'digest' });
  expect(seen).toEqual([]);
  const made = (result as unknown as { messages: Message[] }).messages;
  expect(made.length).toBeLessThan(messages.length);
  expect(made[0]).toMatchObject({ role: 'user', text: expect.stringContaining('Never touch the folder vendor.') });
  // The newest messages stay, without the handles by which the engine would keep their thinking.
  const kept = messages.slice(1 - made.length);
  expect(made.slice(1)).toStrictEqual(kept.map(({ handle: _, ...each }) => each));
  const later = history('This session is being continued from a previous conversation that ran out of context.');
  expect((await compacted({ trigger: 'auto', messages: later }, { DENSIFY_COMPACTION: 'digest' })).isOwn).toBe(true);
});

test('what fails leaves all to the engine', async () => {
  const refuse = () => Promise.reject(new Error('no room'));
  const event = { trigger: 'auto', messages: history() };
  for (const [given, compile] of [
    [event, refuse],
    [{ trigger: 'auto', messages: [null] }, compiled],
    [{ trigger: 'auto', messages: [] }, compiled],
  ] as const) {
    const { seen, isOwn } = await compacted(given, {}, compile);
    expect([seen, isOwn]).toEqual([[given], true]);
  }
  const answer = { ref: 1, result: RECORD };
  expect(await (await engine({}, refuse))('tool.call', CALL, async () => answer)).toBe(answer);
  await expect((await engine())('tool.call', CALL, () => Promise.reject(new Error('its own')))).rejects.toThrow(
    'its own',
  );
});
