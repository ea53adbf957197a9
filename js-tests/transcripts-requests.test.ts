// Messages in APIs' formats, and request bodies: recognised by their keys, since many things have a role and a content.
import type { ContentBlock, IContent } from 'densify';
import { replay } from 'densify/replay';
import { detectTranscript, readTranscript, type Transcript, type TranscriptFormat } from 'densify/transcripts';
import type { MessageFormat } from 'densify/validate';
import { describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { FORMATS, native } from './support/native.js';
import { ai, call, human, response, tool } from './support/say.js';
import { counts, fixture, lines, outline } from './support/transcripts.js';

const APIS = ['anthropic', 'openai-responses', 'gemini', 'openai-chat'] as const;
const KEYS = { anthropic: 'messages', 'openai-responses': 'input', gemini: 'contents', 'openai-chat': 'messages' };

/** What was said, called and answered, in its order, and by whom: not how it is spread over entries. */
function course(contents: readonly IContent[], format: MessageFormat): unknown[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return contents.flatMap(({ speaker, blocks }) =>
    blocks.flatMap((block: ContentBlock): unknown[] => {
      if (block.type === 'text') return [[speaker, block.text]];
      // Entries of Gemini need no ids.
      const id = (of: string) => (format === 'gemini' ? '' : of);
      if (block.type === 'tool_call') return [['call', id(block.id), block.name, block.parameters]];
      return block.type === 'tool_response' ? [['result', id(block.callId), block.toolName, text(block.result)]] : [];
    }),
  );
}

const talks = [3, 7, 11].map((seed) => conversation(seed, 12));

describe.each(APIS)('%s', (format) => {
  test.each([0, 1, 2])('what was said in it is read as it was said: %i', (at) => {
    const contents = talks[at]!;
    const messages = native[format](contents);
    const key = KEYS[format];
    const logs = [messages, { [key]: messages }, { model: 'a-model', [key]: messages, tools: [] }];
    for (const text of [
      ...logs.map((log) => JSON.stringify(log)),
      JSON.stringify(logs[1], null, 2),
      lines(...messages),
    ]) {
      const transcript = readTranscript(text);
      // Bare items a line are also what old rollouts of Codex are.
      expect([format, 'codex']).toContain(transcript.format);
      expect(detectTranscript(text)).toBe(transcript.format);
      expect(transcript.warnings).toEqual([]);
      expect(course(transcript.contents, format)).toEqual(course(contents, format));
      expect(transcript.counts).toMatchObject({ unpairedResponses: 0 });
    }
  });

  test('its calls are calls of the model, and what comes again can be saved', () => {
    const read = (id: string) => [
      ai('Reading.', call(id, 'read_file', { path: 'a.ts' })),
      tool(response(id, 'read_file', 'const value = 1;\n'.repeat(200))),
    ];
    const contents = [human('Go.'), ...['1', '2', '3', '4'].flatMap(read), ai('Done.')];
    const text = JSON.stringify(native[format](contents));
    const { requests, policies } = replay(readTranscript(text).contents, { policies: ['lossless'] });
    expect(requests).toBe(5);
    expect(policies[1]!.tokens).toBeLessThan(0.6 * policies[0]!.tokens);
    expect(policies[1]!.rejected).toBe(0);
  });
});

describe('the fixtures', () => {
  test('anthropic: a body, whose system prompt comes first', () => {
    const transcript = readTranscript(fixture('anthropic.json'));
    expect(transcript.format).toBe('anthropic');
    expect(outline(transcript)).toEqual([
      'human: text',
      'human: text, media',
      'ai: thinking, text, call Bash t1, call Read t2',
      'tool: failed Bash t1, response Read t2, media',
      'human: text',
      'ai: redacted_thinking, text',
    ]);
    expect(transcript.contents[0]?.metadata).toEqual({ role: 'system' });
    expect(transcript.contents[2]?.blocks[0]).toEqual({ type: 'thinking', thought: 'Build it.', signature: 'sig-1' });
    expect(transcript.contents[3]?.blocks[0]).toMatchObject({ result: 'exit 2', error: 'failed' });
    // Only the provider can read it: it is kept as it is.
    expect(counts(transcript)).toEqual({});
  });

  test('openai-responses: a body, whose instructions come first', () => {
    const transcript = readTranscript(fixture('openai-responses.json'));
    expect(transcript.format).toBe('openai-responses');
    expect(outline(transcript)).toEqual([
      'human: text',
      'human: text',
      'ai: thinking, call get_order k1, call get_user k2',
      'tool: response get_order k1',
      'tool: response get_user k2',
      'ai: text',
      'human: text',
    ]);
    expect(transcript.contents[2]?.blocks[1]).toMatchObject({ parameters: { id: 12 } });
    expect(transcript.warnings).toEqual([]);
  });

  test('gemini: a body, whose system instruction comes first; calls without ids are answered in their order', () => {
    const transcript = readTranscript(fixture('gemini.json'));
    expect(transcript.format).toBe('gemini');
    expect(outline(transcript)).toEqual([
      'human: text',
      'human: text, media',
      'ai: thinking, text, call read_file call_1, call read_file call_2, call list c3',
      'tool: response read_file call_1, failed read_file call_2, response list c3',
      'human: text',
      'ai: text',
    ]);
    expect(transcript.contents[2]?.blocks[2]).toMatchObject({ parameters: { path: 'a.ts' }, thoughtSignature: 'sig' });
    expect(transcript.contents[3]?.blocks).toMatchObject([
      { result: 'one' },
      { result: 'ENOENT', error: 'failed' },
      { result: { files: ['a.ts'], more: false } },
    ]);
    expect(transcript.warnings).toEqual([]);
  });
});

describe('what has a role and a content in many formats', () => {
  const user = { role: 'user', content: 'Hello.' };
  const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] };
  const called = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 't', function: { name: 'f', arguments: '{}' } }],
  };
  const item = { type: 'function_call', call_id: 't', name: 'f', arguments: '{}' };

  test.each<[string, TranscriptFormat, ...object[]]>([
    ['chat completions, if nothing shows another', 'openai-chat', user, { role: 'assistant', content: 'Hi.' }],
    ['by a later message', 'anthropic', user, user, used],
    ['by a later message', 'openai-chat', user, user, called],
    ['by a later item', 'openai-responses', user, user, item],
    ['by an image', 'anthropic', { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'u' } }] }],
  ])('%s: %s', (_, format, ...messages) => {
    for (const text of [JSON.stringify(messages), lines(...messages)]) {
      expect(readTranscript(text)).toMatchObject({ format, warnings: [] });
      expect(detectTranscript(text)).toBe(format);
      expect(readTranscript(text).contents).toHaveLength(messages.length);
    }
  });

  test('a log of many lines that look the same is read whole', () => {
    const said = Array.from({ length: 1000 }, () => user);
    for (const [format, last] of [
      ['openai-chat', user],
      ['anthropic', used],
    ] as const) {
      // Who was to be told by then has been.
      const text = lines(...said.slice(0, format === 'anthropic' ? 200 : 1000), last);
      expect(readTranscript(text).format).toBe(format);
      expect(readTranscript(text).contents).toHaveLength(format === 'anthropic' ? 201 : 1001);
    }
  });

  test('a request for an embedding is no conversation', () => {
    expect(detectTranscript(JSON.stringify({ model: 'm', input: 'a text' }))).toBeUndefined();
    expect(detectTranscript(JSON.stringify({ model: 'm', input: ['a text'] }))).toBeUndefined();
  });

  test('what isn’t understood never passes for a clean log', () => {
    const contents = talks[0]!;
    const silent = FORMATS.filter((format) => {
      const transcript: Transcript = readTranscript(JSON.stringify(native[format](contents)));
      const isWhole = JSON.stringify(course(transcript.contents, format)) === JSON.stringify(course(contents, format));
      return !isWhole && transcript.warnings.length === 0;
    });
    expect(silent).toEqual([]);
  });
});
