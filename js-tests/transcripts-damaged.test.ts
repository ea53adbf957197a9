import { detectTranscript, readTranscript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';
import { counts, fixture, lines } from './support/transcripts.js';

describe('a log that is cut off or damaged', () => {
  test('the last line', () => {
    const text = fixture('claude-code.jsonl');
    const cut = readTranscript(text.slice(0, text.lastIndexOf('{') + 10));
    expect(cut.contents).toEqual(readTranscript(text).contents);
    expect(counts(cut)).toEqual({ truncated: 1 });
  });

  test('a document: all complete messages are read', () => {
    const text = fixture('openai-chat.json');
    const whole = readTranscript(text).contents;
    const cut = readTranscript(text.slice(0, text.indexOf('It has')));
    expect(cut.contents).toEqual(whole.slice(0, -1));
    expect(counts(cut)).toEqual({ truncated: 1 });
    expect(readTranscript(`${text}\n\0\0\0`)).toMatchObject({
      contents: whole,
      warnings: [{ code: 'trailing-content', count: 1 }],
    });
  });

  test('a document cut off among quotes, escapes and brackets', () => {
    const said = ['}]"\\', '\\"[{', '"', 'end'].map((content) => ({ role: 'user', content }));
    const text = JSON.stringify({ messages: said }, null, 1);
    const cut = readTranscript(text.slice(0, text.indexOf('end')));
    expect(cut.contents).toEqual(readTranscript(text).contents.slice(0, -1));
    expect(counts(cut)).toEqual({ truncated: 1 });
  });

  test('the first line', () => {
    const text = fixture('pi.jsonl');
    const cut = readTranscript(text.slice(9));
    expect(cut.contents).toEqual(readTranscript(text).contents);
    expect(counts(cut)).toMatchObject({ 'bad-json': 1 });
    const begun = readTranscript(`{"type":"session","id\n${text}`);
    expect(begun.contents).toEqual(readTranscript(text).contents);
    expect(counts(begun)).toMatchObject({ 'bad-json': 1 });
  });

  test('warnings say where an oddity was met first, and how often', () => {
    const { warnings } = readTranscript('\n{"role":"user","content":"a"}\nnoise\n7\nnull\nmore noise\n[]\n');
    expect(warnings).toEqual([
      { code: 'bad-json', line: 3, count: 2 },
      { code: 'not-a-record', line: 4, count: 3 },
    ]);
  });

  test('unknown blocks lose nothing and pass for nothing else', () => {
    const original = [{ type: 'video', url: 'u' }, { type: 'media', data: 1 }, { type: 'text' }, 5, null, { a: 1 }];
    const { contents, warnings } = readTranscript(lines({ role: 'user', content: original }));
    expect(contents[0]?.blocks).toEqual([
      { type: 'video', url: 'u' },
      ...original.slice(1).map((block) => ({ type: 'unknown', original: block })),
    ]);
    expect(warnings).toEqual([{ code: 'unknown-block', line: 1, count: 6 }]);
  });
});

describe('detection', () => {
  test.each(['pi.jsonl', 'claude-code.jsonl', 'openai-chat.json'])('%s', (name) => {
    expect(detectTranscript(fixture(name))).toBe(name.slice(0, name.indexOf('.')));
  });

  test.each([
    '',
    '\n \n',
    '[]',
    '{}',
    'hello',
    '{"messages":[]}',
    '{"messages":[{"type":"user","content":"x"}]}',
    '{"type":"response_item","payload":{}}',
    '[1,2',
  ])('none: %j', (text) => {
    expect(detectTranscript(text)).toBeUndefined();
    expect(readTranscript(text)).toMatchObject({ format: undefined, contents: [] });
    expect(counts(readTranscript(text))).toHaveProperty('unknown-format', 1);
  });

  test('a given format is believed', () => {
    expect(readTranscript('[]', { format: 'openai-chat' })).toMatchObject({
      format: 'openai-chat',
      contents: [],
      warnings: [],
    });
    expect(readTranscript(fixture('pi.jsonl'), { format: 'claude-code' })).toMatchObject({
      format: 'claude-code',
      contents: [],
    });
  });

  test('wrong calls are errors that name what is wrong', () => {
    const wrong = (options: unknown, text: unknown = ''): unknown => {
      try {
        return readTranscript(text as string, options as object);
      } catch (error) {
        return error;
      }
    };
    const error = (key: string): unknown =>
      expect.objectContaining({ name: 'DensifyError', code: 'invalid-options', key });
    expect(wrong({ format: 'word' })).toEqual(error('format'));
    expect(wrong({ formt: 'pi' })).toEqual(error('formt'));
    expect(wrong({ maxLineLength: 0.5 })).toEqual(error('maxLineLength'));
    expect(wrong(null)).toEqual(error('options'));
    expect(wrong(undefined, 7)).toEqual(error('text'));
    expect(wrong({ format: undefined })).toMatchObject({ contents: [] });
  });
});
