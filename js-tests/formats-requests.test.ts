// `optimizeRequest` and `compressRequest` of the formats whose requests are not `{messages, system, tools}`.

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { estimateTokens } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as langchain from 'densify/langchain';
import * as openai from 'densify/openai';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import * as pi from 'densify/pi';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { thrownBy } from './support/thrown.js';

const LINES = 'a line of a file\n'.repeat(20);
const system = 'You are careful. '.repeat(20);

describe('Responses API', () => {
  const mark = { prompt_cache_breakpoint: { mode: 'explicit' as const } };
  const call = (id: string, name: string) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: '{"file_path":"a.ts"}',
  });
  const output = (id: string, text: unknown = LINES) => ({ type: 'function_call_output', call_id: id, output: text });
  const request = {
    model: 'gpt-4.1',
    instructions: system,
    tools: [{ type: 'function', name: 'read_file', parameters: {} }, { type: 'web_search' }],
    input: [
      { role: 'user', content: 'Rename.' },
      call('r', 'read_file'),
      output('r', [{ type: 'input_text', text: LINES, ...mark }]),
      call('w', 'write_file'),
      output('w', 'ok'),
    ],
    store: false,
  } as { model: string; instructions: string; tools: object[]; input: responses.ResponsesItemLike[]; store: boolean };

  test('input is edited, instructions and tools are counted, a breakpoint moves to what may bear it', () => {
    const before = structuredClone(request);
    const result = responses.optimizeRequest(request, { preset: 'seed' });
    expect(request).toEqual(before);
    expect(result.request.input).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'Rename.', ...mark }] },
      ...request.input.slice(3),
    ]);
    expect(result.request.input[1]).toBe(request.input[3]);
    expect({ ...result.request, input: [] }).toEqual({ ...request, input: [] });
    expect(result.overhead.byTool.map(({ name }) => name)).toEqual(['read_file', 'web_search']);
    expect(result.overhead.system).toBeGreaterThan(50);
  });

  test('a text is a request too', () => {
    const small = { model: 'gpt-5', input: 'Hello.' };
    expect(responses.optimizeRequest(small, { preset: 'seed' }).request).toBe(small);
    expect(responses.optimizeRequest(small, { preset: 'seed' }).tokensBefore).toBeGreaterThan(0);
  });

  test('what must fit is compressed with the overhead in mind', () => {
    const many = Array.from({ length: 30 }, (_, n) => [call(`c${n}`, 'grep'), output(`c${n}`)]).flat();
    const large = { ...request, input: [request.input[0]!, ...many] as responses.ResponsesItemLike[] };
    const result = responses.compressRequest(large, { strategy: 'high-density', contextLimit: 3_000 });
    if (result.kind !== 'applied') throw new Error(result.reason);
    expect(result.metadata.targetTokens).toBeLessThanOrEqual((3_000 - result.overhead.total) * 0.85 * 0.6);
  });
});

describe('Agents SDK', () => {
  const call = (callId: string, name: string) => ({
    type: 'function_call' as const,
    callId,
    name,
    arguments: '{"file_path":"a.ts"}',
  });
  const result = (callId: string, name: string) => ({
    type: 'function_call_result' as const,
    callId,
    name,
    status: 'completed' as const,
    output: LINES,
  });
  const input: agents.AgentsItemLike[] = [
    { type: 'message', role: 'user', content: 'Rename.' } as agents.AgentsItemLike,
    call('r', 'read_file'),
    result('r', 'read_file'),
    call('w', 'write_file'),
    result('w', 'write_file'),
  ];
  const tools = [{ type: 'function', name: 'read_file', parameters: {} }];
  const schema = { type: 'object', properties: { answer: { type: 'string' } } };

  test('what a model is asked, and what a filter gets', () => {
    for (const beside of [{ systemInstructions: system }, { instructions: system }]) {
      const request = { ...beside, input, tools, outputType: { type: 'json_schema', name: 'answer', schema } };
      const optimized = agents.optimizeRequest(request, { preset: 'seed', model: 'gpt-4.1' });
      expect(optimized.request).toEqual({ ...request, input: [input[0], input[3], input[4]] });
      expect(optimized.request.input[1]).toBe(input[3]);
      const { overhead } = optimized;
      expect(overhead.system).toBeGreaterThan(50);
      expect(overhead.byTool.map(({ name }) => name)).toEqual(['read_file']);
      expect(overhead.total).toBe(overhead.system + overhead.tools + overhead.schema + overhead.request);
      expect(overhead.schema).toBeGreaterThan(5);
    }
  });

  test('a text is a request too, and what must fit is compressed with the overhead in mind', () => {
    const small = { input: 'Hello.', tools };
    expect(agents.optimizeRequest(small, { preset: 'seed' }).request).toBe(small);
    const many = Array.from({ length: 30 }, (_, n) => [call(`c${n}`, 'grep'), result(`c${n}`, 'grep')]).flat();
    const large = { systemInstructions: system, input: [input[0]!, ...many], tools };
    const fit = agents.compressRequest(large, { strategy: 'high-density', contextLimit: 3_000, model: 'gpt-4.1' });
    if (fit.kind !== 'applied') throw new Error(fit.reason);
    expect(fit.metadata.targetTokens).toBeLessThanOrEqual((3_000 - fit.overhead.total) * 0.85 * 0.6);
  });
});

test('Anthropic: of two texts the marked one goes and the other is cut: the breakpoint moves', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const text = (words: string, further: object = {}) => ({ type: 'text', text: words, ...further });
  const messages = [
    { role: 'user' as const, content: 'Go.' },
    { role: 'assistant' as const, content: [text('So.')] },
    { role: 'user' as const, content: [text('--- a.ts ---', mark), text('\n--- End of content ---\nAnd?')] },
    { role: 'assistant' as const, content: [text('Yes.')] },
    { role: 'user' as const, content: '--- a.ts ---\nx\n--- End of content ---\n' },
  ];
  const { request } = anthropic.optimizeRequest({ model: 'claude-3-5-haiku', messages }, { preset: 'seed' });
  expect(JSON.stringify(request.messages).split('cache_control')).toHaveLength(2);
});

describe('Gemini', () => {
  const call = (name: string) => ({ functionCall: { name, args: { file_path: 'a.ts' } } });
  const response = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
  const contents: gemini.GeminiContentLike[] = [
    { role: 'user', parts: [{ text: 'Rename.' }] },
    { role: 'model', parts: [call('read_file')] },
    { role: 'user', parts: [response('read_file', LINES)] },
    { role: 'model', parts: [call('write_file')] },
    { role: 'user', parts: [response('write_file', 'ok')] },
  ];
  const settings = {
    systemInstruction: { parts: [{ text: system }] },
    tools: [{ functionDeclarations: [{ name: 'read_file' }, { name: 'write_file' }] }, { googleSearch: {} }],
  };

  test('of the SDK and of the API', () => {
    for (const beside of [settings, { config: settings }]) {
      const request = { model: 'gemini-2.5-pro', contents, ...beside };
      const result = gemini.optimizeRequest(request, { preset: 'seed' });
      expect(result.request.contents).toEqual([contents[0], contents[3], contents[4]]);
      expect({ ...result.request, contents }).toEqual(request);
      expect(result.overhead.byTool.map(({ name }) => name).sort()).toEqual([
        'googleSearch',
        'read_file',
        'write_file',
      ]);
      expect(result.overhead.system).toBeGreaterThan(50);
    }
  });

  test('a text, a content, and parts are requests too', () => {
    for (const one of ['Hi.', contents[0], [{ text: 'Hi.' }], ['Hi.']]) {
      const request = { model: 'gemini-2.5-pro', contents: one };
      expect(gemini.optimizeRequest(request, { preset: 'seed' }).request).toBe(request);
    }
  });
});

describe('AI SDK', () => {
  const cached = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };
  const call = (id: string, toolName: string) => ({
    role: 'assistant' as const,
    content: [{ type: 'tool-call', toolCallId: id, toolName, input: { path: 'a.ts' } }],
  });
  const result = (id: string, toolName: string, more: object = {}) => ({
    role: 'tool' as const,
    content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: LINES }, ...more }],
  });
  const messages: aiSdk.AiSdkMessageLike[] = [
    { role: 'user', content: 'Rename.' },
    call('r', 'read_file'),
    result('r', 'read_file', cached),
    call('w', 'write_file'),
    result('w', 'write_file'),
  ];
  const inputSchema = { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } };
  const tools = { read_file: { description: 'Reads. '.repeat(9), inputSchema }, write_file: { inputSchema } };

  test('messages are edited; a breakpoint is that of a message whose content is a text', () => {
    const request = { model: { modelId: 'claude-3-5-haiku', provider: 'anthropic.messages' }, system, tools, messages };
    const before = structuredClone(messages);
    const found = aiSdk.optimizeRequest(request, { preset: 'seed' });
    expect(messages).toEqual(before);
    expect(found.request.messages).toEqual([{ ...messages[0], ...cached }, messages[3], messages[4]]);
    expect(found.request.tools).toBe(tools);
    expect(found.overhead.byTool.map(({ name }) => name)).toEqual(['read_file', 'write_file']);
    expect(found.overhead.system).toBeGreaterThan(50);
    expect(
      aiSdk.optimizeRequest({ model: 'x', instructions: system, messages }, { preset: 'seed' }).overhead.system,
    ).toBeGreaterThan(50);
  });

  test('never more of them: one that is there already stays alone; so does the last part of a marked message', () => {
    const parts = [
      { type: 'text', text: 'Rename.' },
      { type: 'text', text: 'Please.' },
    ];
    for (const first of [
      { role: 'user' as const, content: 'Rename.', ...cached },
      { role: 'user' as const, content: parts, ...cached },
      { role: 'user' as const, content: [parts[0]!, { ...parts[1]!, ...cached }] },
    ]) {
      const request = { model: 'claude-3-5-haiku', messages: [first, ...messages.slice(1)] };
      expect(aiSdk.optimizeRequest(request, { preset: 'seed' }).request.messages[0]).toBe(first);
    }
    const request = {
      model: 'claude-3-5-haiku',
      messages: [{ role: 'user' as const, content: parts }, ...messages.slice(1)],
    };
    expect(aiSdk.optimizeRequest(request, { preset: 'seed' }).request.messages[0]).toEqual({
      role: 'user',
      content: [parts[0], { ...parts[1], ...cached }],
    });
  });

  test('calls of models: the prompt', () => {
    const first = { role: 'user' as const, content: [{ type: 'text', text: 'Rename.' }] };
    const options = {
      prompt: [first, ...messages.slice(1)],
      tools: [{ type: 'function', name: 'read_file', inputSchema }],
    };
    const found = prompt.optimizeRequest(options, { preset: 'seed', model: 'claude-3-5-haiku' });
    expect(found.request.prompt).toEqual([
      { role: 'user', content: [{ ...first.content[0], ...cached }] },
      ...messages.slice(3),
    ]);
    expect(found.overhead.byTool).toMatchObject([{ name: 'read_file' }]);
  });
});

describe('LangChain and pi', () => {
  test('an agent’s request to a model', () => {
    const answer = (id: string, name: string) =>
      new AIMessage({ content: '', tool_calls: [{ id, name, args: { path: 'a.ts' } }] });
    const result = (id: string, content: unknown = LINES) =>
      new ToolMessage({ tool_call_id: id, content: content as string });
    const mark = { cache_control: { type: 'ephemeral' } };
    const messages: BaseMessage[] = [
      new HumanMessage({ content: 'Rename.', id: 'h' }),
      answer('r', 'read_file'),
      result('r', [{ type: 'text', text: LINES, ...mark }]),
      answer('w', 'write_file'),
      result('w'),
    ];
    const tools = [{ name: 'read_file', description: 'Reads.', schema: {}, invoke: () => 1, secret: 'x'.repeat(999) }];
    const found = langchain.optimizeRequest(
      { model: 'claude-3-5-haiku', systemPrompt: system, messages, tools },
      { preset: 'seed' },
    );
    const [first, ...rest] = found.request.messages;
    expect(first).toBeInstanceOf(HumanMessage);
    expect(first).toMatchObject({ id: 'h', content: [{ type: 'text', text: 'Rename.', ...mark }] });
    expect(first!.lc_kwargs.content).toBe(first!.content);
    expect(rest).toEqual(messages.slice(3));
    expect(messages[0]!.content).toBe('Rename.');
    expect(found.overhead.tools).toBeLessThan(60);
    expect(found.overhead.system).toBeGreaterThan(50);
  });

  test('a context of pi', () => {
    const call = (id: string, name: string) => ({
      role: 'assistant',
      content: [{ type: 'toolCall', id, name, arguments: { path: 'a.ts' } }],
    });
    const result = (toolCallId: string, toolName: string) => ({
      role: 'toolResult',
      toolCallId,
      toolName,
      content: [{ type: 'text', text: LINES }],
      isError: false,
    });
    const context = {
      systemPrompt: system,
      tools: [{ name: 'read', description: 'Reads.', parameters: {} }],
      messages: [
        { role: 'user', content: 'Rename.' },
        call('r', 'read_file'),
        result('r', 'read_file'),
        call('w', 'write_file'),
        result('w', 'write_file'),
      ] as pi.PiMessageLike[],
    };
    const found = pi.optimizeRequest(context, { preset: 'seed', model: 'gpt-4.1', provider: 'openai' });
    expect(found.request.messages).toEqual([context.messages[0], ...context.messages.slice(3)]);
    expect(found.overhead).toMatchObject({ byTool: [{ name: 'read' }] });
    expect(thrownBy(() => pi.optimizeRequest(1 as never, { preset: 'seed' })).code).toBe('invalid-messages');
  });
});

describe('what goes with a request, as the provider counts it', () => {
  const system = 'Be brief. Say what you did. '.repeat(2_000);
  const messages = [{ role: 'user', content: 'x' }] as never[];
  const contents = [{ role: 'user', parts: [{ text: 'x' }] }];
  const exact = { countTokens: (text: string) => text.length };
  const claude = { model: 'claude-sonnet-4-5' };
  const gemini3 = { model: 'gemini-3-pro' };
  const gpt = { model: 'gpt-5', provider: 'openai' };
  test.each([
    ['Claude', 1.24, anthropic, claude, () => anthropic.optimizeRequest({ ...claude, system, messages })],
    [
      'Gemini',
      1.24,
      gemini,
      gemini3,
      () => gemini.optimizeRequest({ ...gemini3, contents, config: { systemInstruction: system } }),
    ],
    [
      'OpenAI',
      1,
      responses,
      gpt,
      () => responses.optimizeRequest({ model: gpt.model, instructions: system, input: messages }),
    ],
    [
      'Claude behind the AI SDK',
      1.24,
      aiSdk,
      claude,
      () => aiSdk.optimizeRequest({ model: 'claude-sonnet-4-5', instructions: system, messages }),
    ],
    [
      'whoever, by its own counter',
      1,
      anthropic,
      { ...claude, ...exact },
      () => anthropic.optimizeRequest({ ...claude, system, messages }, exact),
    ],
  ] as const)('%s: is what a conversation’s window has less', (_, factor, { createConversation }, options, request) => {
    const { total, reported } = request().overhead;
    expect(total).toBeGreaterThan(10_000);
    expect(reported).toBe(Math.ceil(total * factor));
    const limit = (overhead: number): number => {
      const create = createConversation as typeof anthropic.createConversation;
      using conversation = create({ strategy: 'auto', contextLimit: 200_000, overhead, ...options } as never);
      return conversation.tokens.limit;
    };
    // The window is counted as the messages are: so the same holds of what it has less.
    expect(Math.abs(limit(0) - limit(reported) - total)).toBeLessThanOrEqual(2);
  });
});

describe('what the provider adds of its own', () => {
  const messages = [{ role: 'user', content: 'x' }] as never[];
  const tools = [{ name: 'f', input_schema: { type: 'object' } }];
  const own = ['bash_20250124', 'text_editor_20250728', 'computer_20250124'].map((type) => ({ type, name: type }));
  const exact = { countTokens: (text: string) => text.length };
  const claude = 'claude-opus-4-6';
  test.each<[string, number, () => { readonly overhead: { readonly request: number; readonly total: number } }]>([
    ['OpenAI, to each request', 3, () => openai.optimizeRequest({ messages }, exact)],
    ['OpenAI, for having tools', 15, () => openai.optimizeRequest({ messages, tools }, exact)],
    ['Responses', 15, () => responses.optimizeRequest({ input: messages, tools }, exact)],
    ['Anthropic', 0, () => anthropic.optimizeRequest({ messages }, exact)],
    ['Anthropic, for having tools', 346, () => anthropic.optimizeRequest({ messages, tools }, exact)],
    [
      'the same as it is counted here',
      Math.ceil(346 / 1.24),
      () => anthropic.optimizeRequest({ model: claude, messages, tools }),
    ],
    ['a Claude behind LangChain', 346, () => langchain.optimizeRequest({ model: claude, messages, tools }, exact)],
    ['Gemini, which publishes nothing', 0, () => gemini.optimizeRequest({ contents: [], tools }, exact)],
    ['nobody knows who', 0, () => langchain.optimizeRequest({ messages, tools }, exact)],
  ])('%s: %d', (_, added, request) => {
    expect(request().overhead.request).toBe(added);
  });

  test('Anthropic’s own tools cost what it says of them, whatever names them', () => {
    const { byTool, total } = anthropic.optimizeRequest({ messages, tools: own }, exact).overhead;
    expect(byTool.map(({ tokens }) => tokens)).toEqual([735, 700, 245]);
    expect(total).toBe(735 + 700 + 245 + 346);
    const { overhead } = openai.optimizeRequest({ messages, tools: own }, exact);
    expect(overhead.byTool[0]!.tokens).toBe(JSON.stringify(own[1]).length);
  });
});

test('tools of LangChain are counted as a model gets them, with what zod says of each member', () => {
  const schema = z.object(
    Object.fromEntries(
      [...Array(30).keys()].map((at) => [`field_${at}`, z.string().describe(`What field number ${at} is.`)]),
    ),
  );
  const tool = { name: 'read', description: 'Reads a file', schema, invoke: () => 'x' };
  const { tools } = langchain.optimizeRequest({ messages: [] as never[], tools: [tool] }).overhead;
  const sent = { name: 'read', description: 'Reads a file', schema: z.toJSONSchema(schema) };
  expect(tools).toBe(estimateTokens(JSON.stringify(sent)));
});

describe('what a request may hold besides', () => {
  const schema = { type: 'object', properties: { answer: { type: 'string', description: 'A word. '.repeat(500) } } };
  const messages = [{ role: 'user', content: 'x' }] as never[];
  const contents = [{ role: 'user', parts: [{ text: 'x' }] }];
  test.each<[string, () => { readonly overhead: Readonly<Record<'schema' | 'total' | 'request', number>> }]>([
    [
      'Chat Completions',
      () =>
        openai.optimizeRequest(
          {
            messages,
            response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
          },
          { preset: 'seed' },
        ),
    ],
    [
      'Responses API',
      () =>
        responses.optimizeRequest(
          { input: messages, text: { format: { type: 'json_schema', schema } } },
          { preset: 'seed' },
        ),
    ],
    [
      'Anthropic',
      () =>
        anthropic.optimizeRequest(
          { messages, output_config: { format: { type: 'json_schema', schema } } },
          { preset: 'seed' },
        ),
    ],
    [
      'Anthropic, beta',
      () => anthropic.optimizeRequest({ messages, output_format: { type: 'json_schema', schema } }, { preset: 'seed' }),
    ],
    ['Gemini', () => gemini.optimizeRequest({ contents, config: { responseJsonSchema: schema } }, { preset: 'seed' })],
    [
      'Gemini, its own schema',
      () => gemini.optimizeRequest({ contents, config: { responseSchema: schema } }, { preset: 'seed' }),
    ],
    [
      'Gemini, its API',
      () => gemini.optimizeRequest({ contents, generationConfig: { responseSchema: schema } }, { preset: 'seed' }),
    ],
  ])('%s: the schema of the answer is counted', (_name, optimized) => {
    const { overhead } = optimized();
    expect(overhead.schema).toBeGreaterThan(900);
    expect(overhead.total).toBe(overhead.schema + overhead.request);
  });

  test('functions of the older form are tools', () => {
    const { overhead } = openai.optimizeRequest(
      { messages, functions: [{ name: 'f', parameters: schema }] },
      { preset: 'seed' },
    );
    expect(overhead.byTool.map(({ name }) => name)).toEqual(['f']);
    expect(overhead).toMatchObject({ schema: 0, total: overhead.tools + 15, request: 15 });
  });

  test.each<[string, unknown]>([
    ['a text', LINES],
    ['texts', [LINES, 'b']],
    ['a part', { text: LINES }],
    ['parts', [{ text: LINES }, 'b', { text: 'c' }]],
  ])('Gemini: contents that are %s are what the user says', (_name, found) => {
    const request = { model: 'gemini-2.5-pro', contents: found };
    const { request: same, tokensBefore } = gemini.optimizeRequest(request, { preset: 'seed' });
    expect(same).toBe(request);
    expect(tokensBefore).toBeGreaterThan(50);
    const compressed = gemini.compressRequest(request, { strategy: 'top-down-truncation', contextLimit: 20 });
    expect(compressed.request.contents).toBe(found);
    expect(compressed.kind).not.toBe('compressed');
  });
});
