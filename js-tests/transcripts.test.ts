import { readTranscript, type Transcript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';
import { counts, fixture, lines, outline } from './support/transcripts.js';

describe('pi', () => {
  const transcript = readTranscript(fixture('pi.jsonl'));

  test('follows the branch that ends at the last entry', () => {
    expect(transcript.format).toBe('pi');
    expect(outline(transcript)).toEqual([
      'human: text',
      'ai: thinking, call read c1, call bash c2',
      'tool: response read c1',
      'tool: failed bash c2',
      'human: text',
      'ai: text, call edit c3',
      'tool: response edit c3, media',
      'human: text',
      'human: text',
      'human: text',
    ]);
    expect(JSON.stringify(transcript)).not.toContain('keep it small');
  });

  test('counts what is no part of the conversation', () => {
    // The header, a model change, a label, and the three entries of the branch that was left.
    expect(transcript.counts).toEqual({
      lines: 16,
      skipped: 6,
      toolCalls: 3,
      toolResponses: 3,
      unpairedResponses: 0,
      unansweredCalls: 0,
    });
    expect(counts(transcript)).toEqual({ 'empty-message': 1 });
  });

  test('summaries become human contents that say so', () => {
    const summaries = transcript.contents.filter((content) => content.metadata?.['isSummary'] === true);
    expect(summaries.map((content) => content.blocks)).toEqual([
      [{ type: 'text', text: 'A rewrite was proposed and turned down.' }],
      [{ type: 'text', text: '## Goal\nApply coupons in the cart.' }],
    ]);
    expect(summaries[1]?.metadata).toMatchObject({ id: 'f5', firstKeptEntryId: 'f2' });
  });

  test('blocks and metadata', () => {
    expect(transcript.contents[1]).toEqual({
      speaker: 'ai',
      blocks: [
        { type: 'thinking', thought: 'The total is computed in cart.ts.', signature: 'sig-1' },
        { type: 'tool_call', id: 'c1', name: 'read', parameters: { path: 'src/cart.ts' } },
        { type: 'tool_call', id: 'c2', name: 'bash', parameters: { command: 'npm test -- cart' } },
      ],
      metadata: {
        id: 'e3',
        timestamp: '2026-03-02T09:00:21.000Z',
        model: 'model-a',
        usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 },
      },
    });
    expect(transcript.contents[3]?.blocks).toEqual([
      {
        type: 'tool_response',
        callId: 'c2',
        toolName: 'bash',
        result: '1 failed\nCommand exited with code 1',
        error: 'failed',
      },
    ]);
    expect(transcript.contents[6]?.blocks[1]).toEqual({
      type: 'media',
      mimeType: 'image/png',
      data: 'aGk=',
      encoding: 'base64',
    });
    expect(transcript.contents[8]).toMatchObject({
      blocks: [{ type: 'text', text: '$ git diff --stat\n src/cart.ts | 2 +-' }],
      metadata: { role: 'bashExecution' },
    });
  });

  const said = (id: unknown, parentId: unknown, text: string): object => ({
    type: 'message',
    id,
    parentId,
    message: { role: 'user', content: text },
  });
  const texts = (transcript: Transcript): unknown[] =>
    transcript.contents.flatMap((content) =>
      content.blocks.map((block) => (block.type === 'text' ? block.text : block.type)),
    );

  test('sessions without ids are read in order', () => {
    const old = readTranscript(
      lines(
        { type: 'session', id: 's', timestamp: 't' },
        { type: 'message', message: { role: 'user', content: 'one' } },
        { type: 'message', message: { role: 'assistant', content: [{ type: 'text', text: 'two' }] } },
      ),
    );
    expect(texts(old)).toEqual(['one', 'two']);
    expect(old.warnings).toEqual([]);
  });

  test('a lost parent is replaced by the entry before', () => {
    const broken = readTranscript(
      lines(said('a', null, 'one'), said('b', 'a', 'two')) + '\n{"type":"mess\n' + lines(said('d', 'c', 'four')),
    );
    expect(texts(broken)).toEqual(['one', 'two', 'four']);
    expect(counts(broken)).toEqual({ 'bad-json': 1, 'broken-branch': 1 });
  });

  test('cycles, self-parents and repeated ids end', () => {
    expect(texts(readTranscript(lines(said('a', 'b', '1'), said('b', 'a', '2'), said('b', 'b', '3'))))).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(texts(readTranscript(lines(said('a', null, '1'), said('x', null, '2'), said('a', 'a', '3'))))).toEqual([
      '1',
      '3',
    ]);
  });

  test('a second root begins anew', () => {
    expect(texts(readTranscript(lines(said('a', null, '1'), said('b', null, '2'))))).toEqual(['2']);
  });

  test('what the user kept from the model stays out, odd roles stay in', () => {
    const transcript = readTranscript(
      lines(
        {
          type: 'message',
          id: 'a',
          parentId: null,
          message: { role: 'bashExecution', command: 'ls', excludeFromContext: true },
        },
        { type: 'custom_message', id: 'b', parentId: 'a', customType: 'note', content: 'seen' },
        { type: 'message', id: 'c', parentId: 'b', message: { role: 'oracle', content: 'hm' } },
        { type: 'telemetry', id: 'd', parentId: 'c' },
      ),
    );
    expect(transcript.contents.map((content) => content.metadata)).toEqual([
      { id: 'b', customType: 'note' },
      { id: 'c', role: 'oracle' },
    ]);
    expect(counts(transcript)).toEqual({ 'unknown-role': 1, 'unknown-record': 1 });
  });
});

describe('claude-code', () => {
  const transcript = readTranscript(fixture('claude-code.jsonl'));

  test('lines of one message become one content, results and words of the user two', () => {
    expect(transcript.format).toBe('claude-code');
    expect(outline(transcript)).toEqual([
      'human: text',
      'human: text',
      'ai: thinking, call Bash t1, call Read t2',
      'tool: failed Bash t1',
      'tool: response Read t2, media',
      'human: text',
      'human: text',
      'human: text, media',
      'ai: redacted_thinking, text',
    ]);
    expect(transcript.counts).toEqual({
      lines: 17,
      skipped: 6,
      toolCalls: 2,
      toolResponses: 2,
      unpairedResponses: 0,
      unansweredCalls: 0,
    });
    expect(counts(transcript)).toEqual({});
  });

  test('metadata tells meta messages, summaries and boundaries', () => {
    expect(transcript.contents.map((content) => content.metadata)).toEqual([
      expect.objectContaining({ isMeta: true }),
      { id: 'u2', timestamp: '2026-03-02T09:00:10.000Z' },
      { id: 'msg_1', timestamp: '2026-03-02T09:00:20.000Z', model: 'model-c' },
      expect.objectContaining({ id: 'u6' }),
      expect.objectContaining({ id: 'u8' }),
      expect.objectContaining({ id: 'u8' }),
      expect.objectContaining({ isSummary: true, compactBoundary: true }),
      { id: 'u12', timestamp: '2026-03-02T09:01:00.000Z' },
      expect.objectContaining({ id: 'msg_2' }),
    ]);
  });

  test('blocks keep what has no neutral name, and results only what the model saw', () => {
    const [, , called, failed, read, , , screen, last] = transcript.contents;
    expect(called?.blocks[0]).toEqual({
      type: 'thinking',
      thought: 'Look at the log and the config.',
      signature: 'sig-2',
    });
    expect(called?.blocks[1]).toEqual({
      type: 'tool_call',
      id: 't1',
      name: 'Bash',
      parameters: { command: 'npm run build' },
      caller: { type: 'direct' },
    });
    expect(failed?.blocks).toEqual([
      {
        type: 'tool_response',
        callId: 't1',
        toolName: 'Bash',
        result: 'Exit code 2\nsrc/app.ts(3,1): error TS2304',
        error: 'failed',
      },
    ]);
    expect(read?.blocks[0]).toMatchObject({ result: '     1→import { x } from "./x";' });
    expect(screen?.blocks[1]).toEqual({
      type: 'media',
      mimeType: 'image/*',
      data: 'https://example.com/a.png',
      encoding: 'url',
    });
    expect(last?.blocks[0]).toEqual({ type: 'redacted_thinking', data: '0xfeed' });
  });

  test('a response without a call is kept, counted and named', () => {
    const orphan = readTranscript(
      lines({
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'gone', content: 'x' }, { type: 'tool_result' }],
        },
      }),
    );
    expect(outline(orphan)).toEqual(['tool: response unknown gone, response unknown ']);
    expect(orphan.counts.unpairedResponses).toBe(2);
    expect(counts(orphan)).toEqual({ 'missing-id': 1 });
  });
});

describe('openai-chat', () => {
  const text = fixture('openai-chat.json');
  const transcript = readTranscript(text);

  test('speakers, thoughts, parallel calls', () => {
    expect(transcript.format).toBe('openai-chat');
    expect(outline(transcript)).toEqual([
      'human: text',
      'human: text, media',
      'ai: thinking, call get_order k1, call get_user k2, call note k3',
      'tool: response get_order k1',
      'tool: response get_user k2',
      'tool: response note k3',
      'ai: text',
    ]);
    expect(transcript.contents[0]?.metadata).toEqual({ role: 'system' });
    expect(transcript.contents[1]).toEqual({
      speaker: 'human',
      blocks: [
        { type: 'text', text: 'Where is order 12?' },
        { type: 'media', mimeType: 'image/png', data: 'aGk=', encoding: 'base64' },
      ],
    });
    expect(transcript.contents[4]?.blocks).toMatchObject([{ result: 'Error: bad arguments\ntry again' }]);
  });

  test('arguments are parsed where they are a JSON object, else kept', () => {
    const parameters = transcript.contents[2]?.blocks.map((block) =>
      block.type === 'tool_call' ? block.parameters : undefined,
    );
    expect(parameters).toEqual([undefined, { id: 12 }, '{"id": ', 'asked for order 12']);
    const call = (value: string): unknown =>
      readTranscript(
        JSON.stringify([
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'a', function: { name: 'f', arguments: value } }],
          },
        ]),
      ).contents[0]?.blocks[0];
    for (const kept of ['[1]', '7', 'null', '"x"', '', '{"a":1'])
      expect(call(kept)).toMatchObject({ parameters: kept });
  });

  test('an object, a list, one line or many: the same contents', () => {
    const { messages } = JSON.parse(text) as { messages: unknown[] };
    for (const other of [
      lines(...messages),
      JSON.stringify(messages),
      JSON.stringify({ messages }),
      JSON.stringify(messages, null, 4),
    ]) {
      const again = readTranscript(other);
      expect(again.contents).toEqual(transcript.contents);
      expect(again.warnings).toEqual([]);
    }
  });

  test('functions from before there were ids', () => {
    const legacy = readTranscript(
      lines(
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'done' },
      ),
    );
    expect(outline(legacy)).toEqual(['ai: call f function_call_1', 'tool: response f function_call_1']);
    expect(legacy.counts.unpairedResponses).toBe(0);
  });
});

describe('media', () => {
  const blocks = (line: object): unknown => readTranscript(JSON.stringify(line)).contents[0]?.blocks;
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' };

  test('of Chat Completions', () => {
    expect(
      blocks({
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          { type: 'image_url', image_url: 'data:image/svg+xml,%3Csvg%3E' },
          { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
          {
            type: 'file',
            file: { file_data: 'data:application/pdf;name=a.pdf;base64,JVBE', filename: 'a.pdf' },
          },
          { type: 'file', file: { file_id: 'file-1' } },
        ],
      }),
    ).toEqual([
      { type: 'media', mimeType: 'image/*', data: 'https://example.com/a.png', encoding: 'url' },
      { type: 'media', mimeType: 'image/*', data: 'data:image/svg+xml,%3Csvg%3E', encoding: 'url' },
      { type: 'media', mimeType: 'audio/wav', data: 'UklG', encoding: 'base64' },
      { type: 'media', mimeType: 'application/pdf', data: 'JVBE', encoding: 'base64', filename: 'a.pdf' },
      { type: 'file', file: { file_id: 'file-1' } },
    ]);
    expect(blocks({ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }], refusal: 'Never.' })).toEqual([
      { type: 'text', text: 'No.' },
      { type: 'text', text: 'Never.' },
    ]);
  });

  test('of Claude Code', () => {
    const said = [
      { type: 'document', source: pdf, title: 'a.pdf' },
      { type: 'document', source: { type: 'url', url: 'https://example.com/b.pdf' }, title: 'b' },
      { type: 'image', source: { type: 'file', file_id: 'file-1' } },
      { type: 'image' },
    ];
    expect(blocks({ type: 'user', message: { role: 'user', content: said } })).toEqual([
      { type: 'media', mimeType: 'application/pdf', data: 'JVBE', encoding: 'base64', filename: 'a.pdf' },
      {
        type: 'media',
        mimeType: 'application/pdf',
        data: 'https://example.com/b.pdf',
        encoding: 'url',
        filename: 'b',
      },
      ...said.slice(2),
    ]);
  });
});
