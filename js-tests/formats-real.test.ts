// Real conversations in the providers' formats, through every strategy: `densify/validate` finds nothing in what
// comes out that wasn't in what went in, and neither the SDKs' own schemas nor the providers' API descriptions refuse
// any of the messages that are new.
import * as anthropic from 'densify/anthropic';
import * as gemini from 'densify/gemini';
import * as aiSdk from 'densify/ai-sdk';
import * as prompts from 'densify/ai-sdk/prompt';
import * as ui from 'densify/ai-sdk/ui';
import * as langchain from 'densify/langchain';
import * as openai from 'densify/openai';
import * as pi from 'densify/pi';
import * as agents from 'densify/openai-agents';
import * as responses from 'densify/openai-responses';
import { type MessageFormat, validate } from 'densify/validate';
import { describe, expect, test } from 'vitest';
import { judges } from './support/judges.js';
import { native } from './support/native.js';
import { goodReply } from './support/replies.js';
import { realLogs } from './support/shared.js';
import { frozen } from './support/simulation.js';

type Verbs = Pick<
  typeof anthropic,
  'optimize' | 'compress' | 'requestSummary' | 'applySummary' | 'estimateTokens' | 'digest' | 'shrinkResults'
>;

/** Whose rules hold: nobody's in particular, those of an old generation and of a new one; the logs take turns. */
const CLAUDE = ['claude-sonnet-4-5', 'claude-opus-5-5', undefined] as const;
const GPT = ['gpt-4o', 'gpt-5', undefined] as const;
const GEMINI = ['gemini-2.5-pro', 'gemini-3-pro', undefined] as const;
const FORMATS: readonly (readonly [MessageFormat, Verbs, readonly (string | undefined)[]])[] = [
  ['anthropic', anthropic, CLAUDE],
  ['openai-chat', openai as unknown as Verbs, GPT],
  ['gemini', gemini as unknown as Verbs, GEMINI],
  ['openai-responses', responses as unknown as Verbs, GPT],
  ['openai-agents', agents as unknown as Verbs, GPT],
  ['ai-sdk', aiSdk as unknown as Verbs, [...CLAUDE, 'gpt-5', 'gemini-3-pro']],
  ['ai-sdk-prompt', prompts as unknown as Verbs, [...CLAUDE, 'gpt-5', 'gemini-3-pro']],
  ['ai-sdk-ui', ui as unknown as Verbs, [...CLAUDE, 'gpt-5', 'gemini-3-pro']],
  ['langchain', langchain as unknown as Verbs, [...CLAUDE, 'gpt-5', 'gemini-3-pro']],
  ['pi', pi as unknown as Verbs, [...CLAUDE, 'gpt-5', 'gemini-3-pro']],
];

/** What histories are optimized by; a second time nothing is left to do. */
const OPTIONS: readonly object[] = [{}, { recencyPruning: true, recencyRetention: 2 }];

const logs = realLogs('formats-real.test.ts');

const { ofMessages, ofDescriptions, langchain: core } = await judges();

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

/** How often each thing is wrong. */
function wrong(messages: readonly unknown[], format: MessageFormat, model: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code, level } of validate(messages, { format, model }).findings) {
    if (level === 'error') counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}

describe.skipIf(logs.length === 0).each(FORMATS)('%s', (format, verbs, models) => {
  test.each(logs.map((log, at) => ({ ...log, model: models[at % models.length] })))(
    '$name, $model',
    async ({ read, model }) => {
      const input = frozen(native[format](read()));
      const messages = input as never;
      const handed = new Set<unknown>(input);
      /** Of each list that came out, the messages that are nobody's but ours. */
      const made: (readonly unknown[])[] = [];
      const before = wrong(messages, format, model);
      const expectFine = (output: readonly unknown[]) => {
        const more = [...wrong(output, format, model)].filter(([code, count]) => count > (before.get(code) ?? 0));
        expect(more).toEqual([]);
        made.push(output.filter((message) => !handed.has(message)));
      };
      const target = { model } as never;
      for (const options of OPTIONS) {
        const given = { ...options, model } as never;
        const optimized = verbs.optimize(messages, given).messages;
        expectFine(optimized);
        expect(verbs.optimize(optimized as never, given).messages, JSON.stringify(options)).toBe(optimized);
      }
      const contextLimit = Math.max(100, Math.floor(verbs.estimateTokens(messages) / 2));
      for (const strategy of ['high-density', 'top-down-truncation'] as const) {
        expectFine(verbs.compress(messages, { strategy, contextLimit, model } as never).messages);
      }
      const shrunk = verbs.shrinkResults(messages, target).messages;
      expectFine(shrunk);
      expect(verbs.shrinkResults(shrunk, target).messages).toBe(shrunk);
      expectFine(verbs.digest(shrunk, { contextLimit, model } as never).messages);
      for (const strategy of ['one-shot', 'middle-out', 'structured'] as const) {
        const request = verbs.requestSummary(messages, { strategy, model } as never);
        if (request.kind !== 'request') continue;
        const result = verbs.applySummary(request, goodReply({ strategy }), messages, target);
        expectFine(result.messages);
      }
      const sum = async (list: readonly unknown[]) => {
        let count = 0;
        for (const message of list) count += await refusals(message, format);
        return count;
      };
      const odd: number[] = [];
      for (const list of made) odd.push(await sum(list));
      if (odd.some((count) => count > 0)) expect(Math.max(...odd)).toBeLessThanOrEqual(await sum(input));
    },
  );
});
