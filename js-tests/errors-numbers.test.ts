// Every option that is a number. A value out of range is an error that names the option, the value and the range, even for
// an empty history. A value in range is taken.
import {
  compress,
  createConversation,
  createOptimizer,
  digest,
  type OptimizeOptions,
  optimize,
  requestSummary,
  shrinkResults,
} from 'densify';
import { plan } from 'densify/anthropic';
import { createRecall } from 'densify/recall';
import { replay } from 'densify/replay';
import { shrinkResult } from 'densify/tools';
import { readTranscript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';
import { human } from './support/say.js';
import { thrownBy } from './support/thrown.js';

const history = [human('Hello.'), human('And?')];
const conversation = (options: object) => createConversation({ contextLimit: 1_000, ...options }).dispose();

/** A call with options that TypeScript would refuse. */
type Call = (options: never) => unknown;

const calls: Readonly<Record<string, Call>> = {
  optimize: (options) => optimize(history, options),
  createOptimizer: (options) => createOptimizer(options).dispose(),
  compress: (options: object) => compress(history, { strategy: 'top-down-truncation', contextLimit: 100, ...options }),
  plan: (to: object) => plan({ messages: [], from: {}, to: { contextLimit: 100, ...to } }),
  requestSummary: (options: object) => requestSummary(history, { strategy: 'one-shot', contextLimit: 100, ...options }),
  digest: (options) => digest(history, options),
  shrinkResult: (options) => shrinkResult({ name: 'bash' }, 'short', options),
  shrinkResults: (options) => shrinkResults(history, options),
  createConversation: conversation,
  beforeSend: (options) => createConversation({ contextLimit: 1_000 }).beforeSend(options),
  createRecall: (options: object) => createRecall({ secret: 'long enough for a secret', ...options }),
  replay: (options) => replay(history, options),
  readTranscript: (options) => readTranscript('', options),
};

/** An option of a call: numbers that are out of its range, and some that aren't. */
type Row = readonly [call: string, key: string, wrong: readonly number[], right: readonly number[]];

const rows: readonly Row[] = [
  ...['optimize', 'createOptimizer'].flatMap((call): Row[] => [
    [call, 'budget', [-1, -0.1], [0, 0.5, 1e12]],
    // Fewer than one is one.
    [call, 'rules.recencyRetention', [], [-1, 0, 1.5]],
    [call, 'flush.tokens', [-1], [0, 1.5]],
    [call, 'prices.cached', [-1], [0, 1.5]],
    [call, 'prices.uncached', [-1], [0, 1.5]],
  ]),
  ...['compress', 'requestSummary', 'createConversation'].flatMap((call): Row[] => [
    [call, 'contextLimit', [-1, 0], [1.5, 1e12]],
    [call, 'threshold', [-1, 0, 1.01], [0.01, 1]],
    [call, 'reserve', [-1], [0, 1.5]],
    [call, 'overhead', [-1], [0, 1.5]],
    [call, 'preserve', [-1, 1.01, 10], [0, 0.5, 1]],
    [call, 'preserve.fraction', [-1, 1.01], [0, 1]],
    [call, 'preserve.messages', [-1], [0, 1.5]],
    [call, 'preserve.tokens', [-1], [0, 1.5]],
  ]),
  ['plan', 'contextLimit', [-1, 0], [1, 1e6]],
  ['requestSummary', 'topPreserve', [-1, 1.01, 10], [0, 1]],
  ['requestSummary', 'window', [-1, 0, 0.5], [50_000]],
  ['requestSummary', 'replyTokens', [-1, 0, 0.5], [1, 1.5]],
  ['createConversation', 'summary.softThreshold', [-1, 0, 1.01], [0.5]],
  ['createConversation', 'summary.maxFailures', [-1, 0, 0.5], [1, 1.5]],
  ['createConversation', 'optimize.budget', [-1], [0]],
  ['createConversation', 'intake.maxResultTokens', [-1, 0, 99], [100]],
  ['createConversation', 'summary.replyTokens', [-1, 0], [1]],
  ['beforeSend', 'pendingTokens', [-1], [0, 1.5]],
  ['digest', 'tokens', [-1, 0, 99], [100, 100.5]],
  ['shrinkResult', 'maxResultTokens', [-1, 0, 99], [100, 100.5]],
  ['shrinkResults', 'maxResultTokens', [-1, 0, 99], [100]],
  ['shrinkResults', 'since', [-1, 0.5], [0, 2]],
  ['createRecall', 'maxCharacters', [-1, 0, 99], [100]],
  ['replay', 'contextLimit', [-1, 0, 0.5], [1_000]],
  ['readTranscript', 'maxLineLength', [-1, 0, 0.5], [1]],
];

/** What else is in an object that holds a number. */
const BESIDE: Readonly<Record<string, object>> = {
  'prices.cached': { uncached: 1 },
  'prices.uncached': { cached: 1 },
};

/** `{flush: {tokens: 1}}` of `flush.tokens`. */
function optionsWith(key: string, value: unknown): object {
  const [outer = '', inner] = key.split('.');
  return { [outer]: inner === undefined ? value : { ...BESIDE[key], [inner]: value } };
}

describe.each(rows)('%s: %s', (call, key, wrong, right) => {
  const attempt = (value: unknown) => calls[call]!(optionsWith(key, value) as never);

  test.each([...wrong, NaN, Infinity, -Infinity].map((value) => [value]))('%s is an error that says so', (value) => {
    const { code, key: named, message } = thrownBy(() => attempt(value));
    // Of the options of a conversation's parts the option is named, of a size or prices the whole.
    expect(code).toBe('invalid-options');
    expect(key.split('.').some((part) => named?.includes(part))).toBe(true);
    expect(message).toMatch(
      /^(?:option |')[\w.]+'?:? found .*(?:\d|NaN|Infinity|an object with|null).* ?expected .*\w/,
    );
  });

  test.each(right.map((value) => [value]))('%s is taken', (value) => {
    expect(() => attempt(value)).not.toThrow();
  });

  test('a text of a number is none', () => {
    expect(thrownBy(() => attempt('3')).code).toBe('invalid-options');
  });
});

test('whoever gives a number where messages were meant is told how to say that', () => {
  const wanted = /^option preserve: found 10, expected a fraction from 0 to 1, \{messages\} or \{tokens\}$/;
  expect(thrownBy(() => calls.compress!({ preserve: 10 } as never)).message).toMatch(wanted);
  expect(thrownBy(() => calls.createConversation!({ preserve: 10 } as never)).message).toMatch(wanted);
});

test('a number is no list, no object and no function, and the error says which it should be', () => {
  const told = (options: object) => thrownBy(() => optimize(history, options as OptimizeOptions)).message;
  expect(told({ rules: { recencyTools: 10 } })).toBe('option rules.recencyTools: found 10, expected a list of strings');
  expect(told({ tools: 10 })).toBe('option tools: found 10, expected a list of tool definitions');
  expect(told({ protect: 10 })).toBe('option protect: found 10, expected a function');
  expect(told({ flush: 10 })).toMatch(
    /^option flush: found 10, expected 'always'.* or \{ tokens \} with a number of at least 0$/,
  );
  expect(told({ prices: 10 })).toBe('option prices: found 10, expected {cached, uncached}, numbers of at least 0');
  expect(told(10 as never)).toMatch(/^options?:? .*found 10.*expected an object/);
});
