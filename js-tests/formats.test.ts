// The same properties over every format. A history in the provider's form gets the same decisions as in the neutral one.
// No input throws, and no pair is broken.
import { type ContentBlock, createOptimizer, type IContent, optimize } from 'densify';
import { imageTokens } from 'densify/tokens';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { history, malformedHistory, options, turns } from './support/arbitrary.js';
import { check } from './support/check.js';
import { damage, damaged, sane } from './support/damage.js';
import { expectSame, isThought, LEADS, POINTED } from './support/decisions.js';
import { complaints, type FormatCase, formats, neutralSaid, plain } from './support/formats.js';
import { Instances } from './support/instances.js';
import { bagOf, type Message } from './support/loose.js';
import { goodReply } from './support/replies.js';
import { ai, call, human, response, tool } from './support/say.js';
import { frozen } from './support/simulation.js';

const instances = new Instances();
afterAll(() => instances.stop());

/** Results of calls that failed are told by formats that have a flag for it. */
const hasFailures = ({ name }: FormatCase): boolean => !name.startsWith('openai') && name !== 'gemini';

/** The neutral history as a format has it: one whose messages are items has an entry for each block. */
function entriesOf({ isOfItems, hasDemands }: FormatCase, history: readonly IContent[]): readonly IContent[] {
  // Gemini's calls without arguments have none.
  if (hasDemands === true) return history.map((entry) => ({ ...entry, blocks: entry.blocks.map(withParameters) }));
  if (isOfItems !== true) return history;
  return history.flatMap((entry) =>
    entry.speaker === 'human' ? [entry] : entry.blocks.map((block) => ({ ...entry, blocks: [block] })),
  );
}

/** Rules that look into results and arguments; how far a budget lets them go depends on what each format costs. */
const presets = fc.constantFrom<object>(
  { flush: 'always' },
  { preset: 'lossless', flush: 'always' },
  { preset: 'balanced', flush: 'always' },
);

function withParameters(block: ContentBlock): ContentBlock {
  return block.type === 'tool_call' ? { ...block, parameters: block.parameters ?? {} } : block;
}

/** An optimizer over whatever messages. */
interface Live {
  push(...messages: Message[]): void;
  optimize(messages?: readonly Message[]): { messages: readonly Message[]; tokensAfter: number };
}

describe.each(formats)('$name', (format) => {
  const { name, verbs, known, from, said } = format;
  const optimized = (messages: readonly Message[], given: object) =>
    verbs.optimize(messages as never, { ...given, ...known } as never) as unknown as {
      messages: readonly Message[];
      changed: boolean;
      metadata: unknown;
      warnings: readonly { code: string }[];
    };

  test('decides what it decides for the neutral form', () => {
    const runs = fc.tuple(history(), options, presets, fc.boolean());
    let compared = 0;
    check(
      200,
      fc.property(runs, ([entries, plainly, preset, together]) => {
        const given = { ...plainly, ...preset, rules: { ...plainly.rules, ...format.alike?.rules } };
        // Who protects a message protects all of it.
        const merged = together && !('protect' in given);
        const contents = entriesOf(format, plain(entries, hasFailures(format)));
        const expected = optimize(contents, given as object);
        const messages = from(contents, merged);
        const output = optimized(frozen(messages), given);
        // A provider's rules may forbid an edit on which others depend. A warning says so.
        if (output.warnings.some(({ code }) => code === 'edit-held-back')) return;
        // So may be thinking that would stand last and that the caller protects.
        if ('protect' in given && LEADS.has(name) && contents.some(isThought)) return;
        compared += 1;
        expectSame(name, output.messages.flatMap(said), expected.messages.flatMap(neutralSaid));
        // Parallel calls that go together are one decision.
        if (format.hasDemands !== true) expect(output.metadata).toEqual(expected.metadata);
      }),
    );
    expect(compared).toBeGreaterThan(120);
  });

  test.skipIf(format.hasDemands)('turn by turn it comes to the same as the neutral form, whatever is handed in', () => {
    check(
      100,
      fc.property(turns(10), options, fc.constantFrom('push', 'raw', 'stored', 'fresh'), (list, given, way) => {
        const ours = verbs.createOptimizer({ ...given, ...known } as never) as unknown as Live;
        const theirs = createOptimizer<IContent>({
          ...given,
          rules: { ...given.rules, ...format.alike?.rules },
        } as object);
        const raw: IContent[] = [];
        let native: readonly Message[] = [];
        let output: readonly Message[] = [];
        let neutral = 0;
        for (const turn of list) {
          raw.push(...turn);
          const contents = entriesOf(format, plain(raw, hasFailures(format)));
          theirs.push(...contents.slice(neutral));
          neutral = contents.length;
          const fresh = from(contents).slice(native.length);
          native = [...native, ...fresh];
          if (way === 'push') ours.push(...fresh);
          const handed = way === 'raw' ? native : [...output, ...fresh];
          if (way === 'push') output = ours.optimize().messages;
          else
            output = ours.optimize(
              way === 'fresh' ? (JSON.parse(JSON.stringify(native)) as Message[]) : handed,
            ).messages;
          const expected = theirs.optimize().messages;
          expectSame(name, output.flatMap(said), expected.flatMap(neutralSaid));
        }
      }),
    );
  });

  test('untouched messages are the caller’s own, and so is the list if nothing changed; twice changes nothing more', () => {
    check(
      200,
      fc.property(history(), options, (entries, given) => {
        const messages = frozen(from(plain(entries, hasFailures(format)), true));
        const output = optimized(messages, given);
        expect(output.changed).toBe(output.messages !== messages);
        const texts = messages.map((message) => JSON.stringify(message));
        for (const message of output.messages) {
          if (!messages.includes(message)) expect(texts).not.toContain(JSON.stringify(message));
        }
        expect(optimized(output.messages, given).messages).toBe(output.messages);
      }),
    );
  });

  test('where an inclusion goes and leaves white space, a note stands in its place', () => {
    if (name.startsWith('openai-')) return; // The items of the Responses API may be blank.
    const file = '--- a.ts ---\nx\n--- End of content ---\n';
    for (const left of ['', '\n']) {
      const both = { speaker: 'human', blocks: ['', file + left].map((text) => ({ type: 'text', text })) } as IContent;
      const { messages } = optimized(from([both, both]), { rules: { fileDedupe: true } });
      const [first = {}] = messages;
      const texts = said(first).map(({ what }) => what);
      expect(texts.filter((text) => text.trim() !== '')).toEqual([POINTED]);
    }
  });

  test('an image costs what its pixels cost, in however many bytes', () => {
    const tokens = (data: string) => {
      const messages = from([human({ type: 'media', mimeType: 'image/png', data, encoding: 'base64' })]);
      return verbs.estimateTokens(messages as never);
    };
    const page = 'iVBORw0KGgoAAAANSUhEUgAABEQAAALbCAYAAADzZVWP';
    const newest = { anthropic: 'claude-4.7', gemini: 'gemini' } as const;
    const family = name.startsWith('openai') ? 'gpt-6' : (newest[name as 'gemini'] ?? 'claude');
    // Of data that is no image nothing but its length is known.
    expect(tokens(page) - tokens('AAAA')).toBe(imageTokens(family, { width: 1092, height: 731 }) - 85);
    expect(tokens(page + 'A'.repeat(400_000))).toBe(tokens(page));
  });

  test('by the formula of the model that is named', () => {
    const size = { width: 1092, height: 731 };
    const page = 'iVBORw0KGgoAAAANSUhEUgAABEQAAALbCAYAAADzZVWP';
    const tokens = (data: string, model?: string) => {
      const messages = from([human({ type: 'media', mimeType: 'image/png', data, encoding: 'base64' })]);
      const options = (model === undefined ? {} : { model }) as never;
      expect(verbs.optimize(messages as never, options).tokensBefore).toBe(
        verbs.estimateTokens(messages as never, options),
      );
      return verbs.estimateTokens(messages as never, options);
    };
    const models = [
      ['gpt-4o-mini', 'gpt-4o-mini'],
      ['openai/gpt-5-mini-2025-08-07', 'gpt-5-mini'],
      ['gpt-5.1-codex-mini', 'gpt-5-mini'],
      ['gpt-5', 'gpt-5'],
      ['openai/gpt-5.1-2025-11-13', 'gpt-5'],
      ['gpt-5.2', 'gpt-5.2'],
      ['gpt-5.4', 'gpt-5.5'],
      ['gpt-5.6', 'gpt-6'],
      ['gpt-6-astra', 'gpt-6'],
      ['gpt-4-turbo', 'gpt-4o'],
      ['gpt-4.1-nano', 'gpt-4.1-nano'],
      ['gpt-4.1', 'gpt-4.1'],
      ['o4-mini', 'o4-mini'],
      ['o3', 'o3'],
      ['gemini-2.5-flash', 'gemini'],
      ['gemini-3-pro-preview', 'gemini-3'],
      ['claude-opus-5-5', 'claude-4.7'],
      ['claude-opus-4-6', 'claude'],
    ] as const;
    for (const [model, formula] of models)
      expect([model, tokens(page, model) - tokens('AAAA', model)]).toEqual([model, imageTokens(formula, size) - 85]);
  });

  test('whatever comes in: nothing is thrown, nothing is mutated, no provider has more to complain of', () => {
    check(
      format.hasDemands ? 300 : 200,
      fc.property(
        fc.oneof(history(10), malformedHistory),
        damage,
        options,
        fc.nat(3),
        (entries, wounds, given, which) => {
          const contents = entries.filter((entry) => Array.isArray(bagOf(entry).blocks) && sane(entry));
          const messages = frozen(damaged(from(plain(contents, true), which % 2 === 0), wounds));
          const settings = { ...(which < 2 ? known : {}) };
          const outputs = [
            verbs.optimize(messages as never, { ...given, ...settings } as never).messages,
            ...(['high-density', 'top-down-truncation'] as const).map(
              (strategy) =>
                verbs.compress(messages as never, { strategy, contextLimit: 40, ...settings } as never).messages,
            ),
          ];
          for (const output of outputs) expect(complaintsBeyond(format, messages, output)).toEqual([]);
          const summary = { strategy: 'one-shot', preserve: { messages: 2 }, ...settings } as never;
          const request = verbs.requestSummary(messages as never, summary);
          if (request.kind !== 'request') return;
          const result = verbs.applySummary(
            request,
            goodReply({ strategy: 'one-shot' }),
            messages as never,
            settings as never,
          );
          expect(['applied', 'failed', 'continue']).toContain(result.kind);
          expect(complaintsBeyond(format, messages, result.messages)).toEqual([]);
        },
      ),
    );
  });
});

/** What a provider complains of in the output more often than in the input. */
function complaintsBeyond(format: FormatCase, input: readonly unknown[], output: readonly unknown[]): string[] {
  const before = complaints(format, input);
  return [...complaints(format, output)].flatMap(([what, count]) => (count > (before.get(what) ?? 0) ? [what] : []));
}

test.each(formats)(
  '$name: after a trap a history comes back in a fresh instance as it was',
  ({ verbs, known, from }) => {
    const entries = Array.from({ length: 40 }, (_, at): IContent[] => [
      ai(call(`c${at}`, at % 3 === 0 ? 'write_file' : 'read_file', { path: 'a.ts' })),
      tool(response(`c${at}`, 'x', 'a line\n'.repeat(9))),
      human(`word ${at}`),
    ]).flat();
    const messages = from(entries, true);
    const options = { ...known, rules: { recencyPruning: true, recencyRetention: 2 } } as never;
    const expected = verbs.optimize(messages as never, options);
    const optimizer = verbs.createOptimizer(options) as unknown as Live;
    optimizer.optimize(messages.slice(0, 30));
    for (const end of [60, messages.length]) {
      const before = instances.all.length;
      for (const instance of instances.all)
        instance.failIn('chunk', 1, () => new WebAssembly.RuntimeError('unreachable'));
      const { tokensAfter, messages: output } = optimizer.optimize(messages.slice(0, end));
      expect(instances.all.length).toBe(before + 1);
      if (end < messages.length) continue;
      expect(output).toEqual(expected.messages);
      expect(tokensAfter).toBe(expected.tokensAfter);
    }
  },
);
