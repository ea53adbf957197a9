import { readTranscript, readTranscriptStream, type Transcript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';

const human = (text: string): string => JSON.stringify({ role: 'user', content: text });
const deep = (depth: number): string => `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`;
const codes = ({ warnings }: Transcript): string[] => warnings.map(({ code }) => code);

async function* give(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
}

describe('size', () => {
  test('a line of 10 MB, also in small chunks', async () => {
    const text = 'x\u00e9😀\\"'.repeat(1_500_000);
    const line = human(text);
    const { contents } = readTranscript(line);
    expect(contents[0]?.blocks[0]).toEqual({ type: 'text', text });
    expect((await readTranscriptStream(give(line, 100))).contents).toEqual(contents);
  }, 20_000);

  test('100,000 lines, one branch of 100,000 entries, one message of 100,000 lines', () => {
    const count = 100_000;
    const repeat = (line: (at: number) => unknown): string =>
      Array.from({ length: count }, (_, at) => JSON.stringify(line(at))).join('\n');
    expect(readTranscript(repeat((at) => ({ role: 'user', content: `${at}` }))).contents).toHaveLength(count);
    const said = { role: 'user', content: 'x' };
    const tree = repeat((at) => ({
      type: 'message',
      id: `${at}`,
      parentId: at === 0 ? null : `${at - 1}`,
      message: said,
    }));
    expect(readTranscript(tree).contents).toHaveLength(count);
    const forks = repeat((at) => ({
      type: 'message',
      id: `${at}`,
      parentId: at === 0 ? null : '0',
      message: said,
    }));
    expect(readTranscript(forks)).toMatchObject({ contents: { length: 2 }, counts: { skipped: count - 2 } });
    const block = { type: 'text', text: 'x' };
    const merged = repeat(() => ({
      type: 'assistant',
      message: { role: 'assistant', id: 'm', content: [block] },
    }));
    expect(readTranscript(merged).contents[0]?.blocks).toHaveLength(count);
  }, 20_000);

  test('200,000 damaged lines make one warning', () => {
    // In time by its square this takes longer than a test may.
    const { contents, warnings } = readTranscript(`${human('x')}\n${'{"role":\n'.repeat(200_000)}`);
    expect(contents).toHaveLength(1);
    expect(warnings).toEqual([{ code: 'bad-json', line: 2, count: 200_000 }]);
  });

  test('100,000 odd lines make one warning', () => {
    const { warnings } = readTranscript(`${human('x')}\n${'{"role":"mime","content":"."}\n'.repeat(100_000)}`);
    expect(warnings).toEqual([{ code: 'unknown-role', line: 2, count: 100_000 }]);
  });

  test('a log of another kind is given up early, and never kept', () => {
    const { counts, contents } = readTranscript('{"level":"info"}\n'.repeat(100_000));
    expect(contents).toEqual([]);
    expect(counts.lines).toBeLessThan(1000);
  });

  test('maxLineLength bounds lines and documents', async () => {
    const text = `${human('a')}\n${human('b'.repeat(2000))}\n${human('c')}`;
    const read = await readTranscriptStream(give(text, 7), { maxLineLength: 1000 });
    expect(read.contents).toHaveLength(2);
    expect(read.warnings).toEqual([{ code: 'line-too-long', line: 2, count: 1 }]);
    const document = JSON.stringify([{ role: 'user', content: 'a' }], null, 2);
    expect(readTranscript(document, { maxLineLength: document.length + 1 }).contents).toHaveLength(1);
    expect(codes(readTranscript(document, { maxLineLength: document.length - 1 }))).toEqual([
      'line-too-long',
      'unknown-format',
    ]);
  });
});

describe('depth', () => {
  test('parameters and blocks 100,000 deep are kept', () => {
    const line = `{"role":"user","content":["a",${deep(100_000)}]}`;
    const { contents, warnings } = readTranscript(`${line}\n${human('b')}`);
    // An engine whose JSON parser recurses can't read the line; it then says so and goes on.
    expect(contents.length).toBe(2);
    expect(warnings).toEqual([{ code: 'unknown-block', line: 1, count: 1 }]);
    const call = `{"type":"toolCall","id":"1","name":"f","arguments":${deep(100_000)}}`;
    const pi = readTranscript(`{"type":"message","message":{"role":"assistant","content":[${call}]}}`);
    expect(pi.counts.toolCalls).toBe(1);
  });

  test('brackets without end', () => {
    for (const text of [
      '['.repeat(1e6),
      '{"messages":'.repeat(1e5),
      ']'.repeat(1e6),
      '[{'.repeat(5e5),
      '["'.repeat(5e5),
    ]) {
      expect(readTranscript(text).contents).toEqual([]);
      expect(codes(readTranscript(`${human('a')}\n${text}`))).toEqual(['truncated']);
    }
    expect(readTranscript(`[${human('a')},\n${'['.repeat(1e6)}`).contents).toHaveLength(1);
  });
});

describe('text', () => {
  test('lone surrogates stay as they are, pairs are never parted', async () => {
    const line = `{"role":"user","content":"\\ud83d|\ud83d|😀|\ude00"}\n`;
    const text = '\ud83d|\ud83d|😀|\ude00';
    expect(readTranscript(line).contents[0]?.blocks).toEqual([{ type: 'text', text }]);
    expect((await readTranscriptStream(give(line, 1))).contents[0]?.blocks).toEqual([{ type: 'text', text }]);
  });

  test('NUL, line separators and carriage returns', () => {
    const text = 'a\0b\u2028c\u2029d\re';
    expect(readTranscript(JSON.stringify({ role: 'user', content: text })).contents[0]?.blocks).toEqual([
      { type: 'text', text },
    ]);
    expect(codes(readTranscript(`${human('a')}\n\0\0\0`))).toEqual(['truncated']);
    expect(readTranscript(`${human('a')}\r\n\r\n${human('b')}\r\n`)).toMatchObject({
      contents: { length: 2 },
      warnings: [],
    });
  });

  test('bytes that are no UTF-8', async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(new Uint8Array([0xff, 0xfe, 0x0a]));
      yield new TextEncoder().encode(human('a'));
      yield new Uint8Array([0xf0, 0x9f]);
    }
    expect(codes(await readTranscriptStream(bytes()))).toEqual(['bad-json', 'truncated', 'unknown-format']);
  });
});

describe('names that mean something to JavaScript', () => {
  test('keys', () => {
    const block = '{"type":"text","text":"x","__proto__":{"polluted":1},"constructor":2}';
    const { contents } = readTranscript(`{"role":"user","content":[${block}],"__proto__":{"role":"assistant"}}`);
    const read = contents[0]?.blocks[0] as object;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.keys(read).sort()).toEqual(['__proto__', 'constructor', 'text', 'type']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(contents[0]?.speaker).toBe('human');
  });

  test('ids, roles and types', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const call = { id: name, function: { name, arguments: '{"__proto__":1}' } };
      const chat = [
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: name, content: 'x' },
        { role: name, content: 'y' },
      ];
      const read = readTranscript(JSON.stringify(chat));
      expect(read.counts).toMatchObject({ toolCalls: 1, unansweredCalls: 0, unpairedResponses: 0 });
      expect(read.contents[1]?.blocks[0]).toMatchObject({ callId: name, toolName: name });
      expect(read.contents[2]).toMatchObject({ speaker: 'human', metadata: { role: name } });
      const line = { type: name, id: name, parentId: name, message: { role: name } };
      expect(() => readTranscript(JSON.stringify(line), { format: 'pi' })).not.toThrow();
    }
  });
});
