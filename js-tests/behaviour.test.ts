// What a caller may expect of the functions without state.
import { estimateTokens, type IContent, optimize } from 'densify';
import { applyDensityResult, type DensityConfig, proposeDensity, strategies } from 'densify/host';
import { describe, expect, test, vi } from 'vitest';
import { ai, call, human, inclusion, POINTER, read, response, tool, turn, write } from './support/say.js';

describe('stale reads', () => {
  const history = [human('fix it'), ...read('r1', 'src/a.ts'), ...write('w1', 'src/a.ts'), ...read('r2', 'src/a.ts')];

  test('a read goes with its response once its file was written later', () => {
    const result = optimize(history, { preset: 'seed' });
    expect(result.changed).toBe(true);
    expect(result.messages).toEqual([history[0], ...history.slice(3)]);
    expect(result.metadata).toEqual({ readWritePairsPruned: 1, fileDeduplicationsPruned: 0, recencyPruned: 0 });
  });

  test('the edits say what was done to which message', () => {
    expect(optimize(history, { preset: 'seed' }).edits).toMatchObject([
      { index: 1, rule: 'stale-reads', pending: false, kind: 'drop' },
      { index: 2, rule: 'stale-reads', pending: false, kind: 'drop' },
    ]);
  });

  test.each<[string, readonly IContent[]]>([
    ['a write that failed', [...read('r', 'a'), ...write('w', 'a', 'disk full')]],
    [
      'a write with a structured error',
      [...read('r', 'a'), ...turn('w', 'replace', { path: 'a' }, { error: 'no match' })],
    ],
    ['a write with an exit code', [...read('r', 'a'), ...turn('w', 'replace', { path: 'a' }, { exitCode: 1 })]],
    ['a preview', [...read('r', 'a'), ...turn('w', 'ast_edit', { file_path: 'a', preview: true }, 'diff')]],
    ['a dry run', [...read('r', 'a'), ...turn('w', 'replace', { file_path: 'a', dry_run: true }, 'diff')]],
    [
      'an edit that was not forced',
      [...read('r', 'a'), ...turn('w', 'ast_edit', { file_path: 'a', force: false }, 'diff')],
    ],
    ['a write without a response', [...read('r', 'a'), ai(call('w', 'write_file', { file_path: 'a' }))]],
    ['a write before the read', [...write('w', 'a'), ...read('r', 'a')]],
    ['a write of another file', [...read('r', 'a'), ...write('w', 'A')]],
    [
      'a read of several files of which one is current',
      [...turn('r', 'read_many_files', { paths: ['a', 'b'] }, 'a and b'), ...write('w', 'a')],
    ],
    ['a read of a pattern', [...turn('r', 'read_many_files', { paths: ['*.ts'] }, 'all'), ...write('w', '*.ts')]],
    [
      'a write in the same batch',
      [
        ai(call('r', 'read_file', { path: 'a' }), call('w', 'write_file', { path: 'a' })),
        tool(response('r', 'read_file', 'x'), response('w', 'write_file', 'ok')),
      ],
    ],
  ])('%s leaves the read alone', (_, entries) => {
    expect(optimize(entries, { preset: 'seed' }).messages).toBe(entries);
  });

  test('isFailure tells of failures that the response does not show', () => {
    const entries = [...read('r', 'a'), ...turn('w', 'write_file', { path: 'a' }, 'ERROR: read-only')];
    const isFailure = vi.fn(({ result }: { result: unknown }) => String(result).startsWith('ERROR'));
    expect(optimize(entries, { preset: 'seed', isFailure }).messages).toBe(entries);
    expect(isFailure.mock.calls.map(([{ result }]) => result)).toEqual(['content of a', 'ERROR: read-only']);
    expect(optimize(entries, { preset: 'seed' }).changed).toBe(true);
  });

  test('paths are resolved against the workspace', () => {
    const entries = [...read('r', './src/../a.ts'), ...turn('w', 'write_file', { absolute_path: '/work/a.ts' }, 'ok')];
    expect(optimize(entries, { preset: 'seed', workspaceRoot: '/work' }).changed).toBe(true);
    expect(optimize(entries, { preset: 'seed', workspaceRoot: '/elsewhere' }).changed).toBe(false);
  });

  test('tools that the table does not know can be described', () => {
    const entries = [...turn('r', 'cat', { where: 'a' }, 'text'), ...turn('w', 'put', { files: ['a', 'b'] }, 'ok')];
    expect(optimize(entries, { preset: 'seed' }).changed).toBe(false);
    const tools = [
      { name: 'cat', kind: 'read', pathKeys: ['where'] },
      { name: 'put', kind: 'write', pathListKey: 'files' },
    ] as const;
    expect(optimize(entries, { preset: 'seed', tools }).metadata.readWritePairsPruned).toBe(1);
  });

  test('a block goes out of an entry that holds more', () => {
    const both = ai('both', call('r1', 'read_file', { path: 'a' }), call('r2', 'read_file', { path: 'b' }));
    const answers = tool(response('r1', 'read_file', 'A'), response('r2', 'read_file', 'B'));
    const { messages, edits } = optimize([both, answers, ...write('w', 'a')], { preset: 'seed' });
    expect(messages[0]).toEqual(ai('both', call('r2', 'read_file', { path: 'b' })));
    expect(messages[0]?.blocks[1]).toBe(both.blocks[2]);
    expect(messages[1]).toEqual(tool(response('r2', 'read_file', 'B')));
    expect(edits.map(({ kind }) => kind)).toEqual(['drop-block', 'drop-block']);
  });
});

describe('repeated inclusions', () => {
  const first = `Look:\n${inclusion('a.ts', 'one')}Thanks.`;

  test('the newest copy of a file stays, and of an earlier one no other character goes', () => {
    const history = [human(first), ai('ok'), human(inclusion('./a.ts', 'two'))];
    const { messages, metadata } = optimize(history, { preset: 'seed' });
    expect(messages).toEqual([human('Look:\nThanks.'), history[1], history[2]]);
    expect(messages[2]).toBe(history[2]);
    expect(metadata.fileDeduplicationsPruned).toBe(1);
  });

  test('an entry that held nothing else keeps a line that says so', () => {
    const { messages } = optimize(
      [human(inclusion('a.ts', 'a long content that is worth the line')), human(inclusion('a.ts', 'two'))],
      { preset: 'seed' },
    );
    expect(messages[0]).toEqual(human('[Earlier inclusion of a.ts removed]'));
  });

  test('markers that do not match up are left alone and reported', () => {
    const history = [human(inclusion('a.ts', 'one')), human('--- a.ts ---\nno end'), human(inclusion('a.ts', 'two'))];
    const { messages, warnings } = optimize(history, { preset: 'seed' });
    expect(messages[1]).toBe(history[1]);
    expect(warnings).toEqual([{ code: 'unbalanced-inclusion', index: 1 }]);
  });

  test('markers in results and in the text of the model mean nothing', () => {
    const history = [
      human(inclusion('a', 'one')),
      ...read('r', 'x', inclusion('a', 'two')),
      ai(inclusion('a', 'three')),
    ];
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
  });
});

describe('recency', () => {
  const history = Array.from({ length: 5 }, (_, at) => turn(`c${at}`, 'glob', {}, 'x'.repeat(100))).flat();

  test('is off unless asked for', () => {
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
  });

  test('keeps the newest results of each tool and points at the others', () => {
    const { messages, metadata } = optimize(history, { preset: 'seed', rules: { recencyPruning: true } });
    expect(metadata.recencyPruned).toBe(2);
    expect(messages[1]).toEqual(tool(response('c0', 'glob', POINTER)));
    expect(messages.slice(4)).toEqual(history.slice(4));
  });

  test.each([
    [0, 4],
    [-3, 4],
    [1.9, 4],
    [2, 3],
    [50, 0],
  ])('keeps at least one: %d prunes %d', (recencyRetention, pruned) => {
    expect(
      optimize(history, { preset: 'seed', rules: { recencyPruning: true, recencyRetention } }).metadata.recencyPruned,
    ).toBe(pruned);
  });

  test('can be limited to some tools', () => {
    const mixed = [...history, ...history.map((entry) => renamed(entry, 'grep'))];
    const { metadata } = optimize(mixed, {
      preset: 'seed',
      rules: { recencyPruning: true, recencyRetention: 1, recencyTools: ['grep'] },
    });
    expect(metadata.recencyPruned).toBe(4);
  });

  test('never makes a result longer', () => {
    const short = history.map((entry) => ({
      ...entry,
      blocks: entry.blocks.map((block) => ('result' in block ? { ...block, result: 'ok' } : block)),
    }));
    expect(optimize(short, { preset: 'seed', rules: { recencyPruning: true } }).messages).toBe(short);
  });
});

function renamed(entry: IContent, name: string): IContent {
  const blocks = entry.blocks.map((block) => {
    if (block.type === 'tool_call') return { ...block, id: `${block.id}-${name}`, name };
    return block.type === 'tool_response' ? { ...block, callId: `${block.callId}-${name}`, toolName: name } : block;
  });
  return { ...entry, blocks };
}

describe('options', () => {
  const everything = [
    human(inclusion('a', 'one')),
    ...read('r', 'a'),
    ...write('w', 'a'),
    human(inclusion('a', 'two')),
  ];

  test('each rule can be switched off', () => {
    expect(
      optimize(everything, { preset: 'seed', rules: { readWritePruning: false } }).metadata.readWritePairsPruned,
    ).toBe(0);
    expect(
      optimize(everything, { preset: 'seed', rules: { fileDedupe: false } }).metadata.fileDeduplicationsPruned,
    ).toBe(0);
    expect(
      optimize(everything, { preset: 'seed', rules: { readWritePruning: false, fileDedupe: false } }).messages,
    ).toBe(everything);
  });

  test('an option that is undefined is an option that is not given', () => {
    const options = {
      preset: 'seed' as const,
      rules: { readWritePruning: undefined },
      flush: undefined,
      tools: undefined,
      protect: undefined,
      countTokens: undefined,
    };
    expect(optimize(everything, options).messages).toEqual(optimize(everything, { preset: 'seed' }).messages);
  });

  test('protect keeps messages whatever the rules say', () => {
    const seen: [IContent, number][] = [];
    const protect = (message: IContent, index: number) => seen.push([message, index]) > 0 && index === 1;
    const { messages } = optimize(everything, { preset: 'seed', protect, rules: { fileDedupe: false } });
    expect(messages).toBe(everything);
    expect(seen).toEqual(everything.map((message, index) => [message, index]));
  });
});

describe('density results', () => {
  const config: DensityConfig = {
    readWritePruning: true,
    fileDedupe: true,
    recencyPruning: true,
    recencyRetention: 1,
    workspaceRoot: '/',
  };
  const history = [
    human(`${inclusion('a', 'one')}please`),
    ...read('r', 'a'),
    ...write('w', 'a'),
    human(inclusion('a', 'two')),
    ...turn('g1', 'glob', {}, 'x'.repeat(90)),
    ...turn('g2', 'glob', {}, 'x'.repeat(90)),
  ];

  test('proposeDensity gives removals and replacements by index of the raw history', () => {
    const result = proposeDensity(history, config);
    expect(result.removals).toEqual([1, 2]);
    expect([...result.replacements]).toEqual([
      [0, human('please')],
      [7, tool(response('g1', 'glob', POINTER))],
    ]);
    expect(result.metadata).toEqual({ readWritePairsPruned: 1, fileDeduplicationsPruned: 1, recencyPruned: 1 });
  });

  test('applying a proposal is what optimize does', () => {
    const result = proposeDensity(history, config);
    const applied = applyDensityResult(history, result);
    const { workspaceRoot, ...rules } = config;
    expect(applied).toEqual(optimize(history, { preset: 'seed', rules, workspaceRoot }).messages);
    expect(applied[1]).toBe(history[3]);
    expect(applied[0]).toBe(result.replacements.get(0));
  });

  test('a history without anything to do has an empty proposal', () => {
    const { removals, replacements } = proposeDensity([human('hi')], config);
    expect([removals, replacements.size]).toEqual([[], 0]);
    expect(applyDensityResult([], proposeDensity([], config))).toEqual([]);
  });
});

describe('tokens', () => {
  test('a text and a history cost about what a tokenizer would count', () => {
    expect(estimateTokens('')).toBe(0);
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
    expect(estimateTokens(text)).toBeGreaterThan(150);
    expect(estimateTokens(text)).toBeLessThan(260);
    expect(estimateTokens([human(text)])).toBeGreaterThanOrEqual(estimateTokens(text));
    expect(estimateTokens([])).toBe(0);
  });

  test('are added up over the entries', () => {
    const [first, second] = [[human('one two three'), ai('four')], read('r', 'a')];
    expect(estimateTokens([...first, ...second])).toBe(estimateTokens(first) + estimateTokens(second));
  });

  test("the caller's counter replaces the estimate", () => {
    const countTokens = (text: string) => text.length;
    expect(estimateTokens('hello', { countTokens })).toBe(5);
    const history = [human('four'), ai('sixsix')];
    const result = optimize(history, { preset: 'seed', countTokens });
    expect([result.tokensBefore, result.tokensAfter]).toEqual([10, 10]);
  });

  test('a failed call without a result costs what its message costs, by any counter', () => {
    const message = 'The server closed the connection before it answered.';
    const failed = [tool(response('r', 'fetch', undefined, message))];
    expect(estimateTokens(failed)).toBe(estimateTokens(message));
    expect(estimateTokens(failed, { countTokens: (text) => text.length })).toBe(message.length);
  });

  test('a result tells them before and after', () => {
    const history = [human('go'), ...read('r', 'a'), ...write('w', 'a')];
    const { messages, tokensBefore, tokensAfter } = optimize(history, { preset: 'seed' });
    expect(tokensBefore).toBe(estimateTokens(history));
    expect(tokensAfter).toBe(estimateTokens(messages));
    expect(tokensAfter).toBeLessThan(tokensBefore);
  });
});

test('strategies are described by data', () => {
  const threshold = { mode: 'threshold', defaultThreshold: 0.85 };
  expect(strategies).toEqual([
    { name: 'middle-out', requiresLLM: true, trigger: threshold },
    { name: 'top-down-truncation', requiresLLM: false, trigger: threshold },
    { name: 'one-shot', requiresLLM: true, trigger: threshold },
    { name: 'high-density', requiresLLM: false, trigger: { mode: 'continuous', defaultThreshold: 0.85 } },
    { name: 'structured', requiresLLM: true, trigger: threshold },
    { name: 'digest', requiresLLM: false, trigger: threshold },
    { name: 'auto', requiresLLM: true, trigger: { mode: 'continuous', defaultThreshold: 0.85 } },
  ]);
});
