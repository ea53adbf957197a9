// Exact counts against the reference implementation, the npm package `tiktoken`.
import { loadTokenizer } from 'densify/tokens';
import { get_encoding } from 'tiktoken';
import { describe, expect, test } from 'vitest';
import { hostileTexts } from './support/hostile-texts.js';
import { textsOfLogs } from './support/shared.js';
import { TIMES } from './support/times.js';

/** Characters whose class differs because the reference has another version of Unicode's tables. */
const OTHER_UNICODE: readonly number[] = [];

describe.each(['o200k_base', 'cl100k_base'] as const)('%s', (encoding) => {
  const reference = get_encoding(encoding);

  async function compare(texts: Iterable<string>): Promise<void> {
    using tokenizer = await loadTokenizer(encoding);
    const different: unknown[] = [];
    for (const text of texts) {
      const [ours, theirs] = [tokenizer.count(text), reference.encode_ordinary(text).length];
      if (ours !== theirs && different.length < 10) different.push({ text: text.slice(0, 200), ours, theirs });
    }
    expect(different).toEqual([]);
  }

  test('hostile texts', async () => {
    await compare(hostileTexts(4_000 * TIMES, Number(process.env['DENSIFY_SEED'] ?? 2_026)));
  });

  test('every character, where patterns tell classes apart', async () => {
    const step = TIMES > 1 ? 1 : 13;
    const texts: string[] = [];
    for (let code = 0; code < 0x110000; code += code < 0x20000 || code >= 0xe0000 ? step : 97 * step) {
      if (OTHER_UNICODE.includes(code)) continue;
      const c = String.fromCodePoint(code);
      texts.push(`1${c}234 ${c}'s b \n${c}  x${c}${c}'ll ${c}\n\n1${c}${c}2345`);
    }
    await compare(texts);
  });

  test('blocks of real logs', async () => {
    // The reference takes quadratic time for long runs.
    await compare([...textsOfLogs('tokens-equal')].filter(({ length }) => length < 200_000));
  });

  test('text that looks like special tokens', async () => {
    await compare(['<|endoftext|>', '<|fim_prefix|>a<|fim_suffix|>', 'x<|endofprompt|>\n', '<|im_start|>user']);
  });
});
