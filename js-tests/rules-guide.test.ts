// The table of rules in docs/rules.md says what `optimize` does: which preset runs which rule, and what each leaves.
import { readFileSync } from 'node:fs';
import { type IContent, type OptimizeOptions, optimize, type Preset } from 'densify';
import { describe, expect, test } from 'vitest';
import { ai, human, inclusion, read, turn, write } from './support/say.js';
import { exchange, lines, numbered } from './support/work.js';

const PRESETS: readonly Preset[] = ['seed', 'lossless', 'balanced', 'aggressive'];
/** Alike for all: a request before what a rule looks at, and an answer behind it. */
const told = (...contents: readonly IContent[]) => [human('Go on.'), ...contents, ai('Done.')];
const long = (of: string) => `${lines(of, 0, 40).join('\n')}\n`;
const media = (data: string): IContent =>
  human('See.', { type: 'media', mimeType: 'image/png', data, encoding: 'base64' });
const thought = (at: number): IContent[] => {
  const [call, result] = turn(`t${at}`, 'lookup', { at }, `${at}!`);
  return [{ ...call, blocks: [{ type: 'thinking', thought: `What does ${at} say?` }, ...call.blocks] }, result];
};

interface Case {
  /** What edits of the rule say. */
  readonly rule: string;
  /** What it cuts something of. */
  readonly cuts: readonly IContent[];
  /** What it cuts nothing of, in any preset. */
  readonly leaves: Readonly<Record<string, readonly IContent[]>>;
  /** What it leaves in one preset alone. */
  readonly leavesIn?: readonly [Preset, readonly IContent[]];
}

const A = long('a');
const show = (id: string, result: unknown = A) => exchange(id, 'read_file', { path: '/a.rs' }, result);
const say = (id: string, result: unknown = A, command = `say ${id}`) => exchange(id, 'bash', { command }, result);
const find = (id: string, result = A, pattern = 'a') => exchange(id, 'grep', { pattern }, result);
const put = (id: string, content: string, path = '/a.rs') =>
  exchange(id, 'write_file', { path, content }, 'Wrote the file.');
const many = (count: number) => Array.from({ length: count }, (_, at) => find(`n${at}`, `${at}!`, `${at}`)).flat();
const thoughts = (count: number) => Array.from({ length: count }, (_, at) => thought(at)).flat();
const large = lines('a', 0, 900).join('\n');

const CASES: Readonly<Record<string, Case>> = {
  repeats: {
    rule: 'repeats',
    cuts: told(...say('1'), ...say('2')),
    leaves: {
      'words of the user': told(human(A), human(A)),
      'lines within structured results': told(
        ...say('1', { rows: [A, long('b')] }),
        ...say('2', { rows: [A, long('c')] }),
      ),
    },
  },
  lineNumbers: {
    rule: 'line-numbers',
    cuts: told(...show('1', numbered(lines('a', 0, 40), 1))),
    leaves: {
      'what another tool gave': told(...say('1', numbered(lines('a', 0, 40), 1))),
      'seven of them': told(...show('1', numbered(lines('a', 0, 7), 1))),
    },
  },
  supersededReads: {
    rule: 'superseded',
    cuts: told(...show('1'), ...show('2', A + long('b'))),
    leaves: {
      'lines that a later result lacks': told(...show('1'), ...show('2', long('b'))),
      'what a tool shows that nobody declared': told(
        ...show('1'),
        ...exchange('2', 'peek', { path: '/a.rs' }, long('b')),
      ),
      'what a stub shows': told(...show('1'), ...show('2', `${long('b')}… (truncated)`)),
      'what a call wrote over': told(...show('1'), ...put('2', long('b'))),
      'an earlier part': told(
        ...say('1', A, 'sed -n 1,40p /a.rs'),
        ...say('x', 'Done.', 'make'),
        ...say('2', long('b'), 'sed -n 1,40p /a.rs'),
      ),
    },
  },
  writeArguments: {
    rule: 'write-arguments',
    cuts: told(...put('1', A), ...show('2')),
    leaves: {
      patches: told(...exchange('1', 'apply_patch', { path: '/a.rs', input: A }, 'Wrote the file.'), ...show('2')),
      'short ones': told(...put('1', 'let a = 1;'), ...show('2', 'let a = 1;')),
      'what was written over': told(...put('1', A), ...put('2', long('b'))),
      'what nothing shows': told(...put('1', A), ...show('2', long('b'))),
    },
  },
  repeatedMedia: {
    rule: 'repeated-media',
    cuts: told(media('A'.repeat(800)), media('A'.repeat(800))),
    leaves: { 'other bytes': told(media('A'.repeat(800)), media('B'.repeat(800))) },
  },
  repeatedCalls: {
    rule: 'repeated-calls',
    cuts: told(...find('1'), ...find('2', A.split('\n').reverse().join('\n'))),
    leaves: {
      'what came before a word of the user': told(...find('1'), human('It changed.'), ...find('2', long('b'))),
      'what came before a change': told(...find('1'), ...put('x', 'let a = 1;'), ...find('2', long('b'))),
      'what a tool gave that nobody declared': told(
        ...['1', '2'].flatMap((id) => exchange(id, 'query', { of: 'a' }, long(id))),
      ),
      'what changes by itself': told(...['1', '2'].flatMap((id) => say(id, long(id), 'tail -n 40 a.log'))),
    },
  },
  failedCalls: {
    rule: 'failed-calls',
    cuts: told(
      ...turn('1', 'bash', { command: 'make' }, A, 'exit 1'),
      ...write('w', '/m.c'),
      ...say('2', 'Built.\nExit code: 0', 'make'),
    ),
    leaves: {
      'no change that explains it': told(
        ...turn('1', 'bash', { command: 'make' }, A, 'exit 1'),
        ...say('2', 'Built.\nExit code: 0', 'make'),
      ),
      'what may still fail': told(
        ...turn('1', 'bash', { command: 'make' }, A, 'exit 1'),
        ...write('w', '/m.c'),
        ...say('2', 'Running in the background with ID 3', 'make'),
      ),
      'other calls': told(...turn('1', 'bash', { command: 'make' }, A, 'exit 1'), ...say('2', 'Built.', 'make x')),
    },
  },
  oldResults: {
    rule: 'old-results',
    cuts: told(...find('1', large), ...many(40)),
    leaves: {
      instructions: told(...read('1', '/AGENTS.md', large), ...many(40)),
      'what a sub-agent found': told(...exchange('1', 'task', { prompt: 'look' }, large), ...many(40)),
      'short ones': told(...find('1', 'a'.repeat(299)), ...many(400)),
      'what the model did not answer yet': [...find('1', large)],
    },
  },
  oldThinking: {
    rule: 'old-thinking',
    cuts: told(...thoughts(40)),
    leaves: { 'the newest': told(...thoughts(4)) },
  },
  readWritePruning: {
    rule: 'stale-reads',
    cuts: told(...read('1', '/a.rs'), ...write('2', '/a.rs')),
    leaves: {
      'failed writes': told(...read('1', '/a.rs'), ...write('2', '/a.rs', 'disk full')),
      'one of several files': told(
        ...exchange('1', 'read_many_files', { paths: ['/a.rs', '/b.rs'] }, A),
        ...write('2', '/a.rs'),
      ),
    },
  },
  fileDedupe: {
    rule: 'inclusions',
    cuts: told(human(inclusion('a.rs', A)), human(inclusion('a.rs', A))),
    leaves: { 'other files': told(human(inclusion('a.rs', A)), human(inclusion('b.rs', long('b')))) },
    leavesIn: ['balanced', told(human(inclusion('a.rs', A)), human(inclusion('a.rs', A.slice(0, A.indexOf('\n')))))],
  },
  recencyPruning: {
    rule: 'recency',
    cuts: told(...['1', '2', '3', '4'].flatMap((id) => find(id, long(id), id))),
    leaves: { 'the newest three': told(...['1', '2', '3'].flatMap((id) => find(id, long(id), id))) },
  },
};

const rulesOf = (history: readonly IContent[], options: OptimizeOptions<IContent>) =>
  new Set(optimize(history, options).edits.map(({ rule }) => rule as string));

/** In which presets a rule is on by words of the guide: `all`, `none`, all but some, or some. */
function presetsOf(words: string): readonly boolean[] {
  const named = PRESETS.map((preset) => words.includes(`\`${preset}\``));
  return words === 'all' ? PRESETS.map(() => true) : words.startsWith('all but ') ? named.map((is) => !is) : named;
}

const guide = readFileSync(new URL('../docs/rules.md', import.meta.url), 'utf8');
const rows = new Map([...guide.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm)].map(([, key, on]) => [key!, presetsOf(on!)]));

test('the guide has each rule once', () => {
  expect([...rows.keys()].sort()).toEqual(Object.keys(CASES).sort());
});

describe.each(Object.entries(CASES))('%s', (key, { rule, cuts, leaves, leavesIn }) => {
  const runs = (preset: Preset, history = cuts, on?: boolean) =>
    rulesOf(history, { preset, flush: 'always', ...(on === undefined ? {} : { rules: { [key]: on } }) }).has(rule);

  test('runs in the presets that the guide names', () => {
    expect(PRESETS.map((preset) => runs(preset))).toEqual(rows.get(key));
  });

  test('can be switched on and off in each', () => {
    for (const on of [true, false])
      expect(PRESETS.map((preset) => runs(preset, cuts, on))).toEqual(PRESETS.map(() => on));
  });

  test.each(Object.entries(leaves))('leaves %s', (_, history) => {
    for (const preset of PRESETS) expect([preset, runs(preset, history, true)]).toEqual([preset, false]);
  });

  if (leavesIn !== undefined) {
    test('leaves in one preset what it cuts in another', () => {
      const [preset, history] = leavesIn;
      expect(runs(preset, history, true)).toBe(false);
      expect(PRESETS.some((other) => runs(other, history, true))).toBe(true);
    });
  }

  test('leaves what is protected', () => {
    for (const preset of PRESETS) {
      expect(optimize(cuts, { preset, rules: { [key]: true }, protect: () => true }).messages).toBe(cuts);
    }
  });
});

describe('what no rule cuts', () => {
  const everything = Object.fromEntries(Object.keys(CASES).map((key) => [key, true]));
  const options = (preset: Preset) => ({
    preset,
    rules: { ...everything, readWritePruning: false, recencyPruning: false },
    budget: 1,
  });

  test.each(PRESETS)('instructions, short results and words, by %s', (preset) => {
    const history = told(
      ...read('1', '/AGENTS.md', large),
      ...exchange('2', 'task', { prompt: 'look' }, large),
      ...find('3', 'a'.repeat(190)),
      ...find('4', 'a'.repeat(190)),
      human(large),
      ai(large),
      ...many(40),
    );
    expect(optimize(history, options(preset)).messages).toBe(history);
  });

  test('a budget goes on with old results in any preset', () => {
    const history = told(...Array.from({ length: 30 }, (_, at) => find(`${at}`, long(`a${at}`), `${at}`)).flat());
    for (const preset of PRESETS) {
      const { tokensAfter, edits } = optimize(history, { preset, budget: 10_000 });
      expect(tokensAfter).toBeLessThanOrEqual(10_000);
      expect(new Set(edits.map(({ rule }) => rule))).toEqual(new Set(['old-results']));
    }
  });

  test.each(PRESETS)('calls, by %s', (preset) => {
    for (const { cuts } of Object.values(CASES)) {
      const calls = (contents: readonly IContent[]) =>
        contents.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'tool_call')).length;
      expect(calls(optimize(cuts, options(preset)).messages)).toBe(calls(cuts));
    }
  });
});
