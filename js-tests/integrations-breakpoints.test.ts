// Hooks keep the breakpoints of the provider's cache where the block that bears one is cut.
import { middleware, prepareStep } from 'densify/ai-sdk';
import { wrapModelCall } from 'densify/langchain';
import { describe, expect, test } from 'vitest';

const LONG = 'a line of a file\n'.repeat(40);
const marks = (value: unknown, key: string) => JSON.stringify(value).split(key).length - 1;

test("of the AI SDK's middleware", async () => {
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const call = (toolCallId: string, toolName: string) => ({
    role: 'assistant' as const,
    content: [{ type: 'tool-call' as const, toolCallId, toolName, input: { path: '/a.ts', content: 'z' } }],
  });
  const result = (toolCallId: string, toolName: string, value: string) => ({
    role: 'tool' as const,
    content: [{ type: 'tool-result' as const, toolCallId, toolName, output: { type: 'text' as const, value } }],
  });
  const prompt = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'Fix a.ts' }] },
    call('r', 'read_file'),
    { ...result('r', 'read_file', LONG), providerOptions },
    call('w', 'write_file'),
    result('w', 'write_file', 'ok'),
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'next' }] },
  ];
  const model = { modelId: 'claude-sonnet-4-5', provider: 'anthropic.messages' };
  const { transformParams } = middleware({ preset: 'seed' });
  const sent = (await transformParams({ params: { prompt }, model, type: 'generate' } as never)) as {
    prompt: unknown[];
  };
  expect(sent.prompt.length).toBeLessThan(prompt.length);
  expect(marks(sent.prompt, 'cacheControl')).toBe(1);
});

const cacheControl = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const called = (toolCallId: string, toolName: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'tool-call' as const, toolCallId, toolName, input: { path: '/a.ts', content: 'z' } }],
});
const answered = (toolCallId: string, toolName: string, value: string) => ({
  role: 'tool' as const,
  content: [{ type: 'tool-result' as const, toolCallId, toolName, output: { type: 'text' as const, value } }],
});

describe.each([
  ['the list begins anew (AI SDK 6)', false],
  ['the list is the one that was prepared (AI SDK 7)', true],
])("of the AI SDK's prepareStep, where %s", (_, persists) => {
  test('a host marks the newest message of each step', async () => {
    const prepare = prepareStep({ model: 'claude-sonnet-4-5', preset: 'seed' });
    type Message = { role: string; content: unknown; providerOptions?: unknown };
    const turns: Message[][] = [
      [{ role: 'user', content: 'Fix a.ts' }],
      [called('r', 'read_file'), { ...answered('r', 'read_file', LONG), providerOptions: cacheControl }],
      [called('w', 'write_file'), answered('w', 'write_file', 'ok')],
      [called('x', 'run_shell_command'), answered('x', 'run_shell_command', 'done')],
    ];
    let list: Message[] = [];
    const sent: Message[][] = [];
    for (const turn of turns) {
      list = [...list, ...turn];
      const prepared = await prepare({ messages: list as never, model: undefined });
      sent.push((prepared?.messages ?? list) as Message[]);
      if (persists) list = sent.at(-1)!;
    }
    expect(sent.map((messages) => messages.length)).toEqual([1, 3, 3, 5]);
    expect(sent.map((messages) => marks(messages, 'cacheControl'))).toEqual([0, 1, 1, 1]);
    // The mark is on the message before the result that went.
    expect(marks(sent[3]![0], 'cacheControl')).toBe(1);
    expect(sent[3]!.slice(0, 3)).toEqual(sent[2]);
  });
});

test("of LangChain's wrapModelCall", () => {
  const messages = [
    { type: 'human', content: 'Fix a.ts' },
    { type: 'ai', content: '', tool_calls: [{ id: 'r', name: 'read_file', args: { path: '/a.ts' } }] },
    {
      type: 'tool',
      tool_call_id: 'r',
      name: 'read_file',
      content: [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }],
    },
    { type: 'ai', content: '', tool_calls: [{ id: 'w', name: 'write_file', args: { path: '/a.ts', content: 'z' } }] },
    { type: 'tool', tool_call_id: 'w', name: 'write_file', content: 'ok' },
    { type: 'human', content: 'next' },
  ];
  const request = { messages, model: { model: 'claude-sonnet-4-5' } };
  const sent = wrapModelCall({ preset: 'seed' })(request as never, (changed: unknown) => changed) as {
    messages: unknown[];
  };
  expect(sent.messages.length).toBeLessThan(messages.length);
  expect(marks(sent.messages, 'cache_control')).toBe(1);
});

test('listeners that fail later end no process', async () => {
  const unhandled: unknown[] = [];
  const listen = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', listen);
  const told: unknown[] = [];
  const onResult = () => Promise.reject(new Error('no database')) as unknown as undefined;
  const onWarning = (error: unknown) => {
    told.push((error as Error).message);
    return Promise.reject(new Error('no log')) as unknown as undefined;
  };
  const request = { messages: [{ type: 'human', content: 'Hello.' }] };
  const sent = wrapModelCall({ onResult, onWarning })(request as never, (changed: unknown) => changed);
  expect(sent).toBe(request);
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', listen);
  expect(told).toEqual(['no database']);
  expect(unhandled).toEqual([]);
});
