// No credential in a conversation's values leaves it, by any way out.
import { inspect } from 'node:util';
import {
  applySummary,
  type Conversation,
  compress,
  createConversation,
  createOptimizer,
  fileOperations,
  type IContent,
  optimize,
  redact,
  requestSummary,
  restoreConversation,
  type SummaryOptions,
  type SummaryRequest,
  verifySummary,
} from 'densify';
import { compressionPrompt, promptCandidates, resolveSettings } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { stringsOf } from './support/facts.js';
import { goodReply } from './support/replies.js';
import { ai, call, human, response, tool, turn } from './support/say.js';
import { type Secret, secrets } from './support/secrets.js';
import { requested } from './support/summaries.js';
import { thrownBy } from './support/thrown.js';

const STRATEGIES = ['middle-out', 'one-shot', 'structured'] as const;
const FILLER = 'a line that is long enough to be worth a summary\n'.repeat(40);

/** A history that has a credential wherever there is a value. */
function history({ text }: Secret): IContent[] {
  return [
    human('Please set the service up.'),
    ...turn('s1', 'run_shell_command', { command: 'cat .env' }, `A=1\n${text}\nB=2\n${FILLER}`),
    ...turn('s2', 'write_file', { file_path: 'a.env', content: `x\n${text}\n` }, { output: text, lines: [text, 1] }),
    human(`It is this one:\n${text}\nNever push it. Always keep ${text} out of logs.`),
    ai({ type: 'thinking', thought: text }, `I use ${text} then.`),
    ai(call('s3', 'fetch', { headers: { auth: text } })),
    tool(response('s3', 'fetch', FILLER, `refused: ${text}`)),
    human(`--- .env ---\n${text}\n--- End of content ---\nand go on`),
    ai(`done ${FILLER}`, { type: 'code', code: text, language: 'sh' }),
    ...Array.from({ length: 6 }, (_, at) => turn(`f${at}`, 'read_file', { path: `${at}.ts` }, FILLER)).flat(),
    human('What next?'),
    ai('Nothing.'),
  ];
}

/** Everything that a caller may say beside the history. */
function wishes({ text }: Secret): Omit<SummaryOptions, 'strategy'> {
  return {
    instructions: `Look at ${text} closely.`,
    todos: [{ content: `rotate ${text}`, subtasks: [{ content: `revoke\n${text}` }] }],
    transcriptPath: `/logs/today.jsonl?${text.replace(/\s/g, ' ')}`,
    pins: [`the key is ${text}`],
    state: { version: 1, lastSummary: `Earlier: ${text}`, readFiles: [], modifiedFiles: [] },
    topPreserve: 0.05,
  };
}

/** Refuses a credential in any text of what leaves. */
function refuse({ kind, secret }: Secret, exit: string, left: unknown): void {
  if (stringsOf(left).some((text) => text.includes(secret))) throw new Error(`${exit}: the ${kind} left`);
}

/** A reply that repeats the credential everywhere. */
function loose(request: Pick<SummaryRequest, 'strategy'>, { text }: Secret): string {
  return goodReply(request, `- User said: "It is this one" and the key is\n${text}\n(${text})`);
}

const ALL = secrets(2026);

test('there are more than forty shapes, and redact knows each, whatever stands around it', () => {
  expect(ALL.length).toBeGreaterThan(40);
  for (const one of ALL) {
    for (const around of [one.text, `a\n${one.text}\nb`, JSON.stringify({ value: one.text }), `"${one.text}"`]) {
      refuse(one, 'redact', redact(around));
      expect(redact(around)).toContain('[REDACTED: ');
    }
  }
});

describe.each(STRATEGIES)('%s', (strategy) => {
  test.each(['transcript', 'append'] as const)('in a request by %s, and what comes of replies', (mode) => {
    for (const one of ALL) {
      const messages = history(one);
      const request = requested(messages, { strategy, mode, ...wishes(one) });
      const own = request.mode === 'append' ? messages.length : 0;
      refuse(one, 'request', { ...request, messages: request.messages.slice(own) });
      const repair = applySummary(request, `I saw ${one.text}.`, messages);
      if (repair.kind !== 'failed') throw new Error(repair.kind);
      refuse(one, 'findings', repair.findings);
      const asked = repair.request.messages.filter((message) => !messages.includes(message));
      // In append mode the first request is the caller's own messages.
      const original = request.mode === 'append' ? [] : repair.request.original;
      refuse(one, 'repair', { ...repair.request, messages: asked, original });
      const applied = applySummary(request, loose(request, one), messages);
      if (applied.kind !== 'applied') throw new Error(JSON.stringify(applied.kind));
      refuse(one, 'stored summary', [applied.summary, applied.findings, applied.metadata, applied.state]);
      const check = verifySummary(`I saw ${one.text}.`, messages, { strategy, ...wishes(one) });
      refuse(one, 'check', check);
    }
  });

  test('in a request of several parts', () => {
    for (const one of ALL) {
      const messages = history(one);
      let request = requested(messages, { strategy, ...wishes(one), window: 3000 });
      expect(request.parts).toBeGreaterThan(1);
      refuse(one, 'first part', request);
      for (let part = 1; part < request.parts; part += 1) {
        const result = applySummary(request, loose(request, one), messages);
        if (result.kind !== 'continue') throw new Error(JSON.stringify(result));
        ({ request } = result);
        refuse(one, `part ${part}`, request);
      }
    }
  });
});

/** A conversation that is over its threshold. */
function conversation(one: Secret): Conversation {
  const { instructions, pins, transcriptPath, todos } = wishes(one);
  const made = createConversation({
    strategy: 'one-shot',
    contextLimit: 3000,
    todos: todos ?? [],
    summary: { instructions, pins, transcriptPath, window: 50_000 },
  });
  made.add(...history(one));
  return made;
}

test('in what a conversation asks, stores, counts and saves', () => {
  for (const one of ALL) {
    const made = conversation(one);
    const step = made.beforeSend();
    if (step.kind !== 'summarize') throw new Error(step.kind);
    refuse(one, 'request', step.request);
    const repair = step.complete(`I saw ${one.text}.`);
    refuse(one, 'repair', repair);
    const done = step.complete(loose(step.request, one));
    if (done.kind !== 'applied') throw new Error(JSON.stringify(done));
    refuse(one, 'findings', [done.findings, done.metadata]);
    refuse(
      one,
      'stored summary',
      made.messages.filter((message) => !made.raw.includes(message)),
    );
    refuse(one, 'snapshot', made.snapshot());
    refuse(one, 'stats', made.stats);
  }
});

test('in the snapshot of a conversation whose results were summed up in lines', () => {
  for (const one of ALL) {
    const made = createConversation({ strategy: 'high-density', contextLimit: 8000, preserve: { messages: 2 } });
    made.add(human('start'), ...turn('c', 'run_shell_command', { command: one.text }, FILLER), ...history(one));
    made.compress();
    expect(made.stats.edits['result-summary']).toBeGreaterThan(0);
    refuse(one, 'snapshot', made.snapshot());
  }
});

test('in the error of a summary that fails', async () => {
  for (const one of ALL) {
    const made = conversation(one);
    const summarize = () => Promise.reject(new Error(`401 for ${one.text}`));
    const told: unknown[] = [];
    const error = await made.prepare({ summarize, onProgress: (progress) => told.push(progress) }).then(
      (step) => step,
      (thrown: unknown) => thrown,
    );
    refuse(one, 'error', [String(error), told, made.stats]);
    const { message, cause } = error as Error;
    expect(message).toContain('[REDACTED: ');
    refuse(one, 'cause', String(cause));
  }
});

test('in the errors of options', () => {
  // What an error quotes is cut at 40 characters; the beginning of a longer one may have no shape any more.
  for (const one of ALL.filter(({ text }) => text.length <= 40)) {
    const bad: readonly object[] = [{ strategy: one.text }, { summary: { mode: one.text } }];
    for (const more of bad) {
      const error = thrownBy(() => createConversation({ contextLimit: 8000, ...more }));
      refuse(one, 'error', String(error));
      expect(error.code).toMatch(/^(invalid-options|unknown-strategy)$/);
    }
  }
});

test('in what a thrown error holds', async () => {
  const one = ALL[0]!;
  const thrown: readonly unknown[] = [
    one.text,
    new Error('no answer', { cause: new Error(one.text) }),
    Object.assign(new Error('401'), { request: { headers: { authorization: one.text } } }),
    Object.assign(new Error('401'), { headers: new Headers({ 'x-key': one.text }) }),
  ];
  for (const what of thrown) {
    const made = conversation(one);
    const summarize = () => Promise.reject(what as Error);
    const error = await made.prepare({ summarize }).then(
      (step) => step,
      (error: unknown) => error,
    );
    refuse(one, 'error', inspect(error, { depth: 9 }));
  }
  // One that holds none is the error that was thrown.
  const harmless = Object.assign(new Error('no network'), { status: 503 });
  const made = conversation(one);
  await expect(made.prepare({ summarize: () => Promise.reject(harmless) })).rejects.toMatchObject({ cause: harmless });
});

test('in the halves of a text that is cut into parts', () => {
  for (const one of ALL) {
    const line = `${'x '.repeat(37)}${one.text}\n`;
    const messages = [
      human('Look at the log.'),
      ...turn('log', 'run_shell_command', { command: 'cat log' }, line.repeat(300)),
      ...history(one),
    ];
    const request = requested(messages, { strategy: 'one-shot', window: 3000 });
    const texts = [...stringsOf(request.messages), ...stringsOf(request.remaining)];
    // So much of it would be enough to guess the rest.
    const size = Math.min(one.secret.length, 20);
    const pieces = [one.secret.slice(0, size), one.secret.slice(-size)];
    const found = texts.filter((text) => pieces.some((piece) => text.includes(piece)));
    expect(found.length, one.kind).toBe(0);
  }
});

test("the caller's own function at every way out, and none of its calls is spared", () => {
  const one: Secret = { kind: 'code word', secret: 'open sesame', text: 'open sesame' };
  const made = (text: string) => text.replaceAll(one.secret, '(gone)');
  for (const strategy of STRATEGIES) {
    const messages = history(one);
    const request = requested(messages, { strategy, ...wishes(one), redact: made });
    refuse(one, 'request', request);
    const applied = applySummary(request, loose(request, one), messages, { redact: made });
    if (applied.kind !== 'applied') throw new Error(applied.kind);
    refuse(one, 'stored summary', [applied.summary, applied.state]);
    expect(stringsOf(applied.summary).join('\n')).toContain('(gone)');
  }
});

test('in what was stored without redaction and is restored with it', async () => {
  for (const one of ALL) {
    const settings = { strategy: 'one-shot', contextLimit: 4000, summary: { window: 50_000 } } as const;
    const open = createConversation({ ...settings, summary: { ...settings.summary, redact: false } });
    open.addAll([...history(one), ...history(one)]);
    const summarize = (request: SummaryRequest) => Promise.resolve(goodReply(request, `The key is\n${one.text}\n.`));
    await open.prepare({ summarize });
    expect(
      stringsOf(open.snapshot()).some((text) => text.includes(one.secret)),
      one.kind,
    ).toBe(true);
    const stored = JSON.parse(JSON.stringify(open.snapshot())) as ReturnType<typeof open.snapshot>;
    const restored = restoreConversation(stored, open.raw, settings);
    refuse(one, 'snapshot', restored.snapshot());
    refuse(one, 'summary', restored.messages.slice(0, 2));
    restored.addAll(history(one));
    const step = restored.beforeSend();
    if (step.kind !== 'summarize') throw new Error(step.kind);
    refuse(one, 'request', step.request);
    const unredacted = { ...settings, summary: { ...settings.summary, redact: false } };
    expect(restoreConversation(stored, open.raw, unredacted).messages).toEqual(open.messages);
  }
});

test('in what functions and conversations say of their arguments', () => {
  const made = createConversation({ contextLimit: 1000 });
  for (const { kind, secret, text } of ALL.filter(({ text: one }) => redact(one) !== one)) {
    const wrong = text as never;
    const calls = [
      () => promptCandidates(`../${text}`),
      () => compressionPrompt({ framing: wrong }),
      () => fileOperations([], { [text]: 1 } as never),
      () => resolveSettings([{ [text]: 1 } as never]),
      () => made.setThreshold(wrong),
      () => made.rewind(wrong),
      () => made.fork(wrong),
      () => made.beforeSend({ pendingTokens: wrong }),
      () => made.compress({ strategy: wrong }),
    ];
    for (const call of calls) {
      const error = thrownBy(call);
      const said = [error.message, (error as { key?: string }).key, error.stack];
      expect(
        said.some((one) => one?.includes(secret)),
        `${kind}: ${String(call)}`,
      ).toBe(false);
    }
  }
});

test('in the name of an option', () => {
  for (const one of ALL.filter(({ text }) => redact(text) !== text)) {
    const options = { strategy: 'one-shot', [one.text]: 1 } as never;
    const errors = [
      thrownBy(() => requestSummary(history(one), options)),
      thrownBy(() => createConversation({ contextLimit: 1000, [one.text]: 1 } as never)),
    ];
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'invalid-options' });
      refuse(one, 'error', [error.message, (error as { key?: string }).key]);
    }
  }
});

test('in the errors of what needs no model', () => {
  const messages = history(ALL[0]!);
  for (const one of ALL) {
    const calls: readonly (() => unknown)[] = [
      () => optimize(messages, { [one.text]: 1 } as never),
      () => optimize(messages, { flush: one.text } as never),
      () => optimize(messages, { flush: { [one.text]: 1 } } as never),
      () => optimize(messages, { [one.text]: () => 1 } as never),
      () => optimize(messages, { tools: [{ name: 'a', kind: one.text }] } as never),
      () => compress(messages, { strategy: one.text, contextLimit: 1000 } as never),
      () => compress(messages, { strategy: 'high-density', contextLimit: one.text } as never),
      () => compress(messages, { strategy: 'high-density', contextLimit: 1000, countTokens: () => one.text } as never),
      () => createOptimizer({ protect: one.text } as never),
      () => resolveSettings([{ [one.text]: 1 } as never]),
      () => resolveSettings([{ 'compression.strategy': one.text } as never]),
    ];
    for (const call of calls) {
      const error = thrownBy(call);
      expect(error.code).toMatch(/^[a-z-]+$/);
      refuse(one, 'error', [error.message, error.stack, (error as { key?: string }).key]);
    }
  }
  // A name is shown.
  const typo = { strategy: 'top-down-truncations', contextLimit: 1000 } as never;
  expect(() => compress(messages, typo)).toThrow("'top-down-truncations'");
  expect(() => optimize(messages, { readWritePrunning: true } as never)).toThrow('readWritePrunning');
});
