// Every format reports the reasoning that a change invalidates, whether it is a block of its own or an item bound to the
// next one.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import * as aiSdk from 'densify/ai-sdk';
import * as langchain from 'densify/langchain';
import * as agents from 'densify/openai-agents';
import * as pi from 'densify/pi';
import { describe, expect, test } from 'vitest';

const FILE = 'a line of a file\n'.repeat(40);

/** A turn of a model that thinks, calls a tool and gets its result. */
type Turn = (at: number) => readonly unknown[];
interface Case {
  readonly optimize: (messages: never, options: never) => Optimized;
  readonly createOptimizer: (options: never) => { optimize(messages: never): Optimized };
  readonly human: unknown;
  readonly turn: Turn;
}
interface Optimized {
  readonly messages: readonly unknown[];
  readonly warnings: readonly { readonly code: string; readonly index: number }[];
}

const LANGCHAIN = {
  optimize: langchain.optimize,
  createOptimizer: langchain.createOptimizer,
  human: new HumanMessage('Begin.'),
} as const;
const PI = {
  optimize: pi.optimize,
  createOptimizer: pi.createOptimizer,
  human: { role: 'user', content: 'Begin.', timestamp: 1 },
} as const;

const calls = (at: number) => [{ type: 'tool_call' as const, id: `c${at}`, name: 'grep', args: {} }];
const answered = (at: number, answer: AIMessage): BaseMessage[] => [
  answer,
  new ToolMessage({ tool_call_id: `c${at}`, name: 'grep', content: FILE }),
];
const piTurn = (at: number, thought: object) => [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', ...thought },
      { type: 'toolCall', id: `c${at}`, name: 'grep', arguments: {} },
    ],
    timestamp: 1,
  },
  {
    role: 'toolResult',
    toolCallId: `c${at}`,
    toolName: 'grep',
    content: [{ type: 'text', text: FILE }],
    isError: false,
    timestamp: 1,
  },
];

const cases: Readonly<Record<string, Case>> = {
  'OpenAI Agents': {
    optimize: agents.optimize,
    createOptimizer: agents.createOptimizer,
    human: { type: 'message', role: 'user', content: 'Begin.' },
    turn: (at) => [
      { type: 'reasoning', id: `rs_${at}`, content: [{ type: 'input_text', text: 'Hm.' }] },
      { type: 'function_call', callId: `c${at}`, name: 'grep', arguments: '{}', status: 'completed' },
      { type: 'function_call_result', callId: `c${at}`, name: 'grep', status: 'completed', output: FILE },
    ],
  },
  'LangChain, in a block': {
    ...LANGCHAIN,
    turn: (at) =>
      answered(at, new AIMessage({ content: [{ type: 'reasoning', reasoning: 'Hm.' }], tool_calls: calls(at) })),
  },
  'LangChain, as an item beside the content': {
    ...LANGCHAIN,
    turn: (at) => {
      const reasoning = { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: 'x' };
      return answered(at, new AIMessage({ content: '', tool_calls: calls(at), additional_kwargs: { reasoning } }));
    },
  },
  'LangChain, as an item of the content': {
    ...LANGCHAIN,
    turn: (at) => {
      const content = [{ type: 'reasoning', id: `rs_${at}`, reasoning: 'Hm.' }];
      return answered(at, new AIMessage({ content, tool_calls: calls(at) }));
    },
  },
  'pi, in a block': { ...PI, turn: (at) => piTurn(at, {}) },
  'pi, as an item': {
    ...PI,
    turn: (at) => piTurn(at, { thinkingSignature: JSON.stringify({ id: `rs_${at}` }) }),
  },
  'the AI SDK, as an item': {
    optimize: aiSdk.optimize,
    createOptimizer: aiSdk.createOptimizer,
    human: { role: 'user', content: 'Begin.' },
    turn: (at) => [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: { openai: { itemId: `rs_${at}` } } },
          { type: 'text', text: 'I look.', providerOptions: { openai: { itemId: `msg_${at}` } } },
          { type: 'tool-call', toolCallId: `c${at}`, toolName: 'grep', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: `c${at}`, toolName: 'grep', output: { type: 'text', value: FILE } },
        ],
      },
    ],
  },
};

describe.each(Object.entries(cases))('%s', (_, { optimize, createOptimizer, human, turn }) => {
  const turns = [0, 1, 2, 3].map(turn);
  const history = [human, ...turns.flat()];
  const length = turns[0]!.length;
  const pruning = { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } };
  const told = ({ warnings }: Optimized) => warnings.filter(({ code }) => code === 'reasoning-dropped');
  const run = (options: object, messages = history) => optimize(messages as never, { ...pruning, ...options } as never);

  test('reasoning that OpenAI leaves unread is said from its first message on, and stays', () => {
    const output = run({ model: 'gpt-5' });
    expect(output.messages).not.toBe(history);
    // The first result changes, so the second turn’s reasoning is the first that is lost.
    expect(told(output)).toEqual([{ code: 'reasoning-dropped', index: 1 + length }]);
    expect(output.messages).toHaveLength(history.length);
  });

  test('nor is it kept from who names no model, of which it might be one of OpenAI’s', () => {
    // A closed turn: in an open one nothing is edited unless it is known whose model it is.
    const closed = [...history, human];
    const { messages, ...output } = run({}, closed);
    expect(messages).not.toBe(closed);
    expect(told(output as Optimized).map(({ index }) => index)).toEqual([1 + length]);
  });

  test('none is said of models that read none, nor where nothing changes or nothing follows', () => {
    expect(told(run({ model: 'gpt-4.1' }))).toEqual([]);
    expect(told(run({ model: 'gpt-5', rules: { recencyPruning: false } }))).toEqual([]);
    const ends = [human, ...turns[0]!, ...turns[1]!.slice(-length)];
    const last = run({ model: 'gpt-5' }, [...ends.slice(0, 1 + length)]);
    expect(told(last)).toEqual([]);
  });

  test('a handle says it at the turn that loses it', () => {
    const optimizer = createOptimizer({ ...pruning, model: 'gpt-5', flush: 'always' } as never);
    const lost = [1, 2, 3, 4].map((count) => {
      const messages = [human, ...turns.slice(0, count).flat()];
      return told(optimizer.optimize(messages as never)).map(({ index }) => index);
    });
    expect(lost).toEqual([[], [1 + length], [1 + 2 * length], [1 + 3 * length]]);
  });
});

describe('thinking that Anthropic binds to what precedes it goes, and that is said', () => {
  const bound = {
    preset: 'seed',
    rules: { recencyPruning: true, recencyRetention: 1 },
    model: 'claude-opus-5-5',
  } as const;
  const warned = { code: 'reasoning-dropped', index: 3 };

  test('LangChain', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const history = [
      LANGCHAIN.human,
      ...[0, 1, 2].flatMap((at) => answered(at, new AIMessage({ content: [thinking], tool_calls: calls(at) }))),
    ];
    const { messages, warnings } = langchain.optimize(history, { ...bound, provider: 'anthropic' });
    expect(warnings).toEqual([warned]);
    expect([1, 3, 5].map((at) => JSON.stringify(messages[at]).includes('Hm.'))).toEqual([true, false, false]);
  });

  test('pi', () => {
    const turn = (at: number) => piTurn(at, { thinkingSignature: 's' });
    const history = [PI.human, ...[0, 1, 2].flatMap(turn)];
    const { messages, warnings } = pi.optimize(history as never, { ...bound, provider: 'anthropic' });
    expect(warnings).toEqual([warned]);
    expect([1, 3, 5].map((at) => JSON.stringify(messages[at]).includes('Hm.'))).toEqual([true, false, false]);
  });
});

describe('where nobody says whose model it is, the rules of all hold together: a call stays where Gemini takes it', () => {
  const answer = (at: number, text?: string) => {
    const name = at === 1 ? 'read_file' : 'write_file';
    const calls = [{ type: 'tool_call' as const, id: `c${at}`, name, args: { file_path: 'a.ts' } }];
    return { id: `c${at}`, name, calls, text, input: { file_path: 'a.ts' } };
  };
  type Answer = ReturnType<typeof answer>;
  const formats: Readonly<Record<string, { readonly verbs: object; readonly turn: (answer: Answer) => object[] }>> = {
    'the AI SDK': {
      verbs: aiSdk,
      turn: ({ id, name, text, input }) => [
        {
          role: 'assistant',
          content: [
            ...(text === undefined ? [] : [{ type: 'text', text }]),
            { type: 'tool-call', toolCallId: id, toolName: name, input },
          ],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value: FILE } }],
        },
      ],
    },
    LangChain: {
      verbs: langchain,
      turn: ({ id, name, calls, text }) => [
        new AIMessage({ content: text ?? '', tool_calls: calls }),
        new ToolMessage({ tool_call_id: id, name, content: FILE }),
      ],
    },
    pi: {
      verbs: pi,
      turn: ({ id, name, text, input }) => [
        {
          role: 'assistant',
          content: [
            ...(text === undefined ? [] : [{ type: 'text', text }]),
            { type: 'toolCall', id, name, arguments: input },
          ],
          timestamp: 1,
        },
        {
          role: 'toolResult',
          toolCallId: id,
          toolName: name,
          content: [{ type: 'text', text: FILE }],
          isError: false,
          timestamp: 1,
        },
      ],
    },
  };

  test.each(Object.entries(formats))('%s', (name, { verbs, turn }) => {
    const human = name === 'LangChain' ? LANGCHAIN.human : PI.human;
    const history = [human, ...turn(answer(1, 'I look.')), ...turn(answer(2)), human];
    const optimize = (verbs as { optimize: Case['optimize'] }).optimize;
    const run = (target: object) => optimize(history as never, { preset: 'seed', ...target } as never);
    // Without the read the write would stand right behind words of the model.
    expect(run({ model: 'claude-opus-4-6' }).messages).not.toBe(history);
    for (const target of [{ model: 'gemini-2.5-pro' }, {}, { model: 'mistral-large' }]) {
      const { messages, warnings } = run(target);
      expect(messages).toBe(history);
      expect(warnings.map(({ code }) => code)).toEqual(['edit-held-back']);
    }
  });
});
