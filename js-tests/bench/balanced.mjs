/**
 * The preset `balanced` against plain JavaScript that runs the same rules: the full rescan, and the incremental twin.
 *
 * @import {Content} from './model.mjs'
 * @import {Context, Row} from './cases.mjs'
 */
import { BalancedTwin, rescanBalanced } from './balanced-twin.mjs';
import { collecting, equalityRow, freshSession, ratioRow } from './cases.mjs';
import { codingSession } from './coding-session.mjs';
import { interleave, median } from './measure.mjs';
import { handInOutputEachTurn, handInRawEachTurn, pushEachTurn, timeEachTurn } from './session-drivers.mjs';

const OPTIONS = { preset: 'balanced', workspaceRoot: '/workspace' };
/** An agent sends its messages each turn. */
const READS = { messages: true };
const createTwin = () => new BalancedTwin(OPTIONS);

/** All rules over the raw history, every turn. @param {Content[][]} turns */
function rescanEachTurn(turns) {
  /** @type {Content[]} */
  const history = [];
  /** @type {readonly Content[]} */
  let messages = [];
  for (const entries of turns) {
    history.push(...entries);
    messages = rescanBalanced(history, OPTIONS).messages;
  }
  return messages;
}

/**
 * A rescan of so long a session takes minutes: it has a shorter one, whose ratio is lower.
 * @param {Context} context
 * @returns {Row[]}
 */
export function balanced({ densify, quick, note }) {
  const { createOptimizer } = densify;
  const [short, long] = [quick ? 100 : 300, quick ? 500 : 2_000].map((turns) => codingSession({ turns, seed: 2_026 }));
  note(`balanced: ${short.length} turns against the rescan`);
  const ways = [
    { name: 'handle', prepare: freshSession(short), run: pushEachTurn(createOptimizer, OPTIONS, READS) },
    { name: 'raw histories', prepare: freshSession(short), run: handInRawEachTurn(createOptimizer, OPTIONS, READS) },
    { name: 'own outputs', prepare: freshSession(short), run: handInOutputEachTurn(createOptimizer, OPTIONS, READS) },
  ];
  const [handle, raw, own] = interleave(ways, { rounds: 5, warmUps: 3 }).values();
  const rescans = [{ name: 'rescan', prepare: freshSession(short.slice(0)), run: rescanEachTurn }];
  const [rescan] = interleave(rescans, { rounds: quick ? 1 : 3, warmUps: 1 }).values();
  note(`balanced: ${long.length} turns against the twin`);
  const pair = [
    { name: 'twin', prepare: freshSession(long), run: pushEachTurn(createTwin, OPTIONS, READS) },
    { name: 'handle', prepare: freshSession(long), run: pushEachTurn(createOptimizer, OPTIONS, READS) },
  ];
  const incremental = interleave(pair, { rounds: quick ? 3 : 7, warmUps: 2 });
  const [twin, ours] = incremental.values();
  const timed = collecting({
    name: 'handle',
    prepare: freshSession(long),
    run: timeEachTurn(createOptimizer, OPTIONS, READS),
  });
  interleave([timed], { rounds: quick ? 3 : 7, warmUps: 2 });
  // A rescan's cost grows with the square of the session's length.
  const bar = (/** @type {number} */ least) => (quick ? undefined : { least });
  const name = (/** @type {Content[][]} */ turns) => `balanced, session of ${turns.length} turns`;
  return [
    ratioRow(name(short), 'rescan : handle', rescan, handle, bar(150)),
    ratioRow(name(short), 'rescan : whole raw histories handed in', rescan, raw, bar(35)),
    ratioRow(name(short), 'rescan : whole outputs handed back in', rescan, own, bar(35)),
    ratioRow(name(long), 'twin : handle', twin, ours, { least: 2 }),
    equalityRow(name(long), incremental, 'twin'),
    lateOverEarly(name(long), timed.rounds, long.length),
  ];
}

/**
 * What a turn costs at the end over what it costs early; means, since a few turns have most of the work.
 * @param {string} name
 * @param {Float64Array[]} rounds
 * @param {number} turns
 * @returns {Row}
 */
function lateOverEarly(name, rounds, turns) {
  const span = turns / 4;
  const measured = rounds.filter((times) => times.length === turns);
  const mean = (/** @type {number} */ from) =>
    median(measured.map((times) => times.subarray(from, from + span).reduce((sum, time) => sum + time, 0) / span));
  const [early, late] = [mean(span / 2), mean(turns - span)];
  const detail = `early ${(early * 1000).toFixed(0)} µs, late ${(late * 1000).toFixed(0)} µs (means)`;
  return { case: name, name: 'late : early turn, handle', value: late / early, unit: 'x', bar: { most: 1.5 }, detail };
}
