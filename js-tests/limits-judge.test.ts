// What judges `make limits`: it must find a dead end where there is one.
import { readFileSync } from 'node:fs';
import { estimateTokens, type IContent } from 'densify';
import { strategies } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { ai, human, read } from './support/say.js';

interface Ending {
  readonly kind: 'below' | 'fits' | 'dead-end' | 'too-large';
  readonly gaveUp: ReadonlySet<string>;
  readonly other?: string;
}
const path = './bench/limits.mjs';
const { ending, newest } = (await import(path)) as {
  ending: (messages: readonly IContent[], options: object) => Promise<Ending>;
  newest: (messages: readonly IContent[]) => number;
};

const words = (count: number) => 'word '.repeat(count);

test('the newest exchange is counted with its results', () => {
  const last = [ai('Well.'), ...read('1', 'a.ts', words(500))];
  expect(newest([human('Go.'), ai('Yes.'), human('Read.'), ...last])).toBeGreaterThan(500);
  expect(newest([human(words(900)), human('Go.')])).toBe(estimateTokens([human('Go.')]));
});

describe('an ending', () => {
  const options = { strategy: 'middle-out', contextLimit: 6000 };

  test('that is over the limit though the newest exchange fits is a dead end', async () => {
    const messages = [human('Go.'), ai(words(9000)), human('Go on.')];
    const forbidden = await ending(messages, { ...options, summary: { giveUp: [] } });
    expect(forbidden).toMatchObject({ kind: 'dead-end', other: 'newest exchange' });
    expect((await ending(messages, options)).kind).toBe('fits');
  });

  test('is too large where the newest exchange is', async () => {
    expect((await ending([human('Go.'), ai('Yes.'), human(words(9000))], options)).kind).toBe('too-large');
  });
});

test.each(strategies.map(({ name }) => name))('%s has no dead end in a bundled conversation', async (strategy) => {
  const file = new URL('../demo/conversations/pasted-notes-app.json', import.meta.url);
  const { contents } = JSON.parse(readFileSync(file, 'utf8')) as { readonly contents: readonly IContent[] };
  const contextLimit = Math.ceil(0.4 * estimateTokens(contents));
  const { kind } = await ending(contents, { strategy, contextLimit });
  expect(['fits', 'too-large']).toContain(kind);
});
