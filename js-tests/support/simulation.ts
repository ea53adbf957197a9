// A caller of an optimizer, checked against the oracle.
import { createOptimizer, type IContent, type OptimizeOptions, type Optimizer, type Result } from 'densify';
import { expect } from 'vitest';
import { Oracle, type OracleOptions, type OracleRun } from './oracle.js';

/** How a caller hands its history in. */
export type Way = 'push' | 'raw' | 'stored' | 'json';

export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key of Reflect.ownKeys(value)) frozen((value as Record<PropertyKey, unknown>)[key]);
  }
  return value;
}

export const parsed = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** One history, held by a caller, by an optimizer and by the oracle. */
export class Simulation {
  readonly optimizer: Optimizer<IContent>;
  readonly oracle: Oracle;
  /** What a caller that keeps raw histories holds. */
  raw: IContent[] = [];
  /** What the optimizer gave out last. */
  output: readonly IContent[] = [];
  #copy: readonly IContent[] = [];

  constructor(
    options: OracleOptions,
    further: OptimizeOptions<IContent> = {},
    make: typeof createOptimizer = createOptimizer,
  ) {
    this.optimizer = make<IContent>({ preset: 'seed', ...options, ...further });
    this.oracle = new Oracle(options);
  }

  /** Adds a turn in one of the ways, and holds the result against the oracle's. */
  turn(way: Way, entries: readonly IContent[]): void {
    const list = this.#listFor(way, entries);
    this.oracle.push(...entries);
    const before = this.output;
    const { result } = this.#compare(list);
    if (way !== 'json') expectStable(before, result);
  }

  /** Goes back to the first `count` raw entries and on with others. */
  branch(way: 'raw' | 'stored', count: number, entries: readonly IContent[]): void {
    const { kept, cut } = way === 'raw' ? { kept: this.raw.slice(0, count), cut: count } : this.#storedUpTo(count);
    this.raw = [...this.raw.slice(0, cut), ...entries];
    this.oracle.rewind(cut);
    this.oracle.push(...entries);
    this.#compare([...kept, ...entries]);
  }

  /** Changes a raw entry in place and hands the raw history in, or a copy of it. */
  change(way: 'raw' | 'json', index: number, change: (entry: IContent) => void): void {
    if (way === 'json') this.raw = parsed(this.raw);
    change(this.raw[index] as IContent);
    this.oracle.rewind(index);
    this.oracle.push(...this.raw.slice(index));
    this.#compare(this.raw);
  }

  #listFor(way: Way, entries: readonly IContent[]): readonly IContent[] | undefined {
    this.raw = way === 'json' ? parsed([...this.raw, ...entries]) : [...this.raw, ...entries];
    if (way === 'push') this.optimizer.push(...entries);
    if (way === 'stored') return [...this.output, ...entries];
    return way === 'push' ? undefined : this.raw;
  }

  /** The messages given out up to a raw entry, and where that leaves the raw history. */
  #storedUpTo(count: number): { kept: IContent[]; cut: number } {
    const kept: IContent[] = [];
    let cut = 0;
    let isEdited = false;
    let wasEdited = false;
    for (let index = 0; index < count; index += 1) {
      const entry = this.oracle.entry(index);
      isEdited ||= entry !== this.oracle.raw(index);
      if (entry === undefined) continue;
      kept.push(this.output[kept.length] as IContent);
      cut = index + 1;
      wasEdited = isEdited;
    }
    // A caller that passes edited messages stores our output, so dropped messages are missing there.
    while (wasEdited && cut < this.oracle.length && this.oracle.entry(cut) === undefined) cut += 1;
    return { kept, cut };
  }

  #compare(list: readonly IContent[] | undefined): { result: Result<IContent>; run: OracleRun } {
    const run = this.oracle.run();
    const result = list === undefined ? this.optimizer.optimize() : this.optimizer.optimize(list);
    expect(result.messages).toStrictEqual(this.oracle.messages);
    expectSame(this.output, this.#copy);
    expect(result.metadata).toStrictEqual(run.metadata);
    // What is malformed may look like a message of another format.
    const unbalanced = result.warnings.filter(({ code }) => code !== 'other-format');
    for (const { index } of unbalanced) expect(run.unbalanced).toContain(index);
    this.#expectShared([...(list ?? []), ...this.raw], result.messages);
    this.output = result.messages;
    this.#copy = [...result.messages];
    return { result, run };
  }

  /** Messages that no edit touched are the caller's own objects. */
  #expectShared(given: readonly IContent[], messages: readonly IContent[]): void {
    const own = new Set(given);
    let at = 0;
    for (let index = 0; index < this.oracle.length; index += 1) {
      const entry = this.oracle.entry(index);
      if (entry === undefined) continue;
      if (entry === this.oracle.raw(index) && !own.has(messages[at] as IContent)) {
        expect.fail(`message ${at} (raw ${index}) was not touched, and is not the caller's object`);
      }
      at += 1;
    }
  }
}

/** A list that was given out stays as it is. */
function expectSame(list: readonly IContent[], copy: readonly IContent[]): void {
  if (list.length !== copy.length || list.some((message, at) => message !== copy[at])) {
    expect.fail('an earlier output was changed');
  }
}

/** I15: what was given out stays, up to the index that a flush names; and it names the first that changed. */
export function expectStable(before: readonly IContent[], { messages, flush }: Result<IContent>): void {
  const stays = flush === undefined ? before.length : Math.min(flush.index, before.length);
  for (let at = 0; at < stays; at += 1)
    if (messages[at] !== before[at]) expect.fail(`message ${at} changed, flush ${flush?.index}`);
  if (flush === undefined || flush.index >= before.length) return;
  const first = before[flush.index] as IContent;
  // If an object is at several places, any of them may have been dropped.
  if (messages[flush.index] === first && before.indexOf(first) === before.lastIndexOf(first)) {
    expect.fail(`message ${flush.index} did not change, but the flush names it`);
  }
}
