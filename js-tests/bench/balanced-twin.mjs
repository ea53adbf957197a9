/**
 * The plain JavaScript twin of the incremental optimizer with `balanced`, and the full rescan by the same rules: a twin
 * that is made anew for each run.
 *
 * @import {Block, Content, Edit, Options} from './model.mjs'
 */
import { BalancedRules } from './balanced/rules.mjs';
import { createPathResolver } from './model.mjs';
import { OpenCalls } from './pairing.mjs';
import { TwinOptimizer } from './twin.mjs';

export class BalancedTwin {
  #resolve;
  #rules;
  /** @type {OpenCalls<{callEntry: number, older: any, block: Block}>} */ #open = new OpenCalls();
  /** @type {(Content | null)[]} */ #entries = [];
  /** @type {Block[][]} of each entry as they came */ #blocks = [];
  #ingested = 0;
  /** @type {TwinOptimizer} pasted files */ #inclusions;

  /** @param {Options} [options] */
  constructor(options = {}) {
    this.#resolve = createPathResolver(options.workspaceRoot ?? '/');
    this.#rules = new BalancedRules(this.#resolve);
    this.#inclusions = new TwinOptimizer({ ...options, readWritePruning: false, recencyPruning: false }, true);
  }

  /** @param {Content[]} entries */
  push(...entries) {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#inclusions.push(entry);
    }
  }

  /** @returns {{messages: readonly Content[], edits: Edit[], changed: boolean}} */
  optimize() {
    while (this.#ingested < this.#entries.length) this.#ingest(this.#ingested++);
    /** @type {Map<number, Content | null>} */
    const touched = new Map();
    for (const { index, content } of this.#inclusions.optimize().edits) touched.set(index, content);
    this.#rules.run((index, from, to) => {
      const entry = touched.has(index) ? touched.get(index) : this.#entries[index];
      if (!entry) return; // it went with its last block of substance
      const at = this.#blocks[index].indexOf(from);
      touched.set(index, to ? { ...entry, blocks: entry.blocks.with(at, to) } : this.#without(index, entry, at));
    });
    for (const [index, content] of touched) this.#entries[index] = content;
    const edits = Array.from(touched, ([index, content]) => ({ index, content }));
    return new Balanced(this.#entries, edits);
  }

  dispose() {
    this.#entries = [];
  }

  /** What is left of an entry without a block. @param {number} index @param {Content} entry @param {number} at */
  #without(index, entry, at) {
    this.#blocks[index].splice(at, 1);
    const blocks = entry.blocks.toSpliced(at, 1);
    return blocks.some(hasSubstance) ? { ...entry, blocks } : null;
  }

  /** @param {number} index */
  #ingest(index) {
    const { blocks, speaker } = /** @type {Content} */ (this.#entries[index]);
    if (speaker === 'human') this.#rules.addHuman(index);
    if (speaker === 'ai') this.#rules.addAnswer(index);
    this.#blocks.push([...blocks]);
    for (const block of blocks) {
      if (block.type === 'media' && (speaker === 'human' || speaker === 'tool')) {
        this.#rules.addMedia(block, index, speaker === 'human');
      } else if (block.type === 'thinking' && speaker === 'ai') {
        this.#rules.addThinking(block, index);
      } else if (block.type === 'tool_call') {
        this.#rules.addCall(block, index);
        this.#open.open(block.id, { callEntry: index, older: undefined, block });
      } else if (block.type === 'tool_response') {
        this.#rules.addResult(block, index, this.#open.answer(block.callId)?.block);
      }
    }
  }
}

/** Whether an entry of the model's is worth keeping for a block. @param {Block} block */
function hasSubstance({ type, text }) {
  return type !== 'thinking' && !(type === 'text' && (text ?? '').trim() === '');
}

class Balanced {
  #entries;

  /** @param {readonly (Content | null)[]} entries @param {Edit[]} edits */
  constructor(entries, edits) {
    this.#entries = entries;
    this.edits = edits;
    this.changed = edits.length > 0;
  }

  get messages() {
    return /** @type {Content[]} */ (this.#entries.filter((entry) => entry !== null));
  }
}

/** All rules over a whole history. @param {readonly Content[]} history @param {Options} [options] */
export function rescanBalanced(history, options) {
  const twin = new BalancedTwin(options);
  twin.push(...history);
  return twin.optimize();
}
