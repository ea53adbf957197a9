// The caller's objects are never mutated, and unedited ones are shared with the output.
import { type ContentBlock, type ContentLike, compress, createOptimizer, type IContent, optimize } from 'densify';
import { describe, expect, test } from 'vitest';
import { conversation } from './support/conversations.js';
import { ai, call, human, inclusion, POINTER, read, response, tool, turn, write } from './support/say.js';

/** Freezes everything that can be reached. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** A batch of two reads of which one goes, so that both entries are edited and stay. */
function halfStale<M extends ContentLike>(make: (entry: IContent) => M): M[] {
  const batch = ai(call('r1', 'read_file', { path: 'a' }), call('r2', 'read_file', { path: 'b' }));
  const answers = tool(response('r1', 'read_file', 'A'), response('r2', 'read_file', 'B'));
  return [batch, answers, ...write('w', 'a')].map(make);
}

describe('input', () => {
  const history = [human(inclusion('src/file-1.ts', 'old')), ...conversation(7, 60)];

  test('is never mutated, frozen or not', () => {
    const copy = structuredClone(history);
    const frozen = deepFreeze(structuredClone(history));
    const options = { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } } as const;
    const packed = optimize(history, options);
    expect(packed.changed).toBe(true);
    expect(history).toEqual(copy);
    expect(optimize(frozen, options).messages).toEqual(packed.messages);
    expect(compress(frozen, { strategy: 'high-density', contextLimit: 3_000 }).kind).toBe('applied');
    expect(createOptimizer<IContent>(options).optimize(frozen).messages).toEqual(packed.messages);
  });

  test('what was not edited comes back as the same object, in order', () => {
    const { messages, edits } = optimize(history, { preset: 'seed', rules: { recencyPruning: true } });
    const edited = new Set(edits.map(({ index }) => index));
    const known = new Set(history);
    const kept = history.filter((_, index) => !edited.has(index));
    expect(messages.filter((message) => known.has(message))).toEqual(kept);
    messages.filter((message) => known.has(message)).forEach((message, at) => expect(message).toBe(kept[at]));
  });

  test('a history in which nothing is to do comes back itself', () => {
    for (const quiet of [[], [human('hi')], [human('hi'), ai('hello')], [...write('w', 'a'), ...read('r', 'a')]]) {
      const result = optimize(quiet, { preset: 'seed' });
      expect(result.messages).toBe(quiet);
      expect(result).toMatchObject({ changed: false, edits: [], warnings: [] });
      expect(createOptimizer<IContent>({ preset: 'seed' }).optimize(quiet).messages).toBe(quiet);
    }
  });

  test('the same input gives the same bytes', () => {
    const run = () => JSON.stringify(optimize(history, { preset: 'seed', rules: { recencyPruning: true } }));
    expect(run()).toBe(run());
  });
});

describe('edited entries', () => {
  test('share their metadata, their other blocks and every key that we do not know', () => {
    const metadata = { at: new Date(), nested: { size: 2n } };
    const history = halfStale((entry) => ({ ...entry, id: Symbol('own'), metadata, cache: new Uint8Array(4) }));
    const { messages } = optimize(history, { preset: 'seed' });
    expect(messages).toHaveLength(4);
    for (const at of [0, 1]) {
      expect(messages[at]).not.toBe(history[at]);
      expect(messages[at]?.metadata).toBe(metadata);
      expect(messages[at]?.cache).toBe(history[at]?.cache);
      expect(messages[at]?.id).toBe(history[at]?.id);
      expect(messages[at]?.blocks).toEqual([history[at]?.blocks[1]]);
      expect(messages[at]?.blocks[0]).toBe(history[at]?.blocks[1]);
    }
  });

  test('keep the order of their keys', () => {
    const history = halfStale(({ speaker, blocks }) => ({ zeta: 1, blocks, alpha: 2, speaker, mid: 3 }));
    expect(Object.keys(optimize(history, { preset: 'seed' }).messages[0] ?? {})).toEqual([
      'zeta',
      'blocks',
      'alpha',
      'speaker',
      'mid',
    ]);
  });

  test('a pruned response keeps everything but its payload', () => {
    const answer = { ...response('c1', 'glob', 'x'.repeat(99)), extra: { kept: true } };
    const history = [ai(call('c1', 'glob')), tool(answer), ...turn('c2', 'glob', {}, 'y')];
    const pruned = optimize(history, { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 1 } })
      .messages[1]?.blocks[0];
    expect(pruned).toEqual({ ...answer, result: POINTER });
    expect(Reflect.get(pruned ?? {}, 'extra')).toBe(answer.extra);
  });

  test('stay instances of their class', () => {
    class Message implements ContentLike {
      readonly #secret = 'secret';
      readonly speaker: IContent['speaker'];
      readonly blocks: readonly ContentBlock[];
      constructor(entry: IContent) {
        this.speaker = entry.speaker;
        this.blocks = entry.blocks;
      }
      get count(): number {
        return this.blocks.length;
      }
      get secret(): string {
        return this.#secret;
      }
    }
    const history = halfStale((entry) => new Message(entry));
    const [first] = optimize(history, { preset: 'seed' }).messages;
    expect(first).toBeInstanceOf(Message);
    expect(first).not.toBe(history[0]);
    expect(first?.count).toBe(1);
    expect(history[0]?.secret).toBe('secret');
  });

  test('keep a key named __proto__, and no prototype changes', () => {
    const hostile = (entry: IContent): IContent =>
      JSON.parse(JSON.stringify(entry).replace(/}$/, ',"__proto__":{"polluted":true},"constructor":1}')) as IContent;
    const [first] = optimize(halfStale(hostile), { preset: 'seed' }).messages;
    expect(Object.hasOwn(first ?? {}, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(first)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('of no prototype stay so', () => {
    const bare = (entry: IContent): IContent => Object.assign(Object.create(null) as object, entry) as IContent;
    const [first] = optimize(halfStale(bare), { preset: 'seed' }).messages;
    expect(Object.getPrototypeOf(first)).toBe(null);
    expect(first?.blocks).toHaveLength(1);
  });
});
