// Results: their content, their copies, and what callers may do to them.
import { inspect } from 'node:util';
import { compress, createOptimizer, estimateTokens, type IContent, optimize, type Result } from 'densify';
import { compressRequest, optimizeRequest } from 'densify/openai';
import { describe, expect, test } from 'vitest';
import { human, inclusion, read, turn, write } from './support/say.js';

const LONG = 'a result that is long enough to be worth a pointer; '.repeat(12);
const history = [human('go'), ...read('r', 'a'), ...write('w', 'a')];
const unbalanced = human('--- End of content ---');
const limit = { strategy: 'top-down-truncation', contextLimit: 20 } as const;
const KEYS = ['messages', 'changed', 'edits', 'anchor', 'metadata', 'warnings', 'tokensBefore', 'tokensAfter'] as const;

/** A handle with the history, and what it makes of it. */
function handled(): Result<IContent> {
  return createOptimizer<IContent>({ preset: 'seed' }).optimize(history);
}

function pushed(): ReturnType<typeof createOptimizer<IContent>> {
  const optimizer = createOptimizer<IContent>({ preset: 'seed' });
  optimizer.push(...history);
  return optimizer;
}

const STATELESS = [
  ['optimize', () => optimize(history, { preset: 'seed' })],
  ['optimize, unchanged', () => optimize([human('hi')], { preset: 'seed' })],
  ['compress', () => compress(history, limit)],
  ['compress, noop', () => compress(history, { ...limit, contextLimit: 1e6 })],
] as const;
const HANDLED = [
  ['a handle', handled],
  ['a handle to which messages were pushed', () => pushed().optimize()],
  ['a handle, unchanged', () => createOptimizer<IContent>({ preset: 'seed' }).optimize([human('hi')])],
  ['compress of a handle', () => pushed().compress(limit)],
  ['compress of a handle, noop', () => pushed().compress({ ...limit, contextLimit: 1e6 })],
] as const;

/** All that can be read of a result. */
function partsOf(result: object): Record<string, unknown> {
  const { flush, ...rest } = result as Result<IContent>;
  const all = Object.fromEntries(['kind', 'reason', ...KEYS].map((key) => [key, result[key as never]]));
  return JSON.parse(JSON.stringify({ ...rest, ...all, flush })) as Record<string, unknown>;
}

describe('a result of a function without state is plain data', () => {
  test.each(STATELESS)('%s', (_, make) => {
    const result = make();
    const parts = partsOf(result);
    expect(partsOf({ ...result })).toEqual(parts);
    expect(partsOf(Object.assign({}, result))).toEqual(parts);
    expect(partsOf(structuredClone(result))).toEqual(parts);
    expect(JSON.parse(JSON.stringify(result))).toEqual(parts);
    expect({ ...result }.messages).toBe(result.messages);
  });
});

describe('a result of a function without state is shown with its tokens', () => {
  const request = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hello.' }] } as const;
  const requests = [
    ['optimizeRequest', () => optimizeRequest(request)],
    ['compressRequest, noop', () => compressRequest(request, { ...limit, contextLimit: 1e6 })],
  ] as const;

  test.each([...STATELESS, ...requests])('%s', (_, make) => {
    const result: Pick<Result<unknown>, 'tokensBefore' | 'tokensAfter'> = make();
    const { tokensBefore, tokensAfter } = result;
    const shown = inspect(result);
    for (const part of [`tokensBefore: ${tokensBefore}`, `tokensAfter: ${tokensAfter}`]) expect(shown).toContain(part);
    expect(shown).not.toMatch(/Getter|Symbol/);
  });

  test('by a counter that throws, which is an error where the tokens are read', () => {
    const fail = () => {
      throw new Error('mine');
    };
    const result = optimize(history, { preset: 'seed', countTokens: fail });
    expect(result.changed).toBe(true);
    expect(() => result.tokensAfter).toThrow(expect.objectContaining({ code: 'token-counter-failed' }) as Error);
    const shown = inspect(result);
    for (const part of ["rule: 'stale-reads'", 'changed: true', 'token-counter-failed']) expect(shown).toContain(part);
  });
});

describe('a result of a handle can be written down, and shown', () => {
  test.each(HANDLED)('%s', (_, make) => {
    const result = make();
    const parts = partsOf(result);
    expect(JSON.parse(JSON.stringify(result))).toEqual(parts);
    for (const key of KEYS.filter((part) => parts[part] !== undefined)) expect(inspect(result)).toContain(`${key}: `);
  });

  test('shown late, it tells what it still knows', () => {
    const optimizer = pushed();
    const late = optimizer.optimize();
    optimizer.push(human('more'));
    expect(() => JSON.stringify(late)).toThrow(expect.objectContaining({ code: 'stale-result' }) as Error);
    const shown = inspect(late);
    for (const part of ["rule: 'stale-reads'", 'changed: true', 'stale-result']) expect(shown).toContain(part);
  });
});

describe('results', () => {
  const LAZY = ['messages', 'edits', 'tokensBefore', 'tokensAfter'] as const;

  test('count once, and not before they are asked', () => {
    let counted = 0;
    const result = optimize(history, { preset: 'seed', countTokens: () => (counted += 1) });
    expect(counted).toBe(0);
    expect(result.tokensBefore).toBe(result.tokensBefore);
    const before = counted;
    expect(before).toBeGreaterThan(0);
    expect([result.tokensBefore, counted]).toEqual([result.tokensBefore, before]);
    for (const key of LAZY) expect(result[key]).toBe(result[key]);
  });

  test.each([...STATELESS, ...HANDLED])('can be frozen before they are read: %s', (_, make) => {
    expect(partsOf(Object.freeze(make()))).toEqual(partsOf(make()));
  });

  test('name no flush unless one happened', () => {
    expect(optimize([human('hi')], { preset: 'seed' }).flush).toBeUndefined();
  });
});

describe('who changes a result in place', () => {
  const SOURCES = {
    optimize: () => optimize([unbalanced, ...history], { preset: 'seed' }),
    'optimize, unchanged': () => optimize([human('hi')], { preset: 'seed' }),
    compress: () => compress([unbalanced, ...history], limit),
    'a handle': () => createOptimizer<IContent>({ preset: 'seed' }).optimize([unbalanced, ...history]),
    'a handle, unchanged': () => createOptimizer<IContent>({ preset: 'seed' }).optimize([human('hi')]),
  };

  test.each(Object.entries(SOURCES))('changes no other: %s', (_, make) => {
    const expected = partsOf(make());
    for (const list of [make().edits, make().warnings] as unknown[][]) {
      for (const part of list) Object.assign(part as object, { index: 99, kind: 'drop', cause: 99, pending: true });
      list.push('added');
    }
    expect(partsOf(make())).toEqual(expected);
  });

  test('takes nothing from a handle: its edits can still be taken back, and made again', () => {
    const grep = (id: string, result: string): IContent[] => turn(id, 'grep', {}, result);
    const old = [...grep('1', LONG), ...grep('2', LONG), ...grep('3', LONG)];
    const options = { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } } as const;
    const optimizer = createOptimizer<IContent>(options);
    for (const edit of optimizer.optimize(old).edits)
      Object.assign(edit, { index: 0, kind: 'drop', cause: 0, block: 7 });
    const branch = [...old.slice(0, 4), human('instead')];
    expect(optimizer.optimize(branch).messages).toEqual(optimize(branch, options).messages);
  });

  test('or the lists that it shares with the caller still gets the right counts', () => {
    const changing = [...history];
    const results = [optimize(changing, { preset: 'seed' }), optimize([human('hi')], { preset: 'seed' })];
    const expected = [optimize([...changing], { preset: 'seed' }), optimize([human('hi')], { preset: 'seed' })].map(
      ({ tokensBefore, tokensAfter }) => [tokensBefore, tokensAfter],
    );
    changing.push(human('later'));
    for (const { messages } of results) (messages as IContent[]).push(human('later, too'));
    expect(results.map(({ tokensBefore, tokensAfter }) => [tokensBefore, tokensAfter])).toEqual(expected);
  });
});

describe('tokensAfter while edits wait for a flush', () => {
  test('is what the messages cost, whatever is added, undone, changed or flushed', () => {
    const options = { preset: 'seed', flush: 'never', rules: { recencyPruning: true, recencyRetention: 1 } } as const;
    const optimizer = createOptimizer<IContent>(options);
    const costs = (list: readonly IContent[] | undefined): void => {
      const result = list === undefined ? optimizer.flush() : optimizer.optimize(list);
      expect(result.tokensAfter).toBe(estimateTokens(result.messages));
    };
    let list: IContent[] = [];
    for (let at = 0; at < 12; at += 1) {
      const text = `${inclusion('a', `v${at}`)}${inclusion('b', 'x'.repeat(at))}go on`;
      list = [...list, human(text), ...turn(`g${at}`, 'grep', {}, LONG + at), ...read(`r${at}`, 'a', LONG)];
      if (at % 3 === 2) list = [...list, ...write(`w${at}`, 'a')];
      costs(list);
      if (at % 4 === 3) costs((list = list.slice(0, -3)));
      if (at === 5 || at === 9) costs((list = JSON.parse(JSON.stringify(list)) as IContent[]));
      if (at === 7) costs(undefined);
    }
    costs(undefined);
  });

  test('costs no more in a long history', () => {
    const optimizer = createOptimizer<IContent>({
      preset: 'seed',
      flush: 'never',
      rules: { recencyPruning: true, recencyRetention: 1 },
    });
    let counted = 0;
    const counting = createOptimizer<IContent>({
      preset: 'seed',
      flush: 'never',
      rules: { recencyPruning: true, recencyRetention: 1 },
      countTokens: (text) => ((counted += 1), text.length),
    });
    const perTurn = Array.from({ length: 60 }, (_, at) => {
      const before = counted;
      for (const handle of [optimizer, counting]) {
        handle.push(...turn(`g${at}`, 'grep', {}, LONG));
        expect(handle.optimize().tokensAfter).toBeGreaterThan(0);
      }
      return counted - before;
    });
    expect(perTurn.at(-1)).toBe(perTurn[2]);
  });
});
