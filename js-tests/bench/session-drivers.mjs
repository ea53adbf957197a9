/**
 * What an agent does with an optimizer over a session, one driver for each way to use it. All take the entries of each turn
 * and give the last effective history; `reads` says what the agent looks at in the result of every turn.
 *
 * @import {Content} from './model.mjs'
 * @typedef {{tokens?: boolean, messages?: boolean}} Reads
 */
import { cpuTime } from './measure.mjs';
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

/** As an export this keeps compilers from dropping the reads. @returns {number} */
export function consumed() {
  return sink;
}

/**
 * The floor for a caller that hands in whole lists: it compares each old message with the known one and looks at each new
 * block, whose tokens it counts if they are read. It decides nothing.
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
 * How long the list is that an optimizer returns after each turn.
 * @param {(options: any) => any} createOptimizer
 * @param {any} options
 * @param {Content[][]} turns
 * @returns {number[]}
 */
export function lengthsEachTurn(createOptimizer, options, turns) {
  const optimizer = createOptimizer(options);
  const lengths = turns.map((entries) => {
    optimizer.push(...entries);
    return optimizer.optimize().messages.length;
  });
  optimizer.dispose();
  return lengths;
}

/**
 * The least work behind the handle's answer: a look at the fields of each new block and, if messages are read, one copy of
 * the list that a turn returns. It decides nothing and edits nothing.
 * @param {readonly number[]} lengths how long that list is after each turn
 * @param {Reads} reads
 */
export function floorEachTurn(lengths, reads) {
  return (/** @type {Content[][]} */ turns) => {
    /** @type {Content[]} */
    const known = [];
    /** @type {readonly Content[]} */
    let messages = known;
    for (let turn = 0; turn < turns.length; turn++) {
      for (const entry of turns[turn]) {
        known.push(entry);
        for (const block of entry.blocks) sink += fieldsOf(block);
      }
      if (!reads.messages) continue;
      messages = known.slice(0, lengths[turn]);
      sink += messages.length;
    }
    return messages;
  };
}

/** @param {import('./model.mjs').Block} block */
function fieldsOf(block) {
  let seen = 0;
  for (const key in block) {
    const value = block[key];
    seen += typeof value === 'string' ? value.length : 1;
  }
  return seen;
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

/** Turns that `timeEachTurn` measures together: the clock's step is too long for one. */
export const STRETCH = 10;

/**
 * The handle, with the CPU milliseconds of a turn, as the mean of each ten.
 * @param {(options: any) => any} createOptimizer
 * @param {any} options
 * @param {Reads} reads
 */
export function timeEachTurn(createOptimizer, options, reads) {
  return (/** @type {Content[][]} */ turns) => {
    const optimizer = createOptimizer(options);
    const times = new Float64Array(turns.length / STRETCH);
    let result;
    for (let stretch = 0; stretch < times.length; stretch++) {
      const start = cpuTime();
      for (let turn = stretch * STRETCH; turn < (stretch + 1) * STRETCH; turn++) {
        optimizer.push(...turns[turn]);
        result = optimizer.optimize();
        consume(result, reads);
      }
      times[stretch] = (cpuTime() - start) / STRETCH;
    }
    retire(optimizer, result);
    return times;
  };
}
