// The examples of the AI SDK's middleware and of a run within its window, with the SDK's own client for a provider, of
// its current and its previous major: what comes over the wire.
import { jsonSchema } from 'ai';
import type { HookOptions } from 'densify/ai-sdk';
import { validate } from 'densify/validate';
import { afterEach, describe, expect, test } from 'vitest';
import { exampleFolder } from './support/examples.js';
import { type Answer, type Asked, messagesApi, type Provider, provider } from './support/provider.js';
import { goodReply } from './support/replies.js';

type Bag = Readonly<Record<string, unknown>>;

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
const examples = exampleFolder();
const servers: Provider[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ close }) => close()));
});

/** The SDK's majors, and for each the package of the provider's client that goes with it. */
const MAJORS = [
  ['ai', './judges/node_modules/ai-sdk-anthropic-3/dist/index.js'],
  ['ai7', './judges/node_modules/@ai-sdk/anthropic/dist/index.js'],
] as const;

const NAME = 'claude-3-5-haiku-latest';

/** A model of a provider that gives these answers, and the requests that it receives. */
async function modelOf(path: string, answers: readonly Answer[]): Promise<{ model: unknown; asked: Asked[] }> {
  const served = await provider(messagesApi, answers);
  servers.push(served);
  const { createAnthropic } = (await import(path)) as {
    createAnthropic(given: object): (model: string) => unknown;
  };
  return { model: createAnthropic({ apiKey: 'none', baseURL: `${served.url}/v1` })(NAME), asked: served.asked };
}

/** The calls of a request, each of which has its result; the provider would take it. */
function callsOf({ messages }: Asked): unknown[] {
  const list = messages as Bag[];
  const blocks = list.flatMap(({ content }) => (Array.isArray(content) ? (content as Bag[]) : []));
  const of = (type: string, key: string) => blocks.filter((block) => block.type === type).map((block) => block[key]);
  expect(of('tool_result', 'tool_use_id')).toEqual(of('tool_use', 'id'));
  const { findings } = validate(list as never, { format: 'anthropic', model: NAME });
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
  return of('tool_use', 'id');
}

describe.each(MAJORS)('%s', (major, client) => {
  const load = <T>(path: string) =>
    examples.load<T>(`ai-sdk/${path}`, (source) => source.replace("from 'ai'", `from '${major}'`), major);

  test('middleware: the stale read is gone, and what observes or fails forwards all', async () => {
    const use = (toolCallId: string, toolName: string) => ({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId, toolName, input: { path: 'a.ts' } }],
    });
    const result = (toolCallId: string, toolName: string) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'line\n'.repeat(99) } }],
    });
    const messages = [
      { role: 'user', content: 'Rename.' },
      use('r', 'read_file'),
      result('r', 'read_file'),
      use('w', 'write_file'),
      result('w', 'write_file'),
      { role: 'user', content: 'And now?' },
    ];
    const { run } = await load<{
      run(model: unknown, messages: unknown[], options: HookOptions): Promise<string>;
    }>('middleware');
    const { model, asked } = await modelOf(client, ['Done.', 'Done.', 'Done.']);
    const warned: unknown[] = [];
    const protect = () => {
      throw new Error('odd');
    };
    const runs = [
      { preset: 'seed' },
      { preset: 'seed', observe: true },
      { preset: 'seed', protect, onWarning: (error) => warned.push(error) },
    ] satisfies HookOptions[];
    for (const options of runs) expect(await run(model, messages, options)).toBe('Done.');
    expect(asked.map(callsOf)).toEqual([['w'], ['r', 'w'], ['r', 'w']]);
    expect(warned).toEqual([expect.objectContaining({ code: 'callback-failed' })]);
  });

  test('a run with a conversation stays within its window, by summaries of another model', async () => {
    const call = { name: 'run_tests', arguments: { content: 'export const two = 1;\n'.repeat(40) } };
    const { model, asked } = await modelOf(
      client,
      Array.from({ length: 12 }, () => call),
    );
    const reply = goodReply({ strategy: 'middle-out' });
    const cheap = await modelOf(
      client,
      Array.from({ length: 9 }, () => reply),
    );
    const log = (n: number) => `${`step ${n} of many\n`.repeat(20)}error ${n}: ${'why? '.repeat(90)}\n`;
    let ran = 0;
    const tools = { run_tests: { inputSchema: jsonSchema({ type: 'object' }), execute: () => log((ran += 1)) } };
    const { run } = await load<{
      run(model: unknown, cheap: unknown, tools: object, limit: number, options: HookOptions): Promise<string>;
    }>('window');
    const warned: unknown[] = [];
    const text = await run(model, cheap.model, tools, 5_000, { onWarning: (warning) => warned.push(warning) });
    expect(text).toBe('Done.');
    expect(warned).toEqual([]);
    expect(asked).toHaveLength(13);
    expect(cheap.asked.length).toBeGreaterThan(0);
    expect(Math.max(...asked.map(({ messages }) => JSON.stringify(messages).length))).toBeLessThan(20_000);
    // Results are shrunk before they are sent the first time.
    expect(JSON.stringify(asked[1])).not.toContain('step 1 of many\\nstep 1 of many');
    for (const request of asked) callsOf(request);
  });
});

test('the examples compile', async () => {
  expect(await examples.compiled()).toBe('');
});
