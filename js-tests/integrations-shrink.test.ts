// The examples of tools with shortened results, run by the SDKs: the model is sent a short result and can recall the
// whole.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { MockLanguageModelV3 } from 'ai/test';
import { MockLanguageModelV4 } from 'ai7/test';
import { createRecall, memoryStore } from 'densify/recall';
import { shrinkResult, shrinkTools } from 'densify/tools';
import OpenAI from 'openai';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer } from './support/ai-sdk.js';
import { exampleFolder } from './support/examples.js';

const WHOLE = `make\n${'warning: something is odd here\n'.repeat(300)}done`;
const SHORT = shrinkResult({ name: 'bash', parameters: { command: 'make' } }, WHOLE).result;
const secret = 'a secret of at least sixteen bytes';

/** Under which names the examples run, and where they lie. */
const EXAMPLES = [
  ['ai', 'ai-sdk'],
  ['ai7', 'ai-sdk'],
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['langchain', 'langchain'],
] as const;
type Runs = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;
const folder = exampleFolder();
const examples: Record<string, Runs> = {};
beforeAll(async () => {
  for (const [name, path] of EXAMPLES)
    examples[name] = await folder.load<Runs>(
      `${path}/shrink-tools`,
      (source) => source.replace("from 'ai'", `from '${name}'`),
      name,
    );
});

/** The reference at the end of the newest shortened result. */
function referenceIn(request: unknown): string {
  return /all of it: recall (r\w{13})/.exec(JSON.stringify(request))?.[1] ?? 'none';
}

let server: Server | undefined;
afterEach(() => server?.close());

/** A server that gives these answers in order, and the requests that it received. */
async function serve(answers: readonly ((asked: unknown) => object)[]) {
  const asked: unknown[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const given: unknown = JSON.parse(body);
      asked.push(given);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers[asked.length - 1]!(given)));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { asked, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('the examples', () => {
  test.each(['ai', 'ai7'] as const)('AI SDK (%s)', async (major) => {
    const call = (toolName: string, input: object) =>
      answer([{ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }], 'tool-calls');
    const prompts: unknown[] = [];
    const doGenerate = async ({ prompt }: { prompt: unknown }) => {
      prompts.push(structuredClone(prompt));
      if (prompts.length === 1) return call('bash', { command: 'make' }) as never;
      if (prompts.length === 2) return call('recall', { reference: referenceIn(prompt) }) as never;
      return answer([{ type: 'text', text: 'Done.' }], 'stop') as never;
    };
    const model = major === 'ai' ? new MockLanguageModelV3({ doGenerate }) : new MockLanguageModelV4({ doGenerate });
    expect(await examples[major]!['run']!(model, secret)).toBe('Done.');
    const texts = JSON.stringify(prompts[1]);
    expect(texts).toContain(JSON.stringify(SHORT.split('\n')[2]).slice(1, -1));
    expect(texts.length).toBeLessThan(WHOLE.length / 4);
    expect(JSON.stringify(prompts[2])).toContain(JSON.stringify(WHOLE).slice(1, 8_000));
  });

  test('Anthropic', async () => {
    const said = (content: object[], stop_reason: string) => ({
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content, stop_reason },
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    const call = (name: string, input: object) => said([{ type: 'tool_use', id: name, name, input }], 'tool_use');
    const { asked, baseURL } = await serve([
      () => call('bash', { command: 'make' }),
      (request) => call('recall', { reference: referenceIn(request) }),
      () => said([{ type: 'text', text: 'Done.' }], 'end_turn'),
    ]);
    const client = new Anthropic({ apiKey: 'none', baseURL });
    expect(await examples['anthropic']!['run']!(client, secret)).toBe('Done.');
    expect(JSON.stringify(asked[1]).length).toBeLessThan(WHOLE.length / 2);
    expect(JSON.stringify(asked[2])).toContain(JSON.stringify(WHOLE).slice(1, 8_000));
  });

  test('OpenAI', async () => {
    const said = (message: object, finish_reason: string) => ({
      ...{ id: 'c', object: 'chat.completion', created: 0, model: 'gpt-4o' },
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', content: null, ...message } }],
    });
    const { asked, baseURL } = await serve([
      () =>
        said(
          { tool_calls: [{ id: '1', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }] },
          'tool_calls',
        ),
      () => said({ content: 'Done.' }, 'stop'),
    ]);
    const client = new OpenAI({ apiKey: 'none', baseURL });
    expect(await examples['openai']!['run']!(client)).toBe('Done.');
    const { messages } = asked[1] as { messages: { role: string; content: string }[] };
    expect(messages.find(({ role }) => role === 'tool')?.content).toBe(SHORT);
  });

  test('LangChain', async () => {
    const model = new Scripted();
    const { messages } = (await examples['langchain']!['run']!(model, secret)) as { messages: BaseMessage[] };
    const results = messages.filter(({ type }) => type === 'tool');
    expect(results).toHaveLength(2);
    expect(String(results[0]!.content)).toContain('all of it: recall r');
    expect(String(results[0]!.content).length).toBeLessThan(WHOLE.length / 4);
    expect(String(results[1]!.content)).toContain(WHOLE.slice(0, 8_000));
    expect(results[0]!.constructor.name).toBe('ToolMessage');
  });
});

/** A model that runs a command and recalls what it said. */
class Scripted extends BaseChatModel {
  constructor() {
    super({});
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]) {
    const results = messages.filter(({ type }) => type === 'tool').length;
    const call = (name: string, args: Record<string, unknown>) =>
      new AIMessage({ content: '', tool_calls: [{ type: 'tool_call', id: name, name, args }] });
    const next = [
      () => call('bash', { command: 'make' }),
      () => call('recall', { reference: referenceIn(messages.map(({ content }) => content)) }),
      () => new AIMessage('Done.'),
    ];
    return { generations: [{ text: '', message: next[results]!() }] };
  }
}

describe('wrapped tools', () => {
  test('are those of OpenAI and Google too', async () => {
    const [named] = shrinkTools([{ type: 'function', function: { name: 'bash', function: (_: unknown) => WHOLE } }]);
    expect(named!.function.function({ command: 'make' })).toBe(SHORT);
    // What a command shows of a file stays, here as everywhere.
    expect(named!.function.function('{"command":"cat a.txt"}')).toBe(WHOLE);
    const declared = { functionDeclarations: [{ name: 'bash' }] };
    const parts = [{ functionResponse: { id: '7', name: 'bash', response: { output: WHOLE } } }];
    const callable = { tool: async () => declared, callTool: async (_calls: object[]) => parts };
    const [wrapped, same] = shrinkTools<object[]>([callable, declared]) as [typeof callable, object];
    const given = await wrapped.callTool([{ id: '7', name: 'bash', args: { command: 'make' } }]);
    expect(given).toEqual([{ functionResponse: { id: '7', name: 'bash', response: { output: SHORT } } }]);
    expect(await wrapped.callTool([{ id: '7', name: 'bash', args: { command: 'cat a' } }])).toEqual(parts);
    expect(same).toBe(declared);
  });

  test('stay what they are: classes with fields of their own, pieces, and errors', async () => {
    class Tool {
      readonly name = 'bash';
      readonly #text = WHOLE;
      run(_input: unknown): unknown {
        return this.#text;
      }
    }
    const [tool] = shrinkTools([new Tool()]);
    expect(tool).toBeInstanceOf(Tool);
    expect(tool!.run({ command: 'make' })).toBe(SHORT);
    const failing = { name: 'bash', run: () => Promise.reject(new Error('no such command')) };
    await expect(shrinkTools([failing])[0]!.run()).rejects.toThrow('no such command');
    const { bash } = shrinkTools({
      bash: {
        async *execute(_input: object) {
          yield 'working';
          yield WHOLE;
        },
      },
    });
    const pieces: unknown[] = [];
    for await (const piece of bash.execute({ command: 'make' })) pieces.push(piece);
    expect(pieces).toEqual(['working', SHORT]);
  });

  test('keep what they cut, but for what was recalled, and hand on what they cannot keep', () => {
    const recall = createRecall({ secret });
    const [tool, recalling] = shrinkTools(
      ['bash', 'recall'].map((name) => ({ name, run: (_: object) => WHOLE })),
      { recall },
    );
    const reference = referenceIn(tool!.run({ command: 'make' }));
    expect(recall.recall(reference)?.length).toBe(WHOLE.length);
    expect(recalling!.run({ reference })).toBe(WHOLE);
    const warnings: unknown[] = [];
    const store = memoryStore();
    store.set = () => {
      throw new Error('the disk is full');
    };
    const failing = { recall: createRecall({ secret, store }), onWarning: (error: unknown) => warnings.push(error) };
    expect(shrinkTools([{ name: 'bash', run: (_: object) => WHOLE }], failing)[0]!.run({})).toBe(WHOLE);
    expect(warnings).toEqual([expect.objectContaining({ message: 'the disk is full' })]);
    // Who watches keeps nothing.
    const watched = { ...failing, observe: true };
    expect(shrinkTools([{ name: 'bash', run: (_: object) => WHOLE }], watched)[0]!.run({})).toBe(WHOLE);
    expect(warnings).toHaveLength(1);
    expect(() => shrinkTools([], { recall: {} as never })).toThrow(expect.objectContaining({ key: 'recall' }));
  });
});
