// Texts that grow: what densify/tokens, and optimizers with a streamed last message, count again.
import { createConversation, createOptimizer, estimateTokens, type IContent } from 'densify';
import { loadTokenizer, type TokenCounter, type Tokenizer } from 'densify/tokens';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { random } from './support/hostile-texts.js';
import { human } from './support/say.js';

type GrowingText = ReturnType<Tokenizer['growingText']>;

/** Characters for long pieces without a word end, and for pieces that end. */
const ALPHABETS: Readonly<Record<string, string>> = {
  Chinese: '的一是不了人我在有他这为之大来以个中上们',
  Japanese: 'あいうえおかきくけこさしすせそ日本語、。',
  Thai: 'กขคงจฉชซญดตถทธนบปผฝพฟภมิีุูเแ',
  letters: 'qwertyuiopasdfghjklzxcvbnm',
  capitals: 'QWERTYUIOP',
  'equals signs': '=',
  signs: '=-*/#.',
  blanks: ' ',
  'blanks and newlines': '  \n',
  prose: 'the quick brown fox, 12 times ',
  'all of it': "的กa A=1 \n'sé😀",
};

/** A text of random signs. */
function textOf(signs: string, length: number, seed: number): string {
  const all = [...signs];
  const next = random(seed);
  return Array.from({ length }, () => all[next(all.length)]).join('');
}

let tokenizers: readonly Tokenizer[];
beforeAll(async () => {
  tokenizers = await Promise.all((['o200k_base', 'cl100k_base'] as const).map((encoding) => loadTokenizer(encoding)));
});
afterAll(() => tokenizers.forEach((tokenizer) => tokenizer.dispose()));
afterEach(() => vi.restoreAllMocks());

/** Adds a text bit by bit and reads its count each time. */
function stream(growing: GrowingText, text: string, step: number, look: (at: number, tokens: number) => void): void {
  for (let at = step; at < text.length + step; at += step) {
    growing.append(text.slice(at - step, at));
    look(Math.min(at, text.length), growing.tokens);
  }
}

describe('a growing text', () => {
  test.each(Object.entries(ALPHABETS))('of %s has the count of the whole, however it is cut', (_, signs) => {
    for (const tokenizer of tokenizers) {
      for (const [step, length] of [
        [3, 1_500],
        [37, 6_000],
        [2_000, 30_000],
      ] as const) {
        const text = textOf(signs, length, step) + textOf(ALPHABETS['all of it']!, 200, step);
        stream(tokenizer.growingText(), text, step, (at, tokens) => {
          if (tokens !== tokenizer.count(text.slice(0, at))) expect.unreachable(`${tokenizer.encoding}: at ${at}`);
        });
      }
    }
  });

  test('goes on where a piece is longer than the module takes whole', () => {
    const [tokenizer] = tokenizers as [Tokenizer];
    const text = '的一'.repeat(200_000);
    const growing = tokenizer.growingText();
    for (let at = 0; at < text.length; at += 9_000) growing.append(text.slice(at, at + 9_000));
    expect(growing.tokens).toBe(tokenizer.count(text));
  });

  test.each(['Chinese', 'Japanese', 'Thai', 'letters', 'equals signs', 'blanks', 'prose'])(
    'of %s that is read at every fourth sign: twice the length is twice the work',
    (name) => {
      const [tokenizer] = tokenizers as [Tokenizer];
      const encoded = vi.spyOn(TextEncoder.prototype, 'encodeInto');
      const [half, whole] = [10_000, 20_000].map((length) => {
        encoded.mockClear();
        stream(tokenizer.growingText(), textOf(ALPHABETS[name]!, length, 5), 4, () => undefined);
        return encoded.mock.calls.reduce((sum, [text]) => sum + (text?.length ?? 0), 0);
      }) as [number, number];
      expect(whole / half).toBeLessThan(2.4);
    },
  );

  test('what is no text is the caller’s error', () => {
    for (const wrong of [5, undefined, []])
      expect(() => tokenizers[0]!.growingText().append(wrong as never)).toThrow(
        expect.objectContaining({ code: 'invalid-options', key: 'text' }),
      );
    expect(() => tokenizers[0]!.countChunks([{}] as never)).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
  });
});

/** A counter that notes how much text it was given. */
function noting(tokenizer: Tokenizer): { readonly count: TokenCounter; readonly given: { characters: number } } {
  const given = { characters: 0 };
  const note = (text: string): string => {
    given.characters += text.length;
    return text;
  };
  const growing = (): GrowingText => {
    const text = tokenizer.growingText();
    return {
      append: (more) => text.append(note(more)),
      get tokens() {
        return text.tokens;
      },
      get length() {
        return text.length;
      },
    };
  };
  const { bounds } = tokenizer;
  return { count: Object.assign((text: string) => tokenizer.count(note(text)), { bounds, growing }), given };
}

const answer = (text: string): IContent => ({ speaker: 'ai', blocks: [{ type: 'text', text }] });

describe('a last message that grows', () => {
  const pair = (at: number) => [human(`Question ${at}. `.repeat(30)), answer(`Yes, ${at}. `.repeat(30))];
  const history = Array.from({ length: 40 }, (_, at) => pair(at)).flat();
  const sizeBefore = JSON.stringify(history).length;
  const whole = textOf(ALPHABETS['prose']!, 60_000, 1) + textOf(ALPHABETS['Chinese']!, 20_000, 2);

  test.each(['tokens are read', 'tokens are bounded'])('costs what is new of it: an optimizer, %s', (how) => {
    const { count, given } = noting(tokenizers[0]!);
    const optimizer = createOptimizer({ countTokens: count });
    for (let at = 80; at <= whole.length; at += 80) {
      const messages = [...history, answer(whole.slice(0, at))];
      const result = optimizer.optimize(messages);
      if (how === 'tokens are read' || at === whole.length) {
        const expected =
          at % 16_000 === 0 ? estimateTokens(messages, { countTokens: tokenizers[0]!.count }) : undefined;
        const { tokensAfter } = result;
        if (expected !== undefined) expect(tokensAfter).toBe(expected);
      }
    }
    expect(given.characters).toBeLessThan(3 * (whole.length + sizeBefore));
    optimizer.dispose();
  });

  test('costs what is new of it: a conversation that goes back and on', () => {
    const { count, given } = noting(tokenizers[0]!);
    const conversation = createConversation({ strategy: 'high-density', contextLimit: 1_000_000, countTokens: count });
    conversation.addAll(history);
    for (let at = 400; at <= whole.length; at += 400) {
      conversation.add(answer(whole.slice(0, at)));
      const { current } = conversation.tokens;
      if (at % 20_000 === 0) {
        const expected = estimateTokens(conversation.messages, { countTokens: tokenizers[0]!.count });
        expect(current).toBe(expected);
      }
      conversation.rewind(history.length);
    }
    expect(given.characters).toBeLessThan(3 * (whole.length + sizeBefore));
    conversation.dispose();
  });

  test('that becomes another text is counted anew', () => {
    const optimizer = createOptimizer({ countTokens: tokenizers[0]!.count });
    const count = (text: string) => optimizer.optimize([...history, answer(text)]).tokensAfter;
    const expected = (text: string) =>
      estimateTokens([...history, answer(text)], { countTokens: tokenizers[0]!.count });
    for (const text of ['a '.repeat(90), 'a '.repeat(99), 'b '.repeat(99), 'b '.repeat(70), `${'b '.repeat(70)}c`])
      expect(count(text)).toBe(expected(text));
  });

  test('a count that fails once is asked for again', () => {
    let isDown = true;
    const growing = () => {
      const text = tokenizers[0]!.growingText();
      return {
        append: (more: string) => {
          if (isDown) throw new Error('down');
          text.append(more);
        },
        get tokens() {
          return text.tokens;
        },
      };
    };
    const countTokens = Object.assign((text: string) => tokenizers[0]!.count(text), { growing });
    const optimizer = createOptimizer({ countTokens });
    const tokens = (text: string) => optimizer.optimize([...history, answer(text)]).tokensAfter;
    tokens('a '.repeat(90));
    expect(() => tokens('a '.repeat(99))).toThrow(expect.objectContaining({ code: 'token-counter-failed' }));
    isDown = false;
    const messages = [...history, answer('a '.repeat(99))];
    expect(tokens('a '.repeat(99))).toBe(estimateTokens(messages, { countTokens: tokenizers[0]!.count }));
  });
});
