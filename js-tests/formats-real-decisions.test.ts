// Real conversations in every format: presets and strategies decide what they decide for the neutral form.
import { compress, estimateTokens, type IContent, optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { expectSame } from './support/decisions.js';
import { type FormatCase, formats, neutralSaid, plain } from './support/formats.js';
import { ai, human } from './support/say.js';
import { realLogs } from './support/shared.js';
import { frozen } from './support/simulation.js';

const logs = realLogs('formats-real-decisions.test.ts');
/** With DENSIFY_RUNS all of them. */
const some = Number(process.env.DENSIFY_RUNS ?? 1) > 1 ? logs : logs.filter((_, at) => at % 12 === 5);

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

describe.skipIf(logs.length === 0).each(formats)('$name', (format) => {
  const { name, verbs, known, from, said, hasDemands } = format;

  // What harnesses write into results is read in OpenAI's formats alone, and of these logs no failure is told otherwise.
  const isTold = (log: string): boolean => !name.startsWith('openai') || !/^(?:swe-agent|openai-chat)/.test(log);

  test.each(some.filter((log) => isTold(log.name)))('$name', ({ read }) => {
    const log = read();
    const contents = single(log, format);
    // Not every format has a field for it.
    const failed = new Set(
      log.flatMap(({ blocks }) => blocks.flatMap((block) => ('error' in block ? block.callId : []))),
    );
    const isFailure = ({ callId }: { readonly callId: string }): boolean => failed.has(callId);
    const messages = frozen(from(contents));
    let changed = 0;
    for (const preset of ['seed', 'lossless', 'balanced', 'aggressive'] as const) {
      const expected = optimize(contents, { preset, isFailure });
      const output = verbs.optimize(messages as never, { preset, isFailure, ...known } as never);
      // What a provider's rules forbid is told.
      if (hasDemands === true && output.warnings.some(({ code }) => code === 'edit-held-back')) continue;
      if (expected.changed) changed += 1;
      expectSame(name, output.messages.flatMap(said), expected.messages.flatMap(neutralSaid));
    }
    const tokens = contents.map((content) => estimateTokens([content]));
    for (const strategy of ['top-down-truncation', 'high-density'] as const) {
      for (const part of [0.2, 0.9]) {
        const contextLimit = Math.ceil(part * tokens.reduce((sum, each) => sum + each, 0));
        const settings = { strategy, contextLimit, tokens, keepFirstRequest: true, isFailure };
        const expected = compress(contents, settings);
        const output = verbs.compress(messages as never, { ...settings, ...known } as never);
        expect(output.kind).toBe(expected.kind);
        if (expected.kind === 'applied') changed += 1;
        expectSame(name, output.messages.flatMap(said), expected.messages.flatMap(neutralSaid));
      }
    }
    expect(changed).toBeGreaterThan(2);
  });
});
