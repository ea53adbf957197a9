// Errors of summaries and conversations: typed, with the key, and nothing has changed.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  applySummary,
  createConversation,
  fileOperations,
  type IContent,
  redact,
  requestSummary,
  type SummaryOptions,
  type SummaryRequest,
  verifySummary,
} from 'densify';
import { compressionPrompt, formatFileOperations, promptCandidates, todoContext } from 'densify/host';
import { readPrompts } from 'densify/node';
import { afterAll, describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';
import { ai, human, read } from './support/say.js';
import { thrownBy } from './support/thrown.js';

const history: readonly IContent[] = Array.from({ length: 12 }, (_, at) => [
  human(`request ${at} ${'words '.repeat(60)}`),
  ...read(`c${at}`, 'a.ts', 'line\n'.repeat(50)),
  ai('done'),
]).flat();

function request(): SummaryRequest {
  const planned = requestSummary(history, { strategy: 'one-shot' });
  if (planned.kind !== 'request') throw new Error(planned.reason);
  return planned;
}

const wrong = (options: object): SummaryOptions => options as SummaryOptions;

test.each<[string, object, string, string]>([
  ['no strategy', {}, 'invalid-options', 'strategy'],
  ['an unknown strategy', { strategy: 'digestion' }, 'unknown-strategy', 'strategy'],
  ['a strategy without a summary', { strategy: 'high-density' }, 'invalid-options', 'strategy'],
  ['an unknown key', { strategy: 'one-shot', instruction: '' }, 'invalid-options', 'instruction'],
  ['protect', { strategy: 'one-shot', protect: () => true }, 'invalid-options', 'protect'],
  ['a mode', { strategy: 'one-shot', mode: 'x' }, 'invalid-options', 'mode'],
  ['a window', { strategy: 'one-shot', window: 0 }, 'invalid-options', 'window'],
  ['todos', { strategy: 'one-shot', todos: [{}] }, 'invalid-options', 'todos.0.content'],
  ['a state', { strategy: 'one-shot', state: { version: 2 } }, 'invalid-options', 'state.version'],
  ['redact', { strategy: 'one-shot', redact: 'yes' }, 'invalid-options', 'redact'],
  ['prompts', { strategy: 'one-shot', prompts: {} }, 'invalid-options', 'prompts'],
  ['a provider', { strategy: 'one-shot', prompts: new Map(), provider: 7 }, 'invalid-options', 'provider'],
  [
    'a provider that leads out',
    { strategy: 'one-shot', prompts: new Map(), provider: '..' },
    'invalid-path',
    'provider',
  ],
  ['a blank prompt', { strategy: 'one-shot', prompt: ' ' }, 'invalid-prompt', 'prompt'],
  ['a prompt that is no text', { strategy: 'one-shot', prompts: () => 7 }, 'invalid-prompt', 'compression/one-shot.md'],
])('%s', (_, options, code, key) => {
  expect(thrownBy(() => requestSummary(history, wrong(options)))).toMatchObject({ code, key });
  expect(thrownBy(() => verifySummary('', history, wrong(options)))).toMatchObject({ code, key });
});

test('functions of the caller that throw', () => {
  const cause = new Error('mine');
  const fail = (): never => {
    throw cause;
  };
  const codes = (options: object) =>
    thrownBy(() => requestSummary(history, wrong({ strategy: 'one-shot', ...options })));
  expect(codes({ redact: fail })).toMatchObject({ code: 'callback-failed', cause });
  expect(codes({ redact: () => 7 })).toMatchObject({ code: 'callback-failed' });
  expect(codes({ isFailure: fail })).toMatchObject({ code: 'callback-failed', cause, index: 2 });
  expect(codes({ countTokens: fail, contextLimit: 10 })).toMatchObject({ code: 'token-counter-failed', cause });
  expect(codes({ prompts: fail })).toMatchObject({ code: 'invalid-prompt', cause, key: 'compression/one-shot.md' });
});

describe('requests that are none', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['a noop', { kind: 'noop', reason: 'empty-history' }],
    ['another version', { ...request(), version: 2 }],
    ['no messages', { ...request(), messages: undefined }],
    ['no plan', { ...request(), plan: null }],
    ['a plan of nothing', { ...request(), plan: {} }],
    ['a plan with more in it', { ...request(), plan: { ...request().plan, more: 1 } }],
    ['parts of nothing', { ...request(), remaining: [7] }],
    ['parts of something else', { ...request(), remaining: [[{ speaker: 'tool', segments: [] }]] }],
    ['a range that is none', { ...request(), plan: { ...request().plan, end: 0 } }],
    ['a fraction', { ...request(), plan: { ...request().plan, start: 0.5 } }],
  ])('%s', (_, stored) => {
    const error = thrownBy(() => applySummary(stored as SummaryRequest, goodReply(request()), history));
    expect(error.code).toBe('invalid-request');
  });

  test.each([undefined, null, 7, {}, ['text']])('a reply that is %s', (reply) => {
    expect(thrownBy(() => applySummary(request(), reply as unknown as string, history)).code).toBe('invalid-reply');
    expect(thrownBy(() => verifySummary(reply as unknown as string, history, { strategy: 'one-shot' })).code).toBe(
      'invalid-reply',
    );
  });

  test('messages that are no list, and an option that nobody knows', () => {
    const no = 7 as unknown as IContent[];
    expect(thrownBy(() => requestSummary(no, { strategy: 'one-shot' })).code).toBe('invalid-messages');
    expect(thrownBy(() => applySummary(request(), 'x', no)).code).toBe('invalid-messages');
    expect(thrownBy(() => applySummary(request(), 'x', history, { strategy: 'one-shot' } as object))).toMatchObject({
      code: 'invalid-options',
      key: 'strategy',
    });
  });
});

test('texts', () => {
  expect(thrownBy(() => compressionPrompt({} as never))).toMatchObject({ key: 'framing' });
  expect(thrownBy(() => compressionPrompt({ framing: 'round' as 'one-shot' }))).toMatchObject({ key: 'framing' });
  expect(thrownBy(() => todoContext(7 as unknown as []))).toMatchObject({ key: 'todos' });
  expect(thrownBy(() => fileOperations(history, { countTokens: () => 1 } as object))).toMatchObject({
    key: 'countTokens',
  });
  expect(
    thrownBy(() => formatFileOperations({ read: 7 } as unknown as ReturnType<typeof fileOperations>)),
  ).toMatchObject({
    key: 'read',
  });
  expect(thrownBy(() => redact(7 as unknown as string))).toMatchObject({ key: 'text' });
  for (const name of ['..', '', '/etc', 'a/../b', 'C:\\x', 7]) {
    expect(thrownBy(() => promptCandidates(name as string)).code).toBe('invalid-path');
    expect(thrownBy(() => promptCandidates('one-shot', { provider: name as string })).code).toBe('invalid-path');
  }
});

describe('a directory of prompts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'densify-prompts-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('is read with all below it', () => {
    mkdirSync(join(folder, 'providers/acme%2Fx/compression'), { recursive: true });
    mkdirSync(join(folder, 'compression'));
    writeFileSync(join(folder, 'providers/acme%2Fx/compression/one-shot.md'), 'SPECIAL');
    writeFileSync(join(folder, 'compression/one-shot.md'), 'GENERAL');
    writeFileSync(join(folder, 'compression/notes.txt'), 'no prompt');
    const prompts = readPrompts(folder);
    expect([...prompts.keys()].toSorted()).toEqual([
      'compression/one-shot.md',
      'providers/acme%2Fx/compression/one-shot.md',
    ]);
    const asked = (options: object) => JSON.stringify(requestSummary(history, { strategy: 'one-shot', ...options }));
    expect(asked({ prompts, provider: 'acme/x' })).toContain('SPECIAL');
    // A model is listed under its provider.
    expect(asked({ prompts, model: 'acme/x' })).toContain('GENERAL');
    // The model can write to the workspace, so densify takes no prompt from there.
    expect(asked({ workspaceRoot: folder })).not.toContain('GENERAL');
  });

  test('is read without its links, wherever they lead', () => {
    const other = mkdtempSync(join(tmpdir(), 'densify-links-'));
    mkdirSync(join(other, 'compression'));
    symlinkSync(join(folder, 'compression/one-shot.md'), join(other, 'compression/one-shot.md'));
    symlinkSync(join(folder, 'providers'), join(other, 'providers'));
    expect([...readPrompts(other).keys()]).toEqual([]);
    rmSync(other, { recursive: true });
  });

  test('that is not there, or holds what is no text, is an error that names it', () => {
    const missing = join(folder, 'missing');
    expect(thrownBy(() => readPrompts(missing))).toMatchObject({ code: 'invalid-prompt', key: missing });
    writeFileSync(join(folder, 'broken.md'), Uint8Array.of(0xff, 0xfe, 0x80));
    expect(thrownBy(() => readPrompts(folder))).toMatchObject({ code: 'invalid-prompt', key: 'broken.md' });
  });
});

test('what a conversation refuses, and goes on as it was', async () => {
  const conversation = createConversation({ contextLimit: 1e6 });
  conversation.add(...history);
  const before = conversation.messages;
  expect(thrownBy(() => conversation.rewind(-1))).toMatchObject({ code: 'invalid-options', key: 'at' });
  expect(thrownBy(() => conversation.fork(49))).toMatchObject({ key: 'at' });
  expect(thrownBy(() => conversation.rewind(1.5))).toMatchObject({ key: 'at' });
  expect(thrownBy(() => conversation.setThreshold(2))).toMatchObject({ key: 'threshold' });
  expect(thrownBy(() => conversation.setThreshold('1' as unknown as number))).toMatchObject({ key: 'threshold' });
  expect(thrownBy(() => conversation.beforeSend({ pendingTokens: NaN }))).toMatchObject({ key: 'pendingTokens' });
  expect(thrownBy(() => conversation.compress({ strategy: 'one-shot' as 'high-density' })).code).toBe(
    'strategy-needs-model',
  );
  const summarize = () => Promise.resolve('');
  await expect(conversation.prepare({} as { summarize: typeof summarize })).rejects.toMatchObject({ key: 'summarize' });
  await expect(conversation.prepare(undefined as never)).rejects.toMatchObject({ key: 'summarize' });
  expect(() => createConversation(undefined as never)).toThrow('contextLimit');
  expect(() => requestSummary([], undefined as never)).toThrow('strategy');
  expect(() => verifySummary('', [], undefined as never)).toThrow('strategy');
  await expect(conversation.prepare({ summarize, timeout: 0 })).rejects.toMatchObject({ key: 'timeout' });
  expect(conversation.messages).toBe(before);
  expect(conversation.tokens.threshold).toBe(850_000);
});
