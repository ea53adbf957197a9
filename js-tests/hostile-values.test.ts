// Odd parameters, payloads, names, ids, paths and texts.
import { compress, createOptimizer, estimateTokens, type IContent, optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { around, entries, expectKept, LONG, PLAIN_METADATA, plain, RULES, throughAll } from './support/hostile.js';
import { ai, call, human, inclusion, POINTER, read, response, tool, turn, write } from './support/say.js';

const thrower = (): never => {
  throw new Error('do not touch');
};

function deep(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'x';
  for (let left = depth; left > 0; left -= 1) value = wrap(value);
  return value;
}

function cyclic(size: number): object {
  const value: Record<string, unknown> = { text: 'x'.repeat(size) };
  value.self = value;
  value.list = [value, [value]];
  return value;
}

class Payload {
  constructor(readonly output: string) {}
  get error(): never {
    return thrower();
  }
}

const VALUES: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a string': () => 'path',
  'a number': () => NaN,
  'a boolean': () => true,
  'a bigint': () => 2n ** 80n,
  'a symbol': () => Symbol('x'),
  'a function': () => () => 1,
  'a list': () => ['a.ts', 7, null],
  'a list with holes': () => Object.assign([], { 5: 'x', 900: 'y' }),
  'something cyclic': () => cyclic(3),
  'something cyclic and long': () => cyclic(3_000),
  'a date': () => new Date(0),
  'an invalid date': () => new Date(NaN),
  bytes: () => new Uint8Array(2_000),
  'a map': () => new Map([['path', 'a.ts']]),
  'a set': () => new Set(['a.ts']),
  'an error': () => new Error('x'),
  'a promise': () => Promise.resolve('a.ts'),
  'an instance with throwing accessors': () => new Payload(LONG),
  'a null-prototype object': () => Object.assign(Object.create(null) as object, { output: LONG, path: 'z.ts' }),
  'a throwing proxy': () =>
    new Proxy(
      {},
      { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower, getOwnPropertyDescriptor: thrower },
    ),
  'a transparent proxy': () => new Proxy({ output: LONG, path: 'z.ts' }, {}),
  'a throwing accessor': () => ({
    get path() {
      return thrower();
    },
    get output() {
      return thrower();
    },
    get exit_code() {
      return thrower();
    },
  }),
  'something frozen': () => Object.freeze({ output: LONG, path: 'z.ts' }),
  'toJSON that throws': () => ({ output: LONG, toJSON: thrower }),
  'toJSON that gives nothing': () => ({ output: LONG, toJSON: () => undefined }),
  'toJSON that gives itself': () => ({
    output: LONG,
    toJSON() {
      return this;
    },
  }),
  'toJSON of a class that gives little': () =>
    Object.setPrototypeOf({ output: LONG }, { toJSON: () => 'x' }) as unknown,
  'keys __proto__ and constructor': () =>
    JSON.parse('{"__proto__":{"path":"a.ts"},"constructor":"x","path":"z.ts"}') as unknown,
};
const values = Object.entries(VALUES);

/** Values that take their time. */
const HEAVY: Readonly<Record<string, () => unknown>> = {
  'something 100,000 deep in objects': () => deep(100_000, (inner) => ({ inner })),
  'something 100,000 deep in lists': () => deep(100_000, (inner) => [inner]),
  'a list of 100,000 holes': () => new Array(100_000),
};
const heavy = Object.entries(HEAVY);

/** Objects whose accessor gives a new one each time, so that a walk through them never ends. */
function endless(names: readonly string[]): object {
  const value = {};
  for (const name of names) Object.defineProperty(value, name, { enumerable: true, get: () => endless(names) });
  return value;
}

test.each([
  ['one accessor', ['a']],
  ['two accessors', ['a', 'b']],
  ['accessors that tools read', ['path', 'output', 'command']],
])('values without end, by %s, are kept as they are', (_, names) => {
  const value = endless(names);
  const odd = [...turn('odd', 'read_file', value, 'short'), ...turn('paid', 'odd', {}, value)];
  const history = [...odd, ...plain()];
  const { messages } = optimize(history, { preset: 'balanced', flush: 'always' });
  for (const at of odd.keys()) expect(messages[at]).toBe(odd[at]);
  const optimizer = createOptimizer({ preset: 'balanced' });
  optimizer.optimize(history.slice(0, -1));
  const copy = odd.map((message) => ({ ...message }));
  expect(optimizer.optimize([...copy, ...plain()]).messages).toHaveLength(history.length);
});

test('a list that is nearly all holes is refused', () => {
  const sparse: IContent[] = [];
  sparse[4_294_967_290] = human('x') as IContent;
  const refused = { code: 'invalid-messages', message: expect.stringContaining('holes') as string };
  expect(() => optimize(sparse)).toThrow(expect.objectContaining(refused));
  expect(() => createOptimizer().optimize(sparse)).toThrow(expect.objectContaining(refused));
});

describe('parameters of a call', () => {
  const goThrough = (names: readonly string[], make: () => unknown): void => {
    for (const name of names) {
      const odd = turn('odd', name, make(), 'short');
      expectKept(odd[0], [...odd, ...plain()]);
      const paths = turn(
        'odd',
        name,
        { paths: make(), path: make(), file_path: make(), command: make(), force: make() },
        'short',
      );
      throughAll([...plain(), ...paths, ...plain()]);
    }
  };

  test.each(values)('%s', (_, make) => {
    goThrough(['read_file', 'read_many_files', 'write_file', 'str_replace_editor', 'todo_write', 'anything'], make);
  });

  test.each(heavy)('%s', (_, make) => {
    const value = make();
    const parameters = { paths: value, path: value, file_path: value };
    const odd = [...turn('odd', 'read_file', value, 'short'), ...turn('paths', 'read_file', parameters, 'short')];
    throughAll([...odd, ...plain()]);
  });
});

describe('payload of a response', () => {
  test.each([...values, ...heavy])('%s', (_, make) => {
    const history = [
      ...plain(),
      ...turn('old', 'odd', {}, make()),
      ...turn('new', 'odd', {}, make(), 'failed'),
      human('x'),
    ];
    const messages = throughAll(history);
    const payloads = messages
      .flatMap(({ blocks }) => blocks)
      .filter((block) => block.type === 'tool_response' && block.toolName === 'odd');
    expect(payloads).toHaveLength(2);
    // The newest is kept; the older one became a pointer, if that is shorter.
    const odd = history
      .flatMap(({ blocks }) => blocks)
      .filter((block) => block.type === 'tool_response' && block.toolName === 'odd');
    expect(payloads[1]).toBe(odd[1]);
    if (payloads[0] !== odd[0]) expect(payloads[0]).toMatchObject({ callId: 'old', result: POINTER });
  });

  test.each(values)('%s, as error, id, name or key', (_, make) => {
    const odd = make() as string;
    const blocks = [
      { type: 'tool_call', id: odd, name: odd, parameters: { [typeof odd === 'string' ? odd : 'key']: odd } },
      { type: 'tool_response', callId: odd, toolName: odd, result: 'short', error: odd },
      { type: 'text', text: odd },
      { type: 'thinking', thought: odd, signature: odd },
      { type: 'code', code: odd, language: odd },
      { type: 'media', mimeType: odd, data: odd, encoding: odd, caption: odd, filename: odd },
    ] as IContent['blocks'];
    throughAll(around({ speaker: 'ai', blocks, metadata: odd }));
    throughAll(
      blocks.flatMap((block): IContent[] =>
        (['human', 'ai', 'tool'] as const).map((speaker) => ({ speaker, blocks: [block, block] })),
      ),
    );
  });

  test('a pointer is written only where it is shorter than what JSON makes of the payload', () => {
    const nothing = { text: LONG, toJSON: () => undefined };
    const payloads = [
      Object.setPrototypeOf({ output: LONG }, { toJSON: () => 'x' }),
      { output: LONG, toJSON: () => 'x' },
      Object.setPrototypeOf({}, { output: LONG }),
      Object.defineProperty({}, 'output', { value: LONG }),
      Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`key ${at}`, at % 2 === 0 ? nothing : Symbol('x')])),
      [nothing, nothing],
      new Map([['a', LONG]]),
      { text: undefined, call: () => LONG },
    ] as unknown[];
    for (const payload of payloads) {
      expect(JSON.stringify(payload).length).toBeLessThan(44);
      const history = [...turn('old', 'odd', {}, payload), ...turn('new', 'odd', {}, 'short')];
      expect(optimize(history, RULES).messages).toBe(history);
    }
  });
});

describe('lone surrogates', () => {
  const LONE = ['\ud800', '\udfff', 'a\ud83d', '\ude00b', '\ud83d\ud83d\ude00'];

  test.each(LONE)('in every place: what holds %j comes back as it is', (lone) => {
    const odd = {
      speaker: 'ai',
      blocks: [
        { type: 'text', text: lone },
        { type: 'thinking', thought: lone },
        { type: 'code', code: lone },
        call(lone, lone, { [lone]: lone, path: lone }),
      ],
      metadata: { [lone]: lone },
    };
    expectKept(odd);
    throughAll(around(tool(response(lone, lone, lone, lone), response(lone, lone, { output: lone, [lone]: lone }))));
    throughAll(around({ speaker: lone, blocks: [{ type: lone, text: lone }] }));
  });

  test('paths that differ in nothing else are different files', () => {
    const history = [
      ...read('r', '\ud800.ts'),
      ...write('w', '\ud801.ts'),
      human(inclusion('\ud800', 'x')),
      human(inclusion('\ud801', 'x'), 'y'),
    ];
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
  });

  test('offsets of cuts behind them are right', () => {
    const before = `\ud800 said\n🙂\udc00\n`;
    const history = [
      human(`${before}${inclusion('a.ts', '\ud83d old 🙂')}behind \ud83d`),
      human(inclusion('a.ts', 'new'), 'go on'),
    ];
    expect(optimize(history, { preset: 'seed' }).messages[0]).toStrictEqual(human(`${before}behind \ud83d`));
  });

  test('tool names that differ in nothing else are different tools', () => {
    const history = [...turn('1', '\ud800', {}, LONG), ...turn('2', '\ud801', {}, LONG)];
    expect(optimize(history, RULES).messages).toBe(history);
  });
});

describe('ids, names and paths that objects have as keys', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '\0',
    'call',
    '0',
    '-1',
    'undefined',
    'null',
    'NaN',
  ];

  test.each(NAMES)('%j', (name) => {
    const history = [
      ...read(name, name || 'x'),
      ...turn('t1', name, { [name]: name }, LONG),
      ...write(`${name}w`, name || 'x'),
      ...turn('t2', name, {}, LONG),
    ];
    const { messages, metadata } = optimize(history, RULES);
    expect(metadata.readWritePairsPruned).toBe(1);
    expect(metadata.recencyPruned).toBe(1);
    expect(messages).toHaveLength(history.length - 2);
    throughAll(history);
    if (name.trim() !== '')
      expect(
        optimize([human(inclusion(name, 'old'), 'x'), human(inclusion(name, 'new'))], { preset: 'seed' }).metadata
          .fileDeduplicationsPruned,
      ).toBe(1);
  });

  test('call ids that are no strings pair nothing', () => {
    for (const id of [undefined, null, 7, {}, [], NaN, true, Symbol('id'), 1n]) {
      const history = entries(
        { speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read_file', parameters: { path: 'a.ts' } }] },
        { speaker: 'tool', blocks: [{ type: 'tool_response', callId: id, toolName: 'read_file', result: LONG }] },
        ...write('w', 'a.ts'),
      );
      expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
    }
  });
});

describe('inclusion markers where they mean nothing', () => {
  const MARKED = inclusion('a.ts', 'x');

  test('in results, answers, thoughts, code and calls', () => {
    const history = [
      human(inclusion('a.ts', 'the only one'), 'x'),
      ai(
        MARKED,
        { type: 'thinking', thought: MARKED },
        { type: 'code', code: MARKED },
        call('1', 'grep', { pattern: MARKED }),
      ),
      tool(response('1', 'grep', MARKED), { type: 'text', text: MARKED }),
      human({ type: 'code', code: MARKED }, { type: 'thinking', thought: MARKED }),
    ];
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
  });

  test('inside an included file: an opening line is content, and deletes no real inclusion', () => {
    const outer = '--- notes.md ---\n--- b.ts ---\nquoted\n--- End of content ---\n';
    const history = [human(inclusion('b.ts', 'real'), 'x'), human(outer, 'y')];
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
  });

  test('inside an included file: its closing line leaves the markers unbalanced, so nothing is cut there', () => {
    const quoting = `--- notes.md ---\n${inclusion('b.ts', 'quoted')}--- End of content ---\n`;
    const history = [human(inclusion('b.ts', 'real'), 'x'), human(quoting, 'y')];
    const { messages, warnings } = optimize(history, { preset: 'seed' });
    expect(messages).toBe(history);
    expect(warnings).toStrictEqual([{ code: 'unbalanced-inclusion', index: 1 }]);
  });

  test('in a line with more, or with a broken end', () => {
    for (const text of [
      'say --- a.ts ---\nx\n--- End of content ---\n',
      '--- a.ts --- \nx\n',
      '---a.ts ---\nx\n',
      '--- a.ts ---\nx\n --- End of content ---\n',
      '---  ---\nx\n',
    ]) {
      const history = [human(inclusion('a.ts', 'the only one'), 'x'), human(text, 'y')];
      expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
    }
  });
});

describe('small histories', () => {
  test('none at all', () => {
    const none: IContent[] = [];
    expect(throughAll([human('x')])).toHaveLength(1);
    expect(optimize(none, { preset: 'seed' }).messages).toBe(none);
    expect(compress(none, { strategy: 'high-density', contextLimit: 1 })).toMatchObject({
      kind: 'noop',
      reason: 'empty-history',
      messages: none,
    });
    expect(estimateTokens(none)).toBe(0);
    const optimizer = createOptimizer({ preset: 'seed' });
    expect(optimizer.optimize(none).messages).toBe(none);
    expect(optimizer.optimize().messages).toStrictEqual([]);
    expect(optimizer.compress({ strategy: 'top-down-truncation', contextLimit: 1 })).toMatchObject({
      kind: 'noop',
      messages: [],
    });
  });

  test('one entry', () => {
    for (const entry of plain()) {
      const history = [entry];
      expect(optimize(history, RULES).messages).toBe(history);
      throughAll(history);
    }
  });

  test('plain ones do what the tests of odd ones build on', () => {
    expect(optimize(plain(), RULES).metadata).toStrictEqual(PLAIN_METADATA);
    expect(throughAll(plain())).toHaveLength(9);
  });
});
