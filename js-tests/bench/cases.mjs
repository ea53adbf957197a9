/**
 * The benchmark's cases. Each gives rows; a row with a bar passes or fails. All times are CPU time.
 *
 * @import {Content} from './model.mjs'
 * @typedef {{createOptimizer: (options?: any) => any, optimize: (messages: readonly Content[], options?: any) => any, compress: (messages: readonly Content[], options: any) => any, createDensify: () => any, requestSummary: (messages: readonly Content[], options: any) => any, createConversation: (options: any) => any, restoreConversation: (snapshot: any, messages: readonly Content[], options: any) => any}} Densify
 * @typedef {{densify: Densify, quick: boolean, note: (text: string) => void}} Context
 * @typedef {{least: number} | {most: number}} Bar
 * @typedef {{case: string, name: string, value: number, unit: 'x' | 'ms' | 'kB' | 'ok', bar?: Bar, detail: string, chart?: string}} Row  a value that is NaN fails; `chart` names it in the chart of peers
 */
import { isDeepStrictEqual } from 'node:util';
import { historyOf, session } from './histories.mjs';
import { interleave, median } from './measure.mjs';
import { rescanOptimize } from './rescan.mjs';
import {
  floorEachTurn,
  handInOutputEachTurn,
  handInRawEachTurn,
  lengthsEachTurn,
  pushEachTurn,
  rescanEachTurn,
  STRETCH,
  timeEachTurn,
  walkEachTurn,
} from './session-drivers.mjs';
import { blockTokens } from './tokens.mjs';

/** The estimator on both sides. @param {string} text */
export const countTokens = (text) => Math.ceil(text.length / 4);
export const RULES = {
  preset: 'seed',
  rules: { recencyPruning: true, recencyRetention: 3 },
  workspaceRoot: '/workspace',
};
/** @typedef {{label: string, options: any, reads: import('./session-drivers.mjs').Reads}} Variant */
/** @type {Variant} */
const WITH_TOKENS = {
  label: 'messages and tokens read each turn',
  options: { ...RULES, countTokens },
  reads: { messages: true, tokens: true },
};
/** @type {Variant} */
const WITHOUT_TOKENS = { label: 'messages read each turn', options: RULES, reads: { messages: true } };
/** An agent reads the messages each turn. densify makes no list that the caller doesn't read. */
const VARIANTS = [WITH_TOKENS, WITHOUT_TOKENS];
/** @type {Variant} */
const UNREAD = { label: 'only edits read each turn', options: RULES, reads: {} };
/** @param {number} milliseconds */
const inMilliseconds = (milliseconds) => `${milliseconds < 10 ? milliseconds.toFixed(2) : milliseconds.toFixed(0)} ms`;

/**
 * Slow over fast, by medians.
 * @param {string} name
 * @param {string} caseName
 * @param {import('./measure.mjs').Timing<any>} slow
 * @param {import('./measure.mjs').Timing<any>} fast
 * @param {Bar} [bar]
 * @returns {Row}
 */
export function ratioRow(caseName, name, slow, fast, bar) {
  const detail = `${inMilliseconds(slow.median)} : ${inMilliseconds(fast.median)}, by minima ${(slow.least / fast.least).toFixed(2)}x of ${slow.times.length} rounds`;
  return { case: caseName, name, value: slow.median / fast.median, unit: 'x', bar, detail };
}

/**
 * @param {string} caseName
 * @param {ReadonlyMap<string, import('./measure.mjs').Timing<readonly Content[]>>} timings
 * @param {string} reference
 * @returns {Row}
 */
export function equalityRow(caseName, timings, reference) {
  const expected = timings.get(reference)?.last;
  const different = [...timings].filter(([, { last }]) => !isDeepStrictEqual(last, expected)).map(([name]) => name);
  const detail =
    different.length === 0
      ? `${[...timings.keys()].join(', ')}: deep-equal, ${expected?.length} messages`
      : `differs from ${reference}: ${different.join(', ')}`;
  return {
    case: caseName,
    name: 'same output',
    value: different.length === 0 ? 1 : NaN,
    unit: 'ok',
    bar: { least: 1 },
    detail,
  };
}

/**
 * A session for each run, so that no contender finds objects that another has seen.
 * @param {Content[][]} turns
 */
export function freshSession(turns) {
  return (/** @type {boolean} */ warmingUp) => structuredClone(warmingUp ? turns.slice(0, 250) : turns);
}

/**
 * What the agent reads each turn. A quick run leaves out tokens: both sides use the same estimator.
 * @param {Context} context
 */
function variantsOf({ quick }) {
  return VARIANTS.filter(({ reads }) => !(quick && reads.tokens));
}

/** @param {Context} context */
function sessionTurns({ quick }, short = 500) {
  return session({ turns: quick ? short : 2_000, seed: 2_026 });
}

/**
 * The bars hold for the full length: a rescan's cost grows with the square of the number of turns.
 * @param {Context} context
 * @returns {Row[]}
 */
export function sessionAgainstRescan(context) {
  const turns = sessionTurns(context, 300);
  const { createOptimizer } = context.densify;
  const name = `session of ${turns.length} turns`;
  return variantsOf(context).flatMap(({ label, options, reads }) => {
    context.note(`${name} against the rescan, ${label}`);
    const prepare = freshSession(turns);
    const contenders = [
      { name: 'rescan', prepare, run: rescanEachTurn(options, reads) },
      { name: 'handle', prepare, run: pushEachTurn(createOptimizer, options, reads) },
      { name: 'raw histories', prepare, run: handInRawEachTurn(createOptimizer, options, reads) },
      { name: 'own outputs', prepare, run: handInOutputEachTurn(createOptimizer, options, reads) },
      { name: 'unread', prepare, run: pushEachTurn(createOptimizer, options, { ...reads, messages: false }) },
    ];
    const timings = interleave(contenders, { rounds: context.quick ? 3 : 5, warmUps: 2 });
    const [rescan, handle, raw, own, unread] = timings.values();
    const [limit] = interleave([{ name: 'limit', prepare, run: walkEachTurn(options, reads) }], {
      rounds: context.quick ? 3 : 5,
      warmUps: 2,
    }).values();
    const bar = (/** @type {number} */ least) => (context.quick ? undefined : { least });
    return [
      ratioRow(name, `rescan : handle (${label})`, rescan, handle),
      ratioRow(name, `rescan : handle whose messages are not read (else ${label})`, rescan, unread),
      ratioRow(name, `rescan : whole raw histories handed in (${label})`, rescan, raw, bar(35)),
      ratioRow(name, `rescan : whole outputs handed back in (${label})`, rescan, own, bar(35)),
      ratioRow(name, `rescan : a look at each new block, and at each old message (${label})`, rescan, limit),
      equalityRow(name, timings, 'rescan'),
    ];
  });
}

/**
 * The handle against the least that any code must do for the same answer: see `floorEachTurn`. Both read no tokens, since
 * with them each side spends most of its time in the same estimator.
 * @param {Context} context
 * @returns {Row[]}
 */
export function sessionAgainstFloor(context) {
  const turns = sessionTurns(context);
  const name = `session of ${turns.length} turns`;
  const { createOptimizer } = context.densify;
  return [WITHOUT_TOKENS, UNREAD].map(({ label, options, reads }) => {
    context.note(`${name} against the floor, ${label}`);
    const prepare = freshSession(turns);
    const contenders = [
      { name: 'handle', prepare, run: pushEachTurn(createOptimizer, options, reads) },
      { name: 'floor', prepare, run: floorEachTurn(lengthsEachTurn(createOptimizer, options, turns), reads) },
    ];
    const [handle, floor] = interleave(contenders, { rounds: context.quick ? 5 : 15, warmUps: 4 }).values();
    const does = reads.messages ? 'a look at each new message, a copy of the list' : 'a look at each new message';
    return ratioRow(name, `handle : ${does} (${label})`, handle, floor, context.quick ? undefined : { most: 1.5 });
  });
}

/**
 * The cost of a turn at the end, divided by the cost around turn 200.
 * @param {Context} context
 * @returns {Row[]}
 */
export function flatness(context) {
  const turns = sessionTurns(context);
  const name = `session of ${turns.length} turns`;
  return [...variantsOf(context), UNREAD].map(({ label, options, reads }) => {
    context.note(`${name}, cost of a turn, ${label}`);
    const prepare = freshSession(turns);
    const run = timeEachTurn(context.densify.createOptimizer, options, reads);
    const contender = collecting({ name: 'handle', prepare, run });
    interleave([contender], { rounds: context.quick ? 3 : 7, warmUps: 4 });
    const length = turns.length / STRETCH;
    const measured = contender.rounds.filter((times) => times.length === length);
    const [from, to, span] = [100 / STRETCH, 300 / STRETCH, 200 / STRETCH];
    const early = median(measured.flatMap((times) => [...times.subarray(from, to)]));
    const late = median(measured.flatMap((times) => [...times.subarray(length - span)]));
    const detail = `turns 100–299 ${(early * 1000).toFixed(1)} µs, last 200 ${(late * 1000).toFixed(1)} µs (medians)`;
    return {
      case: name,
      name: `late : early turn, handle (${label})`,
      value: late / early,
      unit: /** @type {const} */ ('x'),
      bar: { most: 1.5 },
      detail,
    };
  });
}

/**
 * @param {{name: string, prepare: (warmingUp: boolean) => Content[][], run: (turns: Content[][]) => Float64Array}} contender
 */
export function collecting({ name, prepare, run }) {
  /** @type {Float64Array[]} */
  const rounds = [];
  return { name, prepare, rounds, run: (/** @type {Content[][]} */ turns) => rounds.push(run(turns)) };
}

/**
 * @param {Context} context
 * @returns {Row[]}
 */
export function stateless(context) {
  const name = 'stateless optimize of 1,000 fresh objects';
  const history = historyOf({ entries: 1_000, seed: 41 });
  return variantsOf(context).flatMap(({ label, options, reads }) => {
    context.note(`${name}, ${label}`);
    const read = (/** @type {any} */ result) => ({
      messages: result.messages,
      edits: result.edits.length,
      tokens: reads.tokens ? result.tokensAfter : 0,
    });
    const prepare = () => structuredClone(history);
    const contenders = [
      {
        name: 'densify',
        prepare,
        run: (/** @type {Content[]} */ messages) => read(context.densify.optimize(messages, options)),
      },
      { name: 'rescan', prepare, run: (/** @type {Content[]} */ messages) => read(rescanOptimize(messages, options)) },
    ];
    const timings = interleave(contenders, { rounds: context.quick ? 40 : 100, warmUps: 40 });
    const [densify, rescan] = timings.values();
    const messages = new Map(
      Array.from(timings, ([contender, timing]) => [contender, { ...timing, last: timing.last.messages }]),
    );
    return [
      ratioRow(name, `densify : rescan (${label})`, densify, rescan, { most: 1.4 }),
      equalityRow(name, messages, 'rescan'),
    ];
  });
}

/**
 * One large history against as many of 1,000 entries as it holds, so that both read as much cold memory.
 * @param {Context} context
 * @returns {Row[]}
 */
export function truncation(context) {
  const name = 'compress that must truncate';
  const factor = context.quick ? 3 : 10;
  const entries = 1_000 * factor;
  return ['top-down-truncation', 'high-density'].map((strategy) => {
    context.note(`${name}, ${strategy}`);
    const contenders = [
      truncationContender(context.densify, strategy, 1_000, factor),
      truncationContender(context.densify, strategy, entries, 1),
    ];
    const [several, large] = interleave(contenders, { rounds: 21, warmUps: 5 }).values();
    const small = { ...several, median: several.median / factor, least: several.least / factor };
    const outcomes = [several, large].map(({ last }) => last[0]);
    const left = outcomes.map(({ before, after }) => `${before} → ${after}`).join(', ');
    const truncated = outcomes.every(({ applied, before, after }) => applied && after < before);
    const row = ratioRow(name, `${entries.toLocaleString('en')} : 1,000 entries (${strategy})`, large, small, {
      most: 1.2 * factor,
    });
    return truncated
      ? { ...row, detail: `${row.detail}; entries ${left}` }
      : { ...row, value: NaN, detail: `nothing was truncated: entries ${left}` };
  });
}

/**
 * @param {Densify} densify
 * @param {string} strategy
 * @param {number} entries
 * @param {number} copies
 */
function truncationContender({ compress }, strategy, entries, copies) {
  const history = historyOf({ entries, seed: 7 });
  const tokens = history.reduce(
    (sum, { blocks }) => blocks.reduce((part, block) => part + blockTokens(block, countTokens), sum),
    0,
  );
  const options = {
    strategy,
    contextLimit: Math.floor(tokens / 10),
    preserve: { messages: 10 },
    countTokens,
    workspaceRoot: '/workspace',
  };
  const compressOne = (/** @type {Content[]} */ messages) => {
    const result = compress(messages, options);
    return { applied: result.kind === 'applied', before: messages.length, after: result.messages.length };
  };
  return {
    name: `${entries}`,
    prepare: () => Array.from({ length: copies }, () => structuredClone(history)),
    run: (/** @type {Content[][]} */ histories) => histories.map(compressOne),
  };
}

/**
 * Conversations of 200 turns, opened and disposed, a few of them open at a time.
 * @param {Context} context
 * @returns {Row[]}
 */
export function memory(context) {
  const conversations = context.quick ? 300 : 10_000;
  const first = conversations / 10;
  const name = `${conversations} conversations of 200 turns`;
  const sessions = Array.from({ length: 20 }, (_, seed) => session({ turns: 200, seed }));
  const densify = context.densify.createDensify();
  /** @type {any[]} */
  const open = [];
  let bytesAfterFirst = 0;
  for (let number = 1; number <= conversations; number++) {
    const optimizer = densify.createOptimizer(RULES);
    open.push(optimizer);
    for (const entries of sessions[number % sessions.length]) {
      optimizer.push(...entries);
      optimizer.optimize();
    }
    if (open.length > 8) open.shift().dispose();
    if (number === first) bytesAfterFirst = densify.memoryBytes();
    if (number % first === 0) context.note(`${name}: ${number}, ${densify.memoryBytes() / 1024} kB`);
  }
  for (const optimizer of open) optimizer.dispose();
  const bytes = densify.memoryBytes();
  const long = historyOf({ entries: 10_000, seed: 7 });
  const one = densify.createOptimizer(RULES);
  one.push(...long);
  one.optimize();
  const perEntry = one.bytes / long.length;
  one.dispose();
  densify[Symbol.dispose]?.();
  const detail = `${(bytesAfterFirst / 1024).toFixed(0)} kB after the first ${first}, ${(bytes / 1024).toFixed(0)} kB at the end`;
  return [
    {
      case: name,
      name: 'memory at the end : after the first tenth',
      value: bytes / bytesAfterFirst,
      unit: 'x',
      bar: { most: 1.2 },
      detail,
    },
    {
      case: name,
      name: 'held for 1,000 entries beside the messages',
      value: perEntry,
      unit: 'kB',
      detail: `${perEntry.toFixed(0)} bytes an entry, of a history of ${long.length}`,
    },
  ];
}
