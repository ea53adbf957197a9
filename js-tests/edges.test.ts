// Odd input to conversations and summaries: broken snapshots, incomplete stored requests, unknown options, and hosts
// that throw.
import {
  applySummary,
  type Conversation,
  type ConversationOptions,
  type ConversationSnapshot,
  createConversation,
  estimateTokens,
  type IContent,
  type PrepareOptions,
  requestSummary,
  restoreConversation,
  type SummaryRequest,
} from 'densify';
import { createRecall, memoryStore } from 'densify/recall';
import { describe, expect, test } from 'vitest';
import { stringsOf } from './support/facts.js';
import { goodReply } from './support/replies.js';
import { ai, human, inclusion, read, write } from './support/say.js';
import { secrets } from './support/secrets.js';
import { applied, requested } from './support/summaries.js';
import { thrownBy } from './support/thrown.js';

const LONG = 'a line that is long enough to be worth a summary\n';
const turns = (count: number): IContent[] =>
  Array.from({ length: count }, (_, at) => [
    human(`request ${at}`),
    ...read(`c${at}`, `src/${at}.ts`, LONG.repeat(20)),
    ai(`done with ${at}`),
  ]).flat();
/** Words alone: rules can make nothing of them. */
const words = (count: number): IContent[] =>
  Array.from({ length: count }, (_, at) => [human(`request ${at}`), ai(LONG.repeat(20))]).flat();
/** A conversation for which a summary is due. */
const OPTIONS = { strategy: 'middle-out', contextLimit: 2500, summary: { window: 1e6 } } as const;
const full = ({ summary, ...options }: Partial<ConversationOptions> = {}) => {
  const made = createConversation({ ...OPTIONS, ...options, summary: { ...OPTIONS.summary, ...summary } });
  made.add(...turns(12));
  return made;
};
const summarize = (request: SummaryRequest) => Promise.resolve(goodReply(request));

test('todos are those of the moment, in a request as in a digest', () => {
  let now = 'write the parser';
  const made = full({ todos: () => [{ content: now, status: 'in_progress' }] });
  made.add(human('Go on.'));
  now = 'write the tests';
  const step = made.beforeSend();
  if (step.kind !== 'summarize') throw new Error(step.kind);
  const asked = stringsOf(step.request.messages).join('\n');
  expect(asked).toContain('- [IN_PROGRESS] write the tests');
  expect(asked).not.toContain('write the parser');
  step.cancel();
  now = 'write the docs';
  expect(made.digest().kind).toBe('applied');
  expect(stringsOf(made.messages).join('\n')).toContain('write the docs');
});

test('statistics say all that was done, and a fork, a rewind and a restart begin with them', () => {
  const summary = { window: 1e6 };
  const options = {
    strategy: 'auto',
    contextLimit: 2500,
    intake: false,
    summary,
    optimize: { preset: 'seed' },
  } as const;
  const made = createConversation(options);
  const included = inclusion('b.ts', LONG.repeat(2));
  made.add(...read('r', 'a.ts', LONG), ...write('w', 'a.ts'), human(`${included}One.`), human(`${included}Two.`));
  expect(made.ensureOptimized()).toBe(true);
  made.add(...words(9));
  const due = () => {
    const step = made.beforeSend();
    const task = step.kind === 'ready' ? step.background : step.kind === 'summarize' ? step : undefined;
    if (task === undefined) throw new Error(step.kind);
    return task;
  };
  due().fail();
  const task = due();
  made.add(human('meanwhile'));
  expect(made.stats.queued).toBe(1);
  expect(task.complete(goodReply(task.request)).kind).toBe('applied');
  made.add(...turns(12));
  expect(made.compress().changed).toBe(true);
  const { milliseconds, edits, ...counts } = made.stats;
  expect(counts).toEqual({
    tokensBefore: estimateTokens(made.raw),
    tokensAfter: estimateTokens(made.messages),
    queued: 0,
    density: { readWritePairsPruned: 1, fileDeduplicationsPruned: 1, recencyPruned: 0 },
    compressions: 1,
    summaries: 1,
    failures: 1,
  });
  // The read's call and its response; the lines of the first inclusion.
  expect(edits).toMatchObject({ 'stale-reads': 2, inclusions: 1, recency: 0 });
  expect(milliseconds).toBeGreaterThan(0);
  expect(made.stats.milliseconds).toBeGreaterThanOrEqual(milliseconds);

  const counted = ({ stats }: Conversation) => ({ ...stats, milliseconds: 0, tokensBefore: 0, tokensAfter: 0 });
  const was = counted(made);
  const snapshot = JSON.parse(JSON.stringify(made.snapshot())) as ConversationSnapshot;
  expect(counted(restoreConversation(snapshot, made.raw, options))).toEqual(was);
  expect(counted(made.fork())).toEqual(was);
  made.rewind(4);
  expect(counted(made)).toEqual(was);
});

test('a snapshot of whatever version is a typed error', () => {
  const made = full();
  const snapshot = JSON.parse(JSON.stringify(made.snapshot())) as object;
  for (const version of [0, -1, 1.5, 99, '1', null, [1], [], {}, { toString: 0, valueOf: 0 }, [{ toString: 0 }]]) {
    const restore = () =>
      restoreConversation({ ...snapshot, version } as unknown as ConversationSnapshot, made.raw, OPTIONS);
    expect(thrownBy(restore), JSON.stringify(version)).toMatchObject({ code: 'invalid-snapshot' });
  }
});

test('no credential leaves by what goes along with a request', () => {
  for (const { kind, secret, text } of secrets(7)) {
    // As a part of a path a URL is none any more, and base64 goes on with the path.
    const flat = /\/\/|Basic /.test(text) ? 'src' : text.replace(/\s/g, ' ');
    const messages = [...turns(3), ...read('s', `/w/${flat}/a.ts`, LONG.repeat(20)), ...turns(6)];
    for (const strategy of ['one-shot', 'structured'] as const) {
      const wishes = { workspaceRoot: `/w/${flat}`, profile: text, language: text, preserve: 0.2 };
      for (const more of [
        {},
        { prompt: `Say it with ${text}.` },
        { prompts: new Map([[`compression/${strategy}.md`, `Ask for ${text}.`]]) },
      ]) {
        const request = requested(messages, { strategy, ...wishes, ...more });
        const { summary, state } = applied(applySummary(request, goodReply(request), messages));
        const left = stringsOf([JSON.parse(JSON.stringify(request)), summary, state]);
        if (left.some((one) => one.includes(secret))) throw new Error(`${strategy}: the ${kind} left`);
      }
    }
  }
});

describe('while a summary is awaited', () => {
  const awaited = () => {
    const made = full();
    const step = made.beforeSend();
    if (step.kind !== 'summarize') throw new Error(step.kind);
    made.add(human('meanwhile'));
    return { made, step };
  };

  test('a fork awaits none, and the summary is the first one’s alone', () => {
    const { made, step } = awaited();
    const fork = made.fork();
    const before = fork.messages;
    expect(before).toEqual(made.messages);
    expect(fork.beforeSend().kind).toBe('summarize');
    expect(step.complete(goodReply(step.request)).kind).toBe('applied');
    expect(made.messages.at(-1)).toEqual(human('meanwhile'));
    expect(fork.messages).toBe(before);
    expect(fork.raw).toEqual(made.raw);
  });

  test('what a snapshot restores asks for it again, and what was added meanwhile is there', () => {
    const { made, step } = awaited();
    const snapshot = JSON.parse(JSON.stringify(made.snapshot())) as ConversationSnapshot;
    const again = restoreConversation(snapshot, made.raw, OPTIONS);
    expect(again.messages).toEqual(made.messages);
    expect(again.messages.at(-1)).toEqual(human('meanwhile'));
    const asked = again.beforeSend();
    if (asked.kind !== 'summarize') throw new Error(asked.kind);
    expect(asked.complete(goodReply(asked.request)).kind).toBe('applied');
    expect(step.complete(goodReply(step.request)).kind).toBe('applied');
    for (const { messages } of [again, made]) expect(messages.at(-1)).toEqual(human('meanwhile'));
  });
});

describe('a stored request', () => {
  const messages = turns(24);
  const request = requested(messages, { strategy: 'one-shot', window: 4000, replyTokens: 300 });

  test('that lost or gained a part is refused: nothing may be missing from the summary', () => {
    expect(request.remaining.length).toBeGreaterThan(1);
    for (const remaining of [
      [],
      request.remaining.slice(1),
      [...request.remaining, ...request.remaining.slice(0, 1)],
    ]) {
      const apply = () => applySummary({ ...request, remaining }, goodReply(request), messages);
      expect(thrownBy(apply)).toMatchObject({ code: 'invalid-request', key: 'remaining' });
    }
    const next = applySummary(request, goodReply(request), messages);
    if (next.kind !== 'continue') throw new Error(next.kind);
    expect(next.request.remaining).toHaveLength(request.remaining.length - 1);
    const again = () => applySummary({ ...next.request, remaining: request.remaining }, 'x', messages);
    expect(thrownBy(again)).toMatchObject({ code: 'invalid-request', key: 'remaining' });
  });
});

describe('pins and the tail of a digest', () => {
  const made = () =>
    full({ contextLimit: 100_000, preserve: { messages: 4 }, summary: { pins: ['the port is 8080'] } });
  const textOf = (talk: ReturnType<typeof made>) => stringsOf(talk.messages).join('\n');

  test('are the conversation’s own, whatever is left open', () => {
    for (const given of [undefined, {}, { pins: undefined, preserve: undefined, transcriptPath: undefined }]) {
      const talk = made();
      expect(talk.digest(given as object | undefined).kind).toBe('applied');
      expect(textOf(talk)).toContain('the port is 8080');
      expect(talk.messages.slice(-4)).toEqual(talk.raw.slice(-4));
    }
  });

  test('what is pinned for one digest comes on top', () => {
    const talk = made();
    talk.digest({ pins: ['the host is h1', 'the port is 8080'] });
    expect(textOf(talk)).toContain('the host is h1');
    expect(textOf(talk).split('the port is 8080')).toHaveLength(2);
    expect(thrownBy(() => made().digest({ pins: 7 as never }))).toMatchObject({ code: 'invalid-options', key: 'pins' });
  });
});

describe('errors of the host', () => {
  const [{ text, secret } = { text: '', secret: '' }] = secrets(3);

  test('that its store threw are told without credentials, else as they are', () => {
    for (const [error, isTold] of [
      [new Error('the disk is full'), true],
      [new Error(`refused ${text}`), false],
      [Object.assign(new Error('refused'), { request: { headers: { auth: text } } }), false],
    ] as const) {
      const store = memoryStore();
      store.set = () => {
        throw error;
      };
      const talk = full({ contextLimit: 100_000, recall: createRecall({ secret: 'k'.repeat(32), store }) });
      expect(talk.digest().kind).toBe('applied');
      const step = talk.beforeSend();
      if (step.kind !== 'ready') throw new Error(step.kind);
      const [warning] = step.warnings;
      if (warning?.code !== 'recall-failed') throw new Error(warning?.code);
      expect(warning.error === error).toBe(isTold);
      const { message, stack, cause, request } = warning.error as Error & { readonly request?: unknown };
      expect(JSON.stringify([message, stack, cause, request])).not.toContain(secret);
    }
  });

  test('that a profile is unknown names it, and the history is as it was', async () => {
    const talk = full({ summary: { profile: 'cheap' } });
    const before = talk.messages;
    const asked: unknown[] = [];
    const failed = talk.prepare({
      summarize: ({ profile }) => {
        asked.push(profile);
        return Promise.reject(new Error('no such profile'));
      },
    });
    await expect(failed).rejects.toMatchObject({
      code: 'summary-failed',
      message: 'the summary by the profile "cheap" failed: no such profile',
    });
    expect(asked).toEqual(['cheap']);
    expect(talk.messages).toBe(before);
    expect(await talk.prepare({ summarize })).toMatchObject({ kind: 'ready' });
  });
});

describe('options that nobody knows or that cannot be', () => {
  test.each<[string, object]>([
    ['timeOut', { timeOut: 5 }],
    ['pending', { pending: 5 }],
    ['signal', { signal: 5 }],
    ['signal', { signal: {} }],
    ['signal', { signal: null }],
    ['signal', { signal: { aborted: false } }],
  ])('of prepare: %s', async (key, more) => {
    const talk = full();
    const prepared = talk.prepare({ summarize, ...more } as PrepareOptions);
    await expect(prepared).rejects.toMatchObject({ code: 'invalid-options', key });
    // Nothing was begun.
    expect(talk.beforeSend().kind).toBe('summarize');
  });

  test('of beforeSend', () => {
    const talk = full();
    expect(thrownBy(() => talk.beforeSend({ pending: 5 } as object))).toMatchObject({
      code: 'invalid-options',
      key: 'pending',
    });
    expect(talk.beforeSend({ pendingTokens: undefined }).kind).toBe('summarize');
  });

  test('a strategy of summaries where the conversation has one', () => {
    for (const strategy of ['middle-out', 'one-shot', 'structured', 'high-density'] as const) {
      const options = { strategy, contextLimit: 4000, summary: { strategy: 'structured' } } as const;
      expect(thrownBy(() => createConversation(options))).toMatchObject({ code: 'invalid-options', key: 'strategy' });
    }
    const talk = full({ strategy: 'auto', intake: false, summary: { strategy: 'structured' } });
    talk.add(...words(12));
    const step = talk.beforeSend();
    const task = step.kind === 'ready' ? step.background : step.kind === 'summarize' ? step : undefined;
    expect(task?.request.strategy).toBe('structured');
  });

  test('an own signal of the host is one', async () => {
    const controller = new AbortController();
    expect(await full().prepare({ summarize, signal: controller.signal })).toMatchObject({ kind: 'ready' });
    expect(requestSummary(turns(12), { strategy: 'one-shot' }).kind).toBe('request');
  });
});
