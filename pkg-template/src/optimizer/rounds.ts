/** Runs of the rules over what earlier ones left, told as edits of the history as it was. */

import type { Run } from '../core/output.js';
import { LEADING, LEAF } from '../generated/protocol.js';
import type { Adapter } from '../messages/adapter.js';
import { spansOf } from '../messages/patch.js';
import { DROPPED } from '../session/live-list.js';
import type { Edit, Rule } from '../types.js';

const leading: ReadonlySet<Rule> = new Set(LEADING);

/** Whether an edit was made that may lead to others. */
export function mayLeadOn(edits: readonly Edit[]): boolean {
  return edits.some(({ rule, pending }) => !pending && leading.has(rule));
}

type Counted = Pick<Run, 'pairs' | 'inclusions' | 'recency'>;

/** The edits of several runs, each over what the one before it left, by the history of the first. */
export class Rounds<M> {
  /** All edits, by the messages as they were. */
  readonly edits: Edit[] = [];
  /** How many edits of the documents' rules. */
  pairs = 0;
  inclusions = 0;
  recency = 0;
  readonly #adapter: Adapter<M>;
  readonly #raw: readonly M[];
  /** The edits that were made, by message. */
  readonly #made = new Map<number, Edit[]>();
  /** For each message of the newest output the index of what it was. */
  #origins: readonly number[];

  constructor(adapter: Adapter<M>, raw: readonly M[]) {
    this.#adapter = adapter;
    this.#raw = raw;
    this.#origins = raw.map((_, index) => index);
  }

  /** Adds a run over the newest output: its edits, and what became of each message. */
  add(run: Counted, edits: readonly Edit[], entries: readonly (M | typeof DROPPED)[]): void {
    this.pairs += run.pairs;
    this.inclusions += run.inclusions;
    this.recency += run.recency;
    const told = edits.map((edit) => this.#ofRaw(edit));
    for (const edit of told) {
      this.edits.push(edit);
      if (edit.pending) continue;
      const made = this.#made.get(edit.index);
      if (made === undefined) this.#made.set(edit.index, [edit]);
      else made.push(edit);
    }
    this.#origins = this.#origins.filter((_, at) => entries[at] !== DROPPED);
  }

  #ofRaw(edit: Edit): Edit {
    const index = this.#origins[edit.index] ?? edit.index;
    const cause = this.#origins[edit.cause] ?? edit.cause;
    if (edit.kind === 'drop') return { ...edit, index, cause };
    const made = this.#made.get(index);
    if (made === undefined) return { ...edit, index, cause };
    let { block } = edit;
    const gone = made.flatMap((earlier) => (earlier.kind === 'drop-block' ? [earlier.block] : []));
    for (const dropped of gone.sort((left, right) => left - right)) if (dropped <= block) block += 1;
    if (edit.kind === 'drop-block' || edit.kind === 'set') return { ...edit, index, cause, block };
    const patches = made.flatMap((earlier) => ('start' in earlier && earlier.block === block ? [earlier] : []));
    if (patches.length === 0) return { ...edit, index, cause, block };
    const text = this.#adapter.text(this.#raw[index] as M, block, LEAF.text) ?? '';
    const spans = spansOf(text, patches);
    const [start, end] = [offsetIn(spans, edit.start), offsetIn(spans, edit.end)];
    return { ...edit, index, cause, block, start, end };
  }
}

/** Where a place in a changed text was before; within inserted text it is the start of that text. */
function offsetIn(spans: ReturnType<typeof spansOf>, offset: number): number {
  let ahead = 0;
  for (const { start, end, put } of spans) {
    const at = start - ahead;
    if (offset <= at) break;
    if (offset < at + put.length) return start;
    ahead += end - start - put.length;
  }
  return offset + ahead;
}
