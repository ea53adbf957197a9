// Summaries as data: the request, what the reply becomes, and what the caller keeps.
import {
  applySummary,
  fileOperations,
  type IContent,
  optimize,
  requestSummary,
  type SummaryOptions,
  type SummaryRequest,
  verifySummary,
} from 'densify';
import { compressionPrompt, formatFileOperations, promptCandidates, todoContext } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { goodReply } from './support/replies.js';
import { ai, call, human, read, tool, turn, write } from './support/say.js';
import { applied, requested } from './support/summaries.js';

const LONG = 'a line that is long enough to be worth a summary\n';

/** A conversation with calls, that needs a summary. */
function history(turns = 10): IContent[] {
  return Array.from({ length: turns }, (_, at) => [
    human(`request ${at}: look at file ${at}. ${'words '.repeat(40)}`),
    ...read(`c${at}`, `src/${at}.ts`, LONG.repeat(12)),
    ai(`done with ${at}`),
  ]).flat();
}

const textOf = (message: IContent | undefined): string =>
  (message?.blocks ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
const textsOf = (messages: readonly IContent[]): string => messages.map(textOf).join('\n');

describe.each(['middle-out', 'one-shot', 'structured'] as const)('%s', (strategy) => {
  const options: SummaryOptions = { strategy };

  test('a request is plain JSON that another process can apply', () => {
    const messages = history();
    const before = structuredClone(messages);
    const request = JSON.parse(JSON.stringify(requested(messages, options))) as SummaryRequest;
    const result = applied(applySummary(request, goodReply(request, 'Twelve files.'), structuredClone(messages)));
    expect(textOf(result.summary)).toContain('Twelve files.');
    expect(textOf(result.summary)).not.toContain('scratchpad');
    expect(result.summary.metadata).toEqual({ isSummary: true });
    expect(result.tokensAfter).toBeLessThan(result.tokensBefore);
    expect(result.metadata.strategyUsed).toBe(strategy);
    expect(result.metadata.compressedMessageCount).toBe(result.messages.length);
    expect(messages).toEqual(before);
  });

  test('what stays is the very same objects, in their order', () => {
    const messages = history();
    const request = requested(messages, options);
    const result = applied(applySummary(request, goodReply(request), messages));
    const kept = result.messages.filter((message) => messages.includes(message));
    expect(kept).toEqual(messages.filter((message) => result.messages.includes(message)));
    const { top, tail } = { top: result.metadata.topPreserved, tail: result.metadata.bottomPreserved };
    expect(result.messages.slice(0, top)).toEqual(messages.slice(0, top));
    result.messages.slice(result.messages.length - tail).forEach((message) => expect(messages).toContain(message));
  });

  test('messages that were added meanwhile stay', () => {
    const messages = history();
    const request = requested(messages, options);
    const more = [...messages, human('one more'), ai('yes')];
    const result = applied(applySummary(request, goodReply(request), more));
    expect(result.messages.slice(-2)).toEqual(more.slice(-2));
    expect(result.messages.at(-1)).toBe(more.at(-1));
  });

  test('a change in what was summarised is a conflict, and the list is the same', () => {
    const messages = history();
    const request = requested(messages, options);
    const at = request.plan.start + 1;
    const changed = messages.with(at, ai('something else'));
    expect(applySummary(request, goodReply(request), changed)).toEqual({
      kind: 'conflict',
      changed: false,
      index: at,
      reason: 'changed',
      messages: changed,
    });
    const cut = messages.slice(0, request.plan.end - 1);
    const result = applySummary(request, goodReply(request), cut);
    expect(result).toMatchObject({ kind: 'conflict', reason: 'missing' });
    expect(result.messages).toBe(cut);
  });

  test('what the adapter edits can be summarised', () => {
    const messages = [...read('r', 'src/a.ts'), ...write('w', 'src/a.ts'), ...history()];
    const { messages: dense } = optimize(messages);
    const request = requested(dense, options);
    expect(applied(applySummary(request, goodReply(request), dense)).messages.length).toBeLessThan(dense.length);
  });

  test('the summary of a summary: the earlier one is integrated, and there is one', () => {
    let messages: readonly IContent[] = history();
    for (const said of ['first summary', 'second summary', 'third summary']) {
      const request = requested(messages, options);
      messages = applied(applySummary(request, goodReply(request, said), messages)).messages;
      expect(textsOf(messages.filter(({ metadata }) => metadata?.isSummary === true))).toContain(said);
      messages = [...messages, ...history(6)];
    }
    expect(messages.filter(({ metadata }) => metadata?.isSummary === true)).toHaveLength(1);
    expect(textsOf(requested(messages, options).messages)).toContain('third summary');
  });

  test('pins and standing instructions are there to the letter', () => {
    const messages = [human('Never push to main. Fix the parser.'), ...history()];
    const request = requested(messages, { ...options, pins: ['the port is 8080'], topPreserve: 0 });
    const { summary } = applied(applySummary(request, goodReply(request), messages));
    expect(textOf(summary)).toContain('the port is 8080');
    expect(textOf(summary)).toContain('Never push to main.');
  });

  test('a reply that is no summary: findings, and a request for what is missing', () => {
    const messages = history();
    const request = requested(messages, options);
    for (const reply of ['', '   ', 'Sure, I can do that!', goodReply(request).slice(0, 5)]) {
      const result = applySummary(request, reply, messages);
      if (result.kind !== 'failed') throw new Error(result.kind);
      expect(result.findings.some(({ level }) => level === 'failure')).toBe(true);
      expect(result.messages).toBe(messages);
      expect(result.request.attempt).toBe(1);
      expect(result.request.messages.length).toBeGreaterThan(0);
      const again = JSON.parse(JSON.stringify(result.request)) as SummaryRequest;
      expect(applySummary(again, goodReply(again), messages).kind).toBe('applied');
    }
  });

  test('checking a reply by itself', () => {
    const messages = history();
    expect(verifySummary(goodReply({ strategy }), messages, options).ok).toBe(true);
    const check = verifySummary('no', messages, options);
    expect(check.ok).toBe(false);
    // Nothing of it can be used: all that the model needs to write another one is there.
    const request = requested(messages, options);
    expect(check.messages?.slice(0, -2)).toEqual(request.messages);
    expect(textOf(check.messages?.at(-2))).toBe('no');
    expect(textOf(check.messages?.at(-1))).toContain(strategy === 'structured' ? 'no heading' : 'no complete');
    // Usable, but for a section: the request for that one alone.
    const lacking = goodReply({ strategy }).replace(/## Next Steps\n|<\/?key_knowledge>/g, '');
    const incomplete = verifySummary(lacking, messages, options);
    expect(incomplete).toMatchObject({ ok: true, findings: [{ code: 'missing-section', level: 'warning' }] });
    expect(incomplete.messages).toHaveLength(1);
    expect(textOf(incomplete.messages?.[0]).match(/^- .*$/gm)).toEqual([
      expect.stringContaining(incomplete.findings[0]?.section ?? 'none'),
    ]);
  });

  test('a window that is too small: parts, each with the summary so far', () => {
    const messages = history(60);
    let request = requested(messages, { ...options, window: 6000 });
    expect(request.parts).toBeGreaterThan(2);
    expect(request.remaining).toHaveLength(request.parts - 1);
    let seen = textsOf(request.messages);
    for (let part = 1; part < request.parts; part += 1) {
      request = JSON.parse(JSON.stringify(request)) as SummaryRequest;
      const result = applySummary(request, goodReply(request, `summary so far ${part}`), messages);
      if (result.kind !== 'continue') throw new Error(JSON.stringify(result));
      ({ request } = result);
      expect(request.part).toBe(part + 1);
      expect(textsOf(request.messages)).toContain(`summary so far ${part}`);
      seen += textsOf(request.messages);
    }
    const result = applied(applySummary(request, goodReply(request, 'the whole'), messages));
    expect(textOf(result.summary)).toContain('the whole');
    for (let at = request.plan.start; at < request.plan.end; at += 1) {
      const text = textOf(messages[at]);
      if (text !== '') expect(seen).toContain(text.slice(0, 20));
    }
  });
});

describe('append', () => {
  const options: SummaryOptions = { strategy: 'one-shot', mode: 'append' };

  test("the caller's messages and one more", () => {
    const messages = history();
    const request = requested(messages, options);
    expect(request.messages).toHaveLength(messages.length + 1);
    messages.forEach((message, at) => expect(request.messages[at]).toBe(message));
    expect(request.messages.at(-1)?.speaker).toBe('human');
    expect(request.needsTools).toBe(true);
    expect(applied(applySummary(request, goodReply(request), messages)).summary).toBeDefined();
  });

  test('is refused while calls are open', () => {
    const messages = [...history(), ai(call('open', 'read_file', { path: 'a' }))];
    expect(() => requestSummary(messages, options)).toThrow(expect.objectContaining({ code: 'open-calls' }) as Error);
  });

  test('a repair follows the messages it is about', () => {
    const messages = history();
    const result = applySummary(requested(messages, options), 'no', messages);
    if (result.kind !== 'failed') throw new Error(result.kind);
    messages.forEach((message, at) => expect(result.request.messages[at]).toBe(message));
    expect(textOf(result.request.messages.at(-1))).toContain('no complete `<state_snapshot>`');
  });
});

test('what there is nothing to summarise of', () => {
  expect(requestSummary([], { strategy: 'one-shot' })).toEqual({ kind: 'noop', reason: 'empty-history' });
  expect(requestSummary(history(1), { strategy: 'middle-out' })).toMatchObject({ kind: 'noop' });
  expect(requestSummary(history(), { strategy: 'middle-out', contextLimit: 1e6 })).toEqual({
    kind: 'noop',
    reason: 'already-under-target',
  });
});

test('todos, the transcript and further instructions are in the request', () => {
  const said = textsOf(
    requested(history(), {
      strategy: 'one-shot',
      todos: [{ content: 'Write the tests', status: 'in_progress', subtasks: [{ content: 'of the parser' }] }],
      transcriptPath: '/logs/today.jsonl',
      instructions: 'Pay attention to the parser.',
      language: 'Esperanto',
    }).messages,
  );
  for (const part of ['[IN_PROGRESS] Write the tests', '  - of the parser', '/logs/today.jsonl', 'Esperanto']) {
    expect(said).toContain(part);
  }
  expect(said).toContain('Pay attention to the parser.');
});

test('a profile and the room for the reply ride along', () => {
  const request = requested(history(), { strategy: 'one-shot', profile: 'cheap', replyTokens: 500, window: 50_000 });
  expect(request).toMatchObject({ profile: 'cheap', replyTokens: 500, version: 1, part: 1, parts: 1, attempt: 0 });
});

describe('prompts of the host', () => {
  const path = 'providers/acme%2Fx/models/m%3A1/compression/one-shot.md';

  test('the most specific one is taken', () => {
    const prompts = new Map([
      ['compression/one-shot.md', 'GENERAL'],
      [path, '\n SPECIAL \n'],
    ]);
    const of = (more: object) => textsOf(requested(history(), { strategy: 'one-shot', prompts, ...more }).messages);
    expect(of({ provider: 'acme/x', model: 'm:1' })).toContain('SPECIAL');
    expect(of({ provider: 'acme/x' })).toContain('GENERAL');
    expect(of({ prompt: 'MINE' })).toContain('MINE');
    const asked: string[] = [];
    const look = (name: string) => void asked.push(name);
    requested(history(), { strategy: 'one-shot', provider: 'acme/x', model: 'm:1', prompts: look });
    expect(asked).toEqual(promptCandidates('one-shot', { provider: 'acme/x', model: 'm:1' }));
    expect(asked[0]).toBe(path);
  });
});

test('the prompts say what they must', () => {
  for (const framing of ['middle-out', 'one-shot'] as const) {
    const prompt = compressionPrompt({ framing });
    for (const section of ['scratchpad', 'state_snapshot', 'user_directives', 'code_references']) {
      expect(prompt).toContain(`<${section}>`);
    }
  }
  expect(compressionPrompt({ framing: 'structured' })).toContain('## Goal');
  expect(compressionPrompt({ framing: 'structured', previous: true })).not.toBe(
    compressionPrompt({ framing: 'structured' }),
  );
  expect(compressionPrompt({ framing: 'one-shot', language: 'Latin' })).toContain('Latin');
  expect(todoContext([])).toBeUndefined();
  expect(todoContext([{ content: 'a' }])).toContain('- [PENDING] a');
});

test('files by what was done with them', () => {
  const messages = [
    ...read('1', 'b.ts'),
    ...write('2', 'a.ts'),
    ...write('3', 'no.ts', 'failed'),
    ...turn('4', 'run_shell_command', { command: 'cd src && cat c.ts' }, 'text'),
    ...turn('5', 'mine', { at: 'd.ts' }, 'ok'),
  ];
  const tools = [{ name: 'mine', kind: 'edit', pathKeys: ['at'] }] as const;
  const operations = fileOperations(messages, { workspaceRoot: '/w', tools });
  expect(operations).toEqual({ read: ['/w/b.ts', '/w/src/c.ts'], written: ['/w/a.ts'], edited: ['/w/d.ts'] });
  const lists = formatFileOperations(operations);
  expect(lists).toContain('<read-files>\n/w/b.ts\n/w/src/c.ts\n</read-files>');
  expect(lists).toContain('<modified-files>\n/w/a.ts\n/w/d.ts\n</modified-files>');
  expect(formatFileOperations({ read: [], written: [], edited: [] })).toBe('');
});

test('odd messages are summarised like any other', () => {
  const odd = [
    { speaker: 'ai' },
    null,
    { speaker: 'human', blocks: [{ type: 'text', text: 7 }, null, { type: 'hologram' }] },
    tool({ type: 'media', mimeType: 'image/png', data: 'AAAA', encoding: 'base64', filename: 'x.png' }),
    Object.defineProperty({ speaker: 'ai' }, 'blocks', {
      get: () => {
        throw new Error('no');
      },
    }),
  ] as unknown as IContent[];
  const messages = [...history(3), ...odd, ...history(8)];
  const request = requested(messages, { strategy: 'one-shot' });
  expect(applied(applySummary(request, goodReply(request), messages)).messages.length).toBeGreaterThan(2);
});
