/** Figures of all requests since the start, and as Prometheus text. */
import type { GatewayReport } from './options.js';

/** Upper bounds of the histogram of packing times, in seconds. */
const BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1, 3];

const COUNTERS = {
  densify_requests_total: 'Requests that hold a history.',
  densify_counted_total: 'Requests that only count tokens.',
  densify_packed_total: 'Requests whose history was changed.',
  densify_rejected_total: 'Requests that failed. Their tokens and dollars count nowhere else.',
  densify_passed_total: 'Requests to all other endpoints.',
  densify_tokens_before_total: 'Tokens of the requests as they came in, estimated.',
  densify_tokens_after_total: 'Tokens of the requests as they were sent, estimated.',
  densify_cached_before_total: 'Tokens that the prompt cache would hold without densify, estimated.',
  densify_cached_after_total: 'Tokens that the prompt cache holds, estimated.',
  densify_dollars_before_total: 'Dollars of the input without densify, by list prices, estimated.',
  densify_dollars_after_total: 'Dollars of the input with densify, by list prices, estimated.',
  densify_reported_input_tokens_total: 'Input tokens as the providers report them.',
  densify_reported_cached_tokens_total: 'Input tokens from the prompt cache as the providers report them.',
  densify_failed_open_total: 'Requests that went out unpacked because something failed.',
  densify_refused_total: 'Requests that the gateway refused: no token, no such provider, too many at once.',
  densify_upstream_failures_total: 'Requests whose provider could not be reached.',
} as const;

type Counter = keyof typeof COUNTERS;

export class Metrics {
  readonly #counts = new Map<Counter, number>();
  readonly #buckets = BOUNDS.map(() => 0);
  #seconds = 0;
  #measured = 0;
  underWay = 0;

  /** Counts one event. */
  count(counter: Counter): void {
    this.#add(counter, 1);
  }

  #add(counter: Counter, amount: number): void {
    this.#counts.set(counter, (this.#counts.get(counter) ?? 0) + amount);
  }

  report(report: GatewayReport): void {
    const { changed, isCount, milliseconds, status } = report;
    if (isCount) return this.count('densify_counted_total');
    this.count('densify_requests_total');
    if (changed) this.count('densify_packed_total');
    if (status >= 400) this.count('densify_rejected_total');
    else this.#addSizes(report);
    const seconds = milliseconds / 1000;
    this.#seconds += seconds;
    this.#measured += 1;
    BOUNDS.forEach((bound, at) => {
      if (seconds <= bound) this.#buckets[at]! += 1;
    });
  }

  #addSizes({ usage, ...sizes }: GatewayReport): void {
    this.#add('densify_tokens_before_total', sizes.tokensBefore);
    this.#add('densify_tokens_after_total', sizes.tokensAfter);
    this.#add('densify_cached_before_total', sizes.cachedBefore);
    this.#add('densify_cached_after_total', sizes.cachedAfter);
    this.#add('densify_dollars_before_total', sizes.dollarsBefore);
    this.#add('densify_dollars_after_total', sizes.dollarsAfter);
    this.#add('densify_reported_input_tokens_total', usage?.input ?? 0);
    this.#add('densify_reported_cached_tokens_total', usage?.cached ?? 0);
  }

  /** All figures, as Prometheus reads them. */
  text(): string {
    const lines: string[] = [];
    const series = (name: string, type: string, help: string, samples: readonly string[]) =>
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples);
    for (const [name, help] of Object.entries(COUNTERS)) {
      series(name, 'counter', help, [`${name} ${this.#counts.get(name as Counter) ?? 0}`]);
    }
    series('densify_under_way', 'gauge', 'Requests that are under way.', [`densify_under_way ${this.underWay}`]);
    const name = 'densify_packing_seconds';
    series(name, 'histogram', 'Latency that packing added.', [
      ...BOUNDS.map((bound, at) => `${name}_bucket{le="${bound}"} ${this.#buckets[at]}`),
      `${name}_bucket{le="+Inf"} ${this.#measured}`,
      `${name}_sum ${this.#seconds}`,
      `${name}_count ${this.#measured}`,
    ]);
    return `${lines.join('\n')}\n`;
  }
}
