// What the SDKs' own schemas and types refuse, we refuse; what we repaired, they accept.
import type { IContent } from 'densify';
import * as anthropic from 'densify/anthropic';
import * as openai from 'densify/openai';
import * as responses from 'densify/openai-responses';
import { type MessageFormat, repair, type ValidateOptions, validate } from 'densify/validate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history } from './support/arbitrary.js';
import { breakUp, broken } from './support/broken.js';
import { check, checkAsync } from './support/check.js';
import { judges } from './support/judges.js';
import { native } from './support/native.js';
import { goodReply } from './support/replies.js';
import { SAMPLES } from './support/samples.js';

const { ofMessages, ofConversations, ofDescriptions, langchain, wires, agents } = await judges();

type Verbs = Pick<
  typeof anthropic,
  'optimize' | 'compress' | 'requestSummary' | 'applySummary' | 'digest' | 'shrinkResults'
>;

/** The formats whose providers describe their APIs. */
const DESCRIBED: Readonly<Record<string, Verbs>> = {
  anthropic,
  'openai-chat': openai as unknown as Verbs,
  'openai-responses': responses as unknown as Verbs,
};

type Path = readonly (string | number)[];

/** What is put in the place of a value; `undefined` also takes its key away. */
const ODD: readonly unknown[] = [
  undefined,
  null,
  5,
  -1.5,
  true,
  'x',
  '',
  [],
  {},
  ['a'],
  [5],
  { type: 'foo' },
  { type: 'text' },
];

function* places(value: unknown, at: Path = []): Generator<Path> {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* places(inner, [...at, Array.isArray(value) ? Number(key) : key]);
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown, gone: boolean): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  if (gone && rest.length === 0) Reflect.deleteProperty(copy, key);
  else copy[key] = replaced(copy[key], rest, by, gone);
  return Array.isArray(copy) ? (copy as unknown[]).filter((_, at) => at in copy) : copy;
}

function* mutations(
  sample: Record<string, unknown>,
): Generator<{ readonly value: unknown; readonly at: Path; readonly by: unknown }> {
  for (const at of places(sample)) {
    yield { value: replaced(sample, at, undefined, true), at, by: undefined };
    for (const by of ODD) yield { value: replaced(sample, at, by, false), at, by };
  }
}

/** Where a judge asks for more than the API does, or an older version for less than the newest gives. */
function isExcused(judge: string, { at, by }: { at: Path; by: unknown }, sample: Record<string, unknown>): boolean {
  const last = at.at(-1);
  const nothing = by === undefined || by === null;
  // The types want them; Codex sends messages of the model without them, and `detail` has a default.
  if (judge === 'openai-responses: types' && nothing) {
    return (
      ['id', 'status', 'annotations', 'detail'].includes(String(last)) && (sample['type'] ?? 'message') === 'message'
    );
  }
  // Contents without a role are the user's; the schema was narrowed by hand.
  if (judge === 'gemini: types') return by === undefined && last === 'role';
  // References to files that a provider holds are new in version 7.
  return judge === 'ai-sdk: version 6' && (last === 'data' || last === 'image') && typeof by === 'object';
}

describe('shapes', () => {
  test.each(Object.entries(ofMessages))('%s', async (name, judge) => {
    const format = name.slice(0, name.indexOf(':')) as MessageFormat;
    let refused = 0;
    for (const sample of SAMPLES[format] ?? []) {
      expect([await judge(sample), sample]).toEqual([true, sample]);
      for (const mutation of mutations(sample)) {
        if ((await judge(mutation.value)) || isExcused(name, mutation, sample)) continue;
        refused += 1;
        const { ok } = validate([mutation.value], { format, allowSystem: true });
        expect([ok, name, mutation.at.join('.'), mutation.by]).toEqual([
          false,
          name,
          mutation.at.join('.'),
          mutation.by,
        ]);
      }
    }
    // A judge that refuses nothing would agree with anything.
    expect(refused).toBeGreaterThan(100);
  });
});

/** What is done to a history by each strategy. */
const STRATEGIES = ['optimize', 'high-density', 'top-down-truncation', 'digest', 'shrinkResults', 'one-shot'] as const;

describe.each(Object.entries(ofDescriptions))("%s: the provider's API description", (name, judge) => {
  const format = name as MessageFormat;
  const verbs = DESCRIBED[name]!;

  test('accepts most of the samples, and refuses much of what is broken', () => {
    const samples = SAMPLES[format] ?? [];
    // The SDKs, and what harnesses send, are ahead of the description in a few.
    const accepted = samples.filter(judge);
    expect(accepted.length / samples.length).toBeGreaterThan(0.75);
    const refused = accepted.flatMap((sample) => [...mutations(sample)]).filter(({ value }) => !judge(value));
    expect(refused.length).toBeGreaterThan(500);
  });

  test('refuses no message that a strategy made of those that it accepts', () => {
    let made = 0;
    check(
      300,
      fc.property(history(12), fc.constantFrom(...STRATEGIES), (entries, strategy) => {
        const messages = native[format](entries).filter(judge);
        const given = new Set<unknown>(messages);
        for (const message of madeBy(strategy, verbs, messages)) {
          if (given.has(message)) continue;
          made += 1;
          expect([judge(message), message]).toEqual([true, message]);
        }
      }),
    );
    expect(made).toBeGreaterThan(100);
  });
});

/** The messages after a strategy. */
function madeBy(strategy: (typeof STRATEGIES)[number], verbs: Verbs, list: readonly unknown[]): readonly unknown[] {
  const messages = list as never;
  const settings = { contextLimit: 60, preserve: { messages: 2 } };
  if (strategy === 'optimize') {
    return verbs.optimize(messages, { preset: 'balanced', rules: { recencyPruning: true, recencyRetention: 1 } })
      .messages;
  }
  if (strategy === 'shrinkResults') return verbs.shrinkResults(messages).messages;
  if (strategy === 'digest') return verbs.digest(messages, settings).messages;
  if (strategy !== 'one-shot') return verbs.compress(messages, { ...settings, strategy }).messages;
  const request = verbs.requestSummary(messages, { strategy, preserve: { messages: 2 } });
  if (request.kind !== 'request') return [];
  return verbs.applySummary(request, goodReply({ strategy }), messages).messages;
}

/** The SDK's providers look tools up by their names, also those that every object has. */
function plainlyNamed(content: IContent): IContent {
  const blocks = content.blocks.map((block) => {
    if (block.type === 'tool_call') return { ...block, name: `tool_${block.name}` };
    return block.type === 'tool_response' ? { ...block, toolName: `tool_${block.toolName}` } : block;
  });
  return { ...content, blocks };
}

describe('conversations', () => {
  test.each(Object.entries(ofConversations))(
    '%s refuses nothing that we let through, and nothing that we repaired',
    async (_name, judge) => {
      let refused = 0;
      await checkAsync(
        200,
        fc.asyncProperty(broken, async ({ contents, changes }) => {
          const messages = breakUp(native['ai-sdk'](contents as IContent[]), changes);
          const options = { format: 'ai-sdk' } as const;
          const accepted = await judge(messages);
          if (!accepted) refused += 1;
          if (validate(messages, options).ok) expect([accepted, messages]).toEqual([true, messages]);
          const { messages: after, ok } = repair(messages, options);
          if (ok) expect([await judge(after), after]).toEqual([true, after]);
        }),
      );
      expect(refused).toBeGreaterThan(10);
    },
  );

  const PROVIDERS: Readonly<Record<string, NonNullable<ValidateOptions['provider']>>> = {
    anthropic: 'anthropic',
    gemini: 'google',
  };

  test.each(Object.entries(wires))(
    "%s: what the AI SDK's provider sends of repaired messages is in order",
    async (format, { model, send }) => {
      let sent = 0;
      await checkAsync(
        100,
        fc.asyncProperty(broken, async ({ contents, changes }) => {
          const messages = breakUp(native['ai-sdk'](contents.map(plainlyNamed)), changes);
          const provider = PROVIDERS[format] ?? 'openai';
          const { messages: after, ok } = repair(messages, { format: 'ai-sdk', provider, model });
          const body = ok ? await send(after) : [];
          if (body.length === 0) return;
          sent += 1;
          const { findings } = validate(body, { format: format as MessageFormat, model });
          // Google's converter leaves two messages of the model in a row as they are.
          const errors = findings.filter(({ level, code }) => level === 'error' && code !== 'call-position');
          expect([errors, body]).toEqual([[], body]);
        }),
      );
      expect(sent).toBeGreaterThan(50);
    },
  );

  test('openai-agents: what the SDK sends of repaired items is in order', async () => {
    let sent = 0;
    await checkAsync(
      100,
      fc.asyncProperty(broken, async ({ contents, changes }) => {
        const items = breakUp(native['openai-agents'](contents as IContent[]), changes);
        const { messages, ok } = repair(items, { format: 'openai-agents' });
        if (!ok || messages.length === 0) return;
        sent += 1;
        const body = await agents(messages);
        expect(
          validate(body, { format: 'openai-responses' }).findings.filter(({ level }) => level === 'error'),
        ).toEqual([]);
      }),
    );
    expect(sent).toBeGreaterThan(50);
  });

  test('LangChain: instances and their stored form are judged alike, and repairs are messages of LangChain', () => {
    check(
      200,
      fc.property(broken, ({ contents, changes }) => {
        const stored = breakUp(native['langchain'](contents as IContent[]), changes);
        const instances = langchain.mapStoredMessagesToChatMessages(stored);
        const codes = (list: readonly unknown[]): string[] =>
          validate(list, { format: 'langchain' }).findings.map(({ code, path }) => `${code} ${path[0] ?? ''}`);
        expect(codes(instances)).toEqual(codes(stored));
        const { messages, ok } = repair(instances, { format: 'langchain' });
        for (const message of messages) langchain.coerceMessageLikeToMessage(message);
        if (ok) expect(codes(messages).filter((code) => /orphan|misplaced|duplicate/.test(code))).toEqual([]);
      }),
    );
  });
});
