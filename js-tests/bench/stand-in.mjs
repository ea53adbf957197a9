/**
 * The package's surface made of the plain JavaScript baselines, to try the benchmark's runner without the package.
 *
 * @import {Content} from './model.mjs'
 */
import { rescanOptimize } from './rescan.mjs';
import { blockTokens } from './tokens.mjs';
import { TwinOptimizer } from './twin.mjs';

/** The twin, which also takes whole histories: the known prefix is recognised by identity, anything else is pushed. */
class WholeHistoryTwin {
  #twin;
  /** @type {readonly Content[]} */ #output = [];
  #seen = 0;

  /** @param {any} options */
  constructor(options) {
    this.#twin = new TwinOptimizer(options);
  }

  /** @param {Content[]} messages */
  push(...messages) {
    this.#twin.push(...messages);
  }

  /** @param {readonly Content[]} [messages] */
  optimize(messages) {
    if (messages === undefined) return this.#twin.optimize();
    const isOwnOutput = this.#output.length > 0 && this.#output.every((message, index) => message === messages[index]);
    const known = isOwnOutput ? this.#output.length : this.#seen;
    this.#twin.push(...messages.slice(known));
    const result = this.#twin.optimize();
    this.#output = result.messages;
    this.#seen = messages.length;
    return result;
  }

  dispose() {
    this.#twin.dispose();
  }
}

/** @param {any} options */
const createOptimizer = (options) => new WholeHistoryTwin(options);

/**
 * @param {readonly Content[]} messages
 * @param {any} options
 */
function compress(messages, { contextLimit, countTokens }) {
  const tokens = messages.map(({ blocks }) => blocks.reduce((sum, block) => sum + blockTokens(block, countTokens), 0));
  const target = Math.floor(contextLimit * 0.85 * 0.6);
  let left = tokens.reduce((sum, count) => sum + count, 0);
  let start = 0;
  while (left > target && start < messages.length - 2) left -= tokens[start++];
  return { kind: 'applied', messages: messages.slice(start) };
}

const createDensify = () => ({ createOptimizer, optimize: rescanOptimize, compress, memoryBytes: () => 65_536 });

/** @returns {never} */
const missing = () => {
  throw new Error('the stand-in has no summaries');
};

export const standIn = {
  createOptimizer,
  optimize: rescanOptimize,
  compress,
  createDensify,
  requestSummary: missing,
  createConversation: missing,
  restoreConversation: missing,
};
