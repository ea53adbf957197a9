// What a caller may expect of an optimizer handle.
import { createOptimizer, type IContent, type OptimizeOptions, type Optimizer, optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { human, inclusion, POINTER, read, turn, write } from './support/say.js';

const start = (options?: OptimizeOptions): Optimizer<IContent> => createOptimizer({ preset: 'seed', ...options });

describe('two ways to use it', () => {
  const turns = Array.from({ length: 20 }, (_, at) => [
    ...read(`r${at}`, `${at % 3}.ts`),
    ...write(`w${at}`, `${at % 3}.ts`),
  ]);

  test('pushed, handed in raw, and handed in as it was given out: all the same', () => {
    const [pushed, whole, stored] = [start(), start(), start()];
    let raw: IContent[] = [];
    let ours: readonly IContent[] = [];
    for (const entries of turns) {
      raw = [...raw, ...entries];
      pushed.push(...entries);
      ours = stored.optimize([...ours, ...entries]).messages;
      expect(whole.optimize(raw).messages).toEqual(pushed.optimize().messages);
      expect(ours).toEqual(pushed.optimize().messages);
    }
    expect(ours).toEqual(optimize(raw, { preset: 'seed' }).messages);
  });

  test('nothing new, nothing done', () => {
    const optimizer = start();
    const first = optimizer.optimize(turns.flat());
    const again = optimizer.optimize(first.messages);
    expect(again.messages).toBe(first.messages);
    expect(again).toMatchObject({ changed: false, edits: [] });
    expect(optimizer.optimize()).toMatchObject({ changed: false, edits: [] });
    expect(optimizer.optimize().metadata.readWritePairsPruned).toBe(0);
  });

  test('an empty one', () => {
    expect(start().optimize().messages).toEqual([]);
    expect(start().optimize([]).messages).toEqual([]);
    expect(start().flush()).toMatchObject({ changed: false, messages: [], tokensBefore: 0 });
  });

  test('a history that was parsed afresh is recognised', () => {
    const history = conversation(3, 40);
    const optimizer = start({ flush: 'never' });
    const { messages } = optimizer.optimize(history);
    const parsed = JSON.parse(JSON.stringify(history)) as IContent[];
    const result = optimizer.optimize([...parsed, human('next')]);
    expect(result.flush).toBeUndefined();
    expect(result.messages).toEqual([...messages, human('next')]);
  });
});

describe('histories that change', () => {
  test('a branch, an undo and another conversation are what they would be from scratch', () => {
    const history = conversation(5, 30);
    const optimizer = start();
    optimizer.optimize(history);
    for (const other of [
      history.slice(0, 20),
      [...history.slice(0, 11), human('no, this')],
      conversation(6, 10),
      [],
      history,
    ]) {
      expect(optimizer.optimize(other).messages).toEqual(optimize(other, { preset: 'seed' }).messages);
    }
  });

  test('a newest message that streams in is read again', () => {
    const [question, answer] = read('r', 'a');
    const [change, done] = write('w', 'a');
    const streaming: IContent = { speaker: 'ai', blocks: [] };
    const optimizer = start();
    expect(optimizer.optimize([question, answer, streaming]).changed).toBe(false);
    streaming.blocks = change.blocks;
    const { messages } = optimizer.optimize([question, answer, streaming, done]);
    expect(messages).toEqual([streaming, done]);
  });

  test('invalidate is for old messages that were changed in place', () => {
    const old = human(`${inclusion('a', 'one')}please`);
    const history = [old, ...conversation(9, 30)];
    const optimizer = start();
    optimizer.optimize(history);
    old.blocks = [{ type: 'text', text: 'never mind' }];
    optimizer.invalidate(0);
    history.push(human(inclusion('a', 'two')));
    expect(optimizer.optimize(history).messages).toEqual(optimize(history, { preset: 'seed' }).messages);
  });
});

describe('flush policies', () => {
  /** Two reads; then a write of the first file, of the second one. */
  const steps = [[human('go'), ...read('r1', 'a'), ...read('r2', 'b')], write('w1', 'a'), write('w2', 'b')];

  test('always: a stale read goes at once, and the result says from where on the cache is lost', () => {
    const optimizer = start();
    const flushes = steps.map((entries) => (optimizer.push(...entries), optimizer.optimize().flush?.index));
    // Two of the five messages before the second write were the first read's.
    expect(flushes).toEqual([undefined, 1, 1]);
  });

  test('never: what was given out stays, and waits', () => {
    const optimizer = start({ flush: 'never' });
    let given: readonly IContent[] = [];
    for (const entries of steps) {
      optimizer.push(...entries);
      const { messages, flush, changed } = optimizer.optimize();
      expect(messages.slice(0, given.length)).toEqual(given);
      expect([flush, changed]).toEqual([undefined, false]);
      given = messages;
    }
    const forced = optimizer.flush();
    expect(forced).toMatchObject({ changed: true, flush: { index: 1 } });
    expect(forced.messages).toEqual([human('go'), ...write('w1', 'a'), ...write('w2', 'b')]);
  });

  test('never: what was not given out yet is edited all the same', () => {
    const optimizer = start({ flush: 'never' });
    optimizer.push(human(inclusion('a', 'one, long enough that it pays')), human(inclusion('a', 'two')));
    expect(optimizer.optimize()).toMatchObject({ changed: true, metadata: { fileDeduplicationsPruned: 1 } });
  });

  test('tokens: once it pays', () => {
    const optimizer = start({ flush: { tokens: 40 }, countTokens: () => 10 });
    const results = steps.map((entries) => (optimizer.push(...entries), optimizer.optimize()));
    expect(results.map(({ flush }) => flush?.index)).toEqual([undefined, undefined, 1]);
    expect(results[1]?.edits.map(({ pending }) => pending)).toEqual([true, true]);
    expect(optimizer.optimize().messages).toHaveLength(5);
  });

  test('an edit says that it waits, and is told once more when it is made', () => {
    const optimizer = start({ flush: 'never' });
    optimizer.push(...steps.slice(0, 2).flat());
    expect(optimizer.optimize().edits.map(({ index, pending }) => [index, pending])).toEqual([
      [1, true],
      [2, true],
    ]);
    optimizer.push(human('hm'));
    expect(optimizer.optimize().edits).toEqual([]);
    expect(optimizer.flush().edits.map(({ index, pending }) => [index, pending])).toEqual([
      [1, false],
      [2, false],
    ]);
    expect(optimizer.flush().edits).toEqual([]);
  });

  test('between flushes each output begins with the one before', () => {
    const optimizer = start({ flush: { tokens: 2_000 }, rules: { recencyPruning: true } });
    let given: readonly IContent[] = [];
    let flushed = 0;
    for (let at = 1; at <= 60; at += 1) {
      const history = conversation(11, at);
      const { messages, flush } = optimizer.optimize(history);
      const same = flush?.index ?? given.length;
      if (flush) flushed += 1;
      expect(messages.slice(0, same)).toEqual(given.slice(0, same));
      given = messages;
    }
    expect(flushed).toBeGreaterThan(0);
    expect(flushed).toBeLessThan(30);
  });
});

describe('compress on a handle', () => {
  const settings = { strategy: 'high-density', contextLimit: 1_500 } as const;

  test('shrinks the history, and later calls go on from there', () => {
    const history = conversation(13, 40);
    const optimizer = start();
    optimizer.optimize(history);
    const result = optimizer.compress(settings);
    if (result.kind !== 'applied') throw new Error(result.reason);
    expect(result.flush).toBeDefined();
    expect(result.metadata.tokensAfter).toBeLessThan(result.metadata.tokensBefore);
    const { messages } = result;
    const next = optimizer.optimize([...messages, human('next')]);
    expect(next.messages).toEqual([...messages, human('next')]);
    expect(next.changed).toBe(false);
    optimizer.push(...read('r', 'new.ts'), ...write('w', 'new.ts'));
    expect(optimizer.optimize().messages).toEqual([...next.messages, ...write('w', 'new.ts')]);
  });

  test('raw histories are recognised after it too', () => {
    const history = conversation(13, 40);
    const optimizer = start();
    optimizer.optimize(history);
    const { messages } = optimizer.compress(settings);
    expect(optimizer.optimize([...history, human('next')]).messages).toEqual([...messages, human('next')]);
  });

  test('a noop gives the history as it is', () => {
    const optimizer = start();
    optimizer.push(human('hi'));
    expect(optimizer.compress(settings)).toMatchObject({
      kind: 'noop',
      reason: 'already-under-target',
      messages: [human('hi')],
    });
  });
});

describe('late reading', () => {
  test('what a result computes late is of its own moment, or an error says that it is too late', () => {
    const optimizer = start({ flush: 'never' });
    optimizer.push(...read('r1', 'a'));
    optimizer.optimize();
    optimizer.push(...write('w1', 'a'));
    const early = optimizer.optimize();
    optimizer.flush();
    const reading = () => [early.messages, early.tokensBefore, early.tokensAfter];
    expect(reading).toThrow(expect.objectContaining({ code: 'stale-result' }) as Error);
    expect(early.edits.map(({ pending }) => pending)).toEqual([true, true]);
  });

  test('what was read in time stays', () => {
    const optimizer = start();
    optimizer.push(...turn('c1', 'glob', {}, 'x'));
    const { messages } = optimizer.optimize();
    optimizer.push(human('more'));
    optimizer.optimize();
    expect(messages).toHaveLength(2);
  });

  test('a whole history handed in is given back at once', () => {
    const optimizer = start({ rules: { recencyPruning: true, recencyRetention: 1 } });
    const early = optimizer.optimize([...turn('c1', 'glob', {}, 'x'.repeat(99)), ...turn('c2', 'glob', {}, 'y')]);
    optimizer.optimize([human('another conversation')]);
    expect(early.messages[1]?.blocks[0]).toMatchObject({ result: POINTER });
  });
});

test('bytes tell what is held', () => {
  const optimizer = start();
  const empty = optimizer.bytes;
  optimizer.push(...conversation(1, 200));
  optimizer.optimize();
  expect(optimizer.bytes).toBeGreaterThan(empty);
  expect(optimizer.bytes).toBeLessThan(1e6);
});
