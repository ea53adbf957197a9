// Messages in another format than the entry point's: densify reads none of them and warns.
import * as core from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as openai from 'densify/openai';
import { describe, expect, test, vi } from 'vitest';
import { human } from './support/say.js';

const chat = [
  { role: 'user', content: 'word '.repeat(2_000) },
  { role: 'assistant', content: 'Done.' },
];
const contents = [{ role: 'user', parts: [{ text: 'word '.repeat(2_000) }] }];
const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
};
const claudesCall = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] };
const claudesResult = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'a.ts' }] };
const sdksCall = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'ls', input: {} }] };
const settings = { strategy: 'high-density', contextLimit: 500 } as const;

describe.each([
  ['chat messages given to densify', core as unknown as typeof anthropic, chat, 'densify/anthropic, densify/openai'],
  ['chat messages given to densify/gemini', gemini as unknown as typeof anthropic, chat, 'densify/anthropic'],
  ['Gemini’s contents given to densify/anthropic', anthropic, contents, 'use densify/gemini'],
  ['own contents given to densify/anthropic', anthropic, [human('Hello.')], "use 'densify' itself"],
  ['calls of Chat Completions given to densify/anthropic', anthropic, [chatCall], "'tool_calls'.*use densify/openai "],
  [
    'calls of Chat Completions given to densify/ai-sdk',
    aiSdk as unknown as typeof anthropic,
    [chatCall],
    'use densify/openai ',
  ],
  [
    'Anthropic’s calls given to densify/openai',
    openai as unknown as typeof anthropic,
    [claudesCall],
    'use densify/anthropic ',
  ],
  [
    'Anthropic’s results given to densify/openai',
    openai as unknown as typeof anthropic,
    [claudesResult],
    'use densify/anthropic ',
  ],
  [
    'calls of the AI SDK given to densify/openai',
    openai as unknown as typeof anthropic,
    [sdksCall],
    'use densify/ai-sdk ',
  ],
  ['an answer that wasn’t awaited', anthropic, [Promise.resolve(chat[1])], 'found a promise; await it first'],
  ['a list in the place of a message', anthropic, [chat], /addAll\(messages\)/],
])('%s', (_, entry, messages, advice) => {
  const given = messages as never;
  const warning = { code: 'other-format', index: 0, message: expect.stringMatching(advice) };

  test('are told of by results, once, by the first of them', () => {
    const result = entry.optimize(given);
    expect(result.warnings).toEqual([warning]);
    expect(result.messages).toBe(given);
    const optimizer = entry.createOptimizer();
    expect(optimizer.optimize(given).warnings).toEqual([warning]);
    expect(optimizer.optimize(given).warnings).toEqual([]);
    expect(entry.compress(given, settings).warnings).toEqual([warning]);
  });

  test('are told of by the conversation, once', () => {
    const conversation = entry.createConversation(settings);
    conversation.addAll(given);
    const message = warning.message as string;
    expect(conversation.beforeSend()).toMatchObject({ kind: 'ready', warnings: [{ code: 'other-format', message }] });
    expect(conversation.beforeSend()).toMatchObject({ kind: 'ready', warnings: [] });
  });
});

const long = 'a line of output\n'.repeat(200);
const histories = {
  densify: [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id: 'a', name: 'ls', parameters: {} }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: 'a', toolName: 'ls', result: long }] },
  ],
  anthropic: [claudesCall, claudesResult],
  openai: [chatCall, { role: 'tool', tool_call_id: 'a', content: long }],
  'openai-responses': [
    { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: long },
  ],
  'openai-agents': [
    { type: 'function_call', callId: 'a', name: 'ls', arguments: '{}' },
    { type: 'function_call_result', callId: 'a', name: 'ls', output: { type: 'text', text: long } },
  ],
  gemini: [
    { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: long } } }] },
  ],
  'ai-sdk': [
    sdksCall,
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'ls', output: { type: 'text', value: long } }],
    },
  ],
  'ai-sdk/ui': [
    {
      id: '1',
      role: 'assistant',
      parts: [{ type: 'tool-ls', toolCallId: 'a', state: 'output-available', input: {}, output: long }],
    },
  ],
  langchain: [
    { type: 'ai', data: { content: '', tool_calls: [{ id: 'a', name: 'ls', args: {}, type: 'tool_call' }] } },
    { type: 'tool', data: { content: long, tool_call_id: 'a', name: 'ls' } },
  ],
  pi: [
    { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'ls', arguments: {} }] },
    { role: 'toolResult', toolCallId: 'a', toolName: 'ls', content: [{ type: 'text', text: long }], isError: false },
  ],
} as const satisfies Record<string, readonly object[]>;
const entries = Object.keys(histories) as (keyof typeof histories)[];

test.each(entries.flatMap((entry) => entries.map((of) => [of, entry] as const)))(
  'a call and its result, of %s given to %s: whoever reads only a part of it says whose it is',
  async (of, entry) => {
    const { optimize } = (await import(entry === 'densify' ? entry : `densify/${entry}`)) as typeof anthropic;
    const found = optimize(histories[of] as never).warnings.filter(({ code }) => code === 'other-format');
    if (of === entry) return expect(found).toEqual([]);
    expect(found).toHaveLength(1);
    expect(found[0]!.message).toContain(of === 'densify' ? "'densify' itself" : `densify/${of}`);
  },
);

test('calls that nobody understands are of no other format', () => {
  const odd = [
    { ...chatCall, tool_calls: [{ id: 'a', type: 'mcp', mcp: {} }] },
    { role: 'user', content: [{ type: 'tool_use' }] },
  ];
  for (const entry of [anthropic, openai, aiSdk] as unknown as (typeof anthropic)[])
    for (const message of odd) expect(entry.optimize([message] as never).warnings, JSON.stringify(message)).toEqual([]);
});

test('odd messages are none of another format', () => {
  const odd: unknown[] = [
    null,
    7,
    'text',
    {},
    { role: 'user' },
    { role: 'user', content: '' },
    { role: 'user', content: [] },
  ];
  const throwing = Object.defineProperty({ role: 'user' }, 'content', {
    get: () => {
      throw new Error('odd');
    },
  });
  for (const message of [...odd, throwing]) {
    for (const entry of [core, anthropic, gemini] as unknown as (typeof anthropic)[]) {
      expect(entry.optimize([message] as never).warnings, JSON.stringify(message)).toEqual([]);
    }
  }
});

test('a hook tells of them and forwards them', async () => {
  const onWarning = vi.fn();
  const step = aiSdk.prepareStep({ onWarning });
  expect(await step({ messages: contents as never })).toBeUndefined();
  expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'other-format', index: 0 }));
});
