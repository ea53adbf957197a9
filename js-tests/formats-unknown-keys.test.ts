// A result that gets another text keeps its unknown keys: those of its texts, and of the objects around them.
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as langchain from 'densify/langchain';
import * as openai from 'densify/openai';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import * as pi from 'densify/pi';
import { expect, test } from 'vitest';

const LONG = 'a line of a file\n'.repeat(40);
const settings = { rules: { recencyPruning: true, recencyRetention: 1 } } as const;
const extra = { x_custom: 7, cache_control: { type: 'ephemeral' } };
const path = (id: string) => ({ path: `/${id}` });
const called = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: JSON.stringify(path(id)) },
});
const text = { type: 'text', text: LONG, ...extra };
const input = { type: 'input_text', text: LONG, ...extra };

type Optimize = (messages: never, options: never) => { readonly messages: readonly unknown[] };
/** The verb, the user's message, and a call with its result, whose content is one text or nothing special. */
type Case = readonly [string, Optimize, (id: string, content: unknown) => object[], unknown, string];

const CASES: readonly Case[] = [
  [
    'Chat Completions',
    openai.optimize as Optimize,
    (id, content) => [
      { role: 'assistant', content: null, tool_calls: [called(id)] },
      { role: 'tool', tool_call_id: id, content },
    ],
    [text],
    LONG,
  ],
  [
    'Anthropic',
    anthropic.optimize as Optimize,
    (id, content) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: path(id) }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ],
    [text],
    LONG,
  ],
  [
    'AI SDK',
    aiSdk.optimize as Optimize,
    (toolCallId, value) => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'read', input: path(toolCallId) }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'content', value } }],
      },
    ],
    [text],
    [{ type: 'text', text: LONG }] as never,
  ],
  [
    'LangChain',
    langchain.optimize as Optimize,
    (id, content) => [
      { type: 'ai', content: '', tool_calls: [{ id, name: 'read', args: path(id) }] },
      { type: 'tool', tool_call_id: id, name: 'read', content },
    ],
    [text],
    LONG,
  ],
  [
    'pi',
    pi.optimize as Optimize,
    (id, content) => [
      { role: 'assistant', content: [{ type: 'toolCall', id, name: 'read', arguments: path(id) }] },
      { role: 'toolResult', toolCallId: id, toolName: 'read', content, isError: false },
    ],
    [text],
    [{ type: 'text', text: LONG }] as never,
  ],
  [
    'Responses API',
    responses.optimize as Optimize,
    (id, output) => [
      { type: 'function_call', call_id: id, name: 'read', arguments: JSON.stringify(path(id)) },
      { type: 'function_call_output', call_id: id, output },
    ],
    [input],
    LONG,
  ],
  [
    'Agents SDK',
    agents.optimize as Optimize,
    (callId, output) => [
      { type: 'function_call', callId, name: 'read', status: 'completed', arguments: JSON.stringify(path(callId)) },
      { type: 'function_call_result', callId, name: 'read', status: 'completed', output },
    ],
    [input],
    LONG,
  ],
  [
    'Gemini',
    gemini.optimize as Optimize,
    (id, response) => [
      { role: 'model', parts: [{ functionCall: { id, name: 'read', args: path(id) } }] },
      { role: 'user', parts: [{ functionResponse: { id, name: 'read', response, scheduling: 'SILENT' } }] },
    ],
    { output: LONG, ...extra },
    { output: LONG } as never,
  ],
];

test.each(CASES)('%s', (name, optimize, pair, content, newest) => {
  const user = name === 'Gemini' ? { role: 'user', parts: [{ text: 'Go.' }] } : { role: 'user', content: 'Go.' };
  const messages = [user, ...pair('a', content), ...pair('b', newest)];
  const { messages: after } = optimize(messages as never, settings as never);
  const result = JSON.stringify(after[2]);
  expect(result).not.toContain('a line of a file');
  expect(result).toContain('pruned');
  for (const [key, value] of Object.entries(extra))
    expect(result).toContain(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
  if (name === 'Gemini') expect(result).toContain('"scheduling":"SILENT"');
});

test('a breakpoint that a gateway passes on survives a stale read of Chat Completions', () => {
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...called('r'), function: { name: 'read_file', arguments: '{"file_path":"a.ts"}' } }],
    },
    { role: 'tool', tool_call_id: 'r', content: [text] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...called('w'), function: { name: 'write_file', arguments: '{"file_path":"a.ts"}' } }],
    },
    { role: 'tool', tool_call_id: 'w', content: 'ok' },
  ] as unknown as openai.OpenAIMessageLike[];
  const { request } = openai.optimizeRequest({ model: 'anthropic/claude-sonnet-4.5', messages }, { preset: 'seed' });
  expect(request.messages).toHaveLength(3);
  expect(request.messages[0]).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'Go.', cache_control: { type: 'ephemeral' } }],
  });
});
