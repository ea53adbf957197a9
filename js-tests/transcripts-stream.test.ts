import { Readable } from 'node:stream';
import {
  readTranscript,
  readTranscriptStream,
  type Transcript,
  type TranscriptFormat,
  type TranscriptOptions,
} from 'densify/transcripts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixture } from './support/transcripts.js';

const NAMES = [
  'pi.jsonl',
  'claude-code.jsonl',
  'codex.jsonl',
  'opencode.json',
  'gemini-cli.json',
  'mini-swe-agent.json',
  'swe-agent.json',
  'openai-chat.json',
  'anthropic.json',
  'openai-responses.json',
  'gemini.json',
];
async function* give<T>(chunks: readonly T[]): AsyncGenerator<T> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** Cuts at the given places, wherever these are: within lines, characters or surrogate pairs. */
function cut<T extends string | Uint8Array>(whole: T, places: readonly number[]): T[] {
  const ends = [...places.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b);
  return ends.map((end, at) => whole.slice(ends[at - 1] ?? 0, end) as T);
}

/** JSON values with the keys and words of the formats, so that they get far into the readers. */
const word = fc.constantFrom(
  'user',
  'assistant',
  'system',
  'tool',
  'function',
  'toolResult',
  'message',
  'session',
  'compaction',
  'summary',
  'text',
  'thinking',
  'toolCall',
  'tool_use',
  'tool_result',
  'image',
  'image_url',
  'media',
  'tool_call',
  'base64',
  'a',
  'b',
  '',
  '__proto__',
  'constructor',
  'data:image/png;base64,aGk=',
  '{"a":1}',
  'é😀\ud83d',
  'compact_boundary',
);
const key = fc.constantFrom(
  'type',
  'role',
  'message',
  'content',
  'id',
  'parentId',
  'uuid',
  'sessionId',
  'text',
  'thinking',
  'arguments',
  'input',
  'toolCallId',
  'tool_use_id',
  'tool_call_id',
  'name',
  'toolName',
  'isError',
  'is_error',
  'source',
  'data',
  'url',
  'tool_calls',
  'function',
  'function_call',
  'messages',
  'isSidechain',
  'isMeta',
  'isCompactSummary',
  'subtype',
  'summary',
  'image_url',
  'reasoning_content',
  'refusal',
  '__proto__',
  'constructor',
  'toString',
  'timestamp',
  'model',
  'payload',
  'call_id',
  'output',
  'encrypted_content',
  'info',
  'parts',
  'state',
  'callID',
  'toolCalls',
  'thoughts',
  '$set',
  '$rewindTo',
  'action',
  'thought',
  'extra',
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    word,
    fc.constantFrom(null, true, false, 0, -1.5),
    fc.array(tie('value'), { maxLength: 4 }),
    // From entries, so that `__proto__` becomes a key like any other.
    fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries) as unknown),
  ),
}));

const call = fc.record({
  type: fc.constantFrom('toolCall', 'tool_use'),
  id: word,
  name: word,
  arguments: json,
  input: json,
});
const result = fc.record({
  type: fc.constant('tool_result'),
  tool_use_id: word,
  content: json,
  is_error: json,
});
const text = fc.record({ type: fc.constant('text'), text: json });
const said = fc.oneof(word, json, fc.array(fc.oneof(call, result, text, json), { maxLength: 4 }));
const message = fc.record(
  {
    role: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('user', 'assistant', 'tool', 'toolResult') }, json),
    id: word,
    content: said,
    toolCallId: word,
    tool_call_id: word,
    tool_calls: json,
  },
  { requiredKeys: ['role'] },
);
const item = fc.record({
  type: fc.constantFrom('message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call'),
  role: fc.constantFrom('user', 'assistant', 'developer'),
  content: said,
  summary: json,
  call_id: fc.oneof(word, json),
  name: word,
  arguments: fc.oneof(word, json),
  output: fc.oneof(said, json),
});
const part = fc.record({
  type: fc.constantFrom('text', 'reasoning', 'tool', 'step-start', 'file', 'patch'),
  text: fc.oneof(word, json),
  tool: word,
  callID: word,
  url: json,
  state: fc.oneof(
    json,
    fc.record({ status: fc.constantFrom('completed', 'error', 'pending'), input: json, output: json }),
  ),
});
const typed = fc.oneof(said, fc.constantFrom('```bash\nls\n```', 'x\n```bash\n', '```bash\n1\n```\n```bash\n2\n```'));
const entry = fc.oneof(
  json,
  message,
  fc.record({ type: fc.constantFrom('user', 'assistant', 'system'), message, uuid: word, sessionId: word }),
  fc.record({ type: fc.constant('message'), id: word, parentId: fc.oneof(word, fc.constant(null)), message }),
  fc.record({ type: fc.constantFrom('response_item', 'compacted'), payload: fc.oneof(item, json) }),
  item,
  fc.record({ info: message, parts: fc.oneof(json, fc.array(fc.oneof(part, json), { maxLength: 4 })) }),
  fc.record({
    id: word,
    type: fc.constantFrom('user', 'gemini', 'info'),
    content: said,
    toolCalls: json,
    thoughts: json,
  }),
  fc.record({ $rewindTo: word }),
  fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'exit'), content: typed, action: said, extra: json }),
);
const line = fc.oneof(
  { weight: 5, arbitrary: entry.map((value) => JSON.stringify(value)) },
  fc.string(),
  fc.constantFrom('', ' ', '{', '[', '\0'),
);
const end = fc.constantFrom('\n', '\r\n', '\n\n');
const lines = fc.array(fc.tuple(line, end), { maxLength: 12 }).map((all) => all.flat().join(''));
const DOCUMENTS = [
  {},
  { sessionId: 's', projectHash: 'h' },
  { trajectory_format: 'mini-swe-agent-1' },
  { trajectory: [] },
];
const document = fc.array(entry, { maxLength: 8 }).chain((entries) =>
  fc
    .tuple(
      fc.constantFrom<unknown>(
        entries,
        ...DOCUMENTS.map((about) => ({
          ...about,
          messages: entries,
          history: entries,
          input: entries,
          contents: entries,
        })),
      ),
      fc.nat(4),
    )
    .map(([value, indent]) => JSON.stringify(value, null, indent)),
);
const log = fc
  .tuple(fc.oneof(lines, document), fc.nat(), fc.boolean(), fc.constantFrom('', '\uFEFF'))
  .map(([whole, at, cutOff, mark]) => mark + (cutOff ? whole.slice(0, at % (whole.length + 1)) : whole));
const options = fc.record(
  {
    format: fc.constantFrom(...NAMES.map((name) => name.slice(0, name.indexOf('.')) as TranscriptFormat)),
    maxLineLength: fc.constantFrom(5, 80, 1e6),
  },
  { requiredKeys: [] },
);
const places = fc.array(fc.nat(), { maxLength: 12 });

/** Checks what holds for the transcript of any log. */
function check({ contents, warnings, counts }: Transcript): void {
  let calls = 0;
  let responses = 0;
  for (const { speaker, blocks } of contents) {
    expect(['human', 'ai', 'tool']).toContain(speaker);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      expect(block.type).toBeTypeOf('string');
      if (block.type === 'text') expect(block.text).toBeTypeOf('string');
      if (block.type === 'thinking') expect(block.thought).toBeTypeOf('string');
      if (block.type === 'media')
        expect([typeof block.mimeType, typeof block.data, typeof block.encoding]).toEqual([
          'string',
          'string',
          'string',
        ]);
      if (block.type === 'tool_call') {
        calls += 1;
        expect([typeof block.id, typeof block.name]).toEqual(['string', 'string']);
      }
      if (block.type === 'tool_response') {
        responses += 1;
        expect(block.callId).toBeTypeOf('string');
        expect(block.toolName).not.toBe('');
        expect([undefined, 'failed']).toContain(block.error);
      }
    }
  }
  expect([counts.toolCalls, counts.toolResponses]).toEqual([calls, responses]);
  expect(responses - counts.unpairedResponses).toBe(calls - counts.unansweredCalls);
  expect(new Set(warnings.map(({ code }) => code)).size).toBe(warnings.length);
  for (const { line: first, count } of warnings) expect(Math.min(first, count)).toBeGreaterThan(0);
}

test('the result of a nameless call is that of an unknown tool', () => {
  const state = { status: 'completed', input: 'user', output: 'user' };
  const parts = [{ type: 'tool', tool: '', callID: 'user', state }];
  check(readTranscript(JSON.stringify([{ info: { role: 'user' }, parts }])));
});

test('no log makes a reader fail, and none gets into prototypes', () => {
  fc.assert(
    fc.property(log, options, (whole, given) => {
      check(readTranscript(whole, given as TranscriptOptions));
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

test('any text at all', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (whole) => check(readTranscript(whole))));
});

describe('a stream gives the same transcript as the whole text', () => {
  test('any log, cut anywhere as a string', async () => {
    await fc.assert(
      fc.asyncProperty(log, options, places, async (whole, given, at) => {
        expect(await readTranscriptStream(give(cut(whole, at)), given)).toEqual(readTranscript(whole, given));
      }),
      { numRuns: 1000 },
    );
  });

  test('any log, cut anywhere as bytes', async () => {
    await fc.assert(
      fc.asyncProperty(log, options, places, async (whole, given, at) => {
        const bytes = new TextEncoder().encode(whole);
        const asRead = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        expect(await readTranscriptStream(give(cut(bytes, at)), given)).toEqual(readTranscript(asRead, given));
      }),
      { numRuns: 1000 },
    );
  });

  test.each(NAMES)('%s, by single units and bytes, with either line end and a byte order mark', async (name) => {
    const whole = fixture(name);
    const expected = readTranscript(whole);
    for (const variant of [whole, `\uFEFF${whole}`, whole.replaceAll('\n', '\r\n'), whole.trimEnd()]) {
      expect(readTranscript(variant).contents).toEqual(expected.contents);
      expect(readTranscript(variant).warnings).toEqual(expected.warnings);
      expect((await readTranscriptStream(give(variant.split('')))).contents).toEqual(expected.contents);
      const bytes = Array.from(new TextEncoder().encode(variant), (byte) => Uint8Array.of(byte));
      expect((await readTranscriptStream(give(bytes))).contents).toEqual(expected.contents);
    }
  });

  test.each(NAMES)('%s, from a web stream, a Node stream, and chunks of both kinds', async (name) => {
    const whole = fixture(name);
    const expected = readTranscript(whole);
    expect(await readTranscriptStream(new Blob([whole]).stream())).toEqual(expected);
    expect(await readTranscriptStream(Readable.from([Buffer.from(whole)]))).toEqual(expected);
    const mixed = [
      new TextEncoder().encode(whole.slice(0, 50)),
      whole.slice(50, 99),
      '',
      new TextEncoder().encode(whole.slice(99)),
    ];
    expect(await readTranscriptStream(give(mixed))).toEqual(expected);
  });
});

describe('sources', () => {
  test("a source that fails is the caller's to handle", async () => {
    async function* failing(): AsyncGenerator<string> {
      yield '{"role":"user",';
      throw await Promise.resolve(new Error('disk gone'));
    }
    await expect(readTranscriptStream(failing())).rejects.toThrow('disk gone');
    const stream = new ReadableStream<string>({
      pull: (controller) => controller.error(new Error('net gone')),
    });
    await expect(readTranscriptStream(stream)).rejects.toThrow('net gone');
  });

  test('what is no source, or gives neither strings nor bytes, is an error, and the stream is cancelled', async () => {
    const invalid = { name: 'DensifyError', code: 'invalid-options', key: 'source' };
    for (const source of ['text', null, 5, ['x'], {}]) {
      await expect(readTranscriptStream(source as never)).rejects.toMatchObject(invalid);
    }
    let cancelled = false;
    const stream = new ReadableStream<unknown>({
      pull: (controller) => controller.enqueue(5),
      cancel: () => {
        cancelled = true;
      },
    });
    await expect(readTranscriptStream(stream as never)).rejects.toMatchObject(invalid);
    expect(cancelled).toBe(true);
    expect(stream.locked).toBe(false);
  });
});
