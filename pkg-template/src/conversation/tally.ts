import type { LoggedEdit } from '../core/edits.js';
import type { Run } from '../core/output.js';
import { RULES } from '../generated/protocol.js';
import type { Edit } from '../types.js';
import type { ConversationStats } from './figures.js';
import type { Counters } from './snapshot.js';

/** What a conversation has done so far. */
export class Tally {
  #counters: Counters = { edits: RULES.map(() => 0), density: [0, 0, 0], compressions: 0, summaries: 0, failures: 0 };
  #milliseconds = 0;

  /** What of it a snapshot holds. */
  record(): Counters {
    const { edits, density, ...counters } = this.#counters;
    return { edits: [...edits], density: [...density], ...counters };
  }

  resume({ edits, density, ...counters }: Counters): void {
    this.#counters = { edits: [...edits], density: [...density], ...counters };
  }

  note({ edits, pairs, inclusions, recency }: Run): void {
    const { edits: byRule, density } = this.#counters;
    [pairs, inclusions, recency].forEach((count, at) => (density[at]! += count));
    for (const { rule } of edits as readonly LoggedEdit[]) byRule[RULES.indexOf(rule)]! += 1;
  }

  count(what: 'compressions' | 'summaries' | 'failures'): void {
    this.#counters[what] += 1;
  }

  took(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }

  stats(rest: Pick<ConversationStats, 'tokensBefore' | 'tokensAfter' | 'queued'>): ConversationStats {
    const { edits, density, ...counters } = this.#counters;
    const [pairs = 0, inclusions = 0, recency = 0] = density;
    const byRule = Object.fromEntries(RULES.map((rule, at) => [rule, edits[at] ?? 0]));
    return {
      ...rest,
      edits: byRule as Record<Edit['rule'], number>,
      density: { readWritePairsPruned: pairs, fileDeduplicationsPruned: inclusions, recencyPruned: recency },
      ...counters,
      milliseconds: this.#milliseconds,
    };
  }
}
