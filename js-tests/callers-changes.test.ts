// Callers that change what they handed in: while it streams, or later.
import { type ContentBlock, createDensify, createOptimizer, type IContent } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { options, type Turn, turns } from './support/arbitrary.js';
import { check } from './support/check.js';
import { Oracle, type OracleOptions } from './support/oracle.js';
import { frozen, parsed, Simulation, type Way } from './support/simulation.js';

type Change = (entry: IContent) => void;

/** Changes that an agent makes in place; each shows in what the optimizer reads again. */
const CHANGES: readonly Change[] = [
  (entry) => entry.blocks.push({ type: 'text', text: 'added' }),
  (entry) => entry.blocks.unshift({ type: 'thinking', thought: 'added' }),
  (entry) => entry.blocks.pop() ?? entry.blocks.push({ type: 'code', code: '' }),
  (entry) => grow(entry, 'text'),
  (entry) => grow(entry, 'result'),
  (entry) => {
    for (const block of entry.blocks)
      if (block.type === 'tool_call')
        block.parameters = { file_path: `renamed-${Math.max(0, entry.blocks.length)}.ts` };
    entry.blocks.push({ type: 'text', text: '' });
  },
];

/** Makes the last text or result of an entry longer, as streams do. */
function grow(entry: IContent, key: 'text' | 'result'): void {
  const block = entry.blocks.findLast((candidate) => candidate.type === (key === 'text' ? 'text' : 'tool_response')) as
    | (ContentBlock & Record<string, unknown>)
    | undefined;
  if (block === undefined) entry.blocks.push({ type: 'text', text: 'grown' });
  else
    block[key] =
      `${typeof block[key] === 'string' ? block[key] : JSON.stringify(block[key])} and more\n--- a.ts ---\nx\n--- End of content ---\n`;
}

const change = fc.constantFrom(...CHANGES);
const part = fc.double({ min: 0, max: 1, noNaN: true });
const by = fc.constantFrom('raw' as const, 'raw' as const, 'json' as const);
const steps = fc.array(
  fc.record({
    way: fc.constantFrom<Way>('push', 'raw', 'stored', 'json'),
    at: fc.option(part, { freq: 2 }),
    change,
    by,
  }),
  { minLength: 14, maxLength: 14 },
);
type Steps = readonly { way: Way; at: number | null; change: Change; by: 'raw' | 'json' }[];

/** Goes through turns, changing an entry among the newest `reach` after some of them. */
function goThrough(
  simulation: Simulation,
  list: readonly Turn[],
  moves: Steps,
  reach: number,
  before: (index: number) => void = () => undefined,
): void {
  list.forEach((entries, number) => {
    const { way, at, change: apply, by: changed } = moves[number % moves.length] as Steps[number];
    simulation.turn(way, structuredClone(entries));
    if (at === null || simulation.raw.length === 0) return;
    const oldest = Math.max(0, simulation.raw.length - reach);
    const index = oldest + Math.floor(at * (simulation.raw.length - 1 - oldest));
    before(index);
    simulation.change(changed, index, apply);
  });
}

describe('a caller that changes messages in place', () => {
  test('is understood for the newest 16', () => {
    check(
      150,
      fc.property(turns(), steps, options, (list, moves, settings) =>
        goThrough(new Simulation(settings), list, moves, 16),
      ),
    );
  });

  test('is understood for all of them after `invalidate`', () => {
    const goOn = (list: Turn[], moves: Steps, settings: OracleOptions): void => {
      const simulation = new Simulation(settings);
      goThrough(simulation, list, moves, Infinity, (index) => simulation.optimizer.invalidate(index));
    };
    check(100, fc.property(turns(), steps, options, goOn));
  });

  test('may let the last message grow while it streams', () => {
    const stream = (list: Turn[], pieces: string[], way: 'raw' | 'json', settings: OracleOptions): void => {
      const simulation = new Simulation(settings);
      for (const entries of list) {
        simulation.turn(way, structuredClone(entries));
        for (const piece of pieces) {
          if (simulation.raw.length === 0) continue;
          simulation.change(way, simulation.raw.length - 1, (entry) => {
            const last = entry.blocks.at(-1);
            if (last?.type === 'text') last.text += piece;
            else entry.blocks.push({ type: 'text', text: piece });
          });
        }
      }
    };
    check(
      100,
      fc.property(
        turns(8),
        fc.array(fc.constantFrom('--- ', 'a.ts ---\n', '--- End of content ---\n', 'word', '\n'), { maxLength: 6 }),
        by,
        options,
        stream,
      ),
    );
  });
});

test('hundreds of histories on one instance do not disturb each other', () => {
  const interleave = (lists: Turn[][], ways: Way[], settings: OracleOptions): void => {
    const densify = createDensify();
    const make: typeof createOptimizer = (given) => densify.createOptimizer(given);
    const all = lists.map((list) => ({ list, simulation: new Simulation(settings, {}, make) }));
    for (let number = 0; number < 14; number += 1) {
      for (const { list, simulation } of all) {
        const entries = list[number];
        if (entries !== undefined) simulation.turn(ways[number % ways.length] as Way, frozen(entries));
        else simulation.optimizer.dispose();
      }
    }
  };
  const lists = fc.array(turns(), { minLength: 200, maxLength: 200 });
  check(
    2,
    fc.property(
      lists,
      fc.array(fc.constantFrom<Way>('push', 'raw', 'stored', 'json'), { minLength: 1, maxLength: 5 }),
      options,
      interleave,
    ),
  );
});

test('the same objects in several places of a history are as good as copies', () => {
  const repeat = (list: Turn[], picks: number[], ways: Way[], settings: OracleOptions): void => {
    const simulation = new Simulation(settings);
    list.forEach((entries, number) => {
      const again = simulation.raw[(picks[number % picks.length] ?? 0) % Math.max(1, simulation.raw.length)];
      simulation.turn(ways[number % ways.length] as Way, again === undefined ? entries : [...frozen(entries), again]);
    });
  };
  const ways = fc.array(fc.constantFrom<Way>('push', 'raw'), { minLength: 1, maxLength: 5 });
  check(150, fc.property(turns(), fc.array(fc.nat(100), { minLength: 1, maxLength: 5 }), ways, options, repeat));
});

describe('a caller that compresses in between', () => {
  const limits = fc.array(fc.option(fc.integer({ min: 1, max: 2_000 }), { freq: 3 }), { minLength: 14, maxLength: 14 });
  const strategy = fc.constantFrom('high-density' as const, 'top-down-truncation' as const);

  test.each(['stored', 'push', 'json'] as const)(
    'and then goes on by way of %s gets what the rules make of the compressed history',
    (way) => {
      const goOn = (
        list: Turn[],
        contextLimits: (number | null)[],
        name: 'high-density' | 'top-down-truncation',
        settings: OracleOptions,
      ): void => {
        const optimizer = createOptimizer<IContent>(settings);
        let output: readonly IContent[] = [];
        list.forEach((entries, number) => {
          const oracle = new Oracle(settings);
          oracle.push(...output, ...entries);
          oracle.run();
          if (way === 'push') optimizer.push(...frozen(entries));
          const stored = way === 'json' ? parsed([...output, ...entries]) : [...output, ...frozen(entries)];
          const result = way === 'push' ? optimizer.optimize() : optimizer.optimize(stored);
          expect(result.messages).toStrictEqual(oracle.messages);
          output = result.messages;
          const contextLimit = contextLimits[number % contextLimits.length];
          if (contextLimit !== null && contextLimit !== undefined)
            output = optimizer.compress({ strategy: name, contextLimit, preserve: 0.2 }).messages;
        });
      };
      check(150, fc.property(turns(), limits, strategy, options, goOn));
    },
  );
});

describe('a history that is parsed afresh for each call', () => {
  const read = (path: string, at: number): IContent[] => [
    {
      speaker: 'ai',
      blocks: [{ type: 'tool_call', id: `c${at}`, name: 'read_file', parameters: { file_path: path } }],
    },
    {
      speaker: 'tool',
      blocks: [{ type: 'tool_response', callId: `c${at}`, toolName: 'read_file', result: `line ${at}\n`.repeat(40) }],
    },
  ];
  const history = Array.from({ length: 30 }, (_, at) => read(`src/${at % 5}.ts`, at)).flat();
  const afresh = (): IContent[] => JSON.parse(JSON.stringify(history)) as IContent[];
  const settings = { preset: 'seed', rules: { recencyPruning: true, recencyRetention: 2 } } as const;

  test('is known: untouched messages are those of the call, and what is decided stays', () => {
    const optimizer = createOptimizer(settings);
    const first = optimizer.optimize(afresh());
    const again = afresh();
    const own = new Set<object>(again);
    const result = optimizer.optimize(again);
    expect(result.edits).toEqual([]);
    expect(result.messages).toEqual(first.messages);
    expect(result.messages.filter((message) => own.has(message)).length).toBe(history.length - 28);
    optimizer.dispose();
  });

  test('has its edited messages made once, unless one holds something new', () => {
    const shown = Array.from({ length: 30 }, (_, at) => read(`src/${at}.ts`, at)).flat();
    const noted = (note: number, at: number): IContent[] =>
      (JSON.parse(JSON.stringify(shown)) as IContent[]).map((message, index) =>
        index === at ? { ...message, metadata: { note } } : message,
      );
    const optimizer = createOptimizer({ preset: 'seed', rules: { recencyPruning: true, recencyRetention: 2 } });
    const first = optimizer.optimize(noted(1, 3)).messages;
    const edited = first.flatMap((message, at) => (at < 44 && message.speaker === 'tool' ? [at] : []));
    expect(first[3]).not.toEqual(noted(1, 3)[3]);
    const same = optimizer.optimize(noted(1, 3)).messages;
    expect(same).toEqual(first);
    expect(edited.filter((at) => same[at] !== first[at])).toEqual([]);
    const other = optimizer.optimize(noted(2, 3)).messages;
    expect(other[3]?.metadata).toEqual({ note: 2 });
    expect(other[3]?.blocks).toEqual(first[3]?.blocks);
    optimizer.dispose();
  });

  test('is read anew from a message on that differs deep within, however old it is', () => {
    const written = (path: string): IContent[] => {
      const list = [...read('a.ts', 90), ...read('b.ts', 91), ...afresh()];
      Object.assign(list[2]!.blocks[0]!, { name: 'write_file', parameters: { file_path: path, content: 'x' } });
      Object.assign(list[3]!.blocks[0]!, { toolName: 'write_file' });
      return list;
    };
    const optimizer = createOptimizer(settings);
    const before = optimizer.optimize(written('b.ts')).messages;
    const given = optimizer.optimize(written('a.ts')).messages;
    expect(given).toEqual(createOptimizer(settings).optimize(written('a.ts')).messages);
    // Only now is the first read stale.
    expect(given.length).toBe(before.length - 2);
    optimizer.dispose();
  });
});
