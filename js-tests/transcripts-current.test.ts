// Logs of today's agents: the readers take what the model saw, and nothing else.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { detectTranscript, readTranscript } from 'densify/transcripts';
import { describe, expect, test } from 'vitest';
import { counts, fixture, lines, outline } from './support/transcripts.js';

/** What a log becomes: its contents in short, and where a compaction ended. */
const read = (name: string) => {
  const transcript = readTranscript(fixture(name));
  const { contents } = transcript;
  const boundary = contents.findIndex(({ metadata }) => metadata?.['compactBoundary'] === true);
  return { transcript, contents, boundary, texts: outline(transcript, 'full') };
};

describe('Claude Code', () => {
  const { transcript, contents, boundary, texts } = read('claude-code-attachments.jsonl');

  test('attachments that the model saw are contents, behind the results of the calls that were open', () => {
    expect(outline(transcript)).toEqual([
      'human: text',
      ...Array.from({ length: 4 }, () => 'human: text'),
      'ai: call ToolSearch t1, call Read t2',
      'tool: response ToolSearch t1',
      'tool: response Read t2',
      'human: text',
      'ai: server_tool_use, advisor_tool_result, text',
      ...Array.from({ length: 3 }, () => 'human: text'),
      'ai: text',
      'human: text',
      'human: text',
      'ai: text',
    ]);
    const all = texts.join('\n');
    for (const shown of [
      'Result of calling the Read tool:\nexport const total = 0;',
      '- release: write the notes of a release',
      'WebFetch\nTaskCreate',
      '## shop\nAsk for orders by number.',
      'Contents of /shop/src/CLAUDE.md:\n\nPrices are in cents.',
      'and add a test',
      '/shop/src/cart.ts was modified',
      '<system-reminder>\nToday is a Monday.\n</system-reminder>',
    ]) {
      expect(all).toContain(shown);
    }
    expect(all).not.toContain('ready');
    expect(contents[1]?.metadata).toMatchObject({ id: 'a2', isMeta: true });
  });

  test('only an attachment that nobody knows is worth a warning', () => {
    expect(counts(transcript)).toEqual({ 'unknown-record': 1 });
  });

  test('replies have what the provider reported of them', () => {
    expect(contents[5]?.metadata).toMatchObject({
      model: 'claude-sonnet-5',
      usage: { input: 3, cacheRead: 4000, cacheWrite: 900, output: 50 },
      cacheTtl: 3600,
    });
  });

  test('a tool reference names the tool', () => {
    expect(contents[6]?.blocks[0]).toMatchObject({ type: 'tool_response', result: 'TaskCreate' });
  });

  test('what follows a compaction names what it kept, which is not read twice', () => {
    expect(texts[boundary]).toBe('human: The total is rounded once.');
    expect(contents[boundary]?.metadata).toMatchObject({ isSummary: true, compactKept: ['m3'] });
    expect(texts.filter((text) => text === 'ai: Done.')).toHaveLength(1);
  });
});

describe('Codex', () => {
  const { transcript, contents, boundary, texts } = read('codex-code-mode.jsonl');

  test('scripts are calls as the model wrote them, and are answered', () => {
    expect(transcript.counts).toMatchObject({
      toolCalls: 3,
      toolResponses: 3,
      unpairedResponses: 0,
      unansweredCalls: 0,
    });
    expect(contents[1]?.blocks[0]).toMatchObject({
      name: 'exec',
      parameters: { input: expect.stringContaining('tools.exec_command({cmd:') },
    });
    expect(contents[2]?.blocks[0]).toMatchObject({
      result: expect.stringContaining('const total = round(round(sum));'),
    });
    expect(contents[5]?.blocks[0]).toMatchObject({ name: 'wait', parameters: { cell_id: 1 } });
    expect(counts(transcript)).toEqual({});
  });

  test('another agent writes to the model, it is not the model that speaks', () => {
    const message = contents.find(({ metadata }) => metadata?.['role'] === 'agent');
    expect(message).toMatchObject({ speaker: 'human', metadata: { agent: '/root/review' } });
    expect(message?.blocks.map(({ type }) => String(type))).toEqual(['text', 'encrypted_content']);
  });

  test('a compaction is followed by the history that took the place of the one before', () => {
    expect(texts.slice(boundary)).toEqual([
      'human: Round the total once.',
      'ai: compaction',
      'human: Add a test.',
      'ai: Added.',
    ]);
    expect(contents.slice(boundary).map(({ metadata }) => metadata?.['fromCompaction'] === true)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('new records at the beginning do not hide the format', () => {
    const added = { timestamp: '2026-08-01T08:00:00.000Z', type: 'rollout_features', payload: { list: [] } };
    expect(detectTranscript(lines(added))).toBe('codex');
    expect(detectTranscript(lines({ type: 'note', payload: {} }))).toBeUndefined();
  });
});

test('Oh My Pi: system prompt, developer, ranges in paths, patches, a compaction', () => {
  const { transcript, contents, boundary, texts } = read('omp.jsonl');
  expect(transcript.format).toBe('pi');
  expect(counts(transcript)).toEqual({});
  expect(texts.slice(0, 3)).toEqual([
    'human: Work carefully.',
    'human: Stay inside src.',
    'human: Round the total once.',
  ]);
  expect(contents.slice(0, 2).map(({ metadata }) => metadata?.['role'])).toEqual(['system', 'developer']);
  expect(contents[boundary]?.metadata).toMatchObject({ isSummary: true, compactKept: ['p7'] });
  expect(transcript.counts).toMatchObject({ toolCalls: 2, unansweredCalls: 0 });
});

test('Copilot CLI: what was transformed for the model, its newest system prompt first', () => {
  const { transcript, contents, boundary, texts } = read('copilot-cli.jsonl');
  expect(transcript.format).toBe('copilot-cli');
  expect(counts(transcript)).toEqual({});
  expect(texts).toEqual([
    'human: You are a terminal assistant. Plan first.',
    'human: <current_datetime>now</current_datetime>\n\nRound the total once.',
    'ai: thinking, I look., call view k1, call apply_patch k2',
    'tool: response view k1',
    'tool: failed apply_patch k2',
    'ai: Done.',
    'human: The total is rounded once.',
    'human: Thanks.',
    'ai: Gladly.',
  ]);
  expect(contents[3]?.blocks[0]).toMatchObject({ result: '1. const total = round(round(sum));' });
  expect(contents[2]?.blocks[3]).toMatchObject({ parameters: { input: '*** Begin Patch\n*** End Patch' } });
  expect(boundary).toBe(6);
});

test.each([
  [
    'factory-droid',
    [
      'human: Round the total once.',
      'ai: thinking, call Read w1',
      'tool: response Read w1',
      'human: The cart was read.',
      'ai: Done.',
    ],
    3,
  ],
  [
    'qwen-code',
    [
      'human: Round the total once.',
      'ai: thinking, call read_file f1',
      'tool: response read_file f1',
      'human: The cart was read.',
      'ai: Got it.',
      'human: Go on.',
      'ai: Done.',
    ],
    3,
  ],
  [
    'grok-cli',
    [
      'human: You are a terminal assistant.',
      'human: Round the total once.',
      'ai: thinking, I look., call read_file g1',
      'tool: response read_file g1',
      'ai: backend_tool_call',
      'ai: Done.',
    ],
    -1,
  ],
])('%s', (format, expected, at) => {
  const { transcript, boundary, texts } = read(`${format}.jsonl`);
  expect(transcript.format).toBe(format);
  expect(counts(transcript)).toEqual({});
  expect(texts).toEqual(expected);
  expect(boundary).toBe(at);
});

test('a log of an agent that nobody reads is taken for no other', () => {
  expect(detectTranscript(fixture('kimi-wire.jsonl'))).toBeUndefined();
});

const REAL = new URL('../../shared/transcripts-new/', import.meta.url);
/** Logs that end, or break off, before a result. */
const UNANSWERED: Readonly<Record<string, number>> = {
  'claude-code/git-sync-b8dd556e.jsonl': 1,
  'codex/git-sync-d3a160f0.jsonl': 1,
};

describe('real logs of current agents', () => {
  if (!existsSync(REAL)) return test.skip('there are none beside the project', () => undefined);
  const folders = readdirSync(fileURLToPath(REAL), { withFileTypes: true }).filter((each) => each.isDirectory());
  const files = folders.flatMap(({ name }) => readdirSync(new URL(name, REAL)).map((file) => `${name}/${file}`));
  test.each(files)('%s: every call is answered, and no record is unknown', (file) => {
    const { warnings, counts: found } = readTranscript(readFileSync(new URL(file, REAL), 'utf8'));
    expect(warnings.filter(({ code }) => code !== 'empty-message')).toEqual([]);
    expect(found.toolCalls).toBeGreaterThan(0);
    expect(found).toMatchObject({ unpairedResponses: 0, unansweredCalls: UNANSWERED[file] ?? 0 });
  });
});
