// `plan`: the effect of a switch to another model or to a smaller window.
import * as aiSdk from 'densify/ai-sdk';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as openai from 'densify/openai';
import * as responses from 'densify/openai-responses';
import { describe, expect, test } from 'vitest';
import { formats } from './support/formats.js';
import { thrownBy } from './support/thrown.js';

const thinking = (thought: string) => ({ type: 'thinking', thinking: thought, signature: `signed ${thought}` });
const steps = Array.from({ length: 8 }, (_, n) => [
  {
    role: 'assistant' as const,
    content: [
      thinking(`Thought ${n}. `.repeat(10)),
      { type: 'tool_use', id: `t${n}`, name: 'read_file', input: { file_path: `src/${n}.ts` } },
    ],
  },
  {
    role: 'user' as const,
    content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: `line ${n}\n`.repeat(200) }],
  },
]).flat();
const history: anthropic.AnthropicMessageLike[] = [
  { role: 'user', content: 'Look at everything.' },
  ...steps,
  { role: 'assistant', content: [{ type: 'text', text: 'All seen.' } as never] },
  { role: 'user', content: 'And now?' },
];
const SONNET = { model: 'claude-sonnet-4-5' };
/** As Claude counts: 1.24 times what is estimated here, as newer ones do 1.6 times. */
const theirs = (tokens: number, factor = 1.24) => Math.ceil(tokens * factor);
const all = theirs(anthropic.estimateTokens(history));
const thoughtful = history.flatMap(({ content }, index) =>
  Array.isArray(content) && content.some(({ type }) => type === 'thinking') ? [index] : [],
);

describe('plan', () => {
  test('the same model with a window that is large enough: nothing is cut, nothing is lost', () => {
    const before = structuredClone(history);
    const plan = anthropic.plan({ messages: history, from: SONNET, to: { ...SONNET, contextLimit: all + 10 } });
    expect(plan).toEqual({
      verdict: 'fits',
      tokens: { from: all, to: all, room: all + 10, excess: 0, after: all },
      cut: undefined,
      messages: history,
      reasoning: [],
    });
    expect(plan.messages).toBe(history);
    expect(history).toEqual(before);
  });

  test('a smaller window: what has to go, what would be cut, what fits then', () => {
    const all = theirs(anthropic.estimateTokens(history), 1.6);
    const contextLimit = Math.floor(all * 0.6);
    const to = { model: 'claude-sonnet-5-5', contextLimit };
    const plan = anthropic.plan({ messages: history, from: { model: 'claude-sonnet-5-5' }, to, overhead: 100 });
    expect(plan.verdict).toBe('fits-when-cut');
    expect(plan.tokens).toMatchObject({ room: contextLimit - 100, excess: all - contextLimit + 100 });
    expect(plan.tokens.after).toBeLessThanOrEqual(plan.tokens.room);
    expect(plan.tokens.after).toBe(theirs(anthropic.estimateTokens(plan.messages), 1.6));
    const ours = { contextLimit: Math.floor(contextLimit / 1.6), overhead: Math.ceil(100 / 1.6) };
    const expected = anthropic.compress(history, { strategy: 'high-density', ...to, ...ours });
    expect(plan.messages).toEqual(expected.messages);
    expect(plan.cut?.edits).toEqual(expected.edits);
    // Thinking is bound to its prefix there: all of it behind the first edit goes with the cut.
    const left = JSON.stringify(plan.messages);
    const lost = plan.reasoning.map(({ index }) => index);
    expect(lost.length).toBeGreaterThan(0);
    for (const index of thoughtful) {
      const { thinking: thought } = (history[index]!.content as unknown as { thinking: string }[])[0]!;
      expect(lost.includes(index)).toBe(!left.includes(JSON.stringify(thought)));
    }
    expect(plan.reasoning.every(({ reason, tokens }) => reason === 'cut' && tokens > 0)).toBe(true);
  });

  test('each side counts as it does: the newer tokenizer makes more of the same texts', () => {
    const plan = anthropic.plan({
      messages: [{ role: 'user', content: 'the quick brown fox '.repeat(1_000) }],
      from: SONNET,
      to: { model: 'claude-opus-5-5', contextLimit: 200_000 },
    });
    expect(plan.tokens.to / plan.tokens.from).toBeCloseTo(1.6 / 1.24, 3);
  });

  test('another model: all reasoning is lost, whether anything is cut or not', () => {
    const reasons = (to: object, from: object = SONNET) =>
      anthropic
        .plan({ messages: history, from, to: { contextLimit: 10 * all, ...to } })
        .reasoning.map(({ index, reason }) => [index, reason]);
    const lost = (reason: string) => thoughtful.map((index) => [index, reason]);
    expect(reasons({ model: 'claude-opus-4-6' })).toEqual(lost('other-model'));
    expect(reasons({})).toEqual([]);
    expect(reasons({ model: 'claude-3-5-haiku' })).toEqual(lost('not-taken'));
    expect(reasons({ generation: 'no-thinking' })).toEqual(lost('not-taken'));
    // The same model by a snapshot's or a gateway's name, or served elsewhere.
    expect(reasons({ model: 'claude-sonnet-4-5-20250929' })).toEqual([]);
    expect(reasons({ model: 'anthropic/claude-sonnet-4-5', provider: 'bedrock' })).toEqual([]);
    expect(reasons({}, {})).toEqual([]);
  });

  test('reasoning of other formats', () => {
    const items = [
      { type: 'message', role: 'user', content: 'Go.' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'A'.repeat(400) },
      { type: 'function_call', call_id: 'c', name: 'grep', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ] as object[] as responses.ResponsesItemLike[];
    const of = (to: object) =>
      responses
        .plan({ messages: items, from: { model: 'gpt-5', provider: 'openai' }, to: { contextLimit: 9_999, ...to } })
        .reasoning.map(({ index, reason }) => [index, reason]);
    expect(of({ model: 'gpt-5', provider: 'openai' })).toEqual([]);
    expect(of({ model: 'gpt-5', provider: 'azure' })).toEqual([[1, 'other-model']]);
    expect(of({ model: 'gpt-4.1', provider: 'openai' })).toEqual([[1, 'not-taken']]);

    const contents = [
      { role: 'user', parts: [{ text: 'Go.' }] },
      { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'So.' }] },
    ];
    const from = { model: 'gemini-3-pro' };
    expect(gemini.plan({ messages: contents, from, to: { ...from, contextLimit: 999 } }).reasoning).toEqual([]);
    expect(
      gemini.plan({ messages: contents, from, to: { model: 'gemini-2.5-pro', contextLimit: 999 } }).reasoning,
    ).toMatchObject([{ index: 1, reason: 'not-taken' }]);

    const chat = [
      { role: 'user' as const, content: 'Go.' },
      { role: 'assistant' as const, content: 'So.', reasoning_content: 'Hm.' },
    ];
    const to = { provider: 'openai', contextLimit: 999 };
    expect(openai.plan({ messages: chat, from: { provider: 'moonshot' }, to }).reasoning).toMatchObject([
      { index: 1, reason: 'not-taken' },
    ]);
  });

  test('from one provider to another, in a format that reaches both', () => {
    const providerOptions = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'A'.repeat(200) } };
    const messages = [
      { role: 'user' as const, content: 'Go.' },
      {
        role: 'assistant' as const,
        content: [
          { type: 'reasoning', text: '', providerOptions },
          { type: 'text', text: 'So.' },
        ],
      },
    ];
    const from = { model: 'gpt-5', provider: 'openai.responses' };
    const plan = aiSdk.plan({ messages, from, to: { ...SONNET, provider: 'anthropic.messages', contextLimit: 999 } });
    expect(plan.reasoning).toMatchObject([{ index: 1, reason: 'other-model' }]);
    expect(aiSdk.plan({ messages, from, to: { ...from, contextLimit: 999 } }).reasoning).toEqual([]);
  });

  test('only the window is another one: the same as if the model were named again', () => {
    for (const contextLimit of [Math.round(all / 2), all * 2]) {
      const named = anthropic.plan({ messages: history, from: SONNET, to: { ...SONNET, contextLimit } });
      expect(anthropic.plan({ messages: history, from: SONNET, to: { contextLimit } })).toEqual(named);
      expect(named.reasoning.every(({ reason }) => reason === 'cut')).toBe(true);
    }
  });

  test.each([
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'claude-sonnet-4-5@20250929',
    'anthropic/claude-sonnet-4.5',
    'claude-sonnet-4-5-20250929',
  ])('Anthropic’s model is the same where it is called %s', (model) => {
    const to = { model, contextLimit: all * 2 };
    expect(anthropic.plan({ messages: history, from: SONNET, to }).reasoning).toEqual([]);
    expect(anthropic.plan({ messages: history, from: { model: 'claude-sonnet-4-0' }, to }).reasoning).not.toEqual([]);
  });

  test('reasoning that the next model takes none of costs nothing there', () => {
    const items = [
      { role: 'user', content: 'Go.' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x1y2z3'.repeat(1_000) },
      { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'Done.' }] },
    ] as unknown as responses.ResponsesItemLike[];
    const bare = responses.estimateTokens([items[0]!, items[2]!]);
    const to = { model: 'gpt-4.1', contextLimit: bare + 50 };
    const plan = responses.plan({ messages: items, from: { model: 'gpt-5' }, to });
    expect(plan).toMatchObject({ verdict: 'fits', tokens: { to: bare, after: bare } });
    expect(plan.reasoning).toMatchObject([{ index: 1, reason: 'not-taken' }]);
  });

  test('each side counts for itself, and what never fits is said', () => {
    const plan = anthropic.plan({
      messages: history,
      from: { ...SONNET, countTokens: () => 1 },
      to: { model: 'claude-opus-4-6', contextLimit: 40, countTokens: (text) => text.length },
    });
    expect(plan.verdict).toBe('too-large');
    expect(plan.tokens.from).toBeLessThan(history.length * 10);
    expect(plan.tokens.to).toBeGreaterThan(10_000);
    expect(plan.tokens.after).toBeGreaterThan(40);
    expect(plan.reasoning).toHaveLength(thoughtful.length);
    const full = anthropic.plan({ messages: history, from: {}, to: { contextLimit: 100 }, overhead: 100 });
    expect(full.verdict).toBe('too-large');
    expect(full.tokens.room).toBe(0);
  });

  test('every format has it, and odd messages are no error', () => {
    for (const { name, verbs } of formats) {
      const { plan } = verbs as unknown as typeof anthropic;
      for (const messages of [[], [{}], [{ role: 'user', content: 'x' }], [{ type: 'ai', content: [null] }]]) {
        const found = plan({ messages: messages as never, from: {}, to: { contextLimit: 100 } });
        expect(found.messages, name).toBe(messages);
        expect(found.verdict, name).toBe('fits');
      }
    }
  });

  test('wrong options are an error that names the key', () => {
    const messages = history;
    const key = (options: object) =>
      thrownBy(() => anthropic.plan({ messages, from: {}, to: { contextLimit: 9 }, ...options } as never)).key;
    expect(key({ to: {} })).toBe('contextLimit');
    expect(key({ to: { contextLimit: 9, nope: 1 } })).toBe('to.nope');
    expect(key({ from: { nope: 1 } })).toBe('from.nope');
    expect(key({ from: 'claude' })).toBe('from');
    expect(key({ model: 'claude' })).toBe('model');
    expect(key({ nope: 1 })).toBe('nope');
    expect(key({ from: { generation: 'newest' } })).toBe('generation');
    expect(thrownBy(() => anthropic.plan({ messages: 1 as never, from: {}, to: { contextLimit: 9 } })).code).toBe(
      'invalid-messages',
    );
    expect(thrownBy(() => anthropic.plan(undefined as never)).code).toBe('invalid-options');
  });
});
