// Sizes that only linear work gets through in the time that a test has.
import { isDeepStrictEqual } from 'node:util';
import { compress, createOptimizer, estimateTokens, type IContent, optimize } from 'densify';
import { proposeDensity } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { DENSITY, LONG, RULES } from './support/hostile.js';
import { ai, call, human, inclusion, POINTER, response, tool, turn } from './support/say.js';

const MANY = 100_000;
const MB = 2 ** 20;
/** Quadratic work on any of these takes many times as long. */
const TIME = 30_000;

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const filled = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));

/** Hands a history to the rules, to an optimizer, to both strategies and to the estimator. */
function throughRules(history: readonly IContent[]): readonly IContent[] {
  const { messages, tokensBefore, tokensAfter } = optimize(history, RULES);
  expect(tokensAfter).toBeLessThanOrEqual(tokensBefore);
  expect(proposeDensity(history, DENSITY).removals.length).toBe(history.length - messages.length);
  const optimizer = createOptimizer<IContent>(RULES);
  expect(optimizer.optimize(history).messages).toHaveLength(messages.length);
  expect(optimizer.optimize([...history, human('more')]).messages).toHaveLength(messages.length + 1);
  optimizer.dispose();
  return messages;
}

/** Compares without showing what differs: that alone would take minutes. */
function expectSame(messages: unknown, expected: unknown): void {
  expect(messages === expected || isDeepStrictEqual(messages, expected)).toBe(true);
}

function throughStrategies(history: readonly IContent[]): void {
  const tokens = estimateTokens(history);
  for (const strategy of ['high-density', 'top-down-truncation'] as const) {
    const { messages } = compress(history, { strategy, contextLimit: 1 + Math.floor(tokens / 4) });
    expect(messages.length).toBeLessThanOrEqual(history.length);
  }
}

function throughEverything(history: readonly IContent[]): readonly IContent[] {
  throughStrategies(history);
  return throughRules(history);
}

describe('large payloads', { timeout: TIME }, () => {
  test('50 MB in a result', () => {
    const payload = filled('a line of a large result, é 🙂\n', 50 * MB);
    const history = [
      ...turn('1', 'grep', { pattern: 'x' }, payload),
      ...turn('2', 'grep', { pattern: 'y' }, { output: filled('a line é 🙂\n', 5 * MB) }),
      ...turn('3', 'grep', {}, 'short'),
    ];
    const messages = throughRules(history);
    expectSame(
      [messages[1], messages[3]],
      [tool(response('1', 'grep', POINTER)), tool(response('2', 'grep', POINTER))],
    );
    throughStrategies(history);
  });

  test('50 MB in parameters, texts and thoughts', () => {
    const text = filled('some words of a large text 検索\n', 10 * MB);
    const history = [
      human(text),
      ai(
        text,
        { type: 'thinking', thought: text },
        { type: 'code', code: text },
        call('1', 'write_file', { path: 'a.ts', content: text }),
      ),
      tool(response('1', 'write_file', 'ok')),
    ];
    expectSame(throughEverything(history), history);
  });

  test('bytes, as payload and as parameters', () => {
    const bytes = new Uint8Array(MB / 2);
    const history = [
      ...turn('1', 'grep', bytes, bytes),
      ...turn('2', 'grep', { path: bytes }, { bytes }),
      ...turn('3', 'grep', {}, 'short'),
    ];
    const messages = throughRules(history);
    expectSame(messages[0], history[0]);
  });

  test('100,000 members in a payload', () => {
    const wide = Object.fromEntries(times(MANY, (at) => [`key ${at}`, at]));
    const history = [
      ...turn('1', 'grep', wide, wide),
      ...turn('2', 'grep', { paths: Object.values(wide) }, Object.values(wide)),
      ...turn('3', 'grep', {}, 'short'),
    ];
    expectSame(throughEverything(history)[1], tool(response('1', 'grep', POINTER)));
  });
});

describe('10 MB of inclusion markers in one text', { timeout: TIME }, () => {
  const PIECES = {
    dashes: '--- ',
    'dashes on lines': '---\n',
    'opening lines': '--- a.ts ---\n',
    'opening lines without an end': '--- a.ts --- --- b.ts ---',
    'closing lines': '--- End of content ---\n',
    'line ends': '\r\n',
    'half of a marker': '--- a.ts --\n',
  };

  test.each(Object.entries(PIECES))('%s', (_, piece) => {
    const history = [human(inclusion('a.ts', 'real'), 'x'), human(filled(piece, 10 * MB))];
    expectSame(throughRules(history), history);
    throughStrategies(history);
  });

  test('inclusions of one file', () => {
    const history = [human(filled(inclusion('a.ts', 'old'), 10 * MB), 'kept'), human(inclusion('a.ts', 'new'), 'y')];
    expectSame(throughRules(history), [human('kept'), history[1]]);
  });

  test('inclusions of many files, twice, with text between', () => {
    const text = times(MANY, (at) => `${inclusion(`file ${at}.ts`, 'x')}said ${at}\n`).join('');
    const [first] = throughRules([human(text), human(text)]);
    expectSame(first, human(times(MANY, (at) => `said ${at}\n`).join('')));
  });

  test('inclusions in many blocks of one entry', () => {
    const history = [
      human(...times(MANY, () => inclusion('a.ts', 'old')), 'kept'),
      human(inclusion('a.ts', 'new'), 'y'),
    ];
    expectSame(throughRules(history), [human('kept'), history[1]]);
  });

  test('one inclusion over many blocks', () => {
    const history = [
      human('--- a.ts ---\n', ...times(MANY, (at) => `line ${at}\n`), '--- End of content ---\n', 'kept'),
      human(inclusion('a.ts', 'new'), 'y'),
    ];
    expectSame(throughRules(history), [human('kept'), history[1]]);
  });
});

describe('100,000 of everything', { timeout: TIME }, () => {
  test('entries', () => {
    const history = times(MANY, (at) => (at % 2 === 0 ? human(`request ${at}`) : ai(`answer ${at}`)));
    expectSame(throughEverything(history), history);
  });

  test('blocks in one entry', () => {
    const history = [
      ai(...times(MANY, (at) => call(`${at}`, 'grep', {}))),
      tool(...times(MANY, (at) => response(`${at}`, 'grep', LONG))),
    ];
    const [, answers] = throughEverything(history);
    expect(answers?.blocks.filter((block) => block.type === 'tool_response' && block.result === POINTER)).toHaveLength(
      MANY - 1,
    );
  });

  test('ids, tool names and paths, each of them once', () => {
    const history = times(MANY / 2, (at) =>
      turn(`call ${at}`, `tool ${at}`, { path: `folder ${at}/file ${at}.ts` }, 'short'),
    ).flat();
    expectSame(throughEverything(history), history);
  });

  test('long ids, tool names and paths that differ in the end', () => {
    const long = 'x'.repeat(20_000);
    const name = (at: number): string => `${long}${String(at).padStart(6, '0')}`;
    const history = times(1_000, (at) => turn(name(at), 'grep', {}, 'short')).flat();
    expectSame(throughRules(history), history);
    const files = times(100, (at) => [
      ...turn(name(at), 'read_file', { path: name(at) }, 'short'),
      ...turn(`t${at}`, name(at), {}, 'short'),
    ]).flat();
    const written = [...files, ...turn('w', 'write_file', { path: name(7) }, 'ok')];
    expectSame(
      throughRules(written),
      written.filter((_, at) => at !== 28 && at !== 29),
    );
  });

  test('reads of as many files, all written later', () => {
    const history = ['read_file', 'write_file'].flatMap((name) =>
      times(MANY / 4, (at) => turn(`${name} ${at}`, name, { path: `${at}.ts` }, 'short')).flat(),
    );
    expect(throughEverything(history)).toHaveLength(history.length / 2);
  });

  test('reads and writes of one file, in turns', () => {
    const history = times(MANY / 2, (at) =>
      turn(`call ${at}`, at % 2 === 0 ? 'read_file' : 'write_file', { path: 'a.ts' }, 'short'),
    ).flat();
    expect(throughEverything(history)).toHaveLength(history.length / 2);
  });

  test('reads of one file, and then one write', () => {
    const history = [
      ...times(MANY / 2, (at) => turn(`call ${at}`, 'read_file', { path: 'a.ts' }, 'short')).flat(),
      ...turn('w', 'write_file', { path: 'a.ts' }, 'ok'),
    ];
    expect(throughEverything(history)).toHaveLength(2);
  });

  test('reads of many files at once, each file written in the end', () => {
    const paths = times(1_000, (at) => `${at}.ts`);
    const history = [
      ...times(100, (at) => turn(`r${at}`, 'read_many_files', { paths }, 'short')).flat(),
      ...paths.flatMap((path) => turn(`w ${path}`, 'write_file', { path }, 'ok')),
    ];
    expect(throughEverything(history)).toHaveLength(2_000);
  });

  test('calls with one id, answered in the end', () => {
    const history = [
      ...times(MANY / 2, () => ai(call('same', 'read_file', { path: 'a.ts' }))),
      ...times(MANY / 2, () => tool(response('same', 'read_file', 'short'))),
      ...turn('w', 'write_file', { path: 'a.ts' }, 'ok'),
    ];
    expect(throughEverything(history)).toHaveLength(2);
  });

  test('calls with one id in one entry, never answered, and responses that answer nothing', () => {
    const history = [
      ai(...times(MANY / 2, () => call('same', 'read_file', { path: 'a.ts' }))),
      tool(...times(MANY / 2, () => response('other', 'read_file', 'short'))),
    ];
    expectSame(throughEverything(history), history);
  });

  test('responses that come in the reverse order of their calls', () => {
    const history = [
      ...times(MANY / 4, (at) => ai(call(`${at}`, 'read_file', { path: `${at % 7}.ts` }))),
      ...times(MANY / 4, (at) => tool(response(`${MANY / 4 - 1 - at}`, 'read_file', LONG))),
    ];
    expect(throughEverything(history)).toHaveLength(history.length);
  });

  test('turns by way of a handle, one by one', () => {
    const optimizer = createOptimizer<IContent>(RULES);
    const count = 20_000;
    for (let at = 0; at < count; at += 1) {
      optimizer.push(
        ...turn(`call ${at}`, at % 5 === 0 ? 'write_file' : 'read_file', { path: `${at % 3}.ts` }, LONG),
        human(inclusion(`${at % 3}.ts`, 'x'), 'go on'),
      );
      optimizer.optimize();
    }
    const { messages } = optimizer.optimize();
    expect(messages.length).toBeGreaterThan(count);
    expect(messages.length).toBeLessThan(2 * count);
    optimizer.dispose();
  });

  test('segments in a path, and spellings of it', () => {
    const long = 'x/../'.repeat(MANY / 2);
    const history = [
      ...turn('r', 'read_file', { path: `${long}a.ts` }, 'short'),
      ...turn('w', 'write_file', { path: '../'.repeat(MANY) + 'w/a.ts' }, 'ok'),
      human(inclusion(`${long}b.ts`, 'old'), 'x'),
      human(inclusion('b.ts', 'new')),
    ];
    const { metadata } = optimize(history, RULES);
    expect(metadata).toMatchObject({ readWritePairsPruned: 1, fileDeduplicationsPruned: 1 });
  });
});
