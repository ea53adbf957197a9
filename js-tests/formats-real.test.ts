// Real conversations in the providers' formats, through every strategy: `densify/validate` finds nothing in what
// comes out that wasn't in what went in, and neither the SDKs' own schemas nor the providers' API descriptions refuse
// any of the messages that are new.
import type { IContent } from 'densify';
import * as aiSdk from 'densify/ai-sdk';
import * as prompts from 'densify/ai-sdk/prompt';
import * as ui from 'densify/ai-sdk/ui';
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as langchain from 'densify/langchain';
import * as openai from 'densify/openai';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import * as pi from 'densify/pi';
import { type MessageFormat, type ValidateOptions, validate } from 'densify/validate';
import { afterAll, describe, expect, test } from 'vitest';
import { judges } from './support/judges.js';
import { native } from './support/native.js';
import { goodReply } from './support/replies.js';
import { realLogs } from './support/shared.js';
import { isOfOthers, makerOf, signing } from './support/signed.js';
import { frozen } from './support/simulation.js';
import { TIMES } from './support/times.js';

type Verbs = Pick<
  typeof anthropic,
  | 'optimize'
  | 'compress'
  | 'createConversation'
  | 'requestSummary'
  | 'applySummary'
  | 'estimateTokens'
  | 'digest'
  | 'shrinkResults'
>;

/** Where messages go. */
type Target = Pick<ValidateOptions, 'model' | 'provider'>;

/** The models whose rules are checked: some of each generation in the tables, and none. */
const CLAUDE = ['claude-sonnet-4-5', 'claude-opus-5-5', 'claude-opus-4-6', 'claude-3-5-haiku'].map((model) => ({
  model,
}));
const GPT = ['gpt-4o', 'gpt-5'].map((model) => ({ model }));
const GEMINI = ['gemini-2.5-pro', 'gemini-3-pro'].map((model) => ({ model }));
const ANY: readonly Target[] = [
  ...CLAUDE.map((target) => ({ ...target, provider: 'anthropic' as const })),
  ...GPT.map((target) => ({ ...target, provider: 'openai' as const })),
  ...GEMINI.map((target) => ({ ...target, provider: 'google' as const })),
  {},
];
/**
 * Who serves Chat Completions, each with demands of its own. What Mistral and strict templates ask beyond, that roles take
 * turns, edits don't keep to.
 */
const SERVERS: readonly Target[] = [{ provider: 'openai' }, { provider: 'moonshot' }, { provider: 'cerebras' }];
const to = ({ model, provider }: Target): string => [provider, model].filter(Boolean).join(' ') || 'whoever';
const FORMATS: readonly (readonly [MessageFormat, Verbs, readonly Target[]])[] = [
  ['anthropic', anthropic, [...CLAUDE, {}]],
  ['openai-chat', openai as unknown as Verbs, [...GPT, ...SERVERS, {}]],
  ['gemini', gemini as unknown as Verbs, [...GEMINI, {}]],
  ['openai-responses', responses as unknown as Verbs, [...GPT, {}]],
  ['openai-agents', agents as unknown as Verbs, [...GPT, {}]],
  ['ai-sdk', aiSdk as unknown as Verbs, ANY],
  ['ai-sdk-prompt', prompts as unknown as Verbs, ANY],
  ['ai-sdk-ui', ui as unknown as Verbs, ANY],
  ['langchain', langchain as unknown as Verbs, ANY],
  ['pi', pi as unknown as Verbs, ANY],
];

/** What histories are optimized by; where edits are made at once, a second time nothing is left to do. */
const OPTIONS: readonly (object & { flush?: 'always' })[] = [
  {},
  { flush: 'always' },
  { flush: 'always', ...{ rules: { recencyPruning: true, recencyRetention: 2 } } },
];
/** The same, of which the logs take turns. */
const MORE_OPTIONS: readonly (object & { flush?: 'always' })[] = [
  { ...{ preset: 'lossless' }, flush: 'always' },
  { ...{ preset: 'aggressive' }, flush: 'always' },
  { ...{ preset: 'seed' }, flush: 'always' },
  { ...{ preset: 'lossless', budget: 8_000 }, flush: 'always' },
];

const logs = realLogs('formats-real.test.ts');

const { ofMessages, ofConversations, ofDescriptions, langchain: core, wires } = await judges();

/** The logs have few signatures left: what would be a model's own gets one each. */
function thinking(contents: readonly IContent[]): IContent[] {
  return contents.map((content, at) => ({
    ...content,
    blocks: content.blocks.map((block, number) =>
      block.type === 'thinking' ? { ...block, signature: `s${at}.${number}` } : block,
    ),
  }));
}

/** Who gets the messages that a framework sends, by whose model it is. */
const WIRES = { anthropic: 'anthropic', openai: 'openai-responses', google: 'gemini' } as const;

/** How many judges of its format refuse a message. */
async function refusals(message: unknown, format: MessageFormat): Promise<number> {
  let count = ofDescriptions[format]?.(message) === false ? 1 : 0;
  for (const [name, judge] of Object.entries(ofMessages)) {
    if (!name.startsWith(`${format}:`)) continue;
    // LangChain judges instances; stored messages are made into those first.
    const judged = format === 'langchain' ? core.mapStoredMessagesToChatMessages([message])[0] : message;
    if (!(await judge(judged))) count += 1;
  }
  return count;
}

async function sum(messages: readonly unknown[], format: MessageFormat): Promise<number> {
  let count = 0;
  for (const message of messages) count += await refusals(message, format);
  return count;
}

/** Consecutive messages of an output that densify made, and the messages of the input that they replace. */
function replaced(
  input: readonly unknown[],
  output: readonly unknown[],
): { readonly made: readonly unknown[]; readonly of: readonly unknown[] }[] {
  const places = new Map(input.map((message, at) => [message, at]));
  const runs: { made: unknown[]; of: readonly unknown[] }[] = [];
  let [made, from]: [unknown[], number] = [[], 0];
  for (const message of [...output, undefined]) {
    const place = message === undefined ? input.length : places.get(message);
    if (place === undefined) made.push(message);
    else {
      if (made.length > 0) runs.push({ made, of: input.slice(from, place) });
      [made, from] = [[], place + 1];
    }
  }
  return runs;
}

/** How often each thing is wrong. */
function wrong(messages: readonly unknown[], given: ValidateOptions): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code, level } of validate(messages, { ...given, thinking: true }).findings) {
    if (level === 'error' && !isOfOthers(code, given.model)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

/** What is wrong more often than before. */
function more(after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...after].filter(([code, count]) => count > (before.get(code) ?? 0));
}

let sent = 0;
afterAll(() => {
  // Else the providers of the AI SDK were asked nothing.
  if (logs.length > 0) expect(sent).toBeGreaterThan(50);
});

/** With DENSIFY_RUNS each log is tested in every format with every model; otherwise in two formats with one model. */
const hasTime = TIMES > 1;

describe.skipIf(logs.length === 0).each(FORMATS)('%s', (format, verbs, targets) => {
  const number = FORMATS.findIndex(([name]) => name === format);
  const taken = logs.filter((_, at) => hasTime || (at + number) % 5 === 0);
  const cases = taken.flatMap((log, at) =>
    (hasTime ? targets : [targets[at % targets.length]!]).map((target) => ({ ...log, at, target, to: to(target) })),
  );
  test.each(cases)('$name, $to', async ({ read, target, at }) => {
    const { model } = target;
    const maker = makerOf(model);
    const input = frozen(native[format](thinking(read())).map(signing(format, maker)));
    const messages = input as never;
    const outputs: (readonly [output: readonly unknown[], original: readonly unknown[]])[] = [];
    const judged = (list: readonly unknown[], original: readonly unknown[]) =>
      wrong(list, { format, ...target, original });
    const before = judged(input, input);
    const expectFine = (output: readonly unknown[], original: readonly unknown[] = input) => {
      expect(more(judged(output, original), before)).toEqual([]);
      if (output !== input) outputs.push([output, original]);
    };
    const others = hasTime ? MORE_OPTIONS : [MORE_OPTIONS[at % MORE_OPTIONS.length]!];
    for (const options of [...OPTIONS, ...others]) {
      const given = { ...options, ...target } as never;
      const optimized = verbs.optimize(messages, given).messages;
      expectFine(optimized);
      if (options.flush === undefined) continue;
      expect(verbs.optimize(optimized as never, given).messages, JSON.stringify(options)).toBe(optimized);
    }
    const contextLimit = Math.max(100, Math.floor(verbs.estimateTokens(messages) / 2));
    for (const strategy of ['high-density', 'top-down-truncation'] as const) {
      expectFine(verbs.compress(messages, { strategy, contextLimit, ...target } as never).messages);
    }
    const talk = verbs.createConversation({ strategy: 'auto', contextLimit, ...target } as never);
    for (const message of input) {
      talk.add(message as never);
      if (talk.beforeSend().kind !== 'ready') talk.digest();
    }
    expectFine(talk.messages, talk.messages);
    talk.dispose();
    // Results are shrunk before they are sent: what is thought behind them was thought of what is left.
    const shrunk = verbs.shrinkResults(messages, target as never).messages;
    expectFine(shrunk, shrunk);
    expect(verbs.shrinkResults(shrunk, target as never).messages).toBe(shrunk);
    expectFine(verbs.digest(shrunk, { contextLimit, ...target } as never).messages, shrunk);
    for (const strategy of ['one-shot', 'middle-out', 'structured'] as const) {
      const request = verbs.requestSummary(messages, { strategy, ...target } as never);
      if (request.kind !== 'request') continue;
      const result = verbs.applySummary(request, goodReply({ strategy }), messages, target as never);
      expectFine(result.messages);
    }
    for (const [output] of outputs) {
      for (const { made, of } of replaced(input, output)) {
        const odd = await sum(made, format);
        if (odd > 0) expect(odd).toBeLessThanOrEqual(await sum(of, format));
      }
    }
    if (format !== 'ai-sdk') return;
    for (const judge of Object.values(ofConversations)) {
      if (!(await judge(input))) continue;
      for (const [output] of outputs) expect(await judge(output)).toBe(true);
    }
    // What the SDK makes of them, its provider takes as it took what it made of the input.
    const wire = WIRES[maker];
    const send = async (list: readonly unknown[]) => (await wires[wire]?.send(list)) ?? [];
    for (const [output, original] of outputs) {
      const [body, first] = [await send(output), await send(original)];
      if (first.length === 0) continue;
      expect(body).not.toEqual([]);
      sent += 1;
      const of = { format: wire, model, original: first } as const;
      expect(more(wrong(body, of), wrong(first, of))).toEqual([]);
    }
  });
});
