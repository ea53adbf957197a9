/**
 * High density as a stateless full rescan in plain JavaScript: the baseline that knows nothing of earlier turns.
 * Pure; untouched entries come back `===`, and so does the whole history when nothing changes.
 *
 * @import {Block, Content, Edit, Metadata, Options, Settings} from './model.mjs'
 * @import {Inclusion} from './inclusions.mjs'
 * @typedef {object} RescanResult
 * @property {readonly Content[]} messages
 * @property {boolean} changed
 * @property {Edit[]} edits
 * @property {Metadata} metadata
 * @property {number} tokensBefore 0 without an estimator
 * @property {number} tokensAfter
 * @property {{code: string, index: number}[]} warnings
 *
 * @typedef {{callEntry: number, callBlock: number, call: Block, responseEntry: number, responseBlock: number, older: any}} Pair
 */

import { cutInclusions, findInclusions } from './inclusions.mjs';
import {
  confirmsWrite,
  createPathResolver,
  emptyMetadata,
  pathsRead,
  pathWritten,
  prunedResponse,
  settingsFrom,
  withBlocks,
} from './model.mjs';
import { OpenCalls } from './pairing.mjs';
import { createEntryCounter } from './tokens.mjs';

/**
 * @param {readonly Content[]} history
 * @param {Options} [options]
 * @returns {RescanResult}
 */
export function rescanOptimize(history, options = {}) {
  const settings = settingsFrom(options);
  const draft = new Draft(history);
  if (settings.readWritePruning) dropStaleReads(draft, settings);
  if (settings.fileDedupe) cutSupersededInclusions(draft, settings);
  if (settings.recencyPruning) pruneOldResponses(draft, settings);
  return draft.finish(settings);
}

/** The history under work: a copy is made at the first change, and indices stay those of the input. */
class Draft {
  /** @param {readonly Content[]} history */
  constructor(history) {
    this.history = history;
    /** @type {readonly (Content | null)[]} */
    this.entries = history;
    /** @type {Set<number>} */
    this.touched = new Set();
    this.metadata = emptyMetadata();
    /** @type {{code: string, index: number}[]} */
    this.warnings = [];
  }

  /**
   * @param {number} index
   * @param {Content | null} content
   */
  set(index, content) {
    if (this.entries === this.history) this.entries = this.history.slice();
    /** @type {(Content | null)[]} */ (this.entries)[index] = content;
    this.touched.add(index);
  }

  /**
   * @param {Settings} settings
   * @returns {RescanResult}
   */
  finish({ countTokens }) {
    const { history, entries, metadata, warnings } = this;
    const changed = this.touched.size > 0;
    const messages = changed ? /** @type {Content[]} */ (entries.filter((entry) => entry !== null)) : history;
    const edits = Array.from(this.touched, (index) => ({ index, content: entries[index] }));
    let tokensBefore = 0;
    let tokensAfter = 0;
    if (countTokens) {
      const entryTokens = createEntryCounter(countTokens);
      for (const entry of history) tokensBefore += entryTokens(entry);
      tokensAfter = tokensBefore;
      for (const { index, content } of edits)
        tokensAfter += (content ? entryTokens(content) : 0) - entryTokens(history[index]);
    }
    return { messages, changed, edits, metadata, tokensBefore, tokensAfter, warnings };
  }
}

/**
 * @param {Draft} draft
 * @param {Settings} settings
 */
function dropStaleReads(draft, settings) {
  const resolve = createPathResolver(settings.workspaceRoot);
  const { reads, newestWrite } = findReadsAndWrites(draft.history, settings, resolve);
  /** @type {Map<number, Set<number>>} */
  const drops = new Map();
  for (const { callEntry, callBlock, call, responseEntry, responseBlock } of reads) {
    const paths = /** @type {string[]} */ (pathsRead(call, resolve));
    if (!paths.every((path) => (newestWrite.get(path) ?? -1) > callEntry)) continue;
    addTo(drops, callEntry, callBlock);
    addTo(drops, responseEntry, responseBlock);
    draft.metadata.readWritePairsPruned++;
  }
  for (const [index, dropped] of drops) {
    const entry = draft.history[index];
    draft.set(
      index,
      withBlocks(
        entry,
        entry.blocks.filter((_, block) => !dropped.has(block)),
      ),
    );
  }
}

/**
 * Pairs calls and responses; gives the answered reads, and for each path the entry of its newest confirmed write.
 * @param {readonly Content[]} history
 * @param {Settings} settings
 * @param {(path: string) => string} resolve
 */
function findReadsAndWrites(history, settings, resolve) {
  /** @type {OpenCalls<Pair>} */
  const open = new OpenCalls();
  /** @type {Pair[]} */
  const reads = [];
  /** @type {Map<string, number>} */
  const newestWrite = new Map();
  for (let entry = 0; entry < history.length; entry++) {
    const { blocks } = history[entry];
    for (let block = 0; block < blocks.length; block++) {
      const { type } = blocks[block];
      if (type === 'tool_call') {
        const call = blocks[block];
        open.open(call.id, {
          callEntry: entry,
          callBlock: block,
          call,
          responseEntry: -1,
          responseBlock: -1,
          older: undefined,
        });
      } else if (type === 'tool_response') {
        const pair = open.answer(blocks[block].callId);
        if (pair) recordPair(pair, blocks[block], entry, block);
      }
    }
  }
  return { reads, newestWrite };

  /**
   * @param {Pair} pair
   * @param {Block} response
   * @param {number} entry
   * @param {number} block
   */
  function recordPair(pair, response, entry, block) {
    const { call, callEntry } = pair;
    const written = pathWritten(call, resolve);
    if (written !== undefined) {
      if (confirmsWrite(response, settings) && (newestWrite.get(written) ?? -1) < callEntry)
        newestWrite.set(written, callEntry);
    } else if (pathsRead(call, resolve)) {
      pair.responseEntry = entry;
      pair.responseBlock = block;
      reads.push(pair);
    }
  }
}

/**
 * @param {Map<number, Set<number>>} sets
 * @param {number} key
 * @param {number} value
 */
function addTo(sets, key, value) {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

/**
 * @param {Draft} draft
 * @param {Settings} settings
 */
function cutSupersededInclusions(draft, { workspaceRoot }) {
  const resolve = createPathResolver(workspaceRoot);
  const { entries } = draft;
  /** @type {Map<number, readonly Inclusion[]>} */
  const inclusionsByEntry = new Map();
  /** @type {Map<string, Inclusion>} */
  const newest = new Map();
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (entry === null || entry.speaker !== 'human') continue;
    const inclusions = findInclusions(entry.blocks);
    if (inclusions === undefined) draft.warnings.push({ code: 'unbalanced-inclusion', index });
    else if (inclusions.length > 0) {
      inclusionsByEntry.set(index, inclusions);
      for (const inclusion of inclusions) newest.set(resolve(inclusion.path), inclusion);
    }
  }
  for (const [index, inclusions] of inclusionsByEntry) {
    const superseded = inclusions.filter((inclusion) => newest.get(resolve(inclusion.path)) !== inclusion);
    if (superseded.length === 0) continue;
    const entry = /** @type {Content} */ (entries[index]);
    const cut = cutInclusions(entry, superseded);
    if (cut === entry) continue;
    draft.set(index, cut);
    draft.metadata.fileDeduplicationsPruned += superseded.length;
  }
}

/**
 * @param {Draft} draft
 * @param {Settings} settings
 */
function pruneOldResponses(draft, { retained, recencyTools }) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const { entries } = draft;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry === null) continue;
    /** @type {Block[] | undefined} */
    let blocks;
    for (let block = entry.blocks.length - 1; block >= 0; block--) {
      const response = entry.blocks[block];
      if (response.type !== 'tool_response' || recencyTools?.has(response.toolName) === false) continue;
      const count = (seen.get(response.toolName) ?? 0) + 1;
      seen.set(response.toolName, count);
      const pruned = count > retained ? prunedResponse(response) : response;
      if (pruned === response) continue;
      blocks ??= entry.blocks.slice();
      blocks[block] = pruned;
      draft.metadata.recencyPruned++;
    }
    if (blocks) draft.set(index, { ...entry, blocks });
  }
}
