// Old thinking is dropped if it is a block of its own, and kept where a provider may want it back.
import type { IContent } from 'densify';
import { optimize, plan } from 'densify/openai';
import { validate } from 'densify/validate';
import { expect, test } from 'vitest';
import { formats } from './support/formats.js';

const STEPS = 40;
/** Of thoughts before this one so many results came since that no preset of the default kind keeps them. */
const FIRST_LEFT = 29;

const history: readonly IContent[] = [
  { speaker: 'human', blocks: [{ type: 'text', text: 'Begin.' }] },
  ...Array.from({ length: STEPS }, (_, at): IContent[] => [
    {
      speaker: 'ai',
      blocks: [
        { type: 'thinking', thought: `What does ${at} say?` },
        { type: 'text', text: `I look at ${at}.` },
        { type: 'tool_call', id: `c${at}`, name: 'lookup', parameters: { at } },
      ],
    },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: `c${at}`, toolName: 'lookup', result: `${at}!` }] },
  ]).flat(),
];

for (const { name, verbs, known, from, said } of formats) {
  const thoughts = (messages: readonly unknown[]) => messages.flatMap(said).filter(({ kind }) => kind === 'thought');
  const rest = (messages: readonly unknown[]) => messages.flatMap(said).filter(({ kind }) => kind !== 'thought');

  test(`${name}: what was thought long ago goes, and nothing else`, () => {
    const messages = from(history);
    const all = thoughts(messages);
    expect(all).toHaveLength(STEPS);
    const { messages: left, edits } = verbs.optimize(messages as never, { ...known, flush: 'always' } as never);
    // Some servers of Chat Completions want back what was thought before each call.
    expect(thoughts(left)).toEqual(name === 'openai' ? all : all.slice(FIRST_LEFT));
    expect(rest(left)).toEqual(rest(messages));
    expect(edits.every(({ rule }) => rule === 'old-thinking')).toBe(true);
    const off = verbs.optimize(
      messages as never,
      { ...known, flush: 'always', rules: { oldThinking: false } } as never,
    );
    expect(off.messages).toBe(messages);
  });

  test(`${name}: where nobody says which model it is, it stays`, () => {
    const messages = from(history);
    if (name === 'gemini') return; // its thoughts carry no signature
    expect(verbs.optimize(messages as never, { flush: 'always' } as never).messages).toBe(messages);
  });
}

for (const { name, verbs, from } of formats.filter(({ name }) => /responses|agents/.test(name))) {
  test(`${name}: reasoning stays with what follows it`, () => {
    const messages = from(history);
    expect(verbs.optimize(messages as never, { model: 'gpt-5', flush: 'always' } as never).messages).toBe(messages);
  });
}

test('what is left of messages of Claude is valid', () => {
  const anthropic = formats.find(({ name }) => name === 'anthropic')!;
  const signed = (block: object, at: number) => ('thinking' in block ? { ...block, signature: `signed ${at}` } : block);
  const messages = anthropic.from(history).map((message, at) => {
    const { content } = message as { content?: unknown };
    return Array.isArray(content)
      ? { ...message, content: content.map((block: object) => signed(block, at)) }
      : message;
  });
  const model = 'claude-opus-4-6';
  const { messages: left } = anthropic.verbs.optimize(messages as never, { model, flush: 'always' } as never);
  expect(left.length).toBe(messages.length);
  const findings = validate(left, { format: 'anthropic', model, original: messages } as never);
  expect(findings).toMatchObject({ ok: true });
});

test('Chat Completions: what a gateway gave of a model of OpenAI stays, unless it is said that OpenAI serves it', () => {
  const details = (at: number) => [{ type: 'reasoning.encrypted', data: `cipher ${at}`, id: `rs_${at}` }];
  const thoughts = [
    (at: number) => ({ reasoning: `What does ${at} say?`, reasoning_details: details(at) }),
    (at: number) => ({ reasoning_details: details(at) }),
    (at: number) => ({ reasoning_content: `What does ${at} say?` }),
  ];
  for (const thoughtOf of thoughts) {
    const steps = Array.from({ length: STEPS }, (_, at) => {
      const called = {
        id: `c${at}`,
        type: 'function' as const,
        function: { name: 'lookup', arguments: `{"at":${at}}` },
      };
      return [
        { role: 'assistant' as const, content: null, ...thoughtOf(at), tool_calls: [called] },
        { role: 'tool' as const, tool_call_id: `c${at}`, content: `${at}!` },
      ];
    });
    const messages = [{ role: 'user' as const, content: 'Begin.' }, ...steps.flat()];
    for (const model of ['gpt-5', 'openai/gpt-5', 'azure/gpt-5', 'google/gemini-3-pro-preview']) {
      expect(optimize(messages, { model, flush: 'always' }).messages, model).toBe(messages);
      expect(optimize(messages, { model, provider: 'openrouter', flush: 'always' }).messages, model).toBe(messages);
      const said = optimize(messages, { model, provider: 'openai', flush: 'always' }).messages;
      // Encrypted reasoning has no text, so there is nothing to save.
      const hasText = Object.keys(thoughtOf(0)).some((key) => key === 'reasoning' || key === 'reasoning_content');
      expect(said.filter((message) => Object.keys(message).some((key) => key.startsWith('reasoning'))).length).toBe(
        hasText ? STEPS - FIRST_LEFT : STEPS,
      );
      // A smaller window of the same gateway takes it back as well.
      const to = { model, contextLimit: 1_000_000 };
      expect(plan({ messages, from: { model }, to }).reasoning, model).toEqual([]);
    }
    const to = { model: 'gpt-5', contextLimit: 1_000_000 };
    expect(plan({ messages, from: { provider: 'moonshot' }, to }).reasoning[0]?.reason).toBe('not-taken');
  }
});
