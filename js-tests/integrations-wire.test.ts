// The examples of frameworks that reach many providers, with a real provider's client: what comes over the wire.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ChatOpenAI } from '@langchain/openai';
import { validate } from 'densify/validate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exampleFolder } from './support/examples.js';
import { chatAnswer, type Provider, provider } from './support/provider.js';

/** A model calls four tools, one after the other, and is done. */
const read = { name: 'read_file', arguments: { path: 'a.ts' } };
const write = { name: 'write_file', arguments: { path: 'a.ts', content: 'export const two = 1;\n'.repeat(40) } };

const folder = exampleFolder();
let server: Provider;
beforeEach(async () => {
  server = await provider(chatAnswer, [read, write, read, read]);
});
afterEach(() => server.close());

/** The ids of calls and of results that each request had, and whether the provider would take it. */
function sent() {
  return server.asked.map(({ messages, tools }) => {
    const list = messages as { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
    const calls = list.flatMap(({ tool_calls: all = [] }) => all.map(({ id }) => id));
    const results = list.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
    expect(results).toEqual(calls);
    const options = { format: 'openai-chat', model: 'gpt-4o', tools: tools as unknown[] } as const;
    expect(validate(list, options).findings.filter(({ level }) => level === 'error')).toEqual([]);
    return calls;
  });
}

/** The stale read is in the request before the write was known, and in none behind it. */
const EXPECTED = [[], ['c1'], ['c2'], ['c2', 'c3'], ['c2', 'c3', 'c4']];

test('AI SDK: prepareStep', async () => {
  const require = createRequire(new URL('judges/package.json', import.meta.url));
  const { createOpenAI } = (await import(pathToFileURL(require.resolve('@ai-sdk/openai')).href)) as {
    createOpenAI(options: object): { chat(model: string): unknown };
  };
  const { run } = await folder.load<{ run(model: unknown, options: object): Promise<string> }>(
    'ai-sdk/prepare-step',
    (source) => source.replace("from 'ai'", "from 'ai7'"),
  );
  const model = createOpenAI({ apiKey: 'none', baseURL: server.url }).chat('gpt-4o');
  expect(await run(model, { preset: 'seed' })).toBe('Done.');
  expect(sent()).toEqual(EXPECTED);
});

test('LangChain: wrapModelCall', async () => {
  const { run } = await folder.load<{ run(model: unknown, options: object): Promise<unknown> }>('langchain/middleware');
  const configuration = { baseURL: server.url };
  const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', configuration, streaming: false });
  await run(model, { preset: 'seed' });
  expect(sent()).toEqual(EXPECTED);
});
