/**
 * What one more turn costs at sizes from 100 to 100,000 entries for the rescan and the handle: the curves of
 * the report's chart.
 *
 * @import {Content} from './model.mjs'
 * @import {Context, Row} from './cases.mjs'
 * @typedef {{name: string, points: {x: number, y: number}[]}} Line
 */
import { RULES, ratioRow } from './cases.mjs';
import { session } from './histories.mjs';
import { interleave } from './measure.mjs';
import { rescanOptimize } from './rescan.mjs';

const SIZES = [100, 1_000, 10_000, 100_000];
/** Turns that are timed together; a clock's step is too long for one. */
const TURNS = 20;

/** The curves of the last run. @type {Line[]} */
export const perTurn = ['rescan', 'handle'].map((name) => ({ name, points: [] }));

/** @param {number} entries @returns {{history: Content[], turns: Content[][]}} */
function sized(entries) {
  const all = session({ turns: Math.ceil(entries / 2) + TURNS, seed: 91 });
  let known = 0;
  let length = 0;
  while (length < entries) length += all[known++].length;
  return { history: all.slice(0, known).flat(), turns: all.slice(known, known + TURNS) };
}

/**
 * An incremental optimizer that knows the history.
 * @param {(options: any) => any} create
 * @param {Content[]} history
 */
function known(create, history) {
  const optimizer = create(RULES);
  optimizer.push(...history);
  optimizer.optimize();
  return {
    turn: (/** @type {Content[]} */ entries) => {
      optimizer.push(...entries);
      const { edits, messages } = optimizer.optimize();
      return edits.length + messages.length;
    },
    end: () => optimizer.dispose?.(),
  };
}

/** A rescan of what it gave last time. @param {Content[]} history */
function scanned(history) {
  let messages = /** @type {Content[]} */ (rescanOptimize(history, RULES).messages);
  return {
    turn: (/** @type {Content[]} */ entries) => {
      const result = rescanOptimize([...messages, ...entries], RULES);
      messages = /** @type {Content[]} */ (result.messages);
      return result.edits.length + messages.length;
    },
    end: () => undefined,
  };
}

/**
 * @param {Context} context
 * @returns {Row[]}
 */
export function sizes({ densify, quick, note }) {
  const name = `one more turn, no tokens`;
  for (const line of perTurn) line.points.length = 0;
  return (quick ? SIZES.slice(0, 3) : SIZES).map((entries) => {
    note(`${name}, behind ${entries} entries`);
    const { history, turns } = sized(entries);
    const isSmall = entries <= 1_000;
    // Small histories run several times from the start, so that the clock's resolution doesn't show.
    const copies = entries <= 100 ? 10 : isSmall ? 3 : 1;
    const prepareBy = (/** @type {(history: Content[]) => {turn: Function, end: Function}} */ make) => () =>
      Array.from({ length: copies }, () => ({ made: make(structuredClone(history)), turns: structuredClone(turns) }));
    const run = (/** @type {any[]} */ all) => {
      let edits = 0;
      for (const one of all) for (const entriesOfTurn of one.turns) edits += one.made.turn(entriesOfTurn);
      for (const one of all) one.made.end();
      return edits;
    };
    const timings = interleave(
      [
        { name: 'rescan', prepare: prepareBy(scanned), run },
        { name: 'handle', prepare: prepareBy((known_) => known(densify.createOptimizer, known_)), run },
      ],
      { rounds: quick ? 3 : isSmall ? 15 : 5, warmUps: isSmall ? 8 : quick ? 1 : 2 },
    );
    for (const line of perTurn) {
      const { median } = /** @type {import('./measure.mjs').Timing<any>} */ (timings.get(line.name));
      line.points.push({ x: entries, y: (1000 * median) / TURNS / copies });
    }
    const [rescan, handle] = timings.values();
    const label = `behind ${entries.toLocaleString('en')} entries`;
    const each = (/** @type {number} */ milliseconds) => `${((1000 * milliseconds) / TURNS / copies).toFixed(1)} µs`;
    const detail = `a turn: ${each(rescan.median)}, ${each(handle.median)}`;
    return { ...ratioRow(name, `rescan : handle, ${label}`, rescan, handle), detail };
  });
}
