// The examples of the integrations, run by the SDKs themselves against a provider on this machine: what counts is
// what comes over the wire.

import { streamSimple } from '@earendil-works/pi-ai/compat';
import { ChatOpenAI } from '@langchain/openai';
import { OpenAIProvider } from '@openai/agents-openai';
import * as aiSdk from 'densify/ai-sdk';
import type { HookOptions } from 'densify/anthropic';
import * as anthropic from 'densify/anthropic';
import * as langchain from 'densify/langchain';
import * as agents from 'densify/openai-agents';
import * as pi from 'densify/pi';
import { afterEach, describe, expect, test } from 'vitest';
import { exampleFolder } from './support/examples.js';
import {
  type Answer,
  chatAnswer,
  chatStream,
  geminiApi,
  messagesApi,
  type Provider,
  provider,
  responsesApi,
  type Saying,
} from './support/provider.js';
import { goodReply } from './support/replies.js';
import { thrownBy } from './support/thrown.js';

type Bag = Readonly<Record<string, unknown>>;

const examples = exampleFolder();
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** What an example exports. */
interface Example {
  run(...args: unknown[]): Promise<unknown>;
}
const read = { name: 'read_file', arguments: { path: 'a.ts' } };
const write = { name: 'write_file', arguments: { path: 'a.ts', content: 'export const two = 1;\n'.repeat(40) } };
const LOOP: Answer[] = [read, write, read, read];

let served: Provider | undefined;
afterEach(() => served?.close());
async function serve(say: Saying, answers = LOOP): Promise<Provider> {
  served = await provider(say, answers);
  return served;
}

/** The ids of calls and of results in a request. */
type Ids = readonly [calls: unknown[], results: unknown[]];
const PACKED = [[], ['c1'], ['c2'], ['c2', 'c3'], ['c2', 'c3', 'c4']];
const WHOLE = [[], ['c1'], ['c1', 'c2'], ['c1', 'c2', 'c3'], ['c1', 'c2', 'c3', 'c4']];

/** Requests whose calls are these, each with its result. */
function expectCalls(found: readonly Ids[], calls: readonly unknown[][]): void {
  expect(found.map(([made]) => made)).toEqual(calls);
  for (const [made, answered] of found) expect(answered).toEqual(made);
}

/** How each of them is run with options, and what its requests hold. */
interface Integration {
  readonly say: Saying;
  run(url: string, options: object): Promise<unknown>;
  ids(request: Bag): Ids;
  hook(options?: object): unknown;
}

const inItems = ({ input }: Bag): Ids => {
  const items = input as Bag[];
  const of = (type: string) => items.filter((item) => item.type === type).map(({ call_id: id }) => id);
  return [of('function_call'), of('function_call_output')];
};
const inBlocks = ({ messages }: Bag): Ids => {
  const blocks = (messages as Bag[]).flatMap(({ content }) => (Array.isArray(content) ? (content as Bag[]) : []));
  const of = (type: string, key: string) => blocks.filter((block) => block.type === type).map((block) => block[key]);
  return [of('tool_use', 'id'), of('tool_result', 'tool_use_id')];
};
const inChat = ({ messages }: Bag): Ids => {
  const list = messages as Bag[];
  const calls = list.flatMap(({ tool_calls: made }) => ((made ?? []) as Bag[]).map(({ id }) => id));
  return [calls, list.filter(({ role }) => role === 'tool').map(({ tool_call_id: id }) => id)];
};

const integrations: Record<string, Integration> = {
  'OpenAI Agents': {
    say: responsesApi,
    ids: inItems,
    hook: agents.callModelInputFilter as Integration['hook'],
    async run(baseURL, options) {
      const { run } = await examples.load<Example>('openai-agents/agent');
      return run(new OpenAIProvider({ apiKey: 'none', baseURL, useResponses: true }), ['Rename.'], options);
    },
  },
  'Anthropic tool runner': {
    say: messagesApi,
    ids: inBlocks,
    hook: anthropic.middleware,
    async run(baseURL, options) {
      const { run } = await examples.load<Example>('anthropic/tool-runner');
      return (await run({ apiKey: 'none', baseURL }, options)) as unknown;
    },
  },
  'AI SDK 7': {
    say: messagesApi,
    ids: inBlocks,
    hook: aiSdk.prepareStep,
    async run(url, options) {
      const path: string = './judges/node_modules/@ai-sdk/anthropic/dist/index.js';
      const { createAnthropic } = (await import(path)) as {
        createAnthropic(given: object): (model: string) => unknown;
      };
      const { run } = await examples.load<Example>(
        'ai-sdk/prepare-step',
        (source) => source.replace("from 'ai'", "from 'ai7'"),
        'ai7',
      );
      return run(createAnthropic({ apiKey: 'none', baseURL: `${url}/v1` })('claude-3-5-haiku-latest'), options);
    },
  },
  'AI SDK 6': {
    say: messagesApi,
    ids: inBlocks,
    hook: aiSdk.prepareStep,
    async run(url, options) {
      const path: string = './judges/node_modules/ai-sdk-anthropic-3/dist/index.js';
      const { createAnthropic } = (await import(path)) as {
        createAnthropic(given: object): (model: string) => unknown;
      };
      const { run } = await examples.load<Example>('ai-sdk/prepare-step');
      return run(createAnthropic({ apiKey: 'none', baseURL: `${url}/v1` })('claude-3-5-haiku-latest'), options);
    },
  },
  LangChain: {
    say: chatAnswer,
    ids: inChat,
    hook: langchain.wrapModelCall,
    async run(url, options) {
      const { run } = await examples.load<Example>('langchain/middleware');
      const configuration = { baseURL: url };
      return run(new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'none', configuration, maxRetries: 0 }), options);
    },
  },
  pi: {
    say: chatStream,
    ids: inChat,
    hook: pi.transformContext,
    async run(baseUrl, options) {
      const { run } = await examples.load<Example>('pi/agent');
      const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      const model = {
        id: 'gpt-4.1',
        name: 'model',
        api: 'openai-completions',
        provider: 'openai',
        baseUrl,
        reasoning: false,
        input: ['text'],
        cost,
        contextWindow: 100_000,
        maxTokens: 1_000,
      };
      return run(model, streamSimple, options);
    },
  },
};

describe.each(Object.entries(integrations))('%s', (_, { say, run, ids, hook }) => {
  test('the stale read is gone from all later requests, the pairs are whole', async () => {
    const { url, asked } = await serve(say);
    const reports: boolean[] = [];
    await run(url, { preset: 'seed', onResult: ({ changed }: { changed: boolean }) => reports.push(changed) });
    expectCalls(asked.map(ids), PACKED);
    expect(reports.filter(Boolean).length).toBeGreaterThan(0);
  });

  test('what fails or only observes forwards all', async () => {
    const protect = () => {
      throw new Error('odd');
    };
    const warned: unknown[] = [];
    const edits: number[] = [];
    for (const options of [
      { observe: true, preset: 'seed', onResult: (result: { edits: unknown[] }) => edits.push(result.edits.length) },
      { protect, onWarning: (error: unknown) => warned.push(error) },
    ]) {
      const { url, asked, close } = await serve(say);
      await run(url, options);
      expectCalls(asked.map(ids), WHOLE);
      await close();
    }
    expect(warned.length).toBeGreaterThanOrEqual(5);
    expect(warned[0]).toMatchObject({ code: 'callback-failed' });
    expect(edits.some((count) => count > 0)).toBe(true);
  });

  test('wrong options are an error at once', () => {
    for (const options of [
      { observe: 1 },
      { conversation: 1 },
      { summarize: () => '' },
      { unknown: 1 },
      { model: 1 },
    ]) {
      expect(thrownBy(() => hook(options)).code).toBe('invalid-options');
    }
    expect(thrownBy(() => hook({ conversation: () => 1, preset: 'seed' })).key).toBe('preset');
  });
});

const inContents = ({ contents }: Bag): Ids => {
  const parts = (contents as Bag[]).flatMap((content) => content.parts as Bag[]);
  const of = (key: string) => parts.flatMap((part) => (part[key] === undefined ? [] : [(part[key] as Bag).id]));
  return [of('functionCall'), of('functionResponse')];
};

test.each([
  ['openai/request', chatAnswer, inChat, (baseURL: string) => ({ apiKey: 'none', baseURL })],
  ['openai/responses', responsesApi, inItems, (baseURL: string) => ({ apiKey: 'none', baseURL })],
  ['gemini/request', geminiApi, inContents, (baseUrl: string) => ({ apiKey: 'none', httpOptions: { baseUrl } })],
] as const)('%s: plain functions before the SDK’s call do the same', async (path, say, ids, client) => {
  const { url, asked } = await serve(say);
  const { run } = await examples.load<Example>(path);
  expect(await run(client(url), { preset: 'seed' })).toBe('Done.');
  expectCalls(asked.map(ids), PACKED);
});

test('OpenAI Agents: a session’s history is packed when it is read, and kept whole', async () => {
  const { url, asked } = await serve(responsesApi, [read, write, 'Done.', 'Bye.']);
  const { run } = await examples.load<{ run(...args: unknown[]): Promise<Bag[]> }>('openai-agents/agent');
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: url, useResponses: true });
  const kept = await run(modelProvider, ['Rename.', 'Thanks.'], { preset: 'seed' });
  const calls = kept.filter(({ type }) => type === 'function_call').map(({ callId }) => callId);
  expect(calls).toContain('c2');
  const [made, answered] = inItems(asked[3]!);
  expect(made).toEqual(['c2']);
  expect(answered).toEqual(['c2']);
});

test('OpenAI Agents: what is no session is an error at once', () => {
  for (const kept of [undefined, {}]) {
    const { code, message } = thrownBy(() => agents.session(kept as never));
    expect([code, message]).toEqual(['invalid-options', expect.stringContaining("with 'getItems'")]);
  }
});

test('OpenAI Agents: a session is what it was but for what it hands on', async () => {
  class Kept {
    readonly #items = [
      { role: 'user', content: 'Go.' },
      { type: 'function_call', callId: 'r', name: 'read_file', arguments: '{"path":"a.ts"}' },
      {
        type: 'function_call_result',
        callId: 'r',
        name: 'read_file',
        output: { type: 'text', text: 'x\n'.repeat(99) },
      },
      { type: 'function_call', callId: 'w', name: 'write_file', arguments: '{"path":"a.ts"}' },
      { type: 'function_call_result', callId: 'w', name: 'write_file', output: 'ok' },
    ] as object[] as agents.AgentsItemLike[];
    async getItems(limit?: number) {
      return limit === undefined ? this.#items : this.#items.slice(-limit);
    }
    async getSessionId() {
      return `session of ${this.#items.length}`;
    }
  }
  const packed = agents.session(new Kept(), { model: 'gpt-4.1', preset: 'seed' });
  expect(await packed.getItems()).toHaveLength(3);
  expect(await packed.getItems(5)).toHaveLength(5);
  expect(await packed.getSessionId()).toBe('session of 5');
  expect(packed).toBeInstanceOf(Kept);
});

test('Anthropic: other requests and bodies go as they are, by reference', async () => {
  const hook = anthropic.middleware({ model: 'claude-3-5-haiku', preset: 'seed' });
  const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: { path: 'a.ts' } });
  const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'a line\n'.repeat(99) });
  const stale = {
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use('r', 'read_file')] },
      { role: 'user', content: [result('r')] },
      { role: 'assistant', content: [use('w', 'write_file')] },
      { role: 'user', content: [result('w')] },
    ],
  };
  const packed = { url: 'https://x/v1/messages?beta=true', body: JSON.stringify(stale), headers: {} };
  const sent = await hook(packed, async (forwarded) => forwarded);
  expect((JSON.parse(sent.body) as typeof stale).messages).toHaveLength(3);
  expect(sent.headers).toBe(packed.headers);
  for (const request of [
    { url: 'https://x/v1/models', method: 'GET' },
    { url: 'https://x/v1/messages/batches', method: 'POST', body: '{"messages":[]}' },
    { url: 'https://x/v1/messages', method: 'POST', body: 'not JSON' },
    { url: 'https://x/v1/messages', method: 'POST', body: JSON.stringify({ ...stale, thread: { type: 'continue' } }) },
    { url: 'https://x/v1/messages', method: 'POST', body: '{"messages":1}' },
    { url: 'https://x/v1/messages', method: 'POST', body: new Uint8Array(3) },
    { url: 'https://x/v1/messages', method: 'POST', body: '{"messages":[{"role":"user","content":"Hi."}]}' },
  ]) {
    expect(await hook(request, async (forwarded) => forwarded)).toBe(request);
  }
});

test('a run that has a conversation is kept within its window, with summaries by a model', async () => {
  const { url, asked } = await serve(messagesApi, [...LOOP, ...LOOP, ...LOOP]);
  const requests: unknown[] = [];
  const options: HookOptions = {
    conversation: (target) => {
      expect(target).toEqual({ model: 'claude-3-5-haiku-latest' });
      return anthropic.createConversation({ strategy: 'one-shot', contextLimit: 8_000, threshold: 0.2, ...target });
    },
    summarize: async (request) => {
      requests.push(request);
      return goodReply({ strategy: 'one-shot' });
    },
  };
  const { run } = await examples.load<Example>('anthropic/tool-runner');
  await run({ apiKey: 'none', baseURL: url }, options);
  expect(requests.length).toBeGreaterThan(0);
  expect(asked).toHaveLength(13);
  const sizes = asked.map(({ messages }) => (messages as unknown[]).length);
  expect(Math.max(...sizes)).toBeLessThan(25);
  for (const request of asked) {
    const [made, answered] = inBlocks(request);
    expect(answered).toEqual(made);
    expect((request.messages as Bag[])[0]?.role).toBe('user');
  }
});

test('a conversation that fails forwards the caller’s own messages, and the next request begins anew', async () => {
  const messages = [{ role: 'user', content: 'Hi.', timestamp: 0 }] as object[] as pi.PiMessageLike[];
  const warned: unknown[] = [];
  const onWarning = (error: unknown) => warned.push(error);
  const failing = pi.transformContext({
    conversation: () => {
      throw new Error('no conversation');
    },
    onWarning,
  });
  expect(await failing(messages)).toBe(messages);
  const careless = pi.transformContext({ conversation: (() => undefined) as never, onWarning });
  expect(await careless(messages)).toBe(messages);
  expect((warned.at(-1) as Error).message).toBe('option conversation: it returned undefined, expected a conversation');
  let made = 0;
  const broken = pi.transformContext({
    conversation: (target) => {
      made += 1;
      const conversation = pi.createConversation({
        strategy: 'auto',
        contextLimit: 1_000,
        overhead: 0,
        reserve: 0,
        ...target,
      });
      if (made === 1) conversation.dispose();
      return conversation;
    },
    onWarning,
  });
  expect(await broken(messages)).toBe(messages);
  expect(await broken(messages)).toBe(messages);
  expect(await broken([...messages])).toHaveLength(1);
  expect(made).toBe(2);
  expect(warned).toHaveLength(3);
});

test('a model compresses what it is done with and takes it back, in the loop of its SDK', async () => {
  const bash = (command: string) => ({ name: 'bash', arguments: { command } });
  const first = ['one', 'two', 'three', 'four'].map((name) => bash(`make ${name}`));
  const compress = { name: 'compress', arguments: { from: 'make one', to: -3 } };
  // The request that follows holds the digest's reference.
  const restore = (asked: Bag | undefined): Answer => {
    const [, reference] = /restore (r\w{13}) takes it back/.exec(JSON.stringify(asked)) ?? [];
    return { name: 'restore', arguments: { reference } };
  };
  const { url, asked } = await serve(messagesApi, [...first, compress, restore, 'Done.']);
  const { run } = await examples.load<Example>('anthropic/compress-tools');
  expect(await run({ apiKey: 'none', baseURL: url }, 'a secret of at least sixteen bytes')).toBe('Done.');
  const ids = asked.map((request) => inBlocks(request)[0]);
  const all = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
  expect(ids).toEqual([...[0, 1, 2, 3, 4].map((at) => all.slice(0, at)), ['c4', 'c5'], all]);
  expectCalls(asked.map(inBlocks), ids);
  const [whole, dense, again] = [4, 5, 6].map((at) => JSON.stringify(asked[at]!.messages));
  expect(dense!.length).toBeLessThan(whole!.length * 0.7);
  expect(again).toContain('make one: test number 100 is done');
  expect(again).toContain('The digest is taken back');
});

test('the examples compile', async () => {
  expect(await examples.compiled()).toBe('');
});
