// An error about an unknown option lists the known ones, the likeliest first, and says where the option belongs.
import {
  compress,
  createConversation,
  createOptimizer,
  digest,
  estimateTokens,
  optimize,
  requestSummary,
  shrinkResults,
} from 'densify';
import { middleware as aiSdkMiddleware, prepareStep } from 'densify/ai-sdk';
import { createConversation as converse, middleware, optimizeRequest } from 'densify/anthropic';
import { proposeDensity } from 'densify/host';
import { wrapModelCall } from 'densify/langchain';
import { compress as compressChat, optimize as optimizeChat } from 'densify/openai';
import { callModelInputFilter } from 'densify/openai-agents';
import { transformContext } from 'densify/pi';
import { shrinkResult } from 'densify/tools';
import { describe, expect, test } from 'vitest';
import { thrownBy } from './support/thrown.js';

const nothing = () => undefined;
const window = { strategy: 'high-density', contextLimit: 100 };

/** The names in an error message, and its further text. */
function told(action: () => unknown): {
  readonly names: readonly string[];
  readonly more: string;
  readonly key: string;
} {
  const { code, message, key } = thrownBy(action);
  const found = /: found an unknown key(?: \((.*)\))?, expected one of ([\w, ]+)(.*)/.exec(message);
  const [, place, named, more = ''] = found ?? [];
  expect([code, named === undefined ? message : 'told']).toEqual(['invalid-options', 'told']);
  return { names: named!.split(', '), more: place ?? more, key: key! };
}

const RULES = ['preset', 'budget', 'rules', 'workspaceRoot', 'flush', 'tools'];
const FUNCTIONS = ['protect', 'isFailure', 'countTokens'];
const TARGET = ['model', 'provider'];
const HOOK = ['observe', 'onResult', 'onWarning', 'conversation', 'summarize', 'maxRuns'];

/** Each entry: the names that its errors hold among others, and a call with wrong options. */
const ENTRIES: readonly (readonly [string, readonly string[], (options: never) => unknown])[] = [
  ['optimize', [...RULES, ...FUNCTIONS, 'recall'], (options) => optimize([], options)],
  ['createOptimizer', [...RULES, ...FUNCTIONS, 'recall'], (options) => createOptimizer(options)],
  [
    'compress',
    ['contextLimit', 'preserve', 'tokens', ...FUNCTIONS],
    (o) => compress([], Object.assign({ ...window }, o)),
  ],
  ['optimize of a format', [...RULES, ...FUNCTIONS, ...TARGET, 'generation'], (options) => optimizeChat([], options)],
  ['compress of a format', ['contextLimit', ...TARGET], (o) => compressChat([], Object.assign({ ...window }, o))],
  ['optimizeRequest', [...RULES, ...TARGET, 'generation'], (options) => optimizeRequest({ messages: [] }, options)],
  [
    'createConversation',
    ['strategy', 'optimize', 'summary', 'countTokens'],
    (o) => createConversation(Object.assign({ ...window }, o)),
  ],
  ['that of a format', ['strategy', 'generation', 'model'], (o) => converse(Object.assign({ ...window }, o))],
  [
    'requestSummary',
    ['instructions', 'pins', 'prompts', 'model'],
    (o) => requestSummary([], Object.assign({ strategy: 'one-shot' }, o)),
  ],
  ['digest', ['tokens', 'pins', 'redact', 'isFailure', 'isUser'], (options) => digest([], options)],
  ['shrinkResults', ['maxResultTokens', 'since', 'protect', 'recall'], (options) => shrinkResults([], options)],
  ['shrinkResult', ['maxResultTokens', 'reducers', 'recall'], (options) => shrinkResult({ name: 'bash' }, '', options)],
  ['estimateTokens', ['countTokens'], (options) => estimateTokens([], options)],
  ['proposeDensity', ['fileDedupe'], (options) => proposeDensity([], options)],
  [
    'compress of an optimizer',
    ['contextLimit', 'preserve'],
    (o) => createOptimizer().compress(Object.assign({ ...window }, o)),
  ],
  [
    "'optimize' of a conversation",
    [...RULES, 'protect', 'isFailure'],
    (optimize) => createConversation({ contextLimit: 9, optimize }),
  ],
  [
    "'summary' of a conversation",
    ['instructions', 'pins', 'prompts', 'giveUp'],
    (summary) => createConversation({ contextLimit: 9, summary }),
  ],
  ["'intake' of a conversation", ['maxResultTokens'], (intake) => createConversation({ contextLimit: 9, intake })],
  [
    'compress of a conversation',
    ['strategy', 'preserve'],
    (options) => createConversation({ contextLimit: 9 }).compress(options),
  ],
  [
    'middleware',
    [...HOOK, ...RULES, ...FUNCTIONS, ...TARGET, 'generation', 'recall'],
    (options) => middleware(options),
  ],
  ['middleware of the AI SDK', [...HOOK, ...RULES, ...TARGET], (options) => aiSdkMiddleware(options)],
  ['prepareStep', [...HOOK, ...RULES, ...TARGET], (options) => prepareStep(options)],
  ['wrapModelCall', [...HOOK, ...RULES, ...TARGET], (options) => wrapModelCall(options)],
  ['callModelInputFilter', [...HOOK, ...RULES, ...TARGET], (options) => callModelInputFilter(options)],
  ['transformContext', [...HOOK, ...RULES, ...TARGET], (options) => transformContext(options)],
];

describe.each(ENTRIES)('%s', (_, names, call) => {
  test('names all the options that it takes, the likeliest first, and only once', () => {
    for (const wanted of names) {
      const misspelt = `${wanted.slice(0, 2)}${wanted[3]}${wanted[2]}${wanted.slice(4)}x`;
      for (const value of [5, nothing]) {
        const { names: all, key } = told(() => call({ [misspelt]: value } as never));
        expect(all[0]).toBe(wanted);
        expect(all).toEqual(expect.arrayContaining([...names]));
        expect(new Set(all).size).toBe(all.length);
        expect(key.split('.').at(-1)).toBe(misspelt);
      }
    }
  });

  test('takes what isn’t there for nothing', () => {
    if (names.includes('fileDedupe')) return; // all of its options are needed
    expect(() => call({ nonsense: undefined } as never)).not.toThrow();
  });
});

describe('an option of another call is told where it belongs', () => {
  const OTHERS: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['a rule in optimize', () => optimize([], { oldResults: false } as never), /set it in 'rules'/],
    [
      'a rule in a conversation',
      () => createConversation({ contextLimit: 5, oldResults: false } as never),
      /set it in 'optimize.rules'/,
    ],
    ['a rule in a hook', () => middleware({ oldResults: false } as never), /set it in 'rules'/],
    ['strategy in optimize', () => optimize([], { strategy: 'auto' } as never), /compress or createConversation/],
    ['contextLimit in optimize', () => optimize([], { contextLimit: 5 } as never), /compress or createConversation/],
    ['onWarning in optimize', () => optimize([], { onWarning: nothing } as never), /a hook/],
    ['isUser in optimize', () => optimize([], { isUser: nothing } as never), /requestSummary/],
    ['isUser in a conversation', () => createConversation({ ...window, isUser: nothing } as never), /in 'summary'/],
    ['pins in optimize', () => optimize([], { pins: [] } as never), /requestSummary/],
    ['preset in compress', () => compress([], { ...window, preset: 'seed' } as never), /to optimize/],
    ['summary in compress', () => compress([], { ...window, summary: {} } as never), /to createConversation/],
    ['tools in a conversation', () => createConversation({ ...window, tools: [] } as never), /in 'optimize'/],
    ['redact in a conversation', () => createConversation({ ...window, redact: true } as never), /in 'summary'/],
    [
      'calibration in a conversation',
      () => createConversation({ ...window, calibration: {} } as never),
      /setCalibration/,
    ],
    ['flush in a conversation', () => createConversation({ ...window, flush: 'never' } as never), /in 'optimize'/],
    ['pins in a conversation', () => createConversation({ ...window, pins: [] } as never), /in 'summary'/],
    [
      'summarize in a conversation',
      () => createConversation({ ...window, summarize: nothing } as never),
      /to 'prepare'/,
    ],
    [
      'onProgress in a conversation',
      () => createConversation({ ...window, onProgress: nothing } as never),
      /to 'prepare'/,
    ],
    [
      'contextLimit at once',
      () => createConversation({ contextLimit: 9 }).compress({ contextLimit: 8 } as never),
      /to createConversation/,
    ],
    ['strategy in a hook', () => prepareStep({ strategy: 'auto' } as never), /conversation: \(target\)/],
    ['todos in a hook', () => middleware({ todos: [] } as never), /conversation: \(target\)/],
  ];
  test.each(OTHERS)('%s', (_, action, where) => {
    expect(told(action).more).toMatch(where);
  });

  test('a misspelt option of a conversation is told of the places of others', () => {
    expect(told(() => createConversation({ ...window, recencyPrunning: true } as never)).more).toContain("'optimize'");
  });
});
