// Messages of LangChain: instances stay instances, and a call goes from all places that say so.

import { load } from '@langchain/core/load';
import {
  AIMessage,
  type BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import {
  createConversation,
  estimateTokens,
  type LangChainMessageLike,
  optimize,
  wrapModelCall,
} from 'densify/langchain';
import fc from 'fast-check';
import { createMiddleware } from 'langchain';
import * as Older from 'langchain-core-0/messages';
import { describe, expect, test } from 'vitest';
import { history, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { plain } from './support/formats.js';
import { langchainCase } from './support/formats-langchain.js';
import { goodReply } from './support/replies.js';
import { thrownBy } from './support/thrown.js';

const LINES = 'a line of a file\n'.repeat(20);
const call = (id: string, name: string, args: Record<string, unknown> = { path: 'a.ts' }) => ({
  type: 'tool_call' as const,
  id,
  name,
  args,
});
const result = (id: string, name: string, content: string | never[] = LINES, further: object = {}) =>
  new ToolMessage({ tool_call_id: id, name, content, ...further });

/** A read that a write makes stale; `answer` is what the model said with its calls. */
const stale = (answer: AIMessage, ...others: BaseMessage[]): BaseMessage[] => [
  new SystemMessage('Be brief.'),
  new HumanMessage({ content: 'Rename.', id: 'h' }),
  answer,
  result('r', 'read_file'),
  ...others,
  new AIMessage({ content: '', tool_calls: [call('w', 'write_file')] }),
  result('w', 'write_file', 'ok'),
  new AIMessage('Done.'),
  new HumanMessage('Thanks.'),
];
const model = { model: 'claude-3-5-haiku' };

describe('a call goes from all places', () => {
  test('content, calls, and what the provider said', () => {
    const answer = new AIMessage({
      id: 'a',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'r', name: 'read_file', input: { path: 'a.ts' } },
      ],
      tool_calls: [call('r', 'read_file'), call('g', 'grep')],
      additional_kwargs: {
        tool_calls: [{ id: 'r', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
        other: 1,
      },
      usage_metadata: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } as never,
    });
    const messages = stale(answer, result('g', 'grep'));
    const { messages: output } = optimize(messages, { preset: 'seed', ...model });
    const edited = output[2] as AIMessage;
    expect(edited).toBeInstanceOf(AIMessage);
    expect(Object.getPrototypeOf(edited)).toBe(AIMessage.prototype);
    expect(edited.id).toBe('a');
    expect(edited.content).toEqual([{ type: 'text', text: 'I look.' }]);
    expect(edited.tool_calls?.map(({ id }) => id)).toEqual(['g']);
    expect(edited.additional_kwargs).toEqual({ other: 1 });
    expect(edited.usage_metadata).toEqual(answer.usage_metadata);
    expect(edited.text).toBe('I look.');
    // What is written and read again says the same.
    const [again] = mapStoredMessagesToChatMessages(
      JSON.parse(JSON.stringify(mapChatMessagesToStoredMessages([edited]))),
    );
    expect((again as AIMessage).tool_calls?.map(({ id }) => id)).toEqual(['g']);
    expect(answer.tool_calls).toHaveLength(2);
    for (const at of [0, 1]) expect(output[at]).toBe(messages[at]);
    expect(output[3]).toBe(messages[4]);
  });

  test('of an answer of calls alone nothing is left', () => {
    const messages = stale(new AIMessage({ content: '', tool_calls: [call('r', 'read_file')] }));
    expect(optimize(messages, { preset: 'seed', ...model }).messages).toEqual([
      ...messages.slice(0, 2),
      ...messages.slice(4),
    ]);
  });

  test.each([
    { additional_kwargs: { reasoning: { id: 'rs_1', summary: [] } } },
    {
      response_metadata: {
        output: [
          { type: 'reasoning', id: 'rs_1' },
          { type: 'function_call', call_id: 'r' },
        ],
      },
    },
    { content: [{ type: 'reasoning', id: 'rs_1', reasoning: 'Hm.' }] },
  ])('what OpenAI wants back as it was is not taken apart: %j', (further) => {
    const answer = new AIMessage({ content: '', tool_calls: [call('r', 'read_file')], ...further } as never);
    const messages = stale(answer);
    expect(optimize(messages, { preset: 'seed', model: 'gpt-5' }).messages).toBe(messages);
  });

  test('parallel calls that Gemini signed go together or not at all', () => {
    const additional_kwargs = { __gemini_function_call_thought_signatures__: { r: 'sealed' } };
    const answer = new AIMessage({
      content: '',
      tool_calls: [call('r', 'read_file'), call('g', 'grep')],
      additional_kwargs,
    });
    const { messages: output } = optimize(stale(answer, result('g', 'grep')), {
      preset: 'seed',
      model: 'gemini-2.5-pro',
    });
    const ids = output.flatMap((message) => (message as AIMessage).tool_calls?.map(({ id }) => id) ?? []);
    expect(ids.includes('r')).toBe(ids.includes('g'));
  });

  test('calls with invalid arguments are calls', () => {
    const invalid = { type: 'invalid_tool_call' as const, id: 'i', name: 'grep', args: '{"x', error: 'odd' };
    const answer = new AIMessage({ content: '', tool_calls: [call('r', 'read_file')], invalid_tool_calls: [invalid] });
    const { messages: output } = optimize(stale(answer, result('i', 'grep')), { preset: 'seed', ...model });
    expect((output[2] as AIMessage).invalid_tool_calls).toEqual([invalid]);
    expect((output[2] as AIMessage).tool_calls).toEqual([]);
  });
});

test('results keep status and artifact, images stay, and bytes cost what media cost', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(400_000) };
  const content = [{ type: 'text', text: LINES }, image, { type: 'text', text: LINES }] as never[];
  const messages = [
    new AIMessage({ content: '', tool_calls: [call('1', 'grep')] }),
    result('1', 'grep', content, { status: 'error', artifact: { big: LINES }, id: 't' }),
    new AIMessage({ content: '', tool_calls: [call('2', 'grep')] }),
    result('2', 'grep'),
  ];
  expect(estimateTokens(messages)).toBeLessThan(5_000);
  const edited = optimize(messages, { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } })
    .messages[1] as ToolMessage;
  expect(edited).toBeInstanceOf(ToolMessage);
  expect(edited).toMatchObject({ id: 't', status: 'error', artifact: { big: LINES }, tool_call_id: '1' });
  expect(edited.content).toEqual([{ type: 'text', text: '[Result pruned — re-run tool to retrieve]' }, image]);
});

test('summaries are instances where the history has them, else stored messages', async () => {
  for (const isStored of [false, true]) {
    const conversation = createConversation<never>({ strategy: 'middle-out', contextLimit: 2_000, threshold: 0.2 });
    const messages = Array.from({ length: 8 }, () =>
      stale(new AIMessage({ content: '', tool_calls: [call('r', 'read_file')] })),
    ).flat();
    for (const message of isStored ? mapChatMessagesToStoredMessages(messages) : messages)
      conversation.add(message as never);
    await conversation.prepare({ summarize: () => Promise.resolve(goodReply({ strategy: 'middle-out' })) });
    expect(conversation.stats.summaries).toBeGreaterThan(0);
    const output = isStored ? mapStoredMessagesToChatMessages([...conversation.messages]) : conversation.messages;
    for (const message of output)
      expect(HumanMessage.isInstance(message) || !('role' in (message as object))).toBe(true);
    expect(
      output
        .filter((message) => !(Object(message) instanceof SystemMessage))
        .every((message) => coerceMessageLikeToMessage(message)),
    ).toBe(true);
  }
});

test('instances and their stored form lead to the same', () => {
  check(
    300,
    fc.property(history(), options, (entries, { protect: _, ...given }) => {
      const stored = langchainCase.from(plain(entries, true)) as never[];
      const instances = mapStoredMessagesToChatMessages(stored);
      const settings = { ...given, ...langchainCase.known } as never;
      const left = optimize(instances, settings).messages;
      expect(mapChatMessagesToStoredMessages([...left])).toEqual(
        mapChatMessagesToStoredMessages(mapStoredMessagesToChatMessages([...optimize(stored, settings).messages])),
      );
      expect(left.every((message) => instances.includes(message) || message instanceof Object)).toBe(true);
    }),
  );
});

test('instances and what JSON makes of them lead to the same', async () => {
  check(
    200,
    fc.property(history(), options, (entries, { protect: _, ...given }) => {
      const instances = mapStoredMessagesToChatMessages(langchainCase.from(plain(entries, true)) as never[]);
      const written = JSON.parse(JSON.stringify(instances)) as LangChainMessageLike[];
      const settings = { ...given, ...langchainCase.known } as never;
      const left = optimize(written, settings).messages;
      expect(left).toEqual(JSON.parse(JSON.stringify(optimize(instances, settings).messages)));
      expect(left.every((message) => 'lc' in message)).toBe(true);
    }),
  );
  const conversation = createConversation<LangChainMessageLike>({
    strategy: 'middle-out',
    contextLimit: 2_000,
    threshold: 0.2,
  });
  const messages = Array.from({ length: 8 }, () =>
    stale(new AIMessage({ content: '', tool_calls: [call('r', 'read_file')] })),
  ).flat();
  conversation.addAll(JSON.parse(JSON.stringify(messages)) as LangChainMessageLike[]);
  await conversation.prepare({ summarize: () => Promise.resolve(goodReply({ strategy: 'middle-out' })) });
  expect(conversation.stats.summaries).toBeGreaterThan(0);
  const types = (await Promise.all(
    conversation.messages.map((message) => load(JSON.stringify(message))),
  )) as BaseMessage[];
  expect(types.every((message) => typeof message.type === 'string')).toBe(true);
});

test('instances of the major before this one: they have a method for their type', () => {
  const messages = [
    new Older.HumanMessage('Rename.'),
    new Older.AIMessage({ content: '', tool_calls: [call('r', 'read_file')] }),
    new Older.ToolMessage({ tool_call_id: 'r', name: 'read_file', content: LINES }),
    new Older.AIMessage({ content: '', tool_calls: [call('w', 'write_file'), call('g', 'grep')] }),
    new Older.ToolMessage({ tool_call_id: 'w', name: 'write_file', content: 'ok' }),
    new Older.ToolMessage({ tool_call_id: 'g', name: 'grep', content: LINES }),
    new Older.HumanMessage('Thanks.'),
  ];
  const { messages: left } = optimize(messages, { preset: 'seed', ...model });
  expect(left).toEqual([messages[0], ...messages.slice(3)]);
  const pruned = optimize([...messages.slice(3), ...messages.slice(3)], {
    preset: 'seed',
    ...model,
    rules: { recencyPruning: true, recencyRetention: 1 },
  }).messages;
  expect(pruned[2]).toBeInstanceOf(Older.ToolMessage);
  expect(pruned[2]).not.toBe(messages[5]);
  expect(pruned[2]!.getType()).toBe('tool');
});

describe('wrapModelCall', () => {
  const messages = stale(new AIMessage({ content: '', tool_calls: [call('r', 'read_file')] }));
  const claude = { model: 'claude-3-5-haiku', _llmType: () => 'anthropic' };
  const seen = (options?: object) => {
    const request = { messages, model: claude, systemPrompt: 'x' };
    return wrapModelCall({ preset: 'seed', ...options })(request, (given) => ({ given, isSame: given === request }));
  };

  test('the model gets less, the state keeps all', () => {
    const { given } = seen();
    expect(given.messages).toHaveLength(messages.length - 2);
    expect(given.systemPrompt).toBe('x');
    expect(messages).toHaveLength(8);
  });

  test('it fails open, and can only observe', () => {
    const warned: unknown[] = [];
    const results: boolean[] = [];
    const protect = () => {
      throw new Error('odd');
    };
    expect(seen({ protect, onWarning: (error: unknown) => warned.push(error) }).isSame).toBe(true);
    expect(seen({ observe: true, onResult: ({ changed }: { changed: boolean }) => results.push(changed) }).isSame).toBe(
      true,
    );
    expect(warned).toHaveLength(1);
    expect(results).toEqual([true]);
    expect(thrownBy(() => wrapModelCall({ unknown: 1 } as never)).code).toBe('invalid-options');
  });

  test('LangChain takes it as it is', () => {
    expect(
      createMiddleware({ name: 'densify', wrapModelCall: wrapModelCall({ rules: { recencyPruning: true } }) }).name,
    ).toBe('densify');
  });
});

test('a call that goes is gone from what is sent to OpenAI’s Responses API in the place of the message, too', () => {
  const item = (id: string, name: string) => ({ type: 'function_call', call_id: id, name, arguments: '{"path":"/a"}' });
  const messages = [
    { type: 'human', content: 'Fix it.' },
    {
      type: 'ai',
      content: '',
      tool_calls: [
        { id: 'r', name: 'read_file', args: { path: '/a' } },
        { id: 'w', name: 'write_file', args: { path: '/a', content: '1' } },
      ],
      response_metadata: { model_provider: 'openai', output: [item('r', 'read_file'), item('w', 'write_file')] },
    },
    { type: 'tool', tool_call_id: 'r', content: 'a line of a file\n'.repeat(40) },
    { type: 'tool', tool_call_id: 'w', content: 'ok' },
    { type: 'ai', content: '', tool_calls: [{ id: 'x', name: 'write_file', args: { path: '/a', content: '2' } }] },
    { type: 'tool', tool_call_id: 'x', content: 'ok' },
  ];
  const [, answer] = optimize(messages as never[], { preset: 'seed', model: 'gpt-4.1', provider: 'openai' })
    .messages as never as {
    tool_calls: { id: string }[];
    response_metadata: { output: { call_id: string }[]; model_provider: string };
  }[];
  expect(answer?.tool_calls.map(({ id }) => id)).toEqual(['w']);
  expect(answer?.response_metadata).toMatchObject({ model_provider: 'openai', output: [{ call_id: 'w' }] });
  expect(answer?.response_metadata.output).toHaveLength(1);
});
