/**
 * The preset `balanced`: the handle against its floor, the ways to hand in a history against the handle, and whether a turn
 * costs the same at the end of a session.
 *
 * @import {Content} from './model.mjs'
 * @import {Context, Row} from './cases.mjs'
 */
import { collecting, equalityRow, freshSession, ratioRow } from './cases.mjs';
import { codingSession } from './coding-session.mjs';
import { interleave, median } from './measure.mjs';
import {
  floorEachTurn,
  handInOutputEachTurn,
  handInRawEachTurn,
  lengthsEachTurn,
  pushEachTurn,
  STRETCH,
  timeEachTurn,
} from './session-drivers.mjs';

const OPTIONS = { preset: 'balanced', workspaceRoot: '/workspace' };
/** An agent sends its messages each turn. */
const READS = { messages: true };

/** @param {Context} context @returns {Row[]} */
export function balanced(context) {
  return [...sessionRows(context), ...statelessRows(context)];
}

/** @param {Context} context @returns {Row[]} */
function sessionRows({ densify, quick, note }) {
  const { createOptimizer } = densify;
  const turns = codingSession({ turns: quick ? 500 : 2_000, seed: 2_026 });
  const name = `balanced, session of ${turns.length} turns`;
  note(name);
  const prepare = freshSession(turns);
  const lengths = lengthsEachTurn(createOptimizer, OPTIONS, turns);
  const ways = [
    { name: 'handle', prepare, run: pushEachTurn(createOptimizer, OPTIONS, READS) },
    { name: 'raw histories', prepare, run: handInRawEachTurn(createOptimizer, OPTIONS, READS) },
    { name: 'own outputs', prepare, run: handInOutputEachTurn(createOptimizer, OPTIONS, READS) },
  ];
  const floors = [{ name: 'floor', prepare, run: readingTexts(floorEachTurn(lengths, READS)) }];
  const plan = { rounds: quick ? 3 : 7, warmUps: 2 };
  const timings = interleave(ways, plan);
  const [handle, raw, own] = timings.values();
  const [floor] = interleave(floors, plan).values();
  const always = {
    name: 'always',
    prepare,
    run: pushEachTurn(createOptimizer, { ...OPTIONS, flush: 'always' }, READS),
  };
  const [waiting, atOnce] = interleave([ways[0], always], plan).values();
  const timed = collecting({ name: 'handle', prepare, run: timeEachTurn(createOptimizer, OPTIONS, READS) });
  interleave([timed], plan);
  return [
    ratioRow(
      name,
      'handle : each new line read once, a copy of the list',
      handle,
      floor,
      quick ? undefined : { most: 1.5 },
    ),
    ratioRow(name, 'whole raw histories handed in : handle', raw, handle),
    ratioRow(name, 'whole outputs handed back in : handle', own, handle),
    ratioRow(name, "edits wait until they pay : flush 'always'", waiting, atOnce, quick ? undefined : { most: 1.2 }),
    equalityRow(name, timings, 'handle'),
    lateOverEarly(name, timed.rounds, turns.length / STRETCH),
  ];
}

/** @param {Context} context @returns {Row[]} */
function statelessRows({ densify, quick, note }) {
  const { createOptimizer, optimize } = densify;
  const history = codingSession({ turns: 400, seed: 41 }).flat().slice(0, 1_000);
  const name = `balanced, ${history.length.toLocaleString('en')} fresh entries`;
  note(name);
  const prepare = () => structuredClone(history);
  const once = (/** @type {Content[]} */ messages) => {
    const optimizer = createOptimizer(OPTIONS);
    const { messages: left } = optimizer.optimize(messages);
    optimizer.dispose();
    return left;
  };
  const contenders = [
    { name: 'optimize', prepare, run: (/** @type {Content[]} */ messages) => optimize(messages, OPTIONS).messages },
    { name: 'handle', prepare, run: once },
  ];
  const [stateless, handle] = interleave(contenders, { rounds: quick ? 10 : 30, warmUps: 8 }).values();
  return [ratioRow(name, 'optimize : a fresh handle, one call', stateless, handle, { most: 1.1 })];
}

/** What rules that look for repeated lines can't do without: a fingerprint of each line of each new text. */
const fingerprints = new Uint32Array(1 << 16);

/**
 * The floor of a session, which also reads each new line once.
 * @param {(turns: Content[][]) => readonly Content[]} floor
 */
const readingTexts = (floor) => (/** @type {Content[][]} */ turns) => {
  let lines = 0;
  const read = (/** @type {unknown} */ value) => {
    if (typeof value === 'string') lines = readLines(value, lines);
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) read(inner);
  };
  for (const entries of turns)
    for (const { blocks } of entries)
      for (const { text, thought, parameters, result } of blocks) read(text ?? thought ?? parameters ?? result);
  return floor(turns);
};

/** @param {string} text @param {number} lines how many were read before */
function readLines(text, lines) {
  let hash = 0;
  let line = lines;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 10) hash = Math.imul(hash ^ code, 0x01000193);
    else {
      fingerprints[line++ & 0xffff] = hash;
      hash = 0;
    }
  }
  fingerprints[line++ & 0xffff] = hash;
  return line;
}

/**
 * The cost of a turn at the end, divided by the early cost. These are means, since a few turns do most of the work.
 * @param {string} name
 * @param {Float64Array[]} rounds
 * @param {number} length
 * @returns {Row}
 */
function lateOverEarly(name, rounds, length) {
  const span = Math.floor(length / 4);
  const measured = rounds.filter((times) => times.length === length);
  const mean = (/** @type {number} */ from) =>
    median(measured.map((times) => times.subarray(from, from + span).reduce((sum, time) => sum + time, 0) / span));
  const [early, late] = [mean(Math.floor(span / 2)), mean(length - span)];
  const detail = `early ${(early * 1000).toFixed(0)} µs, late ${(late * 1000).toFixed(0)} µs (means)`;
  return { case: name, name: 'late : early turn, handle', value: late / early, unit: 'x', bar: { most: 1.5 }, detail };
}
