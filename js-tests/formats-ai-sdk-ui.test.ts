// The AI SDK's `UIMessage`s, and properties of all of its messages, for any input.
import { convertToModelMessages, safeValidateUIMessages } from 'ai';
import { optimize as optimizeNeutral } from 'densify';
import * as ui from 'densify/ai-sdk/ui';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, malformedHistory, options } from './support/arbitrary.js';
import { check } from './support/check.js';
import { aiSdkCase, aiSdkPromptCase, aiSdkUiCase, stepwise } from './support/formats-ai-sdk.js';
import { frozen } from './support/simulation.js';

type Part = { readonly type: string } & Record<string, unknown>;

const LINES = 'a line of a file\n'.repeat(20);
const text = (words: string): Part => ({ type: 'text', text: words });

describe('messages of user interfaces', () => {
  const done = (id: string, name: string, further: object = {}): Part => ({
    type: `tool-${name}`,
    toolCallId: id,
    state: 'output-available',
    input: { path: 'a.ts' },
    output: LINES,
    ...further,
  });
  const asked = { id: 'u1', role: 'user' as const, parts: [text('Go.')] };
  const answer = (...parts: Part[]) => ({ id: 'a1', role: 'assistant' as const, parts });
  const step: Part = { type: 'step-start' };

  test('a stale read goes from the midst of an answer, which keeps its id', () => {
    const source = { type: 'source-url', sourceId: 's', url: 'https://example.com' };
    const messages = [
      asked,
      answer(
        step,
        text('I look.'),
        done('r', 'read_file'),
        source,
        step,
        done('w', 'write_file', { output: 'ok' }),
        step,
        text('Done.'),
      ),
    ];
    const before = structuredClone(messages);
    const { messages: output } = ui.optimize(messages, { preset: 'seed', model: 'gpt-5' });
    expect(output).toEqual([
      asked,
      answer(step, text('I look.'), source, step, done('w', 'write_file', { output: 'ok' }), step, text('Done.')),
    ]);
    expect(output[0]).toBe(asked);
    expect(messages).toEqual(before);
  });

  test.each([
    { state: 'input-streaming', output: undefined },
    { state: 'input-available', output: undefined },
    { state: 'approval-requested', output: undefined, approval: { id: 'p' } },
    { state: 'approval-responded', output: undefined, approval: { id: 'p', approved: true } },
    { preliminary: true },
    { providerExecuted: true },
  ])('only answers that are final are edited: %j', (further) => {
    const messages = [asked, answer(done('r', 'read_file', further), step, done('w', 'write_file', { output: 'ok' }))];
    const output = ui.optimize(messages, {
      preset: 'seed',
      model: 'gpt-5',
      rules: { recencyPruning: true, recencyRetention: 0 },
    });
    expect(output.messages[1]?.parts[0]).toBe(messages[1]?.parts[0]);
  });

  test('failures stay failures', () => {
    const failed = done('g', 'grep', { state: 'output-error', output: undefined, errorText: LINES });
    const { messages } = ui.optimize([asked, answer(failed, step, done('h', 'grep'))], {
      preset: 'seed',
      rules: { recencyPruning: true, recencyRetention: 1 },
    });
    const [part] = messages[1]?.parts ?? [];
    expect(part).toMatchObject({ state: 'output-error', errorText: '[Result pruned — re-run tool to retrieve]' });
  });

  test('whatever comes in: nothing is thrown, ids stay, and the SDK takes what it took', async () => {
    const runs: Promise<void>[] = [];
    check(
      300,
      fc.property(fc.oneof(history(10), malformedHistory), options, fc.nat(3), (entries, given, which) => {
        const messages = frozen(aiSdkUiCase.from(entries.filter(isEntry)));
        const { protect: _, ...rest } = given;
        const settings = { ...rest, ...(which < 2 ? aiSdkUiCase.known : {}) } as never;
        const outputs = [
          ui.optimize(messages as never, settings).messages,
          ui.compress(messages as never, { strategy: 'high-density', contextLimit: 40 }).messages,
          ui.compress(messages as never, { strategy: 'top-down-truncation', contextLimit: 40 }).messages,
        ];
        const ids = new Set(messages.map(({ id }) => id));
        for (const output of outputs) {
          for (const message of output) {
            expect(ids.has(message.id)).toBe(true);
            expect(message.parts.length > 0 || messages.includes(message as never)).toBe(true);
          }
          runs.push(takesWhatItTook(messages, output));
        }
      }),
    );
    await Promise.all(runs);
  });
});

const presets = fc.constantFrom<object>(
  { flush: 'always' },
  { preset: 'lossless', flush: 'always' },
  { preset: 'balanced', flush: 'always' },
);

describe.each([aiSdkCase, aiSdkPromptCase, aiSdkUiCase])('$name', ({ verbs, known, from, said, isEmpty }) => {
  const isUi = verbs.optimize === (ui.optimize as unknown);

  test('decides what it decides for the neutral form, and nothing more a second time', () => {
    check(
      200,
      fc.property(history(), options, presets, (entries, { protect: _, ...plain }, preset) => {
        const given = { ...plain, ...preset };
        const contents = isUi ? stepwise(plainly(entries)) : plainly(entries);
        const messages = frozen(from(contents));
        const expected = optimizeNeutral(contents, given as object);
        const settings = { ...given, ...known } as never;
        const output = verbs.optimize(messages as never, settings);
        expect(output.metadata).toEqual(expected.metadata);
        const left = (list: readonly unknown[]) => {
          const others = list.flatMap(said).filter(({ kind }) => kind !== 'text');
          return [others.filter(({ kind }) => kind !== 'thought'), others.length] as const;
        };
        const [rest, count] = left(output.messages);
        const [wanted, most] = left(from(isUi ? stepwise(expected.messages) : expected.messages));
        expect(rest).toEqual(wanted);
        // A thought that would stand last goes too.
        expect(count).toBeLessThanOrEqual(most);
        expect(output.changed).toBe(output.messages !== (messages as unknown));
        const texts = new Set(messages.map((message) => JSON.stringify(message)));
        for (const message of output.messages) {
          expect(messages.includes(message as never) || !texts.has(JSON.stringify(message))).toBe(true);
        }
        // Of the other presets an edit may make another one possible, which the next run makes.
        if (!('preset' in preset)) expect(verbs.optimize(output.messages, settings).messages).toBe(output.messages);
      }),
    );
  });

  test('whatever comes in: nothing is thrown, no pair is parted, nothing is emptied', () => {
    const odd = fc.array(
      fc.tuple(fc.nat(30), fc.constantFrom('drop', 'twice', 'replace', 'empty'), fc.json({ maxDepth: 2 })),
      {
        maxLength: 4,
      },
    );
    check(
      300,
      fc.property(fc.oneof(history(10), malformedHistory), odd, options, fc.nat(3), (entries, wounds, given, which) => {
        const messages = frozen(damaged(from(entries.filter(isEntry)), wounds)) as never[];
        const settings = { ...(which < 2 ? known : {}) };
        const outputs = [
          verbs.optimize(messages, { ...given, ...settings } as never).messages,
          ...(['high-density', 'top-down-truncation'] as const).map(
            (strategy) => verbs.compress(messages, { strategy, contextLimit: 40, ...settings }).messages,
          ),
        ];
        for (const output of outputs) {
          expect(orphans(output.flatMap(said))).toBeLessThanOrEqual(orphans(messages.flatMap(said)));
          for (const message of output) expect(isEmpty(message) && !messages.includes(message as never)).toBe(false);
        }
      }),
    );
  });
});

/** How many calls and results are alone. */
function orphans(said: readonly { readonly kind: string; readonly what: string }[]): number {
  const open = new Map<string, number>();
  let alone = 0;
  for (const { kind, what } of said) {
    const calls = open.get(what) ?? 0;
    if (kind === 'call') open.set(what, calls + 1);
    else if (kind === 'result' && calls > 0) open.set(what, calls - 1);
    else if (kind === 'result') alone += 1;
  }
  return [...open.values()].reduce((sum, count) => sum + count, alone);
}

/** A history after what stores do to histories. */
function damaged(messages: readonly object[], wounds: readonly [number, string, string][]): unknown[] {
  const list: unknown[] = [...messages];
  for (const [at, kind, json] of wounds) {
    const index = at % Math.max(list.length, 1);
    const value: unknown = JSON.parse(json);
    if (kind === 'drop') list.splice(index, 1);
    else if (kind === 'twice') list.splice(index, 0, structuredClone(list[index]));
    else if (kind === 'replace') list[index] = value;
    else list[index] = { ...(list[index] as object | undefined), content: value, parts: value };
  }
  return list;
}

/** Contents that every format can say: results answer a call that is there, and are its tool's. */
function plainly(entries: readonly { speaker: string; blocks: readonly unknown[] }[]) {
  const open = new Map<string, unknown>();
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const blocks = entry.blocks.flatMap((given) => {
      const block = given as Part;
      if (entry.speaker === 'human') return ['text', 'media'].includes(block.type) ? [block] : [];
      if (entry.speaker === 'tool') {
        const callId = block.callId as string;
        const toolName = open.get(callId);
        if (block.type !== 'tool_response' || !open.delete(callId)) return [];
        const { error, ...rest } = block;
        return [
          {
            ...rest,
            toolName,
            result: typeof rest.result === 'string' ? rest.result : JSON.stringify(rest.result),
            ...(error ? { error } : {}),
          },
        ];
      }
      if (block.type === 'tool_call') {
        if (seen.has(block.id as string)) return [];
        seen.add(block.id as string);
        open.set(block.id as string, block.name);
      }
      return ['text', 'thinking', 'tool_call'].includes(block.type) ? [block] : [];
    });
    return blocks.length > 0 ? [{ ...entry, blocks }] : [];
  }) as never[];
}

function isEntry(entry: unknown): boolean {
  const { speaker, blocks } = (entry ?? {}) as { speaker?: unknown; blocks?: unknown };
  const isKnown = speaker === 'human' || speaker === 'ai' || speaker === 'tool';
  return isKnown && Array.isArray(blocks) && blocks.every((block) => typeof block?.type === 'string');
}

async function takesWhatItTook(input: readonly unknown[], output: readonly unknown[]): Promise<void> {
  if (output.length === 0 || !(await safeValidateUIMessages({ messages: input })).success) return;
  expect((await safeValidateUIMessages({ messages: output })).success).toBe(true);
  await convertToModelMessages(output as never);
}
