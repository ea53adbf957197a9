// A counter with bounds is asked only near a decision, and the results are the same.
import {
  type CompressOptions,
  type ConversationOptions,
  compress,
  createConversation,
  createOptimizer,
  estimateTokens,
  type IContent,
  type TokenCounter,
} from 'densify';
import { loadTokenizer } from 'densify/tokens';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { history, turns } from './support/arbitrary.js';
import { check } from './support/check.js';
import { conversation as talk } from './support/conversations.js';
import { realLogs, someOf } from './support/shared.js';

type Size = NonNullable<CompressOptions['preserve']>;

const { count, bounds } = await loadTokenizer('o200k_base');

/** The same counter twice: one of which nothing is known, and one with bounds; each counts its calls. */
function counters() {
  const calls = { every: 0, near: 0 };
  const every: TokenCounter = (text) => ((calls.every += 1), count(text));
  const near: TokenCounter = Object.assign((text: string) => ((calls.near += 1), count(text)), { bounds });
  return { calls, every, near };
}

const preserve: fc.Arbitrary<Size> = fc.oneof(
  fc.record({ tokens: fc.nat(400) }),
  fc.record({ messages: fc.nat(8) }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const strategy = fc.constantFrom('high-density' as const, 'top-down-truncation' as const);

/** What a conversation does, turn by turn. */
function steps(list: readonly (readonly IContent[])[], options: ConversationOptions): unknown[] {
  using conversation = createConversation(options);
  return list.map((entries) => {
    conversation.add(...entries);
    return structuredClone(conversation.beforeSend());
  });
}

describe('the results are the same', () => {
  test('compress, of any history to any limit', () => {
    const { calls, every, near } = counters();
    check(
      120,
      fc.property(
        history(20),
        strategy,
        fc.integer({ min: 20, max: 2_000 }),
        preserve,
        (messages, name, limit, kept) => {
          const options = { strategy: name, contextLimit: limit, preserve: kept };
          const expected = compress(messages, { ...options, countTokens: every });
          const found = compress(messages, { ...options, countTokens: near });
          expect(found.messages).toEqual(expected.messages);
          expect(found.edits).toEqual(expected.edits);
          expect(found.kind).toBe(expected.kind);
          const asked = calls.near;
          expect(structuredClone(found)).toEqual(structuredClone(expected)); // tokens and all
          calls.near = asked;
        },
      ),
    );
    expect(calls.near).toBeLessThan(calls.every);
  });

  test('compress by a handle, with tokens read late', () => {
    check(
      80,
      fc.property(turns(), strategy, fc.integer({ min: 20, max: 2_000 }), preserve, (list, name, limit, kept) => {
        const [expected, found] = [counters().every, counters().near].map((countTokens) => {
          using optimizer = createOptimizer({ countTokens, rules: { recencyPruning: true } });
          return list.map((entries) => {
            optimizer.push(...entries);
            optimizer.optimize();
            const result = optimizer.compress({ strategy: name, contextLimit: limit, preserve: kept });
            return JSON.parse(JSON.stringify(result)) as unknown;
          });
        });
        expect(found).toEqual(expected);
      }),
    );
  });

  test('conversations, before every send', () => {
    const { calls, every, near } = counters();
    const limits = fc.record({ strategy, contextLimit: fc.integer({ min: 100, max: 20_000 }), preserve });
    check(
      60,
      fc.property(turns(30), limits, (list, options) => {
        expect(steps(list, { ...options, countTokens: near })).toEqual(steps(list, { ...options, countTokens: every }));
      }),
    );
    expect(calls.near).toBeLessThan(0.9 * calls.every);
  });

  test.each([1_500, 5_000, 20_000])('calls cut short keep what their names cost, in a window of %d', (contextLimit) => {
    const name = 'mcp__workspace_files__write_file';
    const list = [...Array(20).keys()].map((turn): IContent[] => {
      const body = Array.from({ length: 30 }, (_, line) => `export const value_${turn}_${line} = ${line};`).join('\n');
      const path = `src/f${turn}.ts`;
      return [
        { speaker: 'ai', blocks: [{ type: 'tool_call', id: `w${turn}`, name, parameters: { path, content: body } }] },
        { speaker: 'tool', blocks: [{ type: 'tool_response', callId: `w${turn}`, toolName: name, result: 'ok' }] },
        { speaker: 'ai', blocks: [{ type: 'tool_call', id: `r${turn}`, name: 'read_file', parameters: { path } }] },
        {
          speaker: 'tool',
          blocks: [{ type: 'tool_response', callId: `r${turn}`, toolName: 'read_file', result: body }],
        },
      ];
    });
    const { every, near } = counters();
    const options: ConversationOptions = {
      strategy: 'high-density',
      contextLimit,
      optimize: { tools: [{ name, kind: 'write' }] },
    };
    expect(steps(list, { ...options, countTokens: near })).toEqual(steps(list, { ...options, countTokens: every }));
    using conversation = createConversation({ ...options, countTokens: near });
    for (const messages of list) {
      conversation.add(...messages);
      const { messages: sent } = conversation.beforeSend() as { readonly messages?: readonly IContent[] };
      if (sent === undefined) continue;
      expect(conversation.tokens.current).toBe(estimateTokens(sent, { countTokens: count }));
    }
    expect(conversation.stats.edits['write-arguments']).toBeGreaterThan(0);
  });
});

describe('how often the counter is asked', () => {
  /** Calls for a conversation whose window holds so many times its tokens. */
  function calls(messages: readonly IContent[], times: number): { every: number; near: number } {
    const { calls, every, near } = counters();
    const contextLimit = Math.ceil(times * createConversationTokens(messages));
    const list = messages.map((message) => [message]);
    const [expected, found] = [every, near].map((countTokens) =>
      steps(list, { strategy: 'high-density', contextLimit, countTokens, optimize: { flush: 'always' } }),
    );
    expect(found).toEqual(expected);
    return calls;
  }

  function createConversationTokens(messages: readonly IContent[]): number {
    using conversation = createConversation({ strategy: 'high-density', contextLimit: 1e9, countTokens: count });
    conversation.add(...messages);
    return conversation.tokens.current;
  }

  test('for names of tools only, where the window is far larger than the history', () => {
    const messages = talk(7, 30);
    const names = new Set(
      messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'tool_call' ? [block.name] : []))),
    );
    expect(calls(messages, 20).near).toBeLessThanOrEqual(names.size);
  });

  test('less often, the farther the threshold is; and fewer entries where it is crossed', () => {
    const messages = talk(7, 30);
    const [small, middle, large] = [0.3, 1.2, 2].map((times) => calls(messages, times));
    expect(small!.near).toBeLessThan(small!.every);
    expect(middle!.near).toBeLessThanOrEqual(middle!.every);
    expect(large!.near).toBeLessThan(large!.every);
  });

  test('real logs', () => {
    const sums = { every: 0, near: 0 };
    for (const { read } of someOf(realLogs('tokens-lazy'))) {
      for (const times of [0.4, 1, 3]) {
        const { every, near } = calls(read().slice(0, 120), times);
        sums.every += every;
        sums.near += near;
      }
    }
    expect(sums.near).toBeLessThanOrEqual(0.75 * sums.every);
    console.log(`tokens-lazy: of ${sums.every} calls on real logs ${sums.near} are left`);
  });
});

test('a limit that the counter would tell apart is never missed by one token', () => {
  const messages = talk(3, 12);
  const { every, near } = counters();
  using exact = createConversation({ strategy: 'high-density', contextLimit: 1e9, countTokens: count });
  exact.add(...messages);
  const { current } = exact.tokens;
  for (let limit = current - 2; limit <= current + 2; limit += 1) {
    const options: ConversationOptions = { strategy: 'top-down-truncation', contextLimit: limit, threshold: 1 };
    const list = [messages];
    expect(steps(list, { ...options, countTokens: near })).toEqual(steps(list, { ...options, countTokens: every }));
  }
});

describe('bounds that are none', () => {
  const messages = talk(5, 12);
  const expected = (countTokens: TokenCounter) =>
    structuredClone(compress(messages, { strategy: 'top-down-truncation', contextLimit: 900, countTokens }));

  test.each<[string, unknown]>([
    [
      'that throw',
      () => {
        throw new Error('no bounds today');
      },
    ],
    ['of the wrong order', () => ({ lower: 5, upper: 2 })],
    ['below zero', () => ({ lower: -5, upper: 2 })],
    ['that are no numbers', () => ({ lower: 'a', upper: NaN })],
    ['that are nothing', () => undefined],
    ['that are no function', 7],
  ])('%s: the text is counted', (_, odd) => {
    const countTokens = Object.assign((text: string) => count(text), { bounds: odd }) as unknown as TokenCounter;
    expect(expected(countTokens)).toEqual(expected((text) => count(text)));
  });
});

describe("names of calls' tools", () => {
  const call = (id: string, name: string): IContent => ({
    speaker: 'ai',
    blocks: [{ type: 'tool_call', id, name, parameters: { file_path: `/w/${id}.ts` } }],
  });
  const response = (callId: string, toolName: string): IContent => ({
    speaker: 'tool',
    blocks: [{ type: 'tool_response', callId, toolName, result: `of ${callId}` }],
  });
  const session = [
    call('1', 'read_file'),
    response('1', 'read_file'),
    call('2', 'read_file'),
    response('2', 'read_file'),
    call('3', 'a_tool_with_a_long_name'),
    response('3', 'a_tool_with_a_long_name'),
  ];

  test("are counted by the caller's counter, each once; totals are plain sums", () => {
    const asked: string[] = [];
    using optimizer = createOptimizer({ countTokens: (text) => (asked.push(text), count(text)) });
    let expected = 0;
    for (const message of session) {
      optimizer.push(message);
      for (const block of message.blocks) {
        if (block.type === 'tool_call') expected += count(block.name) + count(JSON.stringify(block.parameters));
        if (block.type === 'tool_response') expected += count(String(block.result));
      }
      expect(optimizer.optimize().tokensAfter).toBe(expected);
    }
    expect(asked.filter((text) => text === 'read_file')).toHaveLength(1);
    expect(asked.filter((text) => text === 'a_tool_with_a_long_name')).toHaveLength(1);
    expect(asked).toHaveLength(8);
  });
});
