// Requests written in place: the result goes to each SDK unchanged, without a cast or a named type.
import type Anthropic from '@anthropic-ai/sdk';
import { generateText, type LanguageModel, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import type { MockLanguageModelV3 } from 'ai/test';
import { generateText as generateText7, type ModelMessage as ModelMessage7, streamText as streamText7 } from 'ai7';
import type { MockLanguageModelV4 } from 'ai7/test';
import * as aiSdk from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as openai from 'densify/openai';
import * as responses from 'densify/openai-responses';
import type OpenAI from 'openai';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Content, GoogleGenAI } from './judges/node_modules/@google/genai/dist/genai.js';

const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

/** What a stream gives. */
type PartOf<S> = S extends AsyncIterable<infer P> ? P : never;

test('Chat Completions', async () => {
  const { chat } = {} as OpenAI;
  const messages = [] as readonly OpenAI.ChatCompletionMessageParam[];
  const { request } = openai.optimizeRequest({
    model: 'gpt-5',
    messages,
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: 'low',
    tools: [{ type: 'function', function: { name: 'read_file', parameters, strict: true } }],
    tool_choice: { type: 'function', function: { name: 'read_file' } },
    response_format: { type: 'json_object' },
  });
  const stream = await chat.completions.create(request);
  expectTypeOf<PartOf<typeof stream>>().toEqualTypeOf<OpenAI.ChatCompletionChunk>();

  const fitted = openai.compressRequest(
    {
      model: 'gpt-5',
      messages: [
        ...messages,
        { role: 'user', content: 'Look at a.ts.' },
        { role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: { name: 'cat', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: '1', content: [{ type: 'text', text: 'a' }] },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'a', detail: 'low' } }] },
      ],
      tool_choice: 'auto',
    },
    { strategy: 'high-density', contextLimit: 1 },
  );
  const completion = await chat.completions.create(fitted.request);
  expectTypeOf(completion).toExtend<OpenAI.ChatCompletion>();
});

test('the Responses API', async () => {
  const client = {} as OpenAI;
  const input = [] as readonly OpenAI.Responses.ResponseInputItem[];
  const { request } = responses.optimizeRequest({
    model: 'gpt-5',
    input,
    stream: true,
    store: false,
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    tools: [{ type: 'function', name: 'read_file', parameters, strict: true }, { type: 'web_search' }],
    text: { format: { type: 'text' }, verbosity: 'low' },
  });
  const stream = await client.responses.create(request);
  expectTypeOf<PartOf<typeof stream>>().toEqualTypeOf<OpenAI.Responses.ResponseStreamEvent>();

  const asked = responses.optimizeRequest({
    model: 'gpt-5',
    input: [
      { role: 'user', content: 'Look at a.ts.' },
      { type: 'function_call', call_id: '1', name: 'cat', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: 'a' },
    ],
  });
  expectTypeOf(await client.responses.create(asked.request)).toExtend<OpenAI.Responses.Response>();
});

test('the Messages API', async () => {
  const { messages: api, beta } = {} as Anthropic;
  const messages = [] as readonly Anthropic.MessageParam[];
  const { request } = anthropic.optimizeRequest({
    model: 'claude-sonnet-4-5',
    max_tokens: 4_096,
    stream: true,
    system: [{ type: 'text', text: 'You are helpful.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages,
    tools: [
      { name: 'read_file', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
    ],
    tool_choice: { type: 'auto' },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
  });
  const stream = await api.create(request);
  expectTypeOf<PartOf<typeof stream>>().toEqualTypeOf<Anthropic.RawMessageStreamEvent>();

  const fitted = anthropic.compressRequest(
    {
      model: 'claude-sonnet-4-5',
      max_tokens: 4_096,
      messages: [
        ...messages,
        { role: 'user', content: [{ type: 'text', text: 'Look.', cache_control: { type: 'ephemeral' } }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'cat', input: { path: 'a.ts' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'a' }] },
      ],
    },
    { strategy: 'high-density', contextLimit: 1 },
  );
  expectTypeOf(await api.create(fitted.request)).toExtend<Anthropic.Message>();
  api.stream(fitted.request);
  await beta.messages.create({ ...fitted.request, betas: ['context-1m-2025-08-07'] });
});

test('Gemini', async () => {
  const { models } = {} as GoogleGenAI;
  const contents = [] as readonly Content[];
  const { request } = gemini.optimizeRequest({
    model: 'gemini-3-pro',
    contents: [...contents, { role: 'user', parts: [{ text: 'Look at a.ts.' }] }],
    config: {
      systemInstruction: { parts: [{ text: 'You are helpful.' }] },
      tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: parameters }] }],
      thinkingConfig: { includeThoughts: true },
    },
  });
  await models.generateContent(request);
  await models.generateContentStream(request);
  await models.generateContent(gemini.optimizeRequest({ model: 'gemini-3-pro', contents: 'Look at a.ts.' }).request);
});

describe('the AI SDK', () => {
  test('its current major and the one before it', async () => {
    const model = {} as LanguageModel;
    const tools = {} as ToolSet;
    const messages = [] as readonly ModelMessage[];
    const { request } = aiSdk.optimizeRequest({
      model,
      system: 'You are helpful.',
      messages,
      tools,
      toolChoice: 'auto',
    });
    await generateText(request);
    streamText(request);

    const model7 = {} as MockLanguageModelV4;
    const messages7 = [] as readonly ModelMessage7[];
    const asked = aiSdk.optimizeRequest({
      model: model7,
      instructions: 'You are helpful.',
      messages: [...messages7, { role: 'user', content: [{ type: 'text', text: 'Look at a.ts.' }] }],
      providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_000 } } },
    });
    await generateText7(asked.request);
    streamText7(asked.request);
  });

  test('tools keep their types', () => {
    const { request } = aiSdk.optimizeRequest({
      model: {} as LanguageModel,
      messages: [{ role: 'user', content: 'Look at a.ts.' }],
      tools: {
        read: tool({
          inputSchema: z.object({ path: z.string() }),
          execute: async ({ path }) => Promise.resolve({ lines: path.length }),
        }),
      },
    });
    const { toolResults } = streamText(request);
    type Read = Extract<Awaited<typeof toolResults>[number], { toolName: 'read'; dynamic?: false | undefined }>;
    expectTypeOf<Read['input']>().toEqualTypeOf<{ path: string }>();
    expectTypeOf<Read['output']>().toEqualTypeOf<{ lines: number }>();
  });

  test('calls of models', () => {
    const { request } = prompt.optimizeRequest({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Look at a.ts.' }] }],
      toolChoice: { type: 'auto' },
    });
    expectTypeOf(request).toExtend<Parameters<MockLanguageModelV3['doGenerate']>[0]>();
    expectTypeOf(request).toExtend<Parameters<MockLanguageModelV4['doGenerate']>[0]>();
  });
});

describe('types', () => {
  /** A class whose fields are read-only. */
  class Client {
    readonly name = 'client';
    readonly #secret = 1;
    secret(): number {
      return this.#secret;
    }
  }

  test('that have names stay what they are', () => {
    const check = <R extends object>(request: R) => expectTypeOf(request);
    check(
      openai.optimizeRequest({} as OpenAI.ChatCompletionCreateParams).request,
    ).toEqualTypeOf<OpenAI.ChatCompletionCreateParams>();
    check(
      anthropic.optimizeRequest({} as Anthropic.MessageCreateParams).request,
    ).toEqualTypeOf<Anthropic.MessageCreateParams>();
    check(
      responses.optimizeRequest({} as OpenAI.Responses.ResponseCreateParams).request,
    ).toEqualTypeOf<OpenAI.Responses.ResponseCreateParams>();
  });

  test('functions and instances too', () => {
    const onFinish = (text: string) => text.length;
    const { request } = openai.optimizeRequest({ messages: [], client: new Client(), at: new Date(), onFinish });
    expectTypeOf(request.client).toEqualTypeOf<Client>();
    expectTypeOf(request.at).toEqualTypeOf<Date>();
    expectTypeOf(request.onFinish).toEqualTypeOf<(text: string) => number>();
  });

  test('say no more than there is', () => {
    const { request } = openai.optimizeRequest({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Look at a.ts.' }],
    });
    expectTypeOf(request).toEqualTypeOf<{ model: 'gpt-5'; messages: { role: 'user'; content: string }[] }>();
  });

  test('of what is spread stay what they are', async () => {
    const given = {} as OpenAI.ChatCompletionCreateParamsStreaming;
    const messages = [] as readonly OpenAI.ChatCompletionMessageParam[];
    const stream = await ({} as OpenAI).chat.completions.create(openai.optimizeRequest({ ...given, messages }).request);
    expectTypeOf<PartOf<typeof stream>>().toEqualTypeOf<OpenAI.ChatCompletionChunk>();
    const { request } = anthropic.optimizeRequest({ ...({} as Anthropic.MessageCreateParams), max_tokens: 1_024 });
    expectTypeOf(request.model).toEqualTypeOf<Anthropic.Model>();
  });

  test('may be as deep as they want', () => {
    type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
    const { request } = openai.optimizeRequest({ messages: [], metadata: {} as Json, list: [] as readonly Json[] });
    expectTypeOf(request.list).toEqualTypeOf<Json[]>();
    expectTypeOf(request.metadata).toExtend<Json>();
  });

  test('of parameters go to the SDK', () => {
    const send = async <R extends Anthropic.MessageCreateParamsNonStreaming>(client: Anthropic, asked: R) =>
      client.messages.create(anthropic.optimizeRequest(asked).request);
    expectTypeOf(send).returns.resolves.toExtend<Anthropic.Message>();
  });

  test('that are no request are refused', () => {
    // @ts-expect-error a role that isn't one
    openai.optimizeRequest({ messages: [{ role: 'robot', content: 'x' }] });
    // @ts-expect-error no messages
    anthropic.optimizeRequest({ model: 'claude-sonnet-4-5' });
    // @ts-expect-error no list
    aiSdk.optimizeRequest({ messages: 'Look at a.ts.' });
    // @ts-expect-error not an option
    anthropic.optimizeRequest({ messages: [] }, { presets: 'balanced' });
  });
});
