import { applyEdits, createOptimizer, type Edit, type IContent } from 'densify';
import { compressOptions, optimizeOptions, type Settings } from '../lib/settings.js';
import type { Compression, Facts } from './api.js';
import { EditLog, type EditText, type FullReplay } from './edit-log.js';
import { type CountTokens, textOf, tokensOf } from './facts.js';

/** What compressions aim at, of the threshold. */
const TARGET = 0.6;

/** Goes through a conversation as an agent would have: optimizes before each call, compresses when it is due. */
export class Timeline {
  readonly #facts: Facts;
  readonly #contents: readonly IContent[];
  readonly #log: EditLog;
  /** The edits of blocks whose texts were edited within. */
  readonly #within = new Map<number, Edit[]>();
  /** The first entry that this call's edits touch. */
  #touched = Number.POSITIVE_INFINITY;
  #now = 0;

  readonly #count: CountTokens | undefined;

  constructor(facts: Facts, contents: readonly IContent[], count?: CountTokens) {
    this.#count = count;
    this.#facts = facts;
    this.#contents = contents;
    this.#log = new EditLog(facts);
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
      const isLast = call === calls.length - 1;
      if (isLast) messages = result.messages; // lists are made when they are read: only the last one is
      milliseconds += performance.now() - start;
      const { tokensBefore, tokensAfter } = result;
      this.#take(result.edits, call);
      after[call] = tokensAfter;
      if (compress && tokensAfter >= trigger) {
        const compressed = optimizer.compress(compress);
        // Even where a strategy has nothing to do, edits that waited are made.
        if (compressed.changed) {
          if (isLast) messages = compressed.messages;
          after[call] = compressed.tokensAfter;
          this.#take(compressed.edits, call);
        }
        if (compressed.kind === 'applied') {
          const tail = compressed.metadata.tailCount;
          compressions.push({ call, before: tokensAfter, after: compressed.tokensAfter, tail });
        }
      }
      before[call] = tokensBefore;
      // Nothing was changed: all that the request before had.
      cached[call] = this.#touched >= given ? (after[call - 1] ?? 0) : this.#log.sum(0, this.#touched);
      given = length;
    });
    const course = { before, after, cached, compressions, trigger, milliseconds, kept: 0 };
    return {
      replay: this.#log.finish({ ...course, target: Math.floor(trigger * TARGET) }, this.#contents),
      texts: this.#log.texts,
      messages,
    };
  }

  /** What is made now; edits that wait come again once they are made. */
  #take(edits: readonly Edit[], call: number): void {
    this.#now = call;
    for (const edit of edits) if (!edit.pending) this.#make(edit);
  }

  #make(edit: Edit): void {
    const { blockStart } = this.#facts;
    const first = blockStart[edit.index] ?? 0;
    this.#touched = Math.min(this.#touched, edit.index);
    if (edit.kind === 'drop') {
      for (let block = first; block < (blockStart[edit.index + 1] ?? first); block += 1) {
        if ((this.#log.left[block] ?? 0) > 0) this.#note(edit, block, 0, {});
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

  #note({ rule, cause }: Edit, block: number, after: number, text: EditText): void {
    this.#log.note({ call: this.#now, rule, cause }, block, after, text);
  }
}
