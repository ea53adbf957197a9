// Error messages after typical first mistakes, and what a conversation prints of itself.
import { inspect } from 'node:util';
import {
  applySummary,
  compress,
  createConversation,
  createOptimizer,
  optimize,
  requestSummary,
  restoreConversation,
} from 'densify';
import { optimizeRequest, plan } from 'densify/anthropic';
import { createRecall } from 'densify/recall';
import { replay } from 'densify/replay';
import { calibrate, imageTokens, loadTokenizer, uncalibrated } from 'densify/tokens';
import { shrinkResult, shrinkTools } from 'densify/tools';
import { readTranscript } from 'densify/transcripts';
import { repair, validate } from 'densify/validate';
import { expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { human, read } from './support/say.js';
import { thrownBy } from './support/thrown.js';

const messageOf = (action: () => unknown) => {
  const { code, message } = thrownBy(action);
  return `${code}: ${message}`;
};

test('an unknown option of a conversation is told all there are, and where those of other verbs go', () => {
  const message = messageOf(() => createConversation({ contextLimit: 10, recencyPruning: true } as never));
  for (const word of ['recencyPruning', 'strategy', 'preserve', 'countTokens', 'recall', "in 'optimize.rules'"])
    expect(message).toContain(word);
  const digested = messageOf(() => createConversation({ contextLimit: 10 }).digest({ token: 5 } as never));
  expect(digested).toBe(
    "invalid-options: option token: found an unknown key, expected one of tokens, preserve, pins, from, to. Did you mean 'tokens'?",
  );
});

test('an unknown option is refused in the same words everywhere, and one that is undefined nowhere', async () => {
  const calls: readonly ((options: never) => unknown)[] = [
    (options) => optimize([], options),
    (options) => createOptimizer().optimize([], options),
    (options) => createConversation({ contextLimit: 10 }).beforeSend(options),
    (options) => createRecall(Object.assign({ secret: 'a secret of sixteen' }, options)),
    (options) => replay([], options),
    (options) => plan({ messages: [], from: {}, to: Object.assign({ contextLimit: 10 }, options) }),
    (options) => validate([], Object.assign({ format: 'densify' }, options)),
    (options) => readTranscript('', options),
  ];
  for (const call of calls) {
    const [given, nothing] = [{ nonsense: 1 }, { nonsense: undefined }] as never[];
    expect(messageOf(() => call(given!))).toMatch(
      /^invalid-options: option (?:to\.)?nonsense: found an unknown key, expected one of \w+/,
    );
    expect(() => call(nothing!)).not.toThrow();
  }
  await expect(loadTokenizer('o200k_base', { nonsense: 1 } as never)).rejects.toThrow(
    'option nonsense: found an unknown key, expected one of vocabulary',
  );
});

test.each<[string, string | undefined, () => unknown]>([
  ['a value of the core', 'balanced', () => optimize([], { preset: 'balanc' as never })],
  ['an option of the core', 'readWritePruning', () => optimize([], { rules: { readWritePrunning: true } as never })],
  ['an option of TypeScript', 'contextLimit', () => createConversation({ contextLimt: 10 } as never)],
  ['one inside another', 'language', () => createConversation({ contextLimit: 9, summary: { laguage: 'x' } } as never)],
  ['a strategy', 'auto', () => createConversation({ contextLimit: 9, strategy: 'autp' as never })],
  ['a policy', 'balanced', () => replay([], { policies: ['balancd' as never] })],
  ['a format', 'claude-code', () => readTranscript('', { format: 'claude-coda' as never })],
  ['another case', 'contextLimit', () => createConversation({ contextlimit: 10 } as never)],
  ['nothing that is near', undefined, () => optimize([], { preset: 'fast' as never })],
  ['an option of another call', undefined, () => createConversation({ contextLimit: 9, preset: 'balanced' } as never)],
])('a misspelt name is asked about: %s', (_, name, call) => {
  const question = /\. Did you mean '([^']*)'\?$/.exec(messageOf(call));
  expect(question?.[1]).toBe(name);
});

test('a function that throws is named', () => {
  const fail = () => {
    throw new Error('mine');
  };
  const history = read('1', 'a.ts');
  expect(thrownBy(() => optimize(history, { protect: fail }))).toMatchObject({
    code: 'callback-failed',
    key: 'protect',
    message: expect.stringContaining('option protect: your function threw'),
    cause: { message: 'mine' },
  });
  expect(messageOf(() => optimize(history, { isFailure: fail }))).toContain('option isFailure: your function threw');
});

test('a snapshot wants all messages that were ever added, and says so', () => {
  const conversation = createConversation({ contextLimit: 1_000 });
  conversation.add(human('one'), human('two'));
  const snapshot = conversation.snapshot();
  expect(messageOf(() => restoreConversation(snapshot, [human('one')], { contextLimit: 1_000 }))).toMatch(
    /found 1 messages, expected the 2 .*'raw'/,
  );
});

test('what has no default says what it is', async () => {
  const nothing = (key: string, expected: string) =>
    `invalid-options: option ${key}: found nothing, expected ${expected}`;
  expect(messageOf(() => compress([], {} as never))).toBe(
    nothing('strategy', "'high-density' or 'top-down-truncation'"),
  );
  const window = nothing('contextLimit', "the model's window in tokens");
  expect(messageOf(() => compress([], { strategy: 'high-density' } as never))).toBe(window);
  expect(messageOf(() => createConversation({} as never))).toBe(window);
  expect(messageOf(() => createConversation(undefined as never))).toBe(window);
  expect(messageOf(() => requestSummary([], {} as never))).toBe(
    nothing('strategy', "'middle-out', 'one-shot' or 'structured'"),
  );
});

test('what is no list of messages says where one may be', () => {
  const list = (given: unknown) => messageOf(() => optimize(given as never));
  const expected = 'expected a list of messages';
  expect(list({ messages: [] })).toBe(
    `invalid-messages: messages: found an object, ${expected}. Did you mean its 'messages'?`,
  );
  expect(list(human('one'))).toBe(
    `invalid-messages: messages: found an object, ${expected}; pass a single message as [message]`,
  );
  expect(list(Promise.resolve([]))).toBe(
    `invalid-messages: messages: found a promise that wasn't awaited, ${expected}`,
  );
  expect(list({})).toBe(`invalid-messages: messages: found an object, ${expected}`);
  expect(messageOf(() => optimizeRequest([] as never))).toBe(
    'invalid-messages: request: found a list, expected an object with messages; optimize and compress take lists of messages',
  );
});

test('a reply that was not awaited is told as one', () => {
  const history = conversation(1, 40);
  const request = requestSummary(history, { strategy: 'middle-out' });
  if (request.kind !== 'request') throw new Error(request.reason);
  const reply = (given: unknown) => messageOf(() => applySummary(request, given as string, history));
  expect(reply(Promise.resolve('x'))).toBe(
    "invalid-reply: reply: found a promise that wasn't awaited, expected the model's text",
  );
  expect(reply({ text: 'x' })).toBe("invalid-reply: reply: found an object, expected the model's text");
});

test('what was found is said', () => {
  expect(messageOf(() => validate([], { model: 5 } as never))).toBe(
    'invalid-options: option model: found 5, expected a string',
  );
  expect(messageOf(() => validate([], [] as never))).toBe('invalid-options: options: found a list, expected an object');
  expect(messageOf(() => readTranscript({} as never))).toBe(
    "invalid-options: text: found an object, expected a string, the log's content",
  );
  expect(messageOf(() => readTranscript('', { format: 'claude' as never }))).toMatch(
    /^invalid-options: option format: found 'claude', expected one of codex, copilot-cli, factory-droid, pi, qwen-code, claude-code/,
  );
  expect(messageOf(() => createOptimizer({ countTokens: loadTokenizer('o200k_base') } as never))).toBe(
    "invalid-options: option countTokens: found a promise that wasn't awaited, expected a function",
  );
  expect(messageOf(() => validate([], { format: 'chat' as never }))).toMatch(/found 'chat'.*openai-chat/);
  expect(messageOf(() => shrinkTools(undefined as never))).toMatch(/^invalid-options: tools: found undefined/);
});

test('a format may be named as the entry of the package is', () => {
  const messages = [{ role: 'tool', tool_call_id: 'a', content: 'x' }];
  expect(validate(messages, { format: 'openai' })).toEqual(validate(messages, { format: 'openai-chat' }));
  expect(validate(messages, { format: 'openai' }).ok).toBe(false);
  expect(repair(messages, { format: 'openai' }).messages).toEqual([]);
  const log = JSON.stringify([{ role: 'user', content: 'Hello.' }]);
  expect(readTranscript(log, { format: 'openai' })).toMatchObject({
    format: 'openai-chat',
    contents: [{ speaker: 'human' }],
  });
});

test('a conversation shows where it stands', () => {
  const conversation = createConversation({ strategy: 'auto', contextLimit: 1_000 });
  conversation.add(human('Hello.'), human('And?'));
  const shown = inspect(conversation);
  for (const word of ['auto', 'messages: 2', 'limit: 1000', 'summaries: 0']) expect(shown).toContain(word);
  conversation.dispose();
  expect(inspect(conversation)).toContain('isDisposed');
  const inside: string[] = [];
  const printing = createConversation({
    contextLimit: 1_000,
    countTokens: (text) => {
      inside.push(inspect(printing));
      return text.length;
    },
  });
  printing.add(human('Hello.'));
  expect(printing.tokens.current).toBeGreaterThan(0);
  expect(inside[0]).toContain('isBusy');
});

test('an option that a result is not shrunk by is refused, not passed over', () => {
  for (const key of ['countTokens', 'protect', 'isFailure']) {
    const options = { [key]: () => 1 };
    const message = messageOf(() => shrinkResult({ name: 'bash' }, 'x', options));
    expect(message).toMatch(new RegExp(`^invalid-options: option ${key}: shrinking one result does not use it`));
  }
});

test('a strategy that is a conversation’s is told as one', () => {
  const auto = { strategy: 'auto', contextLimit: 100 } as never;
  expect(messageOf(() => compress([], auto))).toMatch(
    /^strategy-needs-model: option strategy: found 'auto', which is for createConversation; compress takes /,
  );
});

test.each([
  [[{ type: 'function', function: { name: 'bash', parameters: {} } }], 'tools.0.kind'],
  [
    [
      { name: 'read', kind: 'read' },
      { name: 'bash', description: 'runs', input_schema: {} },
    ],
    'tools.1.kind',
  ],
  [{ bash: { description: 'runs', execute: () => 1 } }, 'tools'],
])('tools as SDKs have them are told from definitions of what tools do: %j', (tools, key) => {
  const thrown = thrownBy(() => optimize([], { tools } as never));
  expect(thrown).toMatchObject({ code: 'invalid-options', key });
  expect(thrown.message).toContain('{name, kind, …}: docs/tools.md');
  expect(thrownBy(() => createConversation({ contextLimit: 9, optimize: { tools } } as never))).toMatchObject({ key });
});

test('a detail of images that is none is no other', () => {
  const image = { width: 2000, height: 1000 };
  expect(imageTokens('gpt-4o', { ...image, detail: undefined })).toBe(imageTokens('gpt-4o', image));
  for (const detail of ['LOW', 'medium', 5]) {
    const message = messageOf(() => imageTokens('gpt-4o', { ...image, detail: detail as 'low' }));
    expect(message).toMatch(
      /^invalid-options: option detail: found .*, expected one of 'low', 'high', 'auto', 'original'/,
    );
  }
});

test('a calibration wants usage, of whatever shape, and is content with one that says nothing', () => {
  const learned = (usage: unknown) => calibrate(uncalibrated, { counted: 1000, usage });
  for (const usage of ['hello', 5, [], { inputs: 5 }, { tokes: 5, name: 'x' }]) {
    expect(messageOf(() => learned(usage))).toMatch(
      /^invalid-options: option usage: found .*, expected the provider's usage \(input_tokens/,
    );
  }
  for (const usage of [undefined, null, {}, { usage: null }, { error: { code: 500 } }, { output_tokens: 3 }])
    expect(learned(usage)).toEqual(uncalibrated);
});

test.each([[undefined], [null], [5], ['usage']])(
  'a calibration wants a report, and says what is in one: %j',
  (report) => {
    expect(messageOf(() => calibrate(uncalibrated, report as never))).toMatch(
      /^invalid-options: report: found .*, expected \{counted, usage\}/,
    );
  },
);
