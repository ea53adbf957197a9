// The strategies without a model keep the same of a history in every format as in its neutral form, except where the
// provider forbids it. Each message costs the same on both sides, so that limits mean the same.
import { compress, digest, estimateTokens, type IContent } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history } from './support/arbitrary.js';
import { check } from './support/check.js';
import { expectSame } from './support/decisions.js';
import { type FormatCase, formats, neutralSaid, plain, type Said } from './support/formats.js';
import { ai, human } from './support/say.js';
import { frozen } from './support/simulation.js';

/**
 * A history of which each entry is one message in the format. It begins with the user, whom most providers want first,
 * and who stays there.
 */
function single(entries: readonly IContent[], { isOfItems }: FormatCase): IContent[] {
  const said = plain(entries, false).flatMap((entry) =>
    entry.speaker === 'tool' || (entry.speaker === 'ai' && isOfItems === true)
      ? entry.blocks.map((block) => ({ ...entry, blocks: [block] }))
      : [entry],
  );
  return [human('Begin.'), ...(isOfItems === true ? said : said.map(withoutLastThoughts).filter(isSaid))];
}

/** Thinking that an answer would end with is refused, so that no cut may lie behind it. */
function withoutLastThoughts(entry: IContent): IContent {
  const last = entry.blocks.findLastIndex(({ type }) => type !== 'thinking');
  return { ...entry, blocks: entry.blocks.slice(0, last + 1) };
}

const isSaid = ({ blocks }: IContent): boolean => blocks.length > 0;

const ACKNOWLEDGED = 'I have read the summary';

const parts = fc.double({ min: 0, max: 1.5, noNaN: true });
const tails = fc.constantFrom<object>({}, {}, { preserve: 0 }, { preserve: 0.5 }, { preserve: { messages: 3 } });

describe.each(formats)('$name', (format) => {
  const { name, verbs, known, from, said, hasDemands } = format;

  test.each(['top-down-truncation', 'high-density'] as const)(
    '%s leaves what it leaves of the neutral form',
    (strategy) => {
      let applied = 0;
      check(
        120,
        fc.property(history(), parts, tails, (entries, part, tail) => {
          const contents = single(entries, format);
          const messages = frozen(from(contents));
          const tokens = contents.map((content) => estimateTokens([content]));
          const contextLimit = 1 + Math.floor(part * tokens.reduce((sum, each) => sum + each, 0));
          const settings = { strategy, contextLimit, tokens, keepFirstRequest: true, ...tail };
          const expected = compress(contents, settings);
          // What would be left must begin with the user.
          if (expected.messages[0]?.speaker !== 'human') return;
          const output = verbs.compress(messages as never, { ...settings, ...known } as never);
          expect(output.kind).toBe(expected.kind);
          if (expected.kind === 'applied') applied += 1;
          expectSame(name, output.messages.flatMap(said), expected.messages.flatMap(neutralSaid));
        }),
      );
      expect(applied).toBeGreaterThan(60);
    },
  );

  test('a digest says what it says of the neutral form, and leaves the same', () => {
    let applied = 0;
    check(
      100,
      fc.property(history(), parts, (entries, part) => {
        const contents = [...single(entries, format), human('Go on.'), ai('Yes.')];
        const messages = frozen(from(contents));
        const settings = { preserve: { messages: 2 }, contextLimit: 1 + Math.floor(part * estimateTokens(contents)) };
        const expected = digest(contents, settings as never);
        const output = verbs.digest(messages as never, { ...settings, ...known } as never);
        // Where a call follows, Gemini takes no acknowledgement of a summary. That may save as much as a digest gains.
        if (hasDemands === true && expected.kind === 'noop') return;
        // A format may not hold arguments that are no object. The other price may decide whether a digest gains anything.
        if (output.kind !== expected.kind && verbs.estimateTokens(messages as never) !== estimateTokens(contents))
          return;
        expect(output.kind).toBe(expected.kind);
        if (expected.kind === 'applied') applied += 1;
        const [left, wanted] = [output.messages.flatMap(said), expected.messages.flatMap(neutralSaid)];
        const isOther = ({ what }: Said): boolean => hasDemands !== true || !what.startsWith(ACKNOWLEDGED);
        expectSame(name, left.filter(isOther), wanted.filter(isOther));
      }),
    );
    expect(applied).toBeGreaterThan(40);
  });
});
