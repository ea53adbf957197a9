// Messages as one writes them, in place: each format takes the literals of its own, where no type of an SDK is named.
import type { AgentInputItem } from '@openai/agents-core';
import type { ModelMessage } from 'ai';
import * as aiSdk from 'densify/ai-sdk';
import * as prompt from 'densify/ai-sdk/prompt';
import * as ui from 'densify/ai-sdk/ui';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as langchain from 'densify/langchain';
import * as openai from 'densify/openai';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import * as pi from 'densify/pi';
import type OpenAI from 'openai';
import { expectTypeOf, test } from 'vitest';

const options = { strategy: 'auto', contextLimit: 200_000 } as const;

test('Chat Completions', () => {
  const { messages } = openai.optimize([{ role: 'user', content: 'Look at a.ts.' }]);
  expectTypeOf(messages).toExtend<readonly OpenAI.ChatCompletionMessageParam[]>();
  openai
    .createConversation(options)
    .add(
      { role: 'user', name: 'Ann', content: [{ type: 'image_url', image_url: { url: 'a' } }] },
      { role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: { name: 'cat', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: '1', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: 'Done.', reasoning_content: 'It is done.' },
    );
});

test('the Responses API', () => {
  const { messages } = responses.optimize([{ role: 'user', content: 'Look at a.ts.' }]);
  expectTypeOf(messages).toExtend<readonly OpenAI.Responses.ResponseInputItem[]>();
  const { messages: called } = responses.optimize([
    { type: 'function_call', call_id: '1', name: 'cat', arguments: '{}' },
    { type: 'function_call_output', call_id: '1', output: 'a' },
  ]);
  expectTypeOf(called).toExtend<readonly OpenAI.Responses.ResponseInputItem[]>();
  responses
    .createConversation(options)
    .add(
      { role: 'user', content: [{ type: 'input_text', text: 'Look at a.ts.' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'a' },
      { type: 'function_call', call_id: '1', name: 'cat', arguments: '{}', status: 'completed' },
      { type: 'function_call_output', call_id: '1', output: 'a' },
      { type: 'item_reference', id: 'msg_1' },
    );
  // @ts-expect-error a message of Chat Completions
  responses.optimize([{ role: 'tool', tool_call_id: '1', content: 'a' }]);
  // @ts-expect-error messages of Chat Completions
  responses.optimize([] as OpenAI.ChatCompletionMessageParam[]);
});

test('the Agents SDK', () => {
  const { messages } = agents.optimize([{ role: 'user', content: 'Look at a.ts.' }]);
  expectTypeOf(messages).toExtend<readonly AgentInputItem[]>();
  agents
    .createConversation(options)
    .add(
      { role: 'user', content: 'Look at a.ts.' },
      { type: 'function_call', callId: '1', name: 'cat', arguments: '{}', status: 'completed' },
      { type: 'function_call_result', callId: '1', name: 'cat', output: { type: 'text', text: 'a' } },
    );
  // @ts-expect-error a message of Chat Completions
  agents.optimize([{ role: 'assistant', tool_calls: [] }]);
});

test('the Messages API', () => {
  anthropic.optimize([{ role: 'user', content: [{ type: 'text', text: 'Look at a.ts.' }] }]);
  anthropic
    .createConversation(options)
    .add(
      { role: 'user', content: [{ type: 'text', text: 'Look.', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'cat', input: { path: 'a.ts' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'a', is_error: false }] },
    );
});

test('Gemini', () => {
  gemini.optimize([{ role: 'user', parts: [{ text: 'Look at a.ts.' }] }]);
  gemini.createConversation(options).add(
    { role: 'user', parts: [{ text: 'Look at a.ts.' }] },
    {
      role: 'model',
      parts: [{ functionCall: { name: 'cat', args: { path: 'a.ts' } }, thoughtSignature: 'a' }],
    },
  );
});

test('the AI SDK', () => {
  const { messages } = aiSdk.optimize([{ role: 'user', content: 'Look at a.ts.' }]);
  expectTypeOf(messages).toExtend<readonly ModelMessage[]>();
  const output = { type: 'text', value: 'a' };
  const called = { toolCallId: '1', toolName: 'cat' };
  const told = [
    { role: 'assistant', content: [{ type: 'tool-call', ...called, input: { path: 'a.ts' } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...called, output }] },
  ] as const;
  aiSdk.createConversation(options).add({ role: 'user', content: 'Look.', providerOptions: {} }, ...told);
  prompt.createConversation(options).add({ role: 'user', content: [{ type: 'text', text: 'Look.' }] }, ...told);
  ui.createConversation(options).add({
    id: '1',
    role: 'assistant',
    metadata: { at: 1 },
    parts: [{ type: 'tool-cat', toolCallId: '1', state: 'output-available', input: { path: 'a.ts' }, output: 'a' }],
  });
});

test('LangChain and pi', () => {
  langchain
    .createConversation(options)
    .add(
      { type: 'ai', content: '', tool_calls: [{ id: '1', name: 'cat', args: {} }] },
      { type: 'tool', content: 'a', tool_call_id: '1', name: 'cat', status: 'success' },
    );
  pi.createConversation(options).add(
    { role: 'user', content: 'Look at a.ts.', timestamp: 1 },
    { role: 'toolResult', toolCallId: '1', toolName: 'cat', content: [], details: {}, isError: false, timestamp: 2 },
  );
});

test('slips of the pen aren’t', () => {
  // @ts-expect-error no key of a message
  openai.createConversation(options).add({ role: 'tool', tool_cal_id: '1', content: 'a' });
  // @ts-expect-error no key of an item
  responses.createConversation(options).add({ type: 'function_call_output', callId: '1', output: 'a' });
  // @ts-expect-error no key of a block
  anthropic.createConversation(options).add({ role: 'user', content: [{ type: 'text', txt: 'a' }] });
});
