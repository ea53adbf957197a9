// A wrong call throws immediately, with a code and the option's name, and changes nothing.
import { runInNewContext } from 'node:vm';
import {
  type CompressOptions,
  compress,
  createConversation,
  createDensify,
  createOptimizer,
  estimateTokens,
  type IContent,
  isDensifyError,
  type OptimizeOptions,
  optimize,
} from 'densify';
import { applyDensityResult, type DensityResult, errorCodes, proposeDensity, strategies } from 'densify/host';
import { describe, expect, test } from 'vitest';
import { ai, human, read, write } from './support/say.js';
import { thrownBy } from './support/thrown.js';
import { DETERMINISTIC, ERROR_CODES, STRATEGIES } from './support/unions.js';

/** Options that TypeScript would refuse. */
const wrong = (options: unknown): OptimizeOptions => options as OptimizeOptions;
const wrongCompress = (more: object): CompressOptions =>
  ({ strategy: 'high-density', contextLimit: 100, ...more }) as CompressOptions;

const cyclic: unknown[] = [];
cyclic.push(cyclic);
const throwing = {
  get flush(): never {
    throw new Error('no');
  },
};

describe('options that are wrong, by the key that the error names', () => {
  const cases: readonly (readonly [string, object, string | undefined])[] = [
    ['an unknown key', { preset: 'seed', rulez: {} }, 'rulez'],
    ['an unknown rule', { rules: { fileDedup: true } }, 'rules.fileDedup'],
    ['a list of rules', { rules: [] }, 'rules'],
    ['a key of compress', { strategy: 'high-density' }, 'strategy'],
    ['__proto__', JSON.parse('{"__proto__": 1}') as object, '__proto__'],
    ['a string for a switch', { rules: { readWritePruning: 'yes' } }, 'rules.readWritePruning'],
    ['a number for a switch', { rules: { fileDedupe: 1 } }, 'rules.fileDedupe'],
    ['null', { rules: { recencyPruning: null } }, 'rules.recencyPruning'],
    ['NaN', { rules: { recencyRetention: NaN } }, 'rules.recencyRetention'],
    ['Infinity', { rules: { recencyRetention: Infinity } }, 'rules.recencyRetention'],
    ['a bigint', { rules: { recencyRetention: 3n } }, 'rules.recencyRetention'],
    ['a bigint for a string', { workspaceRoot: 3n }, 'workspaceRoot'],
    ['a function', { workspaceRoot: () => '/' }, 'workspaceRoot'],
    ['half of a character', { workspaceRoot: '/\ud800' }, 'workspaceRoot'],
    ['a symbol', { workspaceRoot: Symbol('/') }, 'workspaceRoot'],
    ['a cycle', { rules: { recencyTools: cyclic } }, 'rules.recencyTools'],
    ['a function in a list', { rules: { recencyTools: [() => 'glob'] } }, 'rules.recencyTools'],
    ['a list with a hole', { rules: { recencyTools: ['glob', undefined] } }, 'rules.recencyTools'],
    ['a string for a list', { rules: { recencyTools: 'glob' } }, 'rules.recencyTools'],
    ['an unknown policy', { flush: 'sometimes' }, 'flush'],
    ['a policy with a key too many', { flush: { tokens: 1, messages: 1 } }, 'flush'],
    ['a negative policy', { flush: { tokens: -1 } }, 'flush'],
    ['a policy that is no number', { flush: { tokens: NaN } }, 'flush'],
    ['an unknown kind of tool', { tools: [{ name: 'cat', kind: 'reader' }] }, 'tools.0.kind'],
    ['a tool without a name', { tools: [{ kind: 'read' }] }, 'tools.0.name'],
    ['an unknown key of a tool', { tools: [{ name: 'cat', kind: 'read', path: 'p' }] }, 'tools.0.path'],
    ['a tool that is none', { tools: [null] }, 'tools.0'],
    ['a callback that is none', { protect: true }, 'protect'],
    ['a callback that is null', { isFailure: null }, 'isFailure'],
    ['a counter that is none', { countTokens: 'cl100k' }, 'countTokens'],
    ['an accessor that throws', throwing, 'flush'],
  ];

  test.each(cases)('%s', (_, options, key) => {
    const expected = { name: 'DensifyError', code: 'invalid-options', key };
    expect(thrownBy(() => optimize([], wrong(options)))).toMatchObject(expected);
    expect(thrownBy(() => createOptimizer(wrong(options)))).toMatchObject(expected);
    expect(thrownBy(() => createDensify().optimize([], wrong(options)))).toMatchObject(expected);
  });

  test.each([null, [], 'always', 5, () => 1])('options that are no object: %s', (options) => {
    expect(thrownBy(() => optimize([], wrong(options))).code).toBe('invalid-options');
    expect(thrownBy(() => compress([], options as unknown as CompressOptions)).code).toBe('invalid-options');
  });

  test('an error says what was found and what would be right', () => {
    expect(thrownBy(() => optimize([], wrong({ rules: { recencyRetention: NaN } }))).message).toBe(
      'option rules.recencyRetention: found NaN, expected a finite number',
    );
    expect(thrownBy(() => optimize([], wrong({ rules: { fileDedup: true } }))).message).toContain(
      'one of fileDedupe, ',
    );
  });

  test.each<[object, string]>([
    [{ contextLimit: undefined }, 'contextLimit'],
    [{ contextLimit: NaN }, 'contextLimit'],
    [{ contextLimit: -1 }, 'contextLimit'],
    [{ contextLimit: 10, reserve: 6, overhead: 4 }, 'contextLimit'],
    [{ threshold: 0 }, 'threshold'],
    [{ threshold: 1.1 }, 'threshold'],
    [{ reserve: -1 }, 'reserve'],
    [{ overhead: Infinity }, 'overhead'],
    [{ preserve: 1.5 }, 'preserve'],
    [{ preserve: { messages: -1 } }, 'preserve'],
    [{ preserve: { entries: 1 } }, 'preserve'],
    [{ keepFirstRequest: 'yes' }, 'keepFirstRequest'],
    [{ truncate: 0 }, 'truncate'],
    [{ tokens: [1] }, 'tokens'],
    [{ tokens: [1, 2, 3, 4, 5] }, 'tokens'],
    [{ tokens: [1, 2, -3, 4] }, 'tokens'],
    [{ tokens: [1, 2, 0.5, 4] }, 'tokens'],
    [{ tokens: 'many' }, 'tokens'],
    [{ flush: 'always' }, 'flush'],
  ])('compress: %j', (more, key) => {
    const history = [...read('r', 'a'), ...write('w', 'a')];
    expect(thrownBy(() => compress(history, wrongCompress(more)))).toMatchObject({ code: 'invalid-options', key });
  });

  test('estimateTokens', () => {
    expect(thrownBy(() => estimateTokens('a', { countTokens: 5 as unknown as () => number }))).toMatchObject({
      code: 'invalid-options',
      key: 'countTokens',
    });
    expect(thrownBy(() => estimateTokens('a', { countToken: () => 5 } as object))).toMatchObject({
      code: 'invalid-options',
      key: 'countToken',
    });
  });

  test('compress on a handle refuses what was settled when the handle was made', () => {
    const optimizer = createOptimizer<IContent>();
    for (const key of ['tokens', 'protect', 'isFailure', 'countTokens', 'tools', 'workspaceRoot']) {
      const values: Record<string, unknown> = { tokens: [], tools: [], workspaceRoot: '/' };
      const options = wrongCompress({ [key]: values[key] ?? (() => 1) });
      expect(thrownBy(() => optimizer.compress(options))).toMatchObject({ code: 'invalid-options', key });
    }
  });

  test.each(['readWritePruning', 'fileDedupe', 'recencyPruning', 'recencyRetention', 'workspaceRoot'])(
    'a density config has no default for %s',
    (key) => {
      const config = {
        readWritePruning: true,
        fileDedupe: true,
        recencyPruning: true,
        recencyRetention: 3,
        workspaceRoot: '/',
      };
      expect(thrownBy(() => proposeDensity([], { ...config, [key]: undefined } as typeof config))).toMatchObject({
        code: 'invalid-options',
        key,
      });
      expect(thrownBy(() => proposeDensity([], { ...config, tools: [] } as typeof config)).key).toBe('tools');
    },
  );
});

describe('strategies', () => {
  test('an unknown one: the error lists those that there are', () => {
    const error = thrownBy(() => compress([human('hi')], wrongCompress({ strategy: 'high density' })));
    expect(error).toMatchObject({ code: 'unknown-strategy', key: 'strategy' });
    expect(error.message).toContain("expected 'high-density' or 'top-down-truncation'");
    const talking = thrownBy(() => createConversation({ strategy: 'high density' as never, contextLimit: 1000 }));
    for (const name of STRATEGIES) expect(talking.message).toContain(name);
  });

  const withModel = STRATEGIES.filter((name) => name !== 'digest' && !DETERMINISTIC.includes(name as 'high-density'));
  test.each(withModel)('%s needs a model', (strategy) => {
    expect(thrownBy(() => compress([], wrongCompress({ strategy })))).toMatchObject({
      code: 'strategy-needs-model',
      key: 'strategy',
    });
  });
});

describe('messages', () => {
  test.each([undefined, null, 'text', { length: 2 }, new Set()])('that are no list: %s', (messages) => {
    const list = messages as unknown as IContent[];
    expect(thrownBy(() => optimize(list)).code).toBe('invalid-messages');
    expect(thrownBy(() => compress(list, wrongCompress({}))).code).toBe('invalid-messages');
    expect(thrownBy(() => applyDensityResult(list, emptyResult())).code).toBe('invalid-messages');
    if (typeof messages !== 'string') expect(thrownBy(() => estimateTokens(list)).code).toBe('invalid-messages');
    if (messages !== undefined) expect(thrownBy(() => createOptimizer().optimize(list)).code).toBe('invalid-messages');
  });
});

function emptyResult(): DensityResult {
  return {
    removals: [],
    replacements: new Map(),
    metadata: { readWritePairsPruned: 0, fileDeduplicationsPruned: 0, recencyPruned: 0 },
  };
}

describe('density results that do not fit', () => {
  const history = [human('one'), ai('two'), human('three')];

  test.each<[string, readonly unknown[], readonly unknown[], number | undefined]>([
    ['an index in both', [1], [1], 1],
    ['a removal twice', [2, 2], [], 2],
    ['beyond the end', [3], [], undefined],
    ['a negative index', [-1], [], undefined],
    ['a fraction', [0.5], [], undefined],
    ['NaN', [NaN], [], undefined],
    ['a string', ['one'], [], undefined],
    ['a string that reads as a number', ['1'], [], undefined],
    ['a key that reads as a number', [], ['1'], undefined],
    ['true', [true], [], undefined],
    ['null', [null], [], undefined],
    ['a hole', Array<unknown>(1), [], undefined],
    ['a symbol', [Symbol('one')], [], undefined],
    ['a bigint', [1n], [], undefined],
    ['a replacement beyond the end', [], [3], undefined],
  ])('%s', (_, removals, replaced, index) => {
    const replacements = new Map(replaced.map((at) => [at, ai('new')])) as Map<number, IContent>;
    const error = thrownBy(() =>
      applyDensityResult(history, { ...emptyResult(), removals: removals as number[], replacements }),
    );
    expect(error.code).toBe('invalid-density-result');
    expect(error.index).toBe(index);
  });

  test.each<object>([
    {},
    { removals: [] },
    { removals: {}, replacements: new Map() },
    { removals: [], replacements: {} },
  ])('%j', (result) => {
    expect(thrownBy(() => applyDensityResult(history, result as DensityResult)).code).toBe('invalid-density-result');
    expect(thrownBy(() => applyDensityResult(history, undefined as unknown as DensityResult)).code).toBe(
      'invalid-density-result',
    );
  });
});

test.each([undefined, null, 7])('a replacement that is no message: %s', (entry) => {
  const replacements = new Map([[1, entry]]) as unknown as Map<number, IContent>;
  const error = thrownBy(() => applyDensityResult([human('one'), ai('two')], { ...emptyResult(), replacements }));
  expect(error).toMatchObject({ code: 'invalid-density-result', index: 1 });
});

test('a density result from another realm fits; holes of the history are kept', () => {
  const history = [human('one'), ai('two'), human('three')];
  const replacements = runInNewContext('new Map([[0, { speaker: "ai", blocks: [] }]])') as Map<number, IContent>;
  const removals = runInNewContext('[2]') as number[];
  expect(applyDensityResult(history, { ...emptyResult(), removals, replacements })).toEqual([
    { speaker: 'ai', blocks: [] },
    history[1],
  ]);
  const holes = Object.assign(Array<IContent>(3), { 2: human('last') });
  expect(applyDensityResult(holes, { ...emptyResult(), removals: [0] })).toEqual([undefined, human('last')]);
});

describe('an error', () => {
  test('is a real Error that is known by its marks, not by its class', () => {
    const error = thrownBy(() => optimize([], wrong({ rules: { fileDedupe: 1 } })));
    expect(error).toBeInstanceOf(Error);
    expect(error.stack).toContain('errors.test.ts');
    expect(
      isDensifyError(Object.assign(new Error('of another copy'), { name: 'DensifyError', code: 'disposed' })),
    ).toBe(true);
    for (const other of [new Error('no'), { name: 'DensifyError', code: 'disposed' }, null, 'disposed'])
      expect(isDensifyError(other)).toBe(false);
  });

  test('has a code that the types know, and the types know no other', () => {
    expect(errorCodes).toEqual(ERROR_CODES);
  });

  test('so have the strategies their names', () => {
    expect(strategies.map(({ name }) => name)).toEqual(STRATEGIES);
    const free = strategies.filter(({ requiresLLM }) => !requiresLLM).map(({ name }) => name);
    expect(free).toEqual([...DETERMINISTIC, 'digest']);
  });
});
