// Functions of the caller that throw: the error says where, and nothing has changed.
import {
  compress,
  createOptimizer,
  digest,
  estimateTokens,
  type IContent,
  isDensifyError,
  type OptimizeOptions,
  optimize,
} from 'densify';
import { describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { human, inclusion, read, turn, write } from './support/say.js';

const fault = new Error('the fault');

/** Throws when it is called for the `at`th time. */
function failing<T>(at: number, value: T): () => T {
  let calls = 0;
  return () => {
    if ((calls += 1) === at) throw fault;
    return value;
  };
}

const history = [human(inclusion('a', 'one')), ...read('r', 'a'), ...write('w', 'a'), human(inclusion('a', 'two'))];

describe('protect and isFailure', () => {
  test('a promise is no answer', () => {
    const promised = (async () => false) as unknown as () => boolean;
    for (const options of [{ protect: promised }, { isFailure: promised }]) {
      const expected: unknown = expect.objectContaining({
        code: 'callback-failed',
        message: expect.stringContaining(Object.keys(options)[0]!) as unknown,
        cause: expect.objectContaining({ message: expect.stringContaining('promise') as unknown }) as unknown,
      });
      expect(() => optimize(history, { preset: 'seed', ...options })).toThrow(expected as Error);
    }
  });

  test('the error names the message and carries the cause', () => {
    const expected: unknown = expect.objectContaining({
      name: 'DensifyError',
      code: 'callback-failed',
      index: 2,
      cause: fault,
    });
    expect(() => optimize(history, { preset: 'seed', protect: failing(3, false) })).toThrow(expected as Error);
    expect(() => optimize(history, { preset: 'seed', isFailure: failing(1, false) })).toThrow(expected as Error);
    expect(() => compress(history, { strategy: 'high-density', contextLimit: 9, protect: failing(3, false) })).toThrow(
      expected as Error,
    );
  });

  test('so do summaries and digests, of isUser', () => {
    const expected: unknown = expect.objectContaining({ code: 'callback-failed', index: 2, cause: fault });
    expect(() => digest(history, { isUser: failing(3, true) })).toThrow(expected as Error);
    const promised = (async () => true) as unknown as () => boolean;
    expect(() => digest(history, { isUser: promised })).toThrow(/isUser/);
    expect(() => digest(history, { isUser: 5 as never })).toThrow('option isUser: found 5, expected a function');
  });

  test.each([null, undefined, 'thrown text', 0])('whatever is thrown: %s', (thrown) => {
    const protect = () => {
      throw thrown;
    };
    expect(() => optimize(history, { preset: 'seed', protect })).toThrow(
      expect.objectContaining({ code: 'callback-failed', index: 0 }) as Error,
    );
  });
});

describe('countTokens', () => {
  test('the error names the message and carries the cause', () => {
    const expected: unknown = expect.objectContaining({ code: 'token-counter-failed', index: 1, cause: fault });
    expect(() => estimateTokens(history, { countTokens: failing(2, 1) })).toThrow(expected as Error);
    expect(() => optimize(history, { preset: 'seed', countTokens: failing(2, 1) }).tokensBefore).toThrow(
      expected as Error,
    );
  });

  test.each([NaN, -1, Infinity, '5', null, undefined, 5n])('what is no count: %s', (count) => {
    const countTokens = () => count as number;
    expect(() => estimateTokens(history, { countTokens })).toThrow(
      expect.objectContaining({ code: 'token-counter-failed', index: 0 }) as Error,
    );
  });

  test('a promise is no count, and its rejection is nobody’s to hear of', async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown): void => void unheard.push(reason);
    process.on('unhandledRejection', listen);
    const countTokens = (() => Promise.reject(fault)) as unknown as () => number;
    expect(() => estimateTokens(history, { countTokens })).toThrow(
      expect.objectContaining({ code: 'token-counter-failed', index: 0 }) as Error,
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('unhandledRejection', listen);
    expect(unheard).toEqual([]);
  });

  test('an error of ours that comes out of it stays the cause', () => {
    const countTokens = () => optimize(null as unknown as IContent[], { preset: 'seed' }).tokensBefore;
    const expected: unknown = expect.objectContaining({
      code: 'token-counter-failed',
      cause: expect.objectContaining({ code: 'invalid-messages' }) as unknown,
    });
    expect(() => estimateTokens('a', { countTokens })).toThrow(expected as Error);
  });
});

/** Turns that end in a write which flushes earlier reads, so that a run edits before it counts. */
const turns = Array.from({ length: 6 }, (_, at) => [
  human(`${inclusion('notes.md', `version ${at}`)}go on`),
  ...read(`r${at}`, 'src/a.ts', 'x'.repeat(50)),
  ...turn(`g${at}`, 'glob', {}, 'y'.repeat(99)),
  ...write(`w${at}`, 'src/a.ts'),
]);

/** A handle whose functions fail when they are told to. */
class Fallible {
  #left = Infinity;
  readonly options: OptimizeOptions;

  constructor(more: OptimizeOptions) {
    this.options = {
      preset: 'seed',
      ...more,
      protect: () => this.#step(false),
      isFailure: () => this.#step(false),
      countTokens: (text) => this.#step(text.length),
    };
  }

  failAfter(calls: number): void {
    this.#left = calls;
  }

  get hasFailed(): boolean {
    return this.#left < 0;
  }

  heal(): void {
    this.#left = Infinity;
  }

  #step<T>(value: T): T {
    this.#left -= 1;
    if (this.#left < 0) throw fault;
    return value;
  }
}

const healthy: OptimizeOptions = { protect: () => false, isFailure: () => false, countTokens: (text) => text.length };

describe('after an error nothing has changed', () => {
  const policies: readonly OptimizeOptions[] = [
    { rules: { recencyPruning: true, recencyRetention: 1 } },
    { rules: { recencyPruning: true, recencyRetention: 1 }, flush: 'never' },
    { rules: { recencyPruning: true, recencyRetention: 1 }, flush: { tokens: 300 } },
  ];

  /** Calls `act` with failures after 0, 1, 2… calls of a function, until it gets through. */
  function insist<T>(fallible: Fallible, act: () => T): T {
    for (let calls = 0; ; calls += 1) {
      fallible.failAfter(calls);
      try {
        return act();
      } catch (thrown) {
        if (!isDensifyError(thrown) || !['callback-failed', 'token-counter-failed'].includes(thrown.code)) throw thrown;
        expect(thrown.cause).toBe(fault);
      } finally {
        fallible.heal();
      }
    }
  }

  test.each(policies)('whole histories, %j', (policy) => {
    const fallible = new Fallible(policy);
    const shaken = createOptimizer<IContent>(fallible.options);
    const calm = createOptimizer<IContent>({ preset: 'seed', ...policy, ...healthy });
    turns.forEach((_, at) => {
      const whole = turns.slice(0, at + 1).flat();
      expect(summary(insist(fallible, () => shaken.optimize(whole)))).toEqual(summary(calm.optimize(whole)));
    });
  });

  test.each(policies)('pushed entries, %j', (policy) => {
    const fallible = new Fallible(policy);
    const shaken = createOptimizer<IContent>(fallible.options);
    const calm = createOptimizer<IContent>({ preset: 'seed', ...policy, ...healthy });
    for (const entries of turns) {
      insist(fallible, () => shaken.push(...entries));
      calm.push(...entries);
      expect(summary(insist(fallible, () => shaken.optimize()))).toEqual(summary(calm.optimize()));
    }
  });

  test('a change of the past that fails leaves the past as it was', () => {
    const fallible = new Fallible({ flush: 'never' });
    const shaken = createOptimizer<IContent>(fallible.options);
    const calm = createOptimizer<IContent>({ preset: 'seed', flush: 'never', ...healthy });
    const past = turns.slice(0, 4);
    past.forEach((_, at) => [shaken, calm].forEach((optimizer) => optimizer.optimize(past.slice(0, at + 1).flat())));
    for (const index of [0, 9, 20]) {
      const other = past.flat().with(index, human('said otherwise'));
      for (let calls = 0; calls < 16; calls += 1) {
        fallible.failAfter(calls);
        expect(() => shaken.optimize(other)).toThrow(expect.objectContaining({ cause: fault }) as Error);
      }
      fallible.heal();
      expect(summary(shaken.optimize(past.flat()))).toEqual(summary(calm.optimize(past.flat())));
    }
  });

  test('compress on a handle', () => {
    const settings = { strategy: 'high-density', contextLimit: 2_500 } as const;
    const fallible = new Fallible({});
    const shaken = createOptimizer<IContent>(fallible.options);
    const calm = createOptimizer<IContent>({ preset: 'seed', ...healthy });
    const long = conversation(21, 30);
    for (const optimizer of [shaken, calm]) optimizer.optimize(long);
    const [left, right] = [insist(fallible, () => shaken.compress(settings)), calm.compress(settings)];
    expect(left.kind).toBe('applied');
    expect(left.messages).toEqual(right.messages);
    expect(shaken.optimize([...long, human('next')]).messages).toEqual(
      calm.optimize([...long, human('next')]).messages,
    );
  });

  function summary({
    messages,
    edits,
    metadata,
    flush,
    tokensBefore,
    tokensAfter,
  }: ReturnType<typeof optimize<IContent>>) {
    return { messages, edits, metadata, flush: flush?.index, tokensBefore, tokensAfter };
  }
});

describe('functions that call back', () => {
  test('another history may be looked at from within', () => {
    const countTokens = (text: string) =>
      estimateTokens([human(text)]) + optimize(history, { preset: 'seed' }).messages.length;
    const expected = estimateTokens('a few words') + 4;
    expect(estimateTokens('a few words', { countTokens })).toBe(expected);
    const protect = (message: IContent) => compress([message], { strategy: 'high-density', contextLimit: 1 }).changed;
    expect(optimize(history, { preset: 'seed', protect }).messages).toEqual(
      optimize(history, { preset: 'seed' }).messages,
    );
  });

  test('the handle that calls may not be used from within, and survives the attempt', () => {
    const causes: unknown[] = [];
    const optimizer = createOptimizer<IContent>({
      preset: 'seed',
      flush: { tokens: 1 },
      countTokens: (text) => {
        try {
          optimizer.push(human('from within'));
          optimizer.optimize();
        } catch (thrown) {
          causes.push(thrown);
        }
        return text.length;
      },
    });
    const { messages } = optimizer.optimize(history);
    expect(messages).toEqual(optimize(history, { preset: 'seed' }).messages);
    expect(causes.length).toBeGreaterThan(0);
    for (const cause of causes) expect(cause).toMatchObject({ code: 'callback-failed' });
    expect(optimizer.optimize([...messages, human('next')]).messages).toHaveLength(messages.length + 1);
  });
});
