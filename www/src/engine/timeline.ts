import { applyEdits, createOptimizer, type Edit, type IContent } from 'densify';
import { ruleNumber } from '../lib/kinds.js';
import { compressOptions, optimizeOptions, type Settings } from '../lib/settings.js';
import type { Compression, Facts, Replay } from './api.js';
import { type CountTokens, textOf, tokensOf } from './facts.js';

/** A span of a text that was cut, in UTF-16 units of the text as it was. */
export type Span = readonly [start: number, end: number];

/** What an edit made of a block: the text that it has now, if it has one, and the span that was cut out of it, where nothing else was. */
export interface EditText {
  readonly text?: string;
  readonly span?: Span;
}

/** A replay, and what only the worker needs of it. */
export interface FullReplay {
  readonly replay: Replay;
  readonly texts: readonly EditText[];
  readonly messages: readonly IContent[];
}

/** Goes through a conversation as an agent would have: optimizes before each call, compresses when it is due. */
export class Timeline {
  readonly #facts: Facts;
  readonly #contents: readonly IContent[];
  readonly #left: Uint32Array;
  /** The edits of blocks whose texts were edited within. */
  readonly #within = new Map<number, Edit[]>();
  readonly #pending: Edit[] = [];
  readonly #columns = { call: [] as number[], block: [] as number[], before: [] as number[], after: [] as number[] };
  readonly #rules: number[] = [];
  readonly #causes: number[] = [];
  readonly #texts: EditText[] = [];
  /** The first entry that this call's edits touch. */
  #touched = Number.POSITIVE_INFINITY;
  #now = 0;

  readonly #count: CountTokens | undefined;

  constructor(facts: Facts, contents: readonly IContent[], count?: CountTokens) {
    this.#count = count;
    this.#facts = facts;
    this.#contents = contents;
    this.#left = facts.tokens.slice();
  }

  run(settings: Settings, workspaceRoot: string): FullReplay {
    const { calls } = this.#facts;
    const [before, after, cached] = [0, 1, 2].map(() => new Uint32Array(calls.length)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    const compressions: Compression[] = [];
    const compress = compressOptions(settings);
    const trigger = compress ? settings.threshold * settings.contextLimit : 0;
    using optimizer = createOptimizer({ ...optimizeOptions(settings, workspaceRoot), countTokens: this.#count });
    let messages: readonly IContent[] = this.#contents;
    let milliseconds = 0;
    let given = 0;
    calls.forEach((length, call) => {
      this.#touched = Number.POSITIVE_INFINITY;
      const start = performance.now();
      for (let at = given; at < length; at += 1) optimizer.push(this.#contents[at] as IContent);
      const result = optimizer.optimize();
      messages = result.messages;
      milliseconds += performance.now() - start;
      const { tokensBefore, tokensAfter } = result;
      this.#take(result.edits, call, result.flush !== undefined);
      after[call] = tokensAfter;
      if (compress && tokensAfter >= trigger) {
        const compressed = optimizer.compress(compress);
        if (compressed.kind === 'applied') {
          messages = compressed.messages;
          after[call] = compressed.tokensAfter;
          this.#take(compressed.edits, call, true);
          const tail = compressed.metadata.tailCount;
          compressions.push({ call, before: tokensAfter, after: compressed.tokensAfter, tail });
        }
      }
      before[call] = tokensBefore;
      cached[call] = this.#sum(Math.min(given, this.#touched));
      given = length;
    });
    return {
      replay: this.#finish({ before, after, cached, compressions, trigger, milliseconds }),
      texts: this.#texts,
      messages,
    };
  }

  #finish(found: Pick<Replay, 'before' | 'after' | 'cached' | 'compressions' | 'trigger' | 'milliseconds'>): Replay {
    const columns = this.#columns;
    const requests = this.#contents
      .map((content, entry) => (content.speaker === 'human' ? entry : -1))
      .filter((entry) => entry >= 0);
    return {
      ...found,
      target: Math.floor(found.trigger * 0.6),
      editCall: Uint32Array.from(columns.call),
      editBlock: Uint32Array.from(columns.block),
      editBefore: Uint32Array.from(columns.before),
      editAfter: Uint32Array.from(columns.after),
      editRule: Uint8Array.from(this.#rules),
      editCause: Uint32Array.from(this.#causes),
      requests: requests.length,
      requestsKept: requests.filter((entry) => this.#isKept(entry)).length,
    };
  }

  #isKept(entry: number): boolean {
    const { blockStart } = this.#facts;
    return this.#left.subarray(blockStart[entry], blockStart[entry + 1]).some((tokens) => tokens > 0);
  }

  /** What is made now; edits that wait are made at the next flush. */
  #take(edits: readonly Edit[], call: number, flush: boolean): void {
    this.#now = call;
    const made = edits.filter((edit) => !edit.pending);
    this.#pending.push(...edits.filter((edit) => edit.pending));
    if (flush) for (const edit of this.#pending.splice(0)) this.#make(edit);
    for (const edit of made) this.#make(edit);
  }

  #make(edit: Edit): void {
    const { blockStart } = this.#facts;
    const first = blockStart[edit.index] ?? 0;
    this.#touched = Math.min(this.#touched, edit.index);
    if (edit.kind === 'drop') {
      for (let block = first; block < (blockStart[edit.index + 1] ?? first); block += 1) {
        if ((this.#left[block] ?? 0) > 0) this.#note(edit, block, 0, {});
      }
      return;
    }
    const block = first + edit.block;
    if (edit.kind === 'drop-block') {
      this.#note(edit, block, 0, {});
      return;
    }
    const edits = edit.kind === 'set' ? [edit] : [...(this.#within.get(block) ?? []), edit];
    this.#within.set(block, edits);
    const { tokens, text } = this.#after(edit.index, edit.block, edits);
    const isCut = edits.every(({ kind }) => kind === 'cut');
    this.#note(edit, block, tokens, {
      text,
      ...(isCut && edit.kind === 'cut' ? { span: [edit.start, edit.end] } : {}),
    });
  }

  /** A block by itself after its edits. */
  #after(entry: number, index: number, edits: readonly Edit[]): { readonly tokens: number; readonly text: string } {
    const content = this.#contents[entry];
    const block = content?.blocks[index];
    if (!content || !block) return { tokens: 0, text: '' };
    const alone = { ...content, blocks: [block] };
    const edited = applyEdits(
      alone,
      edits.map((edit) => ({ ...edit, block: 0 }) as Edit),
    )?.blocks[0];
    return edited ? { tokens: tokensOf(content, edited, this.#count), text: textOf(edited) } : { tokens: 0, text: '' };
  }

  #note(edit: Edit, block: number, after: number, text: EditText): void {
    const columns = this.#columns;
    columns.call.push(this.#now);
    columns.block.push(block);
    columns.before.push(this.#left[block] ?? 0);
    columns.after.push(after);
    this.#rules.push(ruleNumber(edit.rule));
    this.#causes.push(edit.cause);
    this.#texts.push(text);
    this.#left[block] = after;
  }

  #sum(entries: number): number {
    const end = this.#facts.blockStart[entries] ?? 0;
    let sum = 0;
    for (let block = 0; block < end; block += 1) sum += this.#left[block] ?? 0;
    return sum;
  }
}
