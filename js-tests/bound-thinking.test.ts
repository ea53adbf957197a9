/** Some models accept thinking only behind the very messages that they were sent before it. */
import { createConversation, type OptimizeOptions, optimize, restoreConversation } from 'densify/anthropic';
import { describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';

interface Message {
  role: 'user' | 'assistant';
  content: string | Record<string, unknown>[];
}

const model = 'claude-opus-5-5';
const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} ${at}: some words of a line`).join('\n');

/** The call of a turn, and its result: reads, writes that are read again, and long output. */
function turn(at: number): readonly [name: string, input: Record<string, unknown>, result: string] {
  const path = `/w/file${at % 3}.ts`;
  if (at % 4 === 0) return ['bash', { command: `git log -${at}` }, lines(`commit ${at}`, 120)];
  if (at % 4 === 1) return ['write_file', { file_path: path, content: lines(`new ${at}`, 40) }, 'written'];
  if (at % 4 === 2) return ['read_file', { file_path: `/w/file${(at - 1) % 3}.ts` }, lines(`new ${at - 1}`, 40)];
  return ['bash', { command: 'npm test' }, lines('test', 150)];
}

/** The answer to a request, with its thinking, and what its call gave. */
function answer(at: number): Message[] {
  const [name, input, result] = turn(at);
  const call = { type: 'tool_use', id: `t${at}`, name, input };
  const thinking = { type: 'thinking', thinking: `thought ${at}`, signature: `signed ${at}` };
  return [
    { role: 'assistant', content: [thinking, call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: result }] },
  ];
}

/** Of each thinking that is sent the number of its request, and where it stands. */
function thoughts(messages: readonly Message[]): { readonly of: number; readonly at: number }[] {
  return messages.flatMap(({ content }, at) =>
    (typeof content === 'string' ? [] : content)
      .filter(({ type }) => type === 'thinking')
      .map(({ signature }) => ({ of: Number(String(signature).split(' ')[1]), at })),
  );
}

/** Thinking stands behind what was sent before it, and nothing else. */
function checkThinking(sent: readonly (readonly Message[])[], messages: readonly Message[]): void {
  for (const { of, at } of thoughts(messages)) expect(messages.slice(0, at), `thought ${of}`).toEqual(sent[of]);
}

describe.each<OptimizeOptions>([{}, { flush: 'always' }, { flush: 'never' }, { preset: 'aggressive' }])(
  'stateless calls, %j',
  (options) => {
    test.each([0, 6, 15])('from request %i on', (first) => {
      const history: Message[] = [{ role: 'user', content: 'Mend it.' }];
      const sent: (readonly Message[])[] = [];
      let edits = 0;
      for (let at = 0; at < 40; at += 1) {
        const packed = optimize(history as never[], { ...options, model });
        const messages = at < first ? [...history] : (packed.messages as unknown as Message[]);
        if (at >= first) edits += packed.edits.filter(({ pending }) => !pending).length;
        checkThinking(sent, messages);
        sent.push([...messages]);
        history.push(...answer(at));
      }
      expect(edits > 0).toBe(options.flush !== 'never');
    });
  },
);

test.each([1, 4])('a summary comes between a request and its answer; restored after every %i turns', async (often) => {
  const options = { strategy: 'auto', contextLimit: 12_000, model } as const;
  let conversation = createConversation<never>(options);
  const log: Message[] = [];
  const add = (messages: Message[]) => {
    log.push(...messages);
    conversation.addAll(messages as never[]);
  };
  const sent: (readonly Message[])[] = [];
  let summaries = 0;
  const summarize = async () => {
    summaries += 1;
    return goodReply({ strategy: 'middle-out' });
  };
  add([{ role: 'user', content: 'Mend it.' }]);
  for (let at = 0; at < 60; at += 1) {
    const step = await conversation.prepare({ summarize });
    if (step.kind !== 'ready') break;
    const messages = structuredClone(step.messages) as unknown as Message[];
    checkThinking(sent, messages);
    sent.push(messages);
    // The summary in the background comes while the model answers.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const [thought, result] = answer(at) as [Message, Message];
    add([thought, { ...result, content: [...(result.content as []), { type: 'text', text: lines('wish', 25) }] }]);
    if (at % often === often - 1) {
      const snapshot = JSON.parse(JSON.stringify(conversation.snapshot()));
      conversation.dispose();
      conversation = restoreConversation<never>(snapshot, log as never[], options);
    }
  }
  expect(summaries).toBeGreaterThan(0);
  expect(sent.length).toBeGreaterThan(20);
});
