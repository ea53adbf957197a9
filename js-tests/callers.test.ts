// However a caller passes its history, the output is what the rules make of the last output followed by the new
// messages.
import type { IContent } from 'densify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { malformedTurns, options, type Turn, turns } from './support/arbitrary.js';
import { check } from './support/check.js';
import { Oracle, type OracleOptions } from './support/oracle.js';
import { frozen, parsed, Simulation, type Way } from './support/simulation.js';

function goThrough(ways: readonly Way[], list: readonly Turn[], settings: OracleOptions): void {
  const simulation = new Simulation(settings);
  list.forEach((entries, at) => simulation.turn(ways[at % ways.length] as Way, frozen(entries)));
  simulation.optimizer.dispose();
}

test('the oracle of a sequence is the composition of stateless runs', () => {
  const composed = (list: Turn[], settings: OracleOptions): void => {
    const oracle = new Oracle(settings);
    let output: IContent[] = [];
    for (const entries of list) {
      const fresh = new Oracle(settings);
      fresh.push(...output, ...entries);
      oracle.push(...entries);
      expect(oracle.run().metadata).toStrictEqual(fresh.run().metadata);
      output = fresh.messages;
      expect(oracle.messages).toStrictEqual(output);
    }
  };
  check(150, fc.property(fc.oneof(turns(), malformedTurns), options, composed));
});

const WAYS: readonly (readonly [string, readonly Way[]])[] = [
  ['pushes what is new', ['push']],
  ['hands in whole raw histories', ['raw']],
  ['stores the output and appends to it', ['stored']],
  ['parses raw histories afresh for each call', ['json']],
];

describe('a caller that', () => {
  test.each(WAYS)('%s', (_, ways) => {
    check(
      100,
      fc.property(turns(), options, (list, settings) => goThrough(ways, list, settings)),
    );
  });

  test.each(WAYS)('%s, malformed ones', (_, ways) => {
    check(
      100,
      fc.property(malformedTurns, options, (list, settings) => goThrough(ways, list, settings)),
    );
  });

  const ways = fc.array(fc.constantFrom<Way>('push', 'raw', 'stored', 'json'), { minLength: 1, maxLength: 9 });
  test('mixes all that', () => {
    check(200, fc.property(ways, fc.oneof(turns(), malformedTurns), options, goThrough));
  });

  test('stores the output as JSON and parses it afresh for each call', () => {
    const goOn = (list: Turn[], settings: OracleOptions): void => {
      const { optimizer } = new Simulation(settings);
      let stored: readonly IContent[] = [];
      for (const entries of list) {
        const given = frozen(parsed([...stored, ...entries]));
        const oracle = new Oracle(settings);
        oracle.push(...given);
        oracle.run();
        const { messages } = optimizer.optimize(given);
        expect(messages).toStrictEqual(oracle.messages);
        stored = messages;
      }
    };
    check(150, fc.property(fc.oneof(turns(), malformedTurns), options, goOn));
  });
});

describe('a caller that goes back', () => {
  const moves = fc.array(
    fc.record({
      way: fc.constantFrom<Way>('push', 'raw', 'stored'),
      back: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 2 }),
    }),
    { minLength: 14, maxLength: 14 },
  );

  test('and on differently gets back the edits whose cause is gone', () => {
    const goOn = (list: Turn[], steps: readonly { way: Way; back: number | null }[], settings: OracleOptions): void => {
      const simulation = new Simulation(settings);
      list.forEach((entries, at) => {
        const { way, back } = steps[at % steps.length] as { way: Way; back: number | null };
        if (back === null) simulation.turn(way, frozen(entries));
        else
          simulation.branch(
            way === 'stored' ? 'stored' : 'raw',
            Math.round(back * simulation.raw.length),
            frozen(entries),
          );
      });
    };
    check(200, fc.property(turns(), moves, options, goOn));
  });
});
