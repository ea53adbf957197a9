// The lower and upper bounds of a text's tokens, compared with both vocabularies.
import { estimateTokens } from 'densify';
import { loadTokenizer, withBounds } from 'densify/tokens';
import { get_encoding } from 'tiktoken';
import { describe, expect, test } from 'vitest';
import { hostileTexts } from './support/hostile-texts.js';
import { textsOfLogs } from './support/shared.js';
import { TIMES } from './support/times.js';

const tokenizers = await Promise.all([loadTokenizer('o200k_base'), loadTokenizer('cl100k_base')]);
const { bounds } = tokenizers[0]!;

/** What lies outside the bounds. */
function outside(texts: Iterable<string>): unknown[] {
  const found: unknown[] = [];
  for (const text of texts) {
    const { lower, upper } = bounds(text);
    const counts = tokenizers.map(({ count }) => count(text));
    const isInside = counts.every((count) => lower <= count && count <= upper);
    if (!isInside && found.length < 10) found.push({ text: text.slice(0, 200), lower, upper, counts });
  }
  return found;
}

/** The estimate of a text. */
const ofText = (text: string): number => estimateTokens([{ speaker: 'human', blocks: [{ type: 'text', text }] }]);

describe('every text costs what its bounds say', () => {
  test('hostile texts', () => {
    expect(outside(hostileTexts(8_000 * TIMES, Number(process.env['DENSIFY_SEED'] ?? 2_026)))).toEqual([]);
  });

  test('words of few letters, contractions and white space in every order', () => {
    const parts = ['s', 're', 'tuff', "'", "'S", ' ', '  ', '\n', '\t', '/', '))', '1', '234', '٣', '\u00a0', 'é', 'Q'];
    const texts: string[] = [];
    for (const a of parts)
      for (const b of parts) for (const c of parts) for (const d of parts) texts.push(a + b + c + d);
    expect(outside(texts)).toEqual([]);
  });

  test('runs of one character', () => {
    const runs = [' ', '\n', '\r', '\t', '=', 'a', 'Q', '1', '٣', '中', '\u00a0', "'"].flatMap((character) =>
      [1, 2, 3, 10, 11, 79, 80, 81, 127, 128, 129, 158, 160, 1_000].map((length) => character.repeat(length)),
    );
    expect(outside(runs.flatMap((run) => [run, `x${run}y`, `(${run}\u00a0`, `\n${run}1`]))).toEqual([]);
  });

  test('runs of every sign, and what the estimator says of them', () => {
    const signs = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((sign) =>
      /\W|_/.test(sign),
    );
    const runs = signs.flatMap((sign) => [5, 33, 65, 200, 64_000].map((length) => sign.repeat(length)));
    expect(outside(runs)).toEqual([]);
    for (const run of runs) {
      const [estimated, exact] = [ofText(run), tokenizers[0]!.count(run)];
      expect(Math.abs(estimated - exact), `${run.length} ${run[0]}: ${estimated} for ${exact}`).toBeLessThanOrEqual(
        3 + 0.04 * exact,
      );
    }
  });

  test('blocks of real logs, and how close the bounds are', () => {
    const texts = textsOfLogs('tokens-bounds');
    expect(outside(texts)).toEqual([]);
    const sum = { lower: 0, exact: 0, upper: 0 };
    for (const text of texts) {
      const { lower, upper } = bounds(text);
      sum.lower += lower;
      sum.upper += upper;
      sum.exact += tokenizers[0]!.count(text);
    }
    expect(sum.lower).toBeGreaterThanOrEqual(0.6 * sum.exact);
    expect(sum.upper).toBeLessThanOrEqual(2.5 * sum.exact);
  });
});

describe('what the bounds rest on', () => {
  test.each(['o200k_base', 'cl100k_base'] as const)('%s', (encoding) => {
    const reference = get_encoding(encoding);
    const isToken = (text: string): boolean => reference.encode_ordinary(text).length === 1;
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    for (let number = 0; number < 1_000; number += 1) expect(isToken(String(number).padStart(3, '0'))).toBe(true);
    for (let blanks = 1; blanks < 80; blanks += 1) expect(isToken(' '.repeat(blanks))).toBe(true);
    for (const first of [...letters, ...letters.map((letter) => letter.toUpperCase()), ' ']) {
      for (const second of letters) {
        // Two letters that are bounded by one token are one.
        if (bounds(first + second).upper === 1) expect(isToken(first + second), first + second).toBe(true);
      }
    }
    expect(bounds('th').upper).toBe(1);
  });
});

test('both encodings have the same bounds; the counter carries them', () => {
  for (const tokenizer of tokenizers) {
    expect(tokenizer.count.bounds).toBe(tokenizer.bounds);
    expect(tokenizer.bounds('Why does the build fail?')).toEqual(bounds('Why does the build fail?'));
    expect(tokenizer.bounds('')).toEqual({ lower: 0, upper: 0 });
  }
});

test('a text that crosses in several chunks has the bounds that it has in one', () => {
  // A surrogate pair lies where the first chunk would end.
  const long = `${'word '.repeat(13_107)}\u{1f600}${'x = 10;\n'.repeat(20_000)}`;
  expect(long.length).toBeGreaterThan(3 * 65_536);
  expect(outside([long])).toEqual([]);
  const { lower, upper } = bounds(long);
  const parts = [bounds(long.slice(0, 65_536)), bounds(long.slice(65_536))];
  expect(Math.abs(lower - parts[0]!.lower - parts[1]!.lower)).toBeLessThanOrEqual(8);
  expect(Math.abs(upper - parts[0]!.upper - parts[1]!.upper)).toBeLessThanOrEqual(8);
});

test('least numbers that no 21 bits hold are cut, and stay bounds', () => {
  const text = '1 '.repeat(2_200_000);
  const { lower, upper } = bounds(text);
  expect(lower).toBe(2 ** 21 - 1);
  expect(upper).toBeGreaterThanOrEqual(tokenizers[0]!.count(text));
});

describe('withBounds', () => {
  test('gives bounds to another counter, which is left as it was', async () => {
    const reference = get_encoding('o200k_base');
    const count = (text: string): number => reference.encode_ordinary(text).length;
    const countTokens = await withBounds('o200k_base', count);
    expect(countTokens('one two three')).toBe(3);
    expect(countTokens.bounds?.('one two three')).toEqual(bounds('one two three'));
    expect(Object.keys(count)).toEqual([]);
  });

  test('says which argument is wrong', async () => {
    await expect(withBounds('p50k_base' as never, () => 1)).rejects.toMatchObject({
      code: 'invalid-options',
      key: 'encoding',
    });
    await expect(withBounds('o200k_base', 'count' as never)).rejects.toMatchObject({
      code: 'invalid-options',
      key: 'count',
    });
  });

  test('no text is no text', () => {
    expect(() => bounds(7 as never)).toThrow(expect.objectContaining({ code: 'invalid-options', key: 'text' }));
  });
});

test('a tokenizer that was disposed bounds nothing', async () => {
  const tokenizer = await loadTokenizer('cl100k_base');
  expect(tokenizer.bounds('a b').upper).toBeGreaterThan(0);
  tokenizer.dispose();
  expect(() => tokenizer.bounds('a b')).toThrow(expect.objectContaining({ code: 'disposed' }));
});
