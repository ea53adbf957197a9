import type { IContent } from 'densify';
import { ruleNumber } from '../lib/kinds.js';
import type { Facts, Replay } from './api.js';

/** A span of a text that was cut, in UTF-16 units of the text as it was. */
export type Span = readonly [start: number, end: number];

/** The result of an edit of a block: its new text, if any, and the span that was cut, if that was the only change. */
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

/** An edit's metadata, without its effect. */
export interface Origin {
  readonly call: number;
  readonly rule: string;
  readonly cause: number;
}

/** What a replay found out call by call. */
export type Course = Pick<
  Replay,
  'before' | 'after' | 'cached' | 'compressions' | 'trigger' | 'target' | 'milliseconds' | 'kept'
>;

/** The edits of a replay as columns, and what is left of each block. */
export class EditLog {
  readonly facts: Facts;
  /** Tokens that are left of each block. */
  readonly left: Uint32Array;
  readonly texts: EditText[] = [];
  readonly #columns = { call: [] as number[], block: [] as number[], before: [] as number[], after: [] as number[] };
  readonly #rules: number[] = [];
  readonly #causes: number[] = [];

  constructor(facts: Facts) {
    this.facts = facts;
    this.left = facts.tokens.slice();
  }

  /** Notes the new number of a block's tokens. */
  note({ call, rule, cause }: Origin, block: number, after: number, text: EditText): void {
    const columns = this.#columns;
    columns.call.push(call);
    columns.block.push(block);
    columns.before.push(this.left[block] ?? 0);
    columns.after.push(after);
    this.#rules.push(ruleNumber(rule));
    this.#causes.push(cause);
    this.texts.push(text);
    this.left[block] = after;
  }

  /** Tokens that are left of the blocks from one entry up to another. */
  sum(from: number, to: number): number {
    const { blockStart } = this.facts;
    const end = blockStart[to] ?? 0;
    let sum = 0;
    for (let block = blockStart[from] ?? end; block < end; block += 1) sum += this.left[block] ?? 0;
    return sum;
  }

  /** Whether something of an entry is left. */
  isKept(entry: number): boolean {
    return this.sum(entry, entry + 1) > 0;
  }

  finish(
    course: Course,
    contents: readonly IContent[],
    isKept = (entry: number): boolean => this.isKept(entry),
  ): Replay {
    const columns = this.#columns;
    const requests = contents.flatMap(({ speaker }, entry) => (speaker === 'human' ? [entry] : []));
    return {
      ...course,
      editCall: Uint32Array.from(columns.call),
      editBlock: Uint32Array.from(columns.block),
      editBefore: Uint32Array.from(columns.before),
      editAfter: Uint32Array.from(columns.after),
      editRule: Uint8Array.from(this.#rules),
      editCause: Uint32Array.from(this.#causes),
      requests: requests.length,
      requestsKept: requests.filter(isKept).length,
    };
  }
}
