/**
 * What an agent does with an optimizer over a session, one driver for each way to use it. All take the entries of each turn
 * and give the last effective history; `reads` says what the agent looks at in the result of every turn.
 *
 * @import {Content} from './model.mjs'
 * @typedef {{tokens?: boolean, messages?: boolean}} Reads
 */
import { rescanOptimize } from './rescan.mjs';
import { blockTokens } from './tokens.mjs';

/** Keeps what was read from being optimized away. */
let sink = 0;

/**
 * The last few optimizers and results. An agent's optimizer lives on; without it the collector would take the last object
 * of a class between two rounds, and V8 drops the code that it optimized for such objects.
 * @type {unknown[]}
 */
const alive = [];

/**
 * @param {any} optimizer
 * @param {any} result
 */
function retire(optimizer, result) {
  optimizer.dispose();
  alive.push(optimizer, result);
  if (alive.length > 16) alive.splice(0, 2);
}

/**
 * @param {any} result
 * @param {Reads} reads
 */
function consume(result, reads) {
  sink += result.edits.length;
  if (reads.tokens) sink += result.tokensBefore - result.tokensAfter;
  if (reads.messages) sink += result.messages.length;
}

/** @returns {number} */
export function consumed() {
  return sink;
}

/**
 * The limit for whoever is handed whole lists: it compares each old message with the one it knows and looks at each new
 * block, whose tokens it counts if they are read. Nothing is decided.
 * @param {any} options
 * @param {Reads} reads
 */
export function walkEachTurn({ countTokens }, reads) {
  return (/** @type {Content[][]} */ turns) => {
    /** @type {Content[]} */
    const history = [];
    /** @type {Content[]} */
    const known = [];
    for (const entries of turns) {
      history.push(...entries);
      for (let at = 0; at < known.length; at++) if (known[at] === history[at]) sink++;
      for (const { blocks } of entries)
        for (const block of blocks) sink += reads.tokens ? blockTokens(block, countTokens) : block.type.length;
      known.push(...entries);
    }
    return history;
  };
}

/**
 * A stateless full rescan of the last output and the new entries, every turn.
 * @param {any} options
 * @param {Reads} reads
 */
export function rescanEachTurn(options, reads) {
  return (/** @type {Content[][]} */ turns) => {
    /** @type {Content[]} */
    let history = [];
    for (const entries of turns) {
      history.push(...entries);
      const result = rescanOptimize(history, options);
      consume(result, reads);
      history = /** @type {Content[]} */ (result.messages);
    }
    return history;
  };
}

/**
 * The handle: only new entries are pushed.
 * @param {(options: any) => any} createOptimizer
 * @param {any} options
 * @param {Reads} reads
 */
export function pushEachTurn(createOptimizer, options, reads) {
  return (/** @type {Content[][]} */ turns) => {
    const optimizer = createOptimizer(options);
    let result;
    for (const entries of turns) {
      optimizer.push(...entries);
      result = optimizer.optimize();
      consume(result, reads);
    }
    const { messages } = result;
    retire(optimizer, result);
    return /** @type {readonly Content[]} */ (messages);
  };
}

/**
 * Whole histories handed in; the agent keeps its raw history.
 * @param {(options: any) => any} createOptimizer
 * @param {any} options
 * @param {Reads} reads
 */
export function handInRawEachTurn(createOptimizer, options, reads) {
  return (/** @type {Content[][]} */ turns) => {
    const optimizer = createOptimizer(options);
    /** @type {Content[]} */
    const history = [];
    /** @type {readonly Content[]} */
    let messages = history;
    let result;
    for (const entries of turns) {
      history.push(...entries);
      result = optimizer.optimize(history);
      consume(result, reads);
      messages = result.messages;
    }
    retire(optimizer, result);
    return messages;
  };
}

/**
 * Whole histories handed in; the agent stores what it got and appends to a copy.
 * @param {(options: any) => any} createOptimizer
 * @param {any} options
 * @param {Reads} reads
 */
export function handInOutputEachTurn(createOptimizer, options, reads) {
  return (/** @type {Content[][]} */ turns) => {
    const optimizer = createOptimizer(options);
    /** @type {readonly Content[]} */
    let messages = [];
    let result;
    for (const entries of turns) {
      result = optimizer.optimize([...messages, ...entries]);
      consume(result, reads);
      messages = result.messages;
    }
    retire(optimizer, result);
    return messages;
  };
}

/**
 * The handle, with the milliseconds of each turn.
 * @param {(options: any) => any} createOptimizer
 * @param {any} options
 * @param {Reads} reads
 */
export function timeEachTurn(createOptimizer, options, reads) {
  return (/** @type {Content[][]} */ turns) => {
    const optimizer = createOptimizer(options);
    const times = new Float64Array(turns.length);
    let result;
    for (let turn = 0; turn < turns.length; turn++) {
      const start = performance.now();
      optimizer.push(...turns[turn]);
      result = optimizer.optimize();
      consume(result, reads);
      times[turn] = performance.now() - start;
    }
    retire(optimizer, result);
    return times;
  };
}
