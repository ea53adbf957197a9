// Items of OpenAI's Agents SDK: the SDK's own schema accepts the output, and calls and results stay together.
import { protocol } from '@openai/agents-core';
import { type AgentsItemLike, compress, createConversation, estimateTokens, optimize } from 'densify/openai-agents';
import { describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';

type Item = AgentsItemLike & Readonly<Record<string, unknown>>;

const LINES = 'a line of a file\n'.repeat(20);
const user = (content: unknown): Item => ({ type: 'message', role: 'user', content });
const call = (callId: string, name: string, further: object = {}): Item => ({
  type: 'function_call',
  callId,
  name,
  arguments: '{"path":"a.ts"}',
  status: 'completed',
  ...further,
});
const result = (callId: string, name: string, output: unknown = LINES): Item => ({
  type: 'function_call_result',
  callId,
  name,
  status: 'completed',
  output,
});
const said = (text: string): Item => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const reasoning = (id: string): Item => ({ type: 'reasoning', id, content: [{ type: 'input_text', text: 'Hm.' }] });
const plain = { model: 'gpt-4.1' };
const isItem = (item: unknown) => protocol.ModelItem.safeParse(item).success;

test('a stale read goes, an item in another of the forms of a result is shortened in that form', () => {
  const stale = [
    user('Go.'),
    call('r', 'read_file'),
    result('r', 'read_file'),
    call('w', 'write_file'),
    result('w', 'write_file', 'ok'),
  ];
  expect(optimize(stale, { preset: 'seed', ...plain }).messages).toEqual([stale[0], stale[3], stale[4]]);
  const outputs = [
    LINES,
    { type: 'text', text: LINES },
    [
      { type: 'input_text', text: LINES },
      { type: 'input_image', image: 'data:image/png;base64,AAAA' },
    ],
  ];
  const grown = [
    user('Go.'),
    ...[...outputs, LINES].flatMap((output, n) => [call(`${n}`, 'grep'), result(`${n}`, 'grep', output)]),
  ];
  const { messages } = optimize(grown, {
    preset: 'seed',
    ...plain,
    rules: { recencyPruning: true, recencyRetention: 1 },
  });
  expect(messages.every(isItem)).toBe(true);
  const pointer = '[Result pruned — re-run tool to retrieve]';
  expect([2, 4, 6, 8].map((at) => messages[at]!.output)).toEqual([
    pointer,
    { type: 'text', text: pointer },
    [{ type: 'input_text', text: pointer }, (outputs[2] as unknown[])[1]],
    LINES,
  ]);
});

describe('what belongs together', () => {
  test('reasoning and what was made with it stay or go together, unless the model takes none', () => {
    const items = [
      user('Go.'),
      reasoning('rs'),
      call('r', 'read_file'),
      call('g', 'grep'),
      result('r', 'read_file'),
      result('g', 'grep'),
      call('w', 'write_file'),
      result('w', 'write_file', 'ok'),
      user('Thanks.'),
    ];
    for (const target of [{}, { model: 'gpt-5' }]) {
      const left = optimize(items, { preset: 'seed', ...target }).messages;
      expect(left.includes(items[1]!)).toBe(left.includes(items[2]!));
      expect(left.includes(items[1]!)).toBe(left.includes(items[3]!));
    }
    expect(optimize(items, { preset: 'seed', ...plain }).messages).not.toContain(items[2]);
  });

  test('the provider’s own tools, programs and compactions ride along', () => {
    const items = [
      { type: 'compaction', encrypted_content: 'x' },
      user('Go.'),
      { type: 'hosted_tool_call', id: 'h', name: 'web_search_call', status: 'completed' },
      { type: 'program', callId: 'p', code: 'x', fingerprint: 'y' },
      call('r', 'read_file', { caller: { type: 'program', callerId: 'p' } }),
      result('r', 'read_file'),
      { type: 'program_output', callId: 'p', output: 'x', status: 'completed' },
      call('w', 'write_file'),
      result('w', 'write_file', 'ok'),
      { type: 'unknown', providerData: { x: 1 } },
    ] as Item[];
    expect(optimize(items, { preset: 'seed', ...plain }).messages).toBe(items);
    for (const contextLimit of [20, 60, 200]) {
      const left = compress(items, { strategy: 'top-down-truncation', contextLimit, ...plain }).messages;
      expect(left).toContain(items[0]);
      expect(left.includes(items[3]!)).toBe(left.includes(items[4]!));
    }
  });
});

test('requests for approval and their responses stay or go together', () => {
  const approved = (n: number, key: string): Item[] => [
    {
      type: 'hosted_tool_call',
      id: `mcpr_${n}`,
      name: 'mcp_approval_request',
      status: 'in_progress',
      providerData: { type: 'mcp_approval_request', id: `mcpr_${n}`, name: 'x', arguments: '{}', server_label: 's' },
    },
    {
      type: 'hosted_tool_call',
      name: 'mcp_approval_response',
      status: 'completed',
      providerData: { type: 'mcp_approval_response', approve: true, [key]: `mcpr_${n}` },
    },
    said(LINES),
    user('more'),
  ];
  for (const key of ['approval_request_id', 'approvalRequestId'])
    for (const model of [undefined, 'gpt-5', 'gpt-4.1']) {
      const items = [user('Go.'), ...Array.from({ length: 8 }, (_, n) => approved(n, key)).flat()];
      let cuts = 0;
      for (const strategy of ['top-down-truncation', 'high-density'] as const)
        for (let contextLimit = 200; contextLimit < 1_200; contextLimit += 50) {
          const { messages } = compress(items, { strategy, contextLimit, model });
          if (messages.length < items.length) cuts += 1;
          const left = messages.flatMap(({ name, providerData }) => {
            const { id, [key]: of } = (providerData ?? {}) as Record<string, unknown>;
            return typeof name === 'string' ? [of ?? id] : [];
          });
          expect(left.filter((id, at) => left.indexOf(id) === at).flatMap((id) => [id, id])).toEqual(left);
        }
      expect(cuts).toBeGreaterThan(10);
    }
});

test('summaries are items that the SDK accepts; images are no text', async () => {
  const conversation = createConversation<Item>({
    strategy: 'middle-out',
    contextLimit: 2_000,
    threshold: 0.2,
    ...plain,
  });
  for (let n = 0; n < 9; n += 1)
    conversation.add(user(`Word ${n}.`), call(`${n}`, 'grep'), result(`${n}`, 'grep'), said('So.'));
  await conversation.prepare({ summarize: () => Promise.resolve(goodReply({ strategy: 'middle-out' })) });
  expect(conversation.stats.summaries).toBe(1);
  expect(conversation.messages.every(isItem)).toBe(true);
  const image = `data:image/png;base64,${'A'.repeat(400_000)}`;
  expect(estimateTokens([user([{ type: 'input_image', image }])])).toBeLessThan(5_000);
});
