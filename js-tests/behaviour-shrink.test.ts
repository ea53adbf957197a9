/** `shrinkResult`: how the call decides about its result, and which results stay unchanged. */
import { readdirSync, readFileSync } from 'node:fs';
import { createConversation, type IContent, type IntakeOptions, initConversations, restoreConversation } from 'densify';
import { createRecall } from 'densify/recall';
import { shrinkResult } from 'densify/tools'; // biome-ignore format: one thing
import { describe, expect, it } from 'vitest';

type ReducerName = keyof NonNullable<IntakeOptions['reducers']>;

const tests = [
  'running 60 tests',
  ...Array.from({ length: 58 }, (_, at) => `test parser::case_${at} ... ok`),
  'test parser::dates ... FAILED',
  'test parser::times ... ignored',
  'test result: FAILED. 58 passed; 1 failed; 1 ignored',
].join('\n');
const file = 'the same line of a file, as it is\n'.repeat(80);
const cargo = { name: 'bash', parameters: { command: 'cargo test' } };

/** All of them; a name that the types have and this list hasn't doesn't compile. */
const REDUCERS = Object.keys({
  escapes: 0,
  progress: 0,
  repeats: 0,
  json: 0,
  tables: 0,
  search: 0,
  listings: 0,
  similarLines: 0,
  buildSteps: 0,
  passingTests: 0,
  libraryFrames: 0,
  generatedDiffs: 0,
  filledFolders: 0,
  logs: 0,
  ends: 0,
} satisfies Record<ReducerName, number>) as ReducerName[];

/** A result, its call and the reducers that have a part in it. */
interface Sample {
  readonly name: string;
  readonly call: { readonly name: string };
  readonly text: string;
  readonly reducers: readonly string[];
}

const fixtures = new URL('../tests/fixtures/intake/', import.meta.url);
const samples: readonly Sample[] = [
  ...readdirSync(fixtures).map((name) => {
    const file = readFileSync(new URL(name, fixtures), 'utf8');
    const [, call = '', text = '', out = ''] = /^(.*?)\n=== in\n(.*?)\n=== out\n(.*)$/s.exec(file) ?? [];
    const reducers = out === 'unchanged' ? [] : out.slice(0, out.indexOf('\n')).split(' ');
    return { name, call: JSON.parse(call) as { name: string }, text, reducers };
  }),
  {
    name: 'a long result',
    call: { name: 'query' },
    text: Array.from({ length: 9000 }, (_, at) => `${(at * 7919) % 9001} nothing of note here`).join('\n'),
    reducers: ['ends'],
  },
];

describe('shrinkResult', () => {
  it('leaves out what passed and says how much that was', () => {
    const { result, changed, reducers } = shrinkResult(cargo, tests);
    expect(result.split('\n')).toEqual([
      'running 60 tests',
      '… (58 passing tests left out)',
      'test parser::dates ... FAILED',
      'test parser::times ... ignored',
      'test result: FAILED. 58 passed; 1 failed; 1 ignored',
    ]);
    expect([changed, reducers]).toEqual([true, ['passingTests']]);
    expect(shrinkResult(cargo, result)).toEqual({ result, changed: false, reducers: [] });
  });

  it('keeps the form of the result and everything beside its output', () => {
    const output = { output: tests, code: 1, at: new Date(0) };
    const { result } = shrinkResult(cargo, output);
    expect(result.code).toBe(1);
    expect(result.at).toBe(output.at);
    expect(result.output).toContain('58 passing tests');
    expect(output.output).toBe(tests);
    for (const other of [undefined, null, 7, [tests], { text: tests }, { output: 3 }]) {
      expect(shrinkResult(cargo, other).result).toBe(other);
    }
  });

  it('shrinks what holds halves of characters, and keeps these', () => {
    const [high, low] = ['\ud83d', '\udca9'];
    const text = `${low}\n${file}\ue000${high}\n${high}`;
    const { result } = shrinkResult({ name: 'run' }, text);
    expect(result).toBe(`${low}\nthe same line of a file, as it is\n… (repeated 80 times)\n\ue000${high}\n${high}`);
    // Where every sign is taken that might stand for them, all stays.
    const signs = Array.from({ length: 0xf8ff - 0xe000 + 1 }, (_, at) => String.fromCharCode(0xe000 + at)).join('');
    expect(shrinkResult({ name: 'run' }, text + signs).changed).toBe(false);
  });

  it.each([
    [{ type: 'tool_use', id: 't', name: 'bash', input: { command: 'cat a.ts' } }],
    [{ name: 'bash', arguments: JSON.stringify({ command: 'cat a.ts' }) }],
    [{ name: 'bash', parameters: JSON.stringify({ command: 'cat a.ts' }) }],
    [{ name: 'bash', args: { command: 'cat a.ts' } }],
  ])('reads calls as providers have them: %j', (call) => {
    expect(shrinkResult(call, file).changed).toBe(false);
    expect(
      shrinkResult({ ...call, input: undefined, arguments: 'no json', parameters: undefined, args: undefined }, tests)
        .changed,
    ).toBe(true);
  });

  it.each([
    [{ name: 'read_file', parameters: { path: 'a' } }],
    [{ name: 'str_replace_editor', parameters: { command: 'view', path: 'a' } }],
    [{ name: 'mcp__files__read_text', parameters: {} }],
    [{ name: 'bash', parameters: { command: 'cd src && cat a.ts' } }],
    [{ name: 'bash', parameters: { command: "sed -n '1,80p' a.ts | head -50" } }],
    [{ name: 'shell', parameters: { command: ['bash', '-lc', 'nl -ba a.ts'] } }],
    [{ name: 'bash', parameters: { command: 'git show HEAD~1:a.ts' } }],
  ])('never touches what a file holds: %j', (call) => {
    expect(shrinkResult(call, file)).toEqual({ result: file, changed: false, reducers: [] });
  });

  it('shrinks the same text where it is no file', () => {
    for (const command of ['./run', 'tail -n 50 build.log', './run | tail -50', 'git show HEAD']) {
      const { result } = shrinkResult({ name: 'bash', parameters: { command } }, file);
      expect(result).toBe('the same line of a file, as it is\n… (repeated 80 times)\n');
    }
  });

  it('keeps in the middle of what is too long what the call asked for', () => {
    const lines = Array.from({ length: 9000 }, (_, at) => `${(at * 7919) % 9001} nothing of note here`);
    lines[4000] = 'here the zebra crosses';
    lines[6000] = 'Error: it broke';
    const call = { name: 'search', parameters: { query: 'zebra' } };
    const { result } = shrinkResult(call, lines.join('\n'), { maxResultTokens: 500 });
    expect(result).toContain('\nhere the zebra crosses\n');
    expect(result).toContain('\nError: it broke\n');
    expect(result).toMatch(/^0 nothing[\s\S]*lines left out\)\n[\s\S]*nothing of note here$/);
    expect(result.length).toBeLessThan(3000);
  });

  it.each(REDUCERS)('has a switch for the reducer %s, which alone does its work', (reducer) => {
    const mine = samples.filter(({ reducers }) => reducers.includes(reducer));
    expect(mine.length).toBeGreaterThan(0);
    const others = Object.fromEntries(REDUCERS.map((name) => [name, name === reducer]));
    for (const { name, call, text, reducers } of mine) {
      const whole = shrinkResult(call, text);
      expect([name, whole.reducers]).toEqual([name, reducers]);
      const without = shrinkResult(call, text, { reducers: { [reducer]: false } });
      expect([name, without.reducers]).not.toContain(reducer);
      expect([name, without.result]).not.toEqual([name, whole.result]);
      const alone = shrinkResult(call, text, { reducers: others });
      expect([name, alone.reducers]).toEqual([name, [reducer]]);
      expect(alone.result.length).toBeLessThan(text.length);
    }
    const none = Object.fromEntries(REDUCERS.map((name) => [name, false]));
    for (const { call, text } of mine) expect(shrinkResult(call, text, { reducers: none }).changed).toBe(false);
  });

  it('knows tools by their kind', () => {
    const tools = [{ name: 'bash', kind: 'read' }] as const;
    expect(shrinkResult(cargo, tests, { tools }).changed).toBe(false);
  });

  it('keeps what it cuts in a recall, and cuts nothing that it cannot keep', () => {
    const recall = createRecall({ secret: 'a secret of at least sixteen bytes', maxCharacters: 100_000 });
    const noted = shrinkResult(cargo, { output: tests, code: 1 }, { recall });
    const [, reference = ''] = /\n… \(all of it: recall (r\w{13})\)$/.exec(noted.result.output) ?? [];
    expect(recall.recall(reference)).toMatchObject({ text: tests, cause: 'intake', tool: 'bash' });
    expect(noted).toMatchObject({ changed: true, reducers: ['passingTests'], result: { code: 1 } });
    // What the model has back from it comes as it is.
    expect(shrinkResult({ name: 'recall' }, tests, { recall }).result).toBe(tests);
    expect(recall.snapshot().entries).toHaveLength(1);
    const fails = () => {
      throw new Error('full');
    };
    const store = { get: fails, set: fails, delete: fails, entries: fails };
    const broken = createRecall({ secret: 'a secret of at least sixteen bytes', store });
    expect(() => shrinkResult(cargo, tests, { recall: broken })).toThrow('full');
    expect(() => shrinkResult(cargo, tests, { recall: {} as never })).toThrow(/recall: found an object/);
  });

  it('takes parameters of any kind', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const parameters of [undefined, null, 3n, cycle, 'text', ['\uD800'.repeat(5000)], { a: Symbol('x') }]) {
      expect(shrinkResult({ name: 'bash', parameters }, tests).changed).toBe(true);
    }
  });

  it('names an option that is wrong, whatever the result', () => {
    const wrong = (options: object, key: string) =>
      expect(() => shrinkResult(cargo, 3, options)).toThrow(expect.objectContaining({ code: 'invalid-options', key }));
    wrong({ maxResultTokens: 3 }, 'maxResultTokens');
    wrong({ reducers: { passing: true } }, 'reducers.passing');
    wrong({ reducers: { escapes: 1 } }, 'reducers.escapes');
    wrong({ reducers: true }, 'reducers');
    wrong({ most: 3 }, 'most');
    expect(() => shrinkResult('bash' as never, tests)).toThrow(expect.objectContaining({ key: 'call' }));
  });

  it('can be prepared off the main thread', async () => {
    await expect(initConversations()).resolves.toBeUndefined();
  });
});

describe('intake of a conversation', () => {
  const call = (id: string, command: string): IContent[] => [
    { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'bash', parameters: { command } }] },
    { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'bash', result: file }] },
  ];
  const options = { strategy: 'auto', contextLimit: 1_000_000 } as const;

  it('knows the call that a result answers, added before, forked or restored', () => {
    const conversation = createConversation(options);
    const [asks, answers] = call('1', 'cat a.ts') as [IContent, IContent];
    conversation.add(...call('0', './run'), asks);
    const others = [
      conversation.fork(),
      restoreConversation(JSON.parse(JSON.stringify(conversation.snapshot())), conversation.raw, options),
    ];
    for (const each of [conversation, ...others]) {
      each.add(answers);
      expect(each.messages[3]).toBe(answers);
      expect(each.messages[1]).not.toBe(each.raw[1]);
    }
  });

  it('leaves what the user pasted as it is', () => {
    const conversation = createConversation(options);
    const pasted: IContent = { speaker: 'human', blocks: [{ type: 'text', text: tests }] };
    conversation.add(pasted);
    expect(conversation.messages[0]).toBe(pasted);
  });
});
