// The rules of high density, naively: plain loops over the contents. A history is pushed entry by
// entry; each run edits what there is then, and what was edited stays edited: the next run sees
// the output of this one, followed by what is new.
import type { IContent } from 'densify';
import {
  type Bag,
  bag,
  bare,
  CLOSING,
  isCompacted,
  isPreview,
  isSubstance,
  jsonLength,
  linesOf,
  openedPath,
  POINTER,
  pathsOf,
  resolvePath,
  saysFailure,
  toolKind,
} from './oracle-facts.js';

export interface OracleOptions {
  /** The oracle knows the documents' rules, and no others. */
  readonly preset?: 'seed';
  readonly rules?: {
    readonly readWritePruning?: boolean;
    readonly fileDedupe?: boolean;
    readonly recencyPruning?: boolean;
    readonly recencyRetention?: number;
    readonly recencyTools?: readonly string[] | undefined;
  };
  readonly workspaceRoot?: string;
  readonly isFailure?: (response: { readonly result?: unknown }) => boolean;
  readonly protect?: (entry: unknown) => boolean;
}

export interface OracleRun {
  readonly metadata: { readWritePairsPruned: number; fileDeduplicationsPruned: number; recencyPruned: number };
  /** Entries whose inclusion markers don't match up. */
  readonly unbalanced: number[];
  /** Entries that this run edited, by raw index, ascending. */
  readonly touched: number[];
}

/** What is left of a block: gone, its text by lines (`null` for a cut one), or another text. */
interface Block {
  readonly raw: unknown;
  gone: boolean;
  lines: (string | null)[] | undefined;
  replaced: string | undefined;
}

interface Entry {
  readonly raw: unknown;
  readonly index: number;
  readonly speaker: unknown;
  readonly isFixed: boolean;
  readonly blocks: Block[];
  isTouched: boolean;
}

/** The place of a block. */
interface Place {
  readonly entry: Entry;
  readonly block: Block;
  readonly at: number;
}

interface Pair {
  readonly call: Place;
  readonly response: Place;
}

interface Inclusion {
  readonly path: string;
  readonly resolved: string | undefined;
  readonly entry: Entry;
  readonly parts: { readonly block: Block; readonly lines: number[] }[];
}

/** One change of one block, with the newest entry that it rests on. */
interface Change {
  readonly entry: number;
  readonly block: number;
  readonly cause: number;
  readonly gone?: true;
  readonly replaced?: string;
  readonly cut?: readonly number[];
}

export class Oracle {
  readonly #options: OracleOptions;
  #entries: Entry[] = [];
  #changes: Change[] = [];

  constructor(options: OracleOptions = {}) {
    this.#options = options;
  }

  push(...entries: readonly unknown[]): void {
    for (const raw of entries) this.#entries.push(this.#entryOf(raw, this.#entries.length));
  }

  /** Goes back to the first `count` entries, and undoes edits that depend on later ones. */
  rewind(count: number): void {
    const raws = this.#entries.slice(0, count).map(({ raw }) => raw);
    const changes = this.#changes.filter(({ cause }) => cause < count);
    this.#entries = [];
    this.#changes = [];
    this.push(...raws);
    for (const change of changes) this.#make(change);
  }

  get length(): number {
    return this.#entries.length;
  }

  /** What there is now. */
  get messages(): IContent[] {
    return this.#entries.filter((entry) => !isGone(entry)).map(contentOf);
  }

  /** An entry as it was pushed. */
  raw(index: number): unknown {
    return this.#entries[index]?.raw;
  }

  /** What a raw entry is now; nothing if it went. */
  entry(index: number): IContent | undefined {
    const entry = this.#entries[index];
    return entry === undefined || isGone(entry) ? undefined : contentOf(entry);
  }

  /** The entries of each call and of the response that answers it. */
  pairs(): { readonly call: number; readonly response: number; readonly block: unknown }[] {
    return this.#pairs().map(({ call, response }) => ({
      call: call.entry.index,
      response: response.entry.index,
      block: response.block.raw,
    }));
  }

  run(): OracleRun {
    const { readWritePruning = true, fileDedupe = true, recencyPruning = false } = this.#options.rules ?? {};
    const before = this.#changes.length;
    const readWritePairsPruned = readWritePruning ? this.#dropStaleReads() : 0;
    const unbalanced: number[] = [];
    const fileDeduplicationsPruned = fileDedupe ? this.#cutInclusions(unbalanced) : 0;
    const recencyPruned = recencyPruning ? this.#pruneOldResults() : 0;
    const touched = [...new Set(this.#changes.slice(before).map(({ entry }) => entry))].sort((a, b) => a - b);
    return { metadata: { readWritePairsPruned, fileDeduplicationsPruned, recencyPruned }, unbalanced, touched };
  }

  #entryOf(raw: unknown, index: number): Entry {
    const { speaker, blocks } = bag(raw) ?? {};
    const isKnown = speaker === 'human' || speaker === 'ai' || speaker === 'tool';
    const list: unknown[] = Array.isArray(blocks) ? Array.from(blocks as unknown[]) : [];
    return {
      raw,
      index,
      speaker,
      isFixed: !isKnown || !Array.isArray(blocks) || this.#options.protect?.(raw) === true,
      blocks: list.map((block) => {
        const text = bag(block)?.type === 'text' ? bag(block)?.text : undefined;
        return {
          raw: block,
          gone: false,
          lines: typeof text === 'string' ? linesOf(text) : undefined,
          replaced: undefined,
        };
      }),
      isTouched: false,
    };
  }

  #make(change: Change): void {
    this.#changes.push(change);
    const entry = this.#entries[change.entry] as Entry;
    const block = entry.blocks[change.block] as Block;
    entry.isTouched = true;
    if (change.gone) block.gone = true;
    if (change.replaced !== undefined) block.replaced = change.replaced;
    for (const line of change.cut ?? []) (block.lines as (string | null)[])[line] = null;
  }

  /** All blocks that are there, in order. */
  #places(): Place[] {
    return this.#entries.flatMap((entry) =>
      entry.blocks.map((block, at) => ({ entry, block, at })).filter(({ block }) => !block.gone),
    );
  }

  /** Each response with the call that it answers: the first open one in the newest entry that has one. */
  #pairs(): Pair[] {
    const open = new Map<string, Place[]>();
    const pairs: Pair[] = [];
    for (const place of this.#places()) {
      const { type, id, callId } = bag(place.block.raw) ?? {};
      if (type === 'tool_call' && typeof id === 'string') {
        open.set(id, [...(open.get(id) ?? []), place]);
      } else if (type === 'tool_response' && typeof callId === 'string') {
        const calls = open.get(callId) ?? [];
        const newest = Math.max(...calls.map(({ entry }) => entry.index));
        const call = calls.find(({ entry }) => entry.index === newest);
        if (call === undefined) continue;
        open.set(
          callId,
          calls.filter((other) => other !== call),
        );
        pairs.push({ call, response: place });
      }
    }
    return pairs;
  }

  #dropStaleReads(): number {
    const { workspaceRoot = '/' } = this.#options;
    const pairs = this.#pairs();
    const writes = pairs
      .filter((pair) => this.#isEffectiveWrite(pair))
      .map((pair) => ({ ...pair, path: pathsOf(bag(pair.call.block.raw) as Bag, workspaceRoot)?.[0] }));
    let count = 0;
    for (const { call, response } of pairs) {
      const read = bag(call.block.raw) as Bag;
      const paths = toolKind(read) === 'read' ? pathsOf(read, workspaceRoot) : undefined;
      if (paths === undefined || call.entry.isFixed || response.entry.isFixed) continue;
      // When each path was first written behind the read, by the response that says so.
      const written = paths.map((path) =>
        Math.min(
          ...writes
            .filter((write) => write.path === path && write.call.entry.index > call.entry.index)
            .map((write) => write.response.entry.index),
        ),
      );
      const cause = Math.max(response.entry.index, ...written);
      if (cause === Infinity) continue;
      count += 1;
      this.#drop(call, cause);
      this.#drop(response, cause);
    }
    return count;
  }

  #isEffectiveWrite({ call, response }: Pair): boolean {
    const block = bag(call.block.raw) as Bag;
    const answer = bag(response.block.raw) as Bag;
    if (toolKind(block) !== 'write' || isPreview(block)) return false;
    if (response.block.replaced !== undefined || isCompacted(answer.result, answer.toolName)) return false;
    return !saysFailure(answer) && this.#options.isFailure?.(answer) !== true;
  }

  /** Drops a block, and all that is left of its entry if nothing of substance is. */
  #drop({ entry, at }: Place, cause: number): void {
    this.#make({ entry: entry.index, block: at, cause, gone: true });
    const left = entry.blocks.filter(({ gone }) => !gone);
    if (left.some(({ raw }) => isSubstance(entry.speaker, raw))) return;
    for (const block of left) this.#make({ entry: entry.index, block: entry.blocks.indexOf(block), cause, gone: true });
  }

  #cutInclusions(unbalanced: number[]): number {
    const all: Inclusion[] = [];
    for (const entry of this.#entries) {
      if (entry.speaker !== 'human' || isGone(entry)) continue;
      const found = this.#inclusionsOf(entry);
      if (found === undefined) unbalanced.push(entry.index);
      else all.push(...found.filter(({ resolved }) => resolved !== undefined));
    }
    let count = 0;
    all.forEach((inclusion, at) => {
      const newer = all.slice(at + 1).find(({ resolved }) => resolved === inclusion.resolved);
      if (newer !== undefined && this.#cut(inclusion, newer.entry.index)) count += 1;
    });
    return count;
  }

  /** The inclusions of an entry; nothing if its markers don't match up. */
  #inclusionsOf(entry: Entry): Inclusion[] | undefined {
    const { workspaceRoot = '/' } = this.#options;
    const found: Inclusion[] = [];
    let open: Inclusion | undefined;
    for (const block of entry.blocks) {
      if (block.gone) continue;
      if (block.lines === undefined) {
        if (open !== undefined) return undefined;
        continue;
      }
      open?.parts.push({ block, lines: [] });
      const lines = block.replaced === undefined ? block.lines : [block.replaced];
      for (const [number, line] of lines.entries()) {
        if (line === null) continue;
        const path = open === undefined ? openedPath(line) : undefined;
        if (path !== undefined)
          open = { path, resolved: resolvePath(workspaceRoot, path), entry, parts: [{ block, lines: [] }] };
        open?.parts.at(-1)?.lines.push(number);
        if (bare(line) !== CLOSING) continue;
        if (open === undefined) return undefined;
        found.push(open);
        open = undefined;
      }
    }
    return open === undefined ? found : undefined;
  }

  #cut({ path, entry, parts }: Inclusion, cause: number): boolean {
    if (entry.isFixed) return false;
    const changes: Change[] = [];
    const pointer = `[Earlier inclusion of ${path} removed]`;
    let left = entry.blocks.filter(({ gone }) => !gone).length;
    let emptied = 0;
    for (const { block, lines } of parts) {
      const at = entry.blocks.indexOf(block);
      const there = (block.lines as (string | null)[]).flatMap((line, number) =>
        line === null ? [] : [{ line, number }],
      );
      if (there.some(({ number }) => !lines.includes(number))) {
        changes.push({ entry: entry.index, block: at, cause, cut: lines });
        continue;
      }
      emptied += there.reduce((sum, { line }) => sum + line.length, 0);
      if (left > 1) changes.push({ entry: entry.index, block: at, cause, gone: true });
      else if (pointer.length < emptied) changes.push({ entry: entry.index, block: at, cause, replaced: pointer });
      else return false;
      if (changes.at(-1)?.gone) left -= 1;
    }
    for (const change of changes) this.#make(change);
    return true;
  }

  #pruneOldResults(): number {
    const { recencyRetention = 3, recencyTools } = this.#options.rules ?? {};
    const kept = Math.max(1, Math.floor(recencyRetention));
    const seen = new Map<string, number>();
    let count = 0;
    for (const { entry, block, at } of this.#places().reverse()) {
      const { type, toolName, result } = bag(block.raw) ?? {};
      if (type !== 'tool_response' || typeof toolName !== 'string') continue;
      if (recencyTools !== undefined && !recencyTools.includes(toolName)) continue;
      const number = (seen.get(toolName) ?? 0) + 1;
      seen.set(toolName, number);
      if (number <= kept || entry.isFixed || block.replaced !== undefined || isCompacted(result, toolName)) continue;
      if ((jsonLength(result) ?? 0) <= JSON.stringify(POINTER).length) continue;
      this.#make({ entry: entry.index, block: at, cause: this.#entries.length - 1, replaced: POINTER });
      count += 1;
    }
    return count;
  }
}

function isGone(entry: Entry): boolean {
  return entry.isTouched && entry.blocks.every(({ gone }) => gone);
}

function contentOf(entry: Entry): IContent {
  if (!entry.isTouched) return entry.raw as IContent;
  const blocks = entry.blocks.filter(({ gone }) => !gone).map(blockOf);
  return { ...(entry.raw as IContent), blocks: blocks as IContent['blocks'] };
}

function blockOf({ raw, lines, replaced }: Block): unknown {
  if (lines !== undefined && replaced === undefined && !lines.includes(null)) return raw;
  if (lines !== undefined) return { ...(raw as Bag), text: replaced ?? lines.filter((line) => line !== null).join('') };
  return replaced === undefined ? raw : { ...(raw as Bag), result: replaced };
}
