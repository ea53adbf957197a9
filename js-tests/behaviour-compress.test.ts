// What a caller may expect of `compress`.
import { type CompressOptions, compress, type IContent } from 'densify';
import { describe, expect, test } from 'vitest';
import { ai, human, inclusion, read, response, tool, turn } from './support/say.js';

type Size = NonNullable<CompressOptions['preserve']>;

const LONG = 'a line of output\n'.repeat(50).trimEnd();

/** A request, ten reads, and the newest request. */
const history = [
  human('the first request'),
  ...Array.from({ length: 10 }, (_, at) => read(`r${at}`, `src/${at}.ts`, LONG)).flat(),
  ai('done'),
  human('and now this'),
];

/** Every entry counts as many tokens as it has characters of JSON: easy to add up by hand. */
const countTokens = (text: string) => text.length;

function options(more: Partial<CompressOptions>): CompressOptions {
  return { strategy: 'high-density', contextLimit: 6_000, countTokens, ...more };
}

function applied(messages: readonly IContent[], more: Partial<CompressOptions> = {}) {
  const result = compress(messages, options(more));
  if (result.kind !== 'applied') throw new Error(`nothing was done: ${result.reason}`);
  return result;
}

describe('high-density', () => {
  test('results outside the tail become one line that says what they were', () => {
    const { messages, metadata } = applied(history);
    expect(messages).toHaveLength(history.length);
    expect(messages[2]).toEqual(tool(response('r0', 'read_file', '[read_file: src/0.ts — success, 50 lines]')));
    expect(metadata).toMatchObject({
      originalMessageCount: 23,
      compressedMessageCount: 23,
      strategyUsed: 'high-density',
      llmCallMade: false,
      targetTokens: 3_060,
      entriesDropped: 0,
      targetReached: true,
    });
    expect(metadata.resultsSummarized).toBe(messages.filter((message, at) => message !== history[at]).length);
  });

  test('calls, requests and the tail are the very same objects', () => {
    const { messages, metadata } = applied(history);
    const tail = history.length - metadata.tailCount;
    messages.forEach((message, at) => {
      if (at >= tail || message.speaker !== 'tool') expect(message).toBe(history[at]);
    });
    // 0.3 of 23 entries are 7, of which the first is a response: the tail opens behind it.
    expect(metadata.tailCount).toBe(6);
  });

  test.each<[string, unknown, string | undefined, string]>([
    ['a string', LONG, undefined, '[run_shell_command: npm test — success, 50 lines]'],
    ['an output', { output: LONG }, undefined, '[run_shell_command: npm test — success, 849 chars]'],
    [
      'a structure',
      { found: Array.from({ length: 200 }, () => 'x') },
      undefined,
      '[run_shell_command: npm test — success]',
    ],
    ['an error', LONG, 'exit 1', '[run_shell_command: npm test — error, 50 lines]'],
    ['the word error in a result', `error: ${LONG}`, undefined, '[run_shell_command: npm test — success, 50 lines]'],
  ])('%s has its own line', (_, result, error, line) => {
    const entries = [...turn('c', 'run_shell_command', { command: 'npm test' }, result, error), ...history];
    const answer = applied(entries, { contextLimit: 8_000 }).messages[1]?.blocks[0];
    expect(answer).toMatchObject({ result: line, ...(error === undefined ? {} : { error }) });
  });

  test('a second time changes no line that the first one wrote', () => {
    const once = applied(history, { contextLimit: 4_000 }).messages;
    const twice = compress(once, options({ contextLimit: 1_500 }));
    const lines = (messages: readonly IContent[]) => messages.filter(({ speaker }) => speaker === 'tool');
    expect(lines(once)).toEqual(expect.arrayContaining(lines(twice.messages).slice(0, -3)));
  });

  test('when that is not enough the oldest groups go, never half a pair, the first request last', () => {
    const { messages, metadata } = applied(history, { contextLimit: 900, preserve: { messages: 2 } });
    expect(messages[0]).toBe(history[0]);
    expect(metadata.entriesDropped).toBe(history.length - messages.length);
    expect(metadata.entriesDropped).toBeGreaterThan(0);
    const ids = (type: string, key: string) =>
      messages.flatMap(({ blocks }) =>
        blocks.filter((block) => block.type === type).map((block) => Reflect.get(block, key)),
      );
    expect(ids('tool_call', 'id')).toEqual(ids('tool_response', 'callId'));
  });

  test('says when the target could not be reached', () => {
    expect(applied(history, { contextLimit: 20 }).metadata.targetReached).toBe(false);
  });
});

describe('top-down-truncation', () => {
  test('drops the oldest entries, opens at a boundary and adds nothing', () => {
    const { messages, metadata, edits } = applied(history, { strategy: 'top-down-truncation' });
    expect(messages).toEqual(history.slice(-messages.length));
    messages.forEach((message, at) => expect(message).toBe(history[history.length - messages.length + at]));
    expect(messages[0]?.speaker).not.toBe('tool');
    expect(metadata).toMatchObject({ strategyUsed: 'top-down-truncation', resultsSummarized: 0, targetReached: true });
    expect(edits).toHaveLength(metadata.entriesDropped);
    expect(new Set(edits.map(({ rule }) => rule))).toEqual(new Set(['truncation']));
  });

  test('keeps at least two entries', () => {
    const { messages, metadata } = applied(history, { strategy: 'top-down-truncation', contextLimit: 2 });
    expect(messages).toEqual(history.slice(-2));
    expect(metadata.targetReached).toBe(false);
  });

  test('keeps the first request if asked to', () => {
    const { messages } = applied(history, { strategy: 'top-down-truncation', keepFirstRequest: true });
    expect(messages[0]).toBe(history[0]);
  });
});

describe('a noop says why, and its messages are the list that was handed in', () => {
  test.each<[string, readonly IContent[], Partial<CompressOptions>]>([
    ['empty-history', [], {}],
    ['already-under-target', history, { contextLimit: 1_000_000 }],
    ['tail-covers-all', history, { preserve: 1 }],
    [
      'nothing-to-gain',
      [human(LONG), ai('done'), human(LONG)],
      { contextLimit: 100, preserve: { messages: 1 }, protect: () => true },
    ],
  ])('%s', (reason, messages, more) => {
    const result = compress(messages, options(more));
    expect(result).toMatchObject({ kind: 'noop', reason, changed: false, edits: [] });
    expect(result.messages).toBe(messages);
    expect(result.tokensAfter).toBe(result.tokensBefore);
    expect(result.metadata).toEqual({
      originalMessageCount: messages.length,
      compressedMessageCount: messages.length,
      strategyUsed: 'high-density',
      llmCallMade: false,
    });
  });
});

describe('budget', () => {
  test.each<[Partial<CompressOptions>, number]>([
    [{}, 3_060],
    [{ threshold: 0.5 }, 1_800],
    [{ reserve: 1_000 }, 2_550],
    [{ overhead: 2_000 }, 2_040],
    [{ reserve: 1_000, overhead: 1_000, threshold: 1 }, 2_400],
  ])('%j aims at %d tokens', (more, target) => {
    expect(applied(history, more).metadata.targetTokens).toBe(target);
  });

  // The last entries are: a call, its response of 849 tokens, 'done' and 'and now this'.
  test.each<[Size, number]>([
    [{ messages: 1 }, 1],
    [{ messages: 3 }, 2],
    [{ messages: 4 }, 4],
    [{ fraction: 0.5 }, 12],
    [0.5, 12],
    [{ tokens: 16 }, 2],
    [{ tokens: 1_000 }, 4],
  ])('preserve %j keeps %d entries, from a boundary on', (preserve, count) => {
    expect(applied(history, { preserve }).metadata.tailCount).toBe(count);
  });

  test("the caller's own counts of each message win", () => {
    const tokens = history.map((_, at) => (at === 2 ? 1_000 : 1));
    const result = applied(history, { tokens, contextLimit: 1_500, countTokens: undefined });
    expect(result.metadata.tokensBefore).toBe(1_000 + history.length - 1);
    expect(result.tokensBefore).toBe(result.metadata.tokensBefore);
    expect(result.tokensAfter).toBe(result.metadata.tokensAfter);
    expect(result.metadata.targetReached).toBe(true);
  });
});

test('protected messages stay as they are', () => {
  const isFirstRead = (message: IContent) => message === history[1] || message === history[2];
  const { messages } = applied(history, { protect: isFirstRead });
  expect(messages[2]).toBe(history[2]);
  expect(messages[4]).not.toBe(history[4]);
});

test('compress does not do the work of optimize', () => {
  const included = [human(inclusion('a', LONG)), ...history.slice(1), human(inclusion('a', LONG))];
  const { messages } = applied(included, { contextLimit: 7_000 });
  expect(messages[0]).toBe(included[0]);
});
