/**
 * The plain JavaScript twin of the incremental optimizer: the same O(new) algorithm without wasm. It is the baseline
 * that shows what wasm adds. Output n equals a full rescan of output n-1 followed by the new entries.
 *
 * @import {Block, Content, CountTokens, Edit, Metadata, Options, Settings} from './model.mjs'
 *
 * @typedef {object} Pair  a call and its response, or an orphan response (`call` undefined)
 * @property {number} callEntry
 * @property {Block | undefined} call
 * @property {number} responseEntry -1 while unanswered
 * @property {Block | undefined} response as it stands now
 * @property {FileState[] | undefined} reads the files that this call reads
 * @property {FileState | undefined} writes the file that this call writes
 * @property {boolean} live response neither dropped nor compacted
 * @property {ToolQueue | undefined} queue where the response waits for its turn to be pruned
 * @property {any} older
 *
 * @typedef {object} FileState
 * @property {Pair[]} writes confirmed writes by call entry, the newest last
 * @property {Pair[]} waiting answered reads that wait for a write of this file
 *
 * @typedef {object} ToolQueue  responses of one tool that are not yet beyond the retained ones, the oldest first
 * @property {Pair[]} pairs
 * @property {number} head
 * @property {number} count how many of them are still there
 *
 * @typedef {{index: number, text: string}} Kept  an inclusion that stays: its entry and, with caution, what it holds
 *
 * @typedef {object} TwinResult  `index` of an edit counts raw entries; `messages` holds until the next push
 * @property {readonly Content[]} messages
 * @property {boolean} changed
 * @property {Edit[]} edits
 * @property {Metadata} metadata
 * @property {number} tokensBefore
 * @property {number} tokensAfter
 * @property {{code: string, index: number}[]} warnings
 * @property {{index: number} | undefined} flush the first entry, given out before, that this run touched
 */

import { cutInclusions, findInclusions, isPart, textOf } from './inclusions.mjs';
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
import { TokenLedger } from './token-ledger.mjs';

export class TwinOptimizer {
  /** @type {Settings} */ #settings;
  /** @type {(path: string) => string} */ #resolve;
  /** @type {TokenLedger | undefined} */ #ledger;
  /** @type {(Content | null)[]} effective entries by raw index, `null` where one was dropped */ #entries = [];
  #ingested = 0;
  /** @type {OpenCalls<Pair>} */ #open = new OpenCalls();
  /** @type {Map<string, FileState>} */ #files = new Map();
  /** @type {Map<string, ToolQueue>} */ #queues = new Map();
  /** @type {Map<string, Kept[]>} the inclusions of each path that stay: the newest, and with caution those it is a part of */
  #kept = new Map();
  #isCareful;
  // What one run gathers:
  /** @type {Pair[]} */ #stale = [];
  /** @type {Set<number>} */ #superseded = new Set();
  /** @type {Set<ToolQueue>} */ #overfull = new Set();
  /** @type {Set<number>} */ #touched = new Set();
  /** @type {Metadata} */ #metadata = emptyMetadata();
  /** @type {{code: string, index: number}[]} */ #warnings = [];

  /** @param {Options} [options] @param {boolean} [isCareful] with inclusions that are only a part */
  constructor(options = {}, isCareful = false) {
    this.#settings = settingsFrom(options);
    this.#isCareful = isCareful;
    this.#resolve = createPathResolver(this.#settings.workspaceRoot);
    const { countTokens } = this.#settings;
    this.#ledger = countTokens && new TokenLedger(countTokens);
  }

  /** @param {Content[]} entries */
  push(...entries) {
    for (const entry of entries) this.#entries.push(entry);
  }

  /** @returns {TwinResult} */
  optimize() {
    const firstNew = this.#ingested;
    while (this.#ingested < this.#entries.length) this.#ingest(this.#ingested++);
    const tokensBefore = this.#ledger?.total ?? 0;
    for (const pair of this.#stale) this.#dropPair(pair);
    for (const entry of this.#superseded) this.#cutSuperseded(entry);
    for (const queue of this.#overfull) this.#pruneOldest(queue);
    return this.#finish(firstNew, tokensBefore);
  }

  dispose() {
    this.#entries = [];
  }

  /** @param {number} index */
  #ingest(index) {
    const { speaker, blocks } = /** @type {Content} */ (this.#entries[index]);
    this.#ledger?.add(blocks);
    for (const block of blocks) {
      if (block.type === 'tool_call') this.#ingestCall(block, index);
      else if (block.type === 'tool_response') this.#ingestResponse(block, index);
    }
    if (speaker === 'human' && this.#settings.fileDedupe) this.#ingestInclusions(blocks, index);
  }

  /**
   * @param {Block} call
   * @param {number} index
   */
  #ingestCall(call, index) {
    let reads, writes;
    if (this.#settings.readWritePruning) {
      const written = pathWritten(call, this.#resolve);
      if (written !== undefined) writes = this.#file(written);
      else reads = pathsRead(call, this.#resolve)?.map((path) => this.#file(path));
    }
    this.#open.open(call.id, {
      callEntry: index,
      call,
      responseEntry: -1,
      response: undefined,
      reads,
      writes,
      live: false,
      queue: undefined,
      older: undefined,
    });
  }

  /**
   * @param {Block} response
   * @param {number} index
   */
  #ingestResponse(response, index) {
    const pair = this.#open.answer(response.callId) ?? orphan();
    pair.responseEntry = index;
    pair.response = response;
    pair.live = true;
    const { recencyPruning, recencyTools } = this.#settings;
    if (recencyPruning && recencyTools?.has(response.toolName) !== false) this.#enqueue(pair, response.toolName);
    if (pair.writes) {
      if (confirmsWrite(response, this.#settings)) this.#recordWrite(pair, pair.writes);
    } else if (pair.reads) this.#awaitWrite(pair);
  }

  /** @param {string} path */
  #file(path) {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = { writes: [], waiting: [] };
      this.#files.set(path, file);
    }
    return file;
  }

  /**
   * @param {Pair} write
   * @param {FileState} file
   */
  #recordWrite(write, file) {
    const { writes } = file;
    while (writes.length > 0 && !writes[0].live) writes.shift();
    let at = writes.length;
    while (at > 0 && writes[at - 1].callEntry > write.callEntry) at--;
    if (this.#settings.recencyPruning) writes.splice(at, 0, write);
    else if (at === writes.length) writes[0] = write; // no write ever loses its effect: the newest is enough
    if (file.waiting.length === 0) return;
    const waiting = file.waiting;
    file.waiting = [];
    for (const read of waiting) {
      if (read.callEntry < write.callEntry) this.#awaitWrite(read);
      else file.waiting.push(read);
    }
  }

  /**
   * Either the read is stale, or it waits at one of its files that has no later write.
   * @param {Pair} read
   */
  #awaitWrite(read) {
    for (const file of /** @type {FileState[]} */ (read.reads)) {
      if (newestWrite(file) > read.callEntry) continue;
      file.waiting.push(read);
      return;
    }
    this.#stale.push(read);
  }

  /** @param {Pair} pair */
  #dropPair(pair) {
    this.#dropBlock(pair.callEntry, /** @type {Block} */ (pair.call));
    this.#dropBlock(pair.responseEntry, /** @type {Block} */ (pair.response));
    pair.live = false;
    if (pair.queue) {
      pair.queue.count--;
      pair.queue = undefined;
    }
    this.#metadata.readWritePairsPruned++;
  }

  /**
   * @param {number} index
   * @param {Block} block
   */
  #dropBlock(index, block) {
    const entry = /** @type {Content} */ (this.#entries[index]);
    const at = entry.blocks.indexOf(block);
    const left = withBlocks(entry, entry.blocks.toSpliced(at, 1));
    if (left) this.#ledger?.dropBlock(index, at);
    else this.#ledger?.dropEntry(index);
    this.#set(index, left);
  }

  /**
   * @param {readonly Block[]} blocks
   * @param {number} index
   */
  #ingestInclusions(blocks, index) {
    const inclusions = findInclusions(blocks);
    if (inclusions === undefined) {
      this.#warnings.push({ code: 'unbalanced-inclusion', index });
      return;
    }
    for (const inclusion of inclusions) {
      const resolved = this.#resolve(inclusion.path);
      const found = { index, text: this.#isCareful ? textOf(blocks, inclusion) : '' };
      const earlier = this.#kept.get(resolved) ?? [];
      const kept = this.#isCareful ? earlier.filter(({ text }) => isPart(text, found.text)) : [];
      for (const old of earlier) if (!kept.includes(old)) this.#superseded.add(old.index);
      this.#kept.set(resolved, [...kept, found]);
    }
  }

  /** @param {number} index of an entry in which at least one inclusion is superseded */
  #cutSuperseded(index) {
    const entry = this.#entries[index];
    const inclusions = entry && findInclusions(entry.blocks);
    if (!inclusions) return;
    /** @type {Set<Kept>} */
    const found = new Set();
    const superseded = inclusions.toReversed().filter((inclusion) => {
      const text = this.#isCareful ? textOf(entry.blocks, inclusion) : '';
      const stays = (/** @type {Kept} */ kept) => kept.index === index && kept.text === text && !found.has(kept);
      const kept = this.#kept.get(this.#resolve(inclusion.path))?.find(stays);
      if (kept) found.add(kept);
      return !kept;
    });
    const cut = cutInclusions(entry, superseded.reverse());
    if (cut === entry) return;
    this.#ledger?.recount(index, cut.blocks);
    this.#set(index, cut);
    this.#metadata.fileDeduplicationsPruned += superseded.length;
  }

  /**
   * @param {Pair} pair
   * @param {string} toolName
   */
  #enqueue(pair, toolName) {
    let queue = this.#queues.get(toolName);
    if (queue === undefined) {
      queue = { pairs: [], head: 0, count: 0 };
      this.#queues.set(toolName, queue);
    }
    if (queue.pairs.length >= 64 + 4 * queue.count) {
      queue.pairs = queue.pairs.filter(isQueued);
      queue.head = 0;
    }
    queue.pairs.push(pair);
    pair.queue = queue;
    if (++queue.count > this.#settings.retained) this.#overfull.add(queue);
  }

  /** @param {ToolQueue} queue */
  #pruneOldest(queue) {
    const { pairs } = queue;
    while (queue.count > this.#settings.retained) {
      const pair = pairs[queue.head++];
      if (!isQueued(pair)) continue; // dropped meanwhile
      pair.queue = undefined;
      queue.count--;
      this.#prune(pair);
    }
    if (queue.head > 32) {
      pairs.splice(0, queue.head);
      queue.head = 0;
    }
  }

  /** @param {Pair} pair */
  #prune(pair) {
    const response = /** @type {Block} */ (pair.response);
    const pruned = prunedResponse(response);
    if (pruned === response) return;
    const index = pair.responseEntry;
    const entry = /** @type {Content} */ (this.#entries[index]);
    const at = entry.blocks.indexOf(response);
    pair.response = pruned;
    pair.live = false;
    this.#ledger?.replaceBlock(index, at, pruned);
    this.#set(index, { ...entry, blocks: entry.blocks.with(at, pruned) });
    this.#metadata.recencyPruned++;
  }

  /**
   * @param {number} index
   * @param {Content | null} content
   */
  #set(index, content) {
    this.#entries[index] = content;
    this.#touched.add(index);
  }

  /**
   * @param {number} firstNew
   * @param {number} tokensBefore
   * @returns {TwinResult}
   */
  #finish(firstNew, tokensBefore) {
    const entries = this.#entries;
    /** @type {Edit[]} */
    const edits = [];
    let firstTouched = firstNew;
    for (const index of this.#touched) {
      edits.push({ index, content: entries[index] });
      if (index < firstTouched) firstTouched = index;
    }
    const result = new Result(entries, edits, this.#metadata, tokensBefore, this.#ledger?.total ?? 0, this.#warnings);
    if (firstTouched < firstNew) result.flush = { index: firstTouched };
    this.#stale = [];
    this.#superseded.clear();
    this.#overfull.clear();
    this.#touched.clear();
    this.#metadata = emptyMetadata();
    this.#warnings = [];
    return result;
  }
}

/** @returns {Pair} */
function orphan() {
  return {
    callEntry: -1,
    call: undefined,
    responseEntry: -1,
    response: undefined,
    reads: undefined,
    writes: undefined,
    live: false,
    queue: undefined,
    older: undefined,
  };
}

/** @param {Pair} pair */
function isQueued(pair) {
  return pair.queue !== undefined;
}

/** @param {FileState} file */
function newestWrite({ writes }) {
  while (writes.length > 0) {
    const newest = writes[writes.length - 1];
    if (newest.live) return newest.callEntry;
    writes.pop();
  }
  return -1;
}

class Result {
  #entries;
  /** @type {{index: number} | undefined} */
  flush = undefined;

  /**
   * @param {readonly (Content | null)[]} entries
   * @param {Edit[]} edits
   * @param {Metadata} metadata
   * @param {number} tokensBefore
   * @param {number} tokensAfter
   * @param {{code: string, index: number}[]} warnings
   */
  constructor(entries, edits, metadata, tokensBefore, tokensAfter, warnings) {
    this.#entries = entries;
    this.edits = edits;
    this.metadata = metadata;
    this.tokensBefore = tokensBefore;
    this.tokensAfter = tokensAfter;
    this.warnings = warnings;
  }

  get changed() {
    return this.edits.length > 0;
  }

  get messages() {
    return /** @type {Content[]} */ (this.#entries.filter((entry) => entry !== null));
  }
}
