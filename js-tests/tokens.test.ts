// densify/tokens: the properties of a tokenizer, for any text.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createOptimizer, estimateTokens, isDensifyError } from 'densify';
import { createTokenizer, type Encoding, loadTokenizer, type Tokenizer } from 'densify/tokens';
import { vocabulary as cl100k } from 'densify/tokens/cl100k_base';
import { vocabulary as o200k } from 'densify/tokens/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { hostileTexts, random } from './support/hostile-texts.js';
import { Instances } from './support/instances.js';

const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;
const TEXTS = { o200k_base: o200k, cl100k_base: cl100k };
const bytesOf = (encoding: Encoding) => Buffer.from(TEXTS[encoding], 'base64');
let tokenizer: Tokenizer;

beforeAll(async () => {
  tokenizer = await loadTokenizer('o200k_base');
});
afterAll(() => tokenizer.dispose());

/** The error that something throws. */
async function errorOf(action: () => unknown): Promise<{ code: string; key?: string; message: string }> {
  try {
    await action();
  } catch (thrown) {
    if (isDensifyError(thrown)) return { ...thrown, code: thrown.code, message: thrown.message };
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

describe('counts', () => {
  test.each([
    ['', 0, 0],
    ['hello world', 2, 2],
    ['hello world, 12345!', 7, 7],
    ['<|endoftext|>', 7, 7],
    ["WE'LL see", 4, 4],
    ['\ud800', 1, 1],
  ])('%j', async (text, o200k, cl100k) => {
    const older = await loadTokenizer('cl100k_base');
    expect([tokenizer.count(text), older.count(text)]).toEqual([o200k, cl100k]);
  });

  test('a vocabulary as bytes, as a text, as a URL and as a promise counts as the one in the package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'densify-'));
    for (const encoding of ENCODINGS) {
      const bytes = bytesOf(encoding);
      const file = join(folder, encoding);
      writeFileSync(file, bytes);
      const tokenizers = [
        await loadTokenizer(encoding),
        await loadTokenizer(encoding, { vocabulary: bytes }),
        await loadTokenizer(encoding, { vocabulary: new Uint8Array(bytes).buffer }),
        await loadTokenizer(encoding, { vocabulary: pathToFileURL(file) }),
        await loadTokenizer(encoding, { vocabulary: Promise.resolve(bytes) }),
        await loadTokenizer(encoding, {
          vocabulary: new Int8Array(new Uint8Array(bytes).buffer) as unknown as Uint8Array,
        }),
        createTokenizer(encoding, new DataView(new Uint8Array(bytes).buffer) as unknown as Uint8Array),
        createTokenizer(encoding, bytes),
        createTokenizer(encoding, TEXTS[encoding]),
        await loadTokenizer(encoding, { vocabulary: TEXTS[encoding] }),
      ];
      for (const text of hostileTexts(200, 7)) {
        const counts = tokenizers.map(({ count }) => count(text));
        expect(new Set(counts).size, text).toBe(1);
      }
    }
    rmSync(folder, { recursive: true });
  });

  test('half a character is U+FFFD', () => {
    expect(tokenizer.count('a\udc00b\ud83d')).toBe(tokenizer.count('a\ufffdb\ufffd'));
  });

  test('chunks do not show, not even between the halves of a character', () => {
    const long = 'x'.repeat(65_535) + '😀'.repeat(40_000) + hostileTexts(2_000, 3).join('');
    const whole = tokenizer.count(long);
    for (const length of [1, 777, 65_536]) {
      const parts = Array.from({ length: Math.ceil(long.length / length) }, (_, i) =>
        long.slice(i * length, (i + 1) * length),
      );
      expect(tokenizer.countChunks(parts)).toBe(whole);
    }
  });

  test('the function can be passed on', () => {
    const { count } = tokenizer;
    const history = conversation(5, 30);
    const texts: string[] = [];
    const noted = (text: string) => (texts.push(text), count(text));
    const total = estimateTokens(history, { countTokens: noted });
    expect(estimateTokens(history, { countTokens: count })).toBe(total);
    expect(total).toBeGreaterThanOrEqual(texts.reduce((sum, text) => sum + count(text), 0));
    expect(createOptimizer({ countTokens: count }).optimize(history).tokensBefore).toBe(total);
  });
});

describe('a growing text', () => {
  test('equals the whole at every step', () => {
    const next = random(11);
    for (const text of [hostileTexts(300, 21).join(''), '='.repeat(5_000), '中AB'.repeat(2_000)]) {
      const growing = tokenizer.growingText();
      for (let at = 0; at < text.length; ) {
        const end = Math.min(text.length, at + 1 + next(400));
        growing.append(text.slice(at, end));
        at = end;
        expect(growing.length).toBe(at);
        expect(growing.tokens).toBe(tokenizer.count(text.slice(0, at)));
      }
    }
  });

  test('two at a time', () => {
    const [one, two] = [tokenizer.growingText(), tokenizer.growingText()];
    for (let i = 0; i < 500; i += 1) {
      one.append('hello wor');
      two.append('ld 12');
    }
    expect(one.tokens).toBe(tokenizer.count('hello wor'.repeat(500)));
    expect(two.tokens).toBe(tokenizer.count('ld 12'.repeat(500)));
  });
});

describe('a trap', () => {
  const instances = new Instances();
  afterAll(() => instances.stop());

  function exhaust(memory: WebAssembly.Memory): void {
    for (let pages = 65_536; pages > 0; pages = Math.floor(pages / 2)) {
      try {
        for (;;) memory.grow(pages);
      } catch {
        // Not as many; fewer perhaps.
      }
    }
  }

  test('costs an instance and no count', () => {
    const own = createTokenizer('o200k_base', bytesOf('o200k_base'));
    const growing = own.growingText();
    growing.append('The state of a text is no state of an instance. '.repeat(100));
    const before = instances.all.length;
    exhaust(instances.newest.memory);
    // Longer than any piece so far: it needs room.
    const long = 'letters'.repeat(60_000);
    expect(own.count(long)).toBe(tokenizer.count(long));
    expect(instances.all.length).toBe(before + 1);
    growing.append('And more of it. ');
    expect(growing.tokens).toBe(
      tokenizer.count('The state of a text is no state of an instance. '.repeat(100) + 'And more of it. '),
    );
  });

  test('within a vocabulary is an error', () => {
    const bytes = bytesOf('cl100k_base');
    const later = bytes.map((byte, at) => (at < 10 ? 255 : byte));
    expect(() => createTokenizer('cl100k_base', later)).toThrow();
  });
});

describe('what is held', () => {
  test('is said, and given back', async () => {
    const own = await loadTokenizer('cl100k_base');
    expect(own.bytes).toBeGreaterThan(1_000_000);
    expect(own.bytes).toBeLessThan(16_000_000);
    own.dispose();
    own.dispose();
    expect(own.bytes).toBe(0);
    expect((await errorOf(() => own.count('a'))).code).toBe('disposed');
    expect((await errorOf(() => own.growingText().append('a'.repeat(2_000)))).code).toBe('disposed');
    using other = await loadTokenizer('cl100k_base');
    expect(other.count('a')).toBe(1);
  });
});

describe('errors', () => {
  const bytes = new Uint8Array(6);
  test.each([
    ['encoding', () => loadTokenizer('gpt-4' as Encoding)],
    ['encoding', () => createTokenizer(undefined as unknown as Encoding, bytes)],
    ['vocabulary', () => createTokenizer('o200k_base', 'no base64!')],
    ['vocabulary', () => createTokenizer('o200k_base', new Uint8Array(7))],
    ['vocabulary', () => loadTokenizer('o200k_base', { vocabulary: new Uint8Array(0) })],
    ['vocabulary', () => loadTokenizer('o200k_base', { vocabulary: 3 as unknown as Uint8Array })],
    ['vocabulary', () => loadTokenizer('o200k_base', { vocabulary: new URL('file:///nowhere/at/all.bin') })],
    ['vocabulary', () => loadTokenizer('o200k_base', { vocabulary: bytesOf('cl100k_base') })],
    ['vocabularies', () => loadTokenizer('o200k_base', { vocabularies: bytes } as object)],
    ['text', () => tokenizer.count(3 as unknown as string)],
  ])('name the %s', async (key, action) => {
    expect(await errorOf(action)).toMatchObject({ code: 'invalid-options', key });
  });
});

test('what one immense word took is given back, and counts go on', async () => {
  const tokenizer = await loadTokenizer('o200k_base');
  const before = tokenizer.bytes;
  const growing = tokenizer.growingText();
  growing.append('so far ');
  const long = 'a'.repeat(1_000_000);
  expect(tokenizer.count(long)).toBeGreaterThan(100_000);
  expect(tokenizer.bytes).toBeLessThanOrEqual(before);
  expect(tokenizer.bounds('hello world')).toEqual({ lower: expect.any(Number), upper: expect.any(Number) });
  growing.append('so good');
  expect(growing.tokens).toBe(tokenizer.count('so far so good'));
  expect(tokenizer.countChunks(['a'.repeat(600_000), 'a'.repeat(400_000)])).toBe(tokenizer.count(long));
  expect(tokenizer.bytes).toBeLessThan(2 * before);
  tokenizer.dispose();
});
