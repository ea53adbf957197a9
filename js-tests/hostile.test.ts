// Malformed entries and blocks come back unchanged, and nothing throws.
import { type IContent, optimize } from 'densify';
import { applyDensityResult, proposeDensity } from 'densify/host';
import { describe, expect, test } from 'vitest';
import {
  around,
  DENSITY,
  entries,
  expectKept,
  LONG,
  PLAIN_METADATA,
  plain,
  RULES,
  throughAll,
  touchAll,
} from './support/hostile.js';
import { ai, call, human, response, tool } from './support/say.js';

const thrower = (): never => {
  throw new Error('do not touch');
};
const TRAPS = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'isExtensible'] as const;
const allTraps = Object.fromEntries(TRAPS.map((trap) => [trap, thrower]));

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** An object whose property gives another answer each time. */
function fickle(key: string, answers: readonly unknown[], rest: object): object {
  let count = 0;
  return Object.defineProperty({ ...rest }, key, { enumerable: true, get: () => answers[count++ % answers.length] });
}

const sparse = (...list: unknown[]): unknown[] => {
  const holes: unknown[] = [];
  list.forEach((value, at) => {
    holes[at * 3 + 1] = value;
  });
  return holes;
};

const ENTRIES: Readonly<Record<string, unknown>> = {
  null: null,
  undefined,
  'a number': 7,
  'a string': 'text',
  'a symbol': Symbol('entry'),
  'a bigint': 10n,
  'a function': () => 1,
  'a list': ['text'],
  'an empty object': {},
  'no blocks': { speaker: 'human' },
  'blocks null': { speaker: 'ai', blocks: null },
  'blocks a string': { speaker: 'ai', blocks: 'text' },
  'blocks list-like': { speaker: 'tool', blocks: { length: 1, 0: { type: 'text', text: 'x' } } },
  'blocks a map': { speaker: 'human', blocks: new Map() },
  'unknown speaker': { speaker: 'wizard', blocks: [{ type: 'text', text: '--- a.ts ---\nx\n--- End of content ---' }] },
  'speaker in capitals': { speaker: 'Human', blocks: [{ type: 'text', text: 'x' }] },
  'speaker a symbol': { speaker: Symbol('human'), blocks: [] },
  'speaker __proto__': { speaker: '__proto__', blocks: [] },
  'speaker throws': {
    get speaker() {
      return thrower();
    },
    blocks: [],
  },
  'blocks throw': {
    speaker: 'human',
    get blocks() {
      return thrower();
    },
  },
  'length of blocks throws': { speaker: 'human', blocks: new Proxy([], { get: thrower }) },
  'a throwing proxy': new Proxy({}, allTraps),
  'a revoked proxy': revoked(),
  'a date': new Date(0),
  'an empty entry': { speaker: 'ai', blocks: [] },
  'a null-prototype entry': Object.assign(Object.create(null) as object, {
    speaker: 'ai',
    blocks: [{ type: 'text', text: 'x' }],
  }),
};

const BLOCKS: Readonly<Record<string, unknown>> = {
  null: null,
  undefined,
  'a number': 7,
  'a string': 'text',
  'a list': [],
  'no type': { text: 'x' },
  'unknown type': { type: 'hologram', text: '--- a.ts ---' },
  'type __proto__': { type: '__proto__' },
  'type constructor': { type: 'constructor' },
  'type a symbol': { type: Symbol('text') },
  'text without text': { type: 'text' },
  'text that is no string': { type: 'text', text: { toString: thrower } },
  'thinking without thought': { type: 'thinking' },
  'code without code': { type: 'code', code: 7 },
  'media without data': { type: 'media' },
  'a call without anything': { type: 'tool_call' },
  'a call with odd keys': { type: 'tool_call', id: 7, name: null, parameters: 'x' },
  'a response without anything': { type: 'tool_response' },
  'a response with odd keys': { type: 'tool_response', callId: {}, toolName: [], result: 'short', error: Symbol('e') },
  'a response without a call': { type: 'tool_response', callId: 'nobody', toolName: 'read', result: 'short' },
  'a call without a response': { type: 'tool_call', id: 'open', name: 'read_file', parameters: { path: 'a.ts' } },
};

describe('an entry that is odd', () => {
  test.each(Object.entries(ENTRIES))('%s', (_, odd) => expectKept(odd));

  test.each(Object.entries(ENTRIES))('%s, alone and frozen', (_, odd) => {
    const history = Object.freeze(entries(odd));
    expect(optimize(history, { preset: 'seed' }).messages).toBe(history);
    throughAll(history);
  });

  test('all of them, in holes', () => {
    const history = entries(...sparse(...Object.values(ENTRIES)));
    const { messages, changed } = optimize(history, { preset: 'seed' });
    expect([messages, changed]).toStrictEqual([history, false]);
    const applied = applyDensityResult(history, proposeDensity(history, DENSITY));
    expect(applied).toHaveLength(history.length);
    applied.forEach((entry, at) => expect(entry).toBe(history[at]));
  });
});

describe('a block that is odd', () => {
  test.each(Object.entries(BLOCKS))('%s, in an entry of its own', (_, odd) => {
    for (const speaker of ['human', 'ai', 'tool'] as const) expectKept({ speaker, blocks: [odd] });
  });

  test.each(Object.entries(BLOCKS))('%s, beside blocks that are edited', (_, odd) => {
    const history = plain().map((entry) => ({
      ...entry,
      blocks: [odd, ...entry.blocks, odd],
    })) as unknown as IContent[];
    const messages = throughAll(history);
    expect(optimize(history, RULES).metadata).toMatchObject({ readWritePairsPruned: 1, recencyPruned: 1 });
    const isMedia = (odd as { type?: unknown } | null | undefined)?.type === 'media';
    const kept = messages.flatMap(({ blocks }) => [...blocks] as unknown[]).filter((block) => Object.is(block, odd));
    // Media go with the response that they accompanied.
    expect(kept).toHaveLength(2 * (history.length - (isMedia ? 1 : 0)));
  });

  test('one that throws: its entry stays as it is', () => {
    const odd = [
      {
        get type() {
          return thrower();
        },
      },
      {
        type: 'tool_call',
        get id() {
          return thrower();
        },
      },
      {
        type: 'tool_response',
        get result() {
          return thrower();
        },
      },
      {
        type: 'text',
        get text() {
          return thrower();
        },
      },
      new Proxy({}, allTraps),
      revoked(),
    ];
    for (const block of odd) {
      for (const speaker of ['human', 'ai', 'tool'])
        expectKept({ speaker, blocks: [block, { type: 'text', text: 'x' }] });
    }
  });

  test('one whose getters change their answer: nothing throws', () => {
    const path = { path: 'a.ts' };
    const odd = (): object[] => [
      fickle('type', ['text', 'tool_call', 7], { text: 'x', id: 'r' }),
      fickle('type', ['tool_call', 'hologram'], { id: 'r', name: 'read_file', parameters: path }),
      fickle('type', ['tool_response', 'tool_call', 'text'], {
        id: 'r',
        callId: 'r',
        name: 'read_file',
        parameters: path,
        text: 'x',
      }),
      fickle('text', ['--- a.ts ---\nx\n--- End of content ---\n', 7, null], { type: 'text' }),
      fickle('text', ['--- a.ts ---\nx\n--- End of content ---\n', 'short', ''], { type: 'text' }),
      fickle('result', [LONG, undefined, 10n], { type: 'tool_response', callId: 'g1', toolName: 'read' }),
      fickle('name', ['read_file', 'write_file'], { type: 'tool_call', id: 'f', parameters: path }),
      fickle('parameters', [path, null, { path: 7 }, { path: 'b.ts' }], {
        type: 'tool_call',
        id: 'f',
        name: 'read_file',
      }),
    ];
    for (let at = 0; at < odd().length; at += 1) {
      for (const speaker of ['human', 'ai', 'tool'])
        touchAll(around({ speaker, blocks: [odd()[at], { type: 'text', text: 'x' }] }));
    }
    touchAll(around(fickle('blocks', [[], 7, [{ type: 'text', text: 'x' }], null], { speaker: 'human' })));
    touchAll(around(fickle('speaker', ['human', 'ai', 7], { blocks: [{ type: 'text', text: 'x' }] })));
  });

  test('holes are kept', () => {
    const blocks = sparse({ type: 'text', text: 'x' }, call('r9', 'read_file', { path: 'b.ts' }));
    expectKept({ speaker: 'ai', blocks });
  });
});

describe('objects of other kinds', () => {
  class Entry {
    #blocks: IContent['blocks'];
    constructor(
      readonly speaker: IContent['speaker'],
      ...blocks: IContent['blocks']
    ) {
      this.#blocks = blocks;
    }
    get blocks(): IContent['blocks'] {
      return this.#blocks;
    }
    said(): string {
      return this.speaker;
    }
  }

  test('instances of classes are edited as copies of their class', () => {
    const history = plain().map(({ speaker, blocks }) => new Entry(speaker, ...blocks));
    const { messages, metadata } = optimize<Entry>(history, RULES);
    expect(metadata).toStrictEqual(PLAIN_METADATA);
    for (const entry of messages) expect(entry).toBeInstanceOf(Entry);
    expect(messages.map((entry) => entry.said())).toStrictEqual(messages.map(({ speaker }) => speaker));
    throughAll(history as unknown as IContent[]);
  });

  test('transparent proxies and accessors are as good as plain objects', () => {
    const wrapped = plain().map((entry) => new Proxy(entry, {}));
    expect(optimize(wrapped, RULES).metadata).toStrictEqual(PLAIN_METADATA);
    const lazy = plain().map(
      (entry): IContent => ({
        get speaker() {
          return entry.speaker;
        },
        get blocks() {
          return entry.blocks;
        },
      }),
    );
    expect(optimize(lazy, RULES).metadata).toStrictEqual(PLAIN_METADATA);
    const list = new Proxy(plain(), {});
    expect(optimize(list, RULES).metadata).toStrictEqual(PLAIN_METADATA);
    for (const history of [wrapped, lazy, list]) throughAll(history);
  });

  test('what rides along stays the same object: dates, bytes, maps, functions, symbols, bigints', () => {
    const extras = {
      at: new Date(0),
      bytes: new Uint8Array(3),
      map: new Map(),
      call: () => 1,
      [Symbol.for('s')]: 1n,
      big: 2n ** 70n,
      none: undefined,
    };
    const history = plain().map((entry) => ({
      ...entry,
      ...extras,
      metadata: extras as Record<string, unknown>,
      blocks: entry.blocks.map((block) => ({ ...block, ...extras })),
    }));
    const { messages, metadata } = optimize(history, RULES);
    expect(metadata).toStrictEqual(PLAIN_METADATA);
    for (const entry of messages) {
      for (const holder of [entry, entry.metadata, ...entry.blocks] as Record<PropertyKey, unknown>[]) {
        for (const key of Reflect.ownKeys(extras))
          expect([key, holder[key]]).toStrictEqual([key, (extras as Record<PropertyKey, unknown>)[key]]);
      }
    }
  });

  test('keys such as __proto__ stay own keys', () => {
    const history = JSON.parse(
      JSON.stringify(plain())
        .replaceAll('"speaker"', '"__proto__":{"polluted":true},"speaker"')
        .replaceAll('"type"', '"__proto__":{"polluted":true},"type"'),
    ) as IContent[];
    const { messages, metadata } = optimize(history, RULES);
    expect(metadata).toStrictEqual(PLAIN_METADATA);
    for (const object of messages.flatMap((entry) => [entry, ...entry.blocks])) {
      expect(Object.hasOwn(object, '__proto__')).toBe(true);
      expect((object as { polluted?: unknown }).polluted).toBeUndefined();
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('toJSON in entries, blocks and payloads decides nothing', () => {
    const json = { toJSON: () => thrower() };
    const history = plain().map((entry) => ({
      ...entry,
      ...json,
      blocks: entry.blocks.map((block) => ({ ...block, ...json })),
    })) as IContent[];
    expect(optimize(history, RULES).metadata).toStrictEqual(PLAIN_METADATA);
    throughAll(history);
    throughAll([
      ai(call('j', 'read_file', { path: 'a.ts', ...json })),
      tool(response('j', 'read_file', { output: LONG, ...json })),
      human('x'),
    ]);
  });
});
