// The cheapest way to flush for a planner who knows the whole session. The edits are those that a policy makes at once,
// with `flush: 'always'`; the planner chooses when they are made, and from which message on.
import { createOptimizer, estimateTokens, shrinkResults } from 'densify';
import { replay } from 'densify/replay';
import { plans } from './economics-plans.mjs';

/** What edits made at once leave of a log: the sizes of its messages, call by call. */
class Record {
  name = 'record';
  /** Of each stretch of a log between two compactions its calls. */
  stretches = [];
  #preset;
  #sizes = new WeakMap();

  constructor(preset) {
    this.#preset = preset;
  }

  create() {
    const optimizer = createOptimizer({ preset: this.#preset, flush: 'always' });
    const calls = [];
    this.stretches.push(calls);
    let added = 0;
    return {
      add: (contents) => {
        for (const content of contents) {
          // Edited copies keep it, so that each message is known again.
          optimizer.push({ ...content, metadata: { ...content.metadata, place: added } });
          added += 1;
        }
      },
      messages: ({ cold }) => {
        const { messages } = optimizer.optimize(undefined, { cold });
        const sizes = new Map(messages.map((message) => [message.metadata.place, this.#sizeOf(message)]));
        calls.push({ isCold: cold, added, sizes });
        return messages;
      },
      dispose: () => optimizer.dispose(),
    };
  }

  #sizeOf(message) {
    const known = this.#sizes.get(message);
    if (known !== undefined) return known;
    const size = { tokens: estimateTokens([message]), text: JSON.stringify([message.speaker, message.blocks]) };
    this.#sizes.set(message, size);
    return size;
  }
}

/** Dollars of the best plans for a log: flushes of all that waits, and flushes from any message on. */
export function optima(contents, { preset, prices, cacheTtl, isShrunk }) {
  const record = new Record(preset);
  const log = isShrunk ? shrinkResults(contents).messages : contents;
  replay(log, { policies: [record], prices, ...(cacheTtl && { cacheTtl }) });
  const costs = record.stretches.map((calls) => plans(calls, prices));
  const sum = (key) => costs.reduce((total, cost) => total + cost[key], 0) / 1e6;
  return { whole: sum('whole'), partial: sum('partial') };
}
