// Real conversations in every format: presets and strategies decide what they decide for the neutral form.
import { type CompressOptions, compress, estimateTokens, type IContent, type OptimizeOptions, optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { expectSame } from './support/decisions.js';
import { type FormatCase, formats, neutralSaid, plain, type Said } from './support/formats.js';
import { ai, human } from './support/say.js';
import { realLogs } from './support/shared.js';
import { frozen } from './support/simulation.js';
import { TIMES } from './support/times.js';

const logs = realLogs('formats-real-decisions.test.ts');
/** The same for all formats: the models that they name have prices of their own. */
const prices = { cached: 0.1, uncached: 1.25 };
const some = TIMES > 1 ? logs : logs.filter((_, at) => at % 12 === 5);

/** A conversation of which each entry is one message in the format. */
function single(contents: readonly IContent[], { isOfItems }: FormatCase): IContent[] {
  const said = plain(contents, false).flatMap((entry) =>
    entry.speaker === 'tool' || (entry.speaker === 'ai' && isOfItems === true)
      ? entry.blocks.map((block) => ({ ...entry, blocks: [block] }))
      : [entry],
  );
  // No answer ends with thinking; who begins is the user.
  const answers = said.map((entry) => {
    const last = entry.blocks.findLastIndex(({ type }) => type !== 'thinking');
    return isOfItems === true ? entry : { ...entry, blocks: entry.blocks.slice(0, last + 1) };
  });
  const left = answers.filter(({ blocks }) => blocks.length > 0);
  // Metadata of logs (which entry is a summary) is told by the neutral form alone.
  return [human('Begin.'), ...left.map(({ speaker, blocks }) => ({ speaker, blocks })), ai('Done.')];
}

/** In these logs failures are told by what harnesses write into results, which the neutral form, having fields for them, doesn't read. */
const IN_TEXTS = /^(?:swe-agent|openai-chat)/;

/** Formats of Anthropic's messages, whose cache is found at breakpoints alone: that decides when a flush pays. */
const AT_BREAKPOINTS = /^(?:anthropic|ai-sdk|langchain|pi)/;

/** What is decided of some contents, to compare with. */
interface Reference {
  optimize(
    contents: readonly IContent[],
    options: OptimizeOptions,
  ): { readonly changed: boolean; readonly said: readonly Said[] };
  compress(
    contents: readonly IContent[],
    options: CompressOptions,
  ): { readonly kind: string; readonly said: readonly Said[] };
}

const NEUTRAL: Reference = {
  optimize(contents, options) {
    const { changed, messages } = optimize(contents, options);
    return { changed, said: messages.flatMap(neutralSaid) };
  },
  compress(contents, options) {
    const { kind, messages } = compress(contents, options);
    return { kind, said: messages.flatMap(neutralSaid) };
  },
};

/** One format, which has a field for failures that isn't set, decides what all of them have to decide. */
function referenceOf(contents: readonly IContent[]): Reference {
  const { verbs, from, known, said } = formats.find(({ name }) => name === 'anthropic')!;
  const messages = frozen(from(contents)) as never;
  return {
    optimize(_, options) {
      const { changed, messages: left } = verbs.optimize(messages, { ...options, ...known } as never);
      return { changed, said: left.flatMap(said) };
    },
    compress(_, options) {
      const { kind, messages: left } = verbs.compress(messages, { ...options, ...known } as never);
      return { kind, said: left.flatMap(said) };
    },
  };
}

describe.skipIf(logs.length === 0).each(formats)('$name', (format) => {
  const { name, verbs, known, from, said, alike, hasDemands } = format;

  test.each(some)('$name', ({ name: logName, read }) => {
    const log = read();
    const contents = single(log, format);
    const reference = IN_TEXTS.test(logName) ? referenceOf(contents) : NEUTRAL;
    // Not every format has a field for it.
    const failed = new Set(
      log.flatMap(({ blocks }) => blocks.flatMap((block) => ('error' in block ? block.callId : []))),
    );
    const isFailure = ({ callId }: { readonly callId: string }): boolean => failed.has(callId);
    const messages = frozen(from(contents));
    const policy = AT_BREAKPOINTS.test(name) ? ({ flush: 'always' } as const) : {};
    let changed = 0;
    for (const preset of ['seed', 'lossless', 'balanced', 'aggressive'] as const) {
      const expected = reference.optimize(contents, { preset, prices, isFailure, ...policy, ...alike });
      const output = verbs.optimize(messages as never, { preset, prices, isFailure, ...policy, ...known } as never);
      // What a provider's rules forbid is told.
      if (hasDemands === true && output.warnings.some(({ code }) => code === 'edit-held-back')) continue;
      if (expected.changed) changed += 1;
      expectSame(name, output.messages.flatMap(said), expected.said);
    }
    const tokens = contents.map((content) => estimateTokens([content]));
    for (const strategy of ['top-down-truncation', 'high-density'] as const) {
      for (const part of [0.2, 0.9]) {
        const contextLimit = Math.ceil(part * tokens.reduce((sum, each) => sum + each, 0));
        const settings = { strategy, contextLimit, tokens, keepFirstRequest: true, isFailure };
        const expected = reference.compress(contents, settings);
        const output = verbs.compress(messages as never, { ...settings, ...known } as never);
        expect(output.kind).toBe(expected.kind);
        if (expected.kind === 'applied') changed += 1;
        expectSame(name, output.messages.flatMap(said), expected.said);
      }
    }
    expect(changed).toBeGreaterThan(2);
  });
});
