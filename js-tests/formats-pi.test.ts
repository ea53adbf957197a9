// Messages of pi's agents: its roles are edited, all others stay.
import { compress, optimize, type PiMessageLike } from 'densify/pi';
import { describe, expect, test } from 'vitest';

type Message = PiMessageLike & Readonly<Record<string, unknown>>;

const LINES = 'a line of a file\n'.repeat(20);
const user = (content: string): Message => ({ role: 'user', content, timestamp: 1 });
const answer = (...content: object[]): Message => ({
  role: 'assistant',
  content,
  api: 'x',
  stopReason: 'stop',
  timestamp: 1,
});
const call = (id: string, name: string, further: object = {}) => ({
  type: 'toolCall',
  id,
  name,
  arguments: { path: 'a.ts' },
  ...further,
});
const result = (
  toolCallId: string,
  toolName: string,
  content: object[] = [{ type: 'text', text: LINES }],
): Message => ({
  role: 'toolResult',
  toolCallId,
  toolName,
  content,
  details: { kept: true },
  isError: false,
  timestamp: 1,
});
const stale = (...beside: object[]): Message[] => [
  user('Rename.'),
  answer(...beside, call('r', 'read')),
  result('r', 'read'),
  answer(call('w', 'write')),
  result('w', 'write', [{ type: 'text', text: 'ok' }]),
  user('Thanks.'),
];

test('a stale read goes, details and images stay with what is shortened', () => {
  const messages = stale();
  expect(optimize(messages, { preset: 'seed', model: 'gpt-5' }).messages).toEqual([messages[0], ...messages.slice(3)]);
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const looks = [
    answer(call('1', 'grep')),
    result('1', 'grep', [{ type: 'text', text: LINES }, image]),
    answer(call('2', 'grep')),
    result('2', 'grep'),
  ];
  const [, edited] = optimize(looks, { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } }).messages;
  expect(edited).toMatchObject({
    details: { kept: true },
    content: [{ type: 'text', text: '[Result pruned — re-run tool to retrieve]' }, image],
  });
});

describe('what stays', () => {
  const own = { role: 'compactionSummary', summary: LINES.repeat(9), timestamp: 1 };

  test('messages of other roles, whatever they are', () => {
    const messages: Message[] = [own, ...Array.from({ length: 9 }, () => stale()).flat()];
    for (const strategy of ['high-density', 'top-down-truncation'] as const) {
      const { messages: left } = compress(messages, { strategy, contextLimit: 200 });
      expect(left).toContain(own);
    }
  });

  test('items of OpenAI’s reasoning, but with all that follows and where it is known whose they are', () => {
    const item = { type: 'thinking', thinking: 'Hm.', thinkingSignature: '{"id":"rs_1"}' };
    const messages = stale(item);
    expect(optimize(messages, { preset: 'seed' }).messages).toBe(messages);
    expect(optimize(messages, { preset: 'seed', provider: 'openai' }).messages).toEqual([
      messages[0],
      ...messages.slice(3),
    ]);
    const spoken = stale(item, { type: 'text', text: 'I look.' });
    expect(optimize(spoken, { preset: 'seed', provider: 'openai' }).messages).toBe(spoken);
  });

  test('parallel calls that are signed go together or not at all', () => {
    const messages = [
      user('Look.'),
      answer(call('r', 'read', { thoughtSignature: 's' }), call('g', 'grep')),
      result('r', 'read'),
      result('g', 'grep'),
      ...stale().slice(3),
    ];
    const ids = optimize(messages, { preset: 'seed', model: 'gemini-2.5-pro' }).messages.map(
      ({ toolCallId }) => toolCallId,
    );
    expect(ids.includes('r')).toBe(ids.includes('g'));
  });
});
