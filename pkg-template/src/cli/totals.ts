/** Sums up the requests of a run. */
import type { Unpacked } from '../gateway/handler.js';
import type { GatewayReport } from '../gateway/options.js';
import { knowsZstd } from '../gateway-node/decoders.js';

/** Why a request counts in none of the sums. */
type Reason = Unpacked | 'count';

/** Why requests count in none of the sums, as the closing line says it. */
const REASONS: Readonly<Record<Reason, string>> = {
  compressed: knowsZstd
    ? 'of an unknown compression'
    : 'of an unknown compression: `zstd` needs Node.js 22.15 or newer',
  large: 'too large',
  'no history': 'without messages',
  left: 'broken off by the client',
  count: 'that only count tokens',
  other: 'for no model',
  refused: 'refused by the gateway: see the error that the agent shows',
};

export class Totals {
  requests = 0;
  /** Requests that the provider answered with an error. */
  rejected = 0;
  tokensBefore = 0;
  tokensAfter = 0;
  cachedBefore = 0;
  cachedAfter = 0;
  /** What providers report; agents' own figures are the same. */
  input = 0;
  cached = 0;
  dollarsBefore = 0;
  dollarsAfter = 0;
  /** Requests that count in none of the sums, by the reason. */
  readonly #unpacked = new Map<Reason, number>();

  addUnpacked(why: Reason): void {
    this.#unpacked.set(why, (this.#unpacked.get(why) ?? 0) + 1);
  }

  add({ isCount, status, usage, ...sizes }: GatewayReport): void {
    if (isCount) return this.addUnpacked('count');
    this.requests += 1;
    if (status >= 400) {
      this.rejected += 1;
      return;
    }
    this.tokensBefore += sizes.tokensBefore;
    this.tokensAfter += sizes.tokensAfter;
    this.cachedBefore += sizes.cachedBefore;
    this.cachedAfter += sizes.cachedAfter;
    this.dollarsBefore += sizes.dollarsBefore;
    this.dollarsAfter += sizes.dollarsAfter;
    this.input += usage?.input ?? 0;
    this.cached += usage?.cached ?? 0;
  }

  /** All figures, for `--json`. */
  figures(): Readonly<Record<string, number>> {
    const { requests, rejected, tokensBefore, tokensAfter, cachedBefore, cachedAfter, dollarsBefore, dollarsAfter } =
      this;
    return {
      requests,
      rejected,
      unpacked: this.#count(...this.#unpacked.keys()),
      tokensBefore,
      tokensAfter,
      dollarsBefore,
      dollarsAfter,
      cachedShareBefore: share(cachedBefore, tokensBefore),
      cachedShareAfter: share(cachedAfter, tokensAfter),
      reportedInput: this.input,
      reportedCached: this.cached,
    };
  }

  #count(...reasons: readonly Reason[]): number {
    return reasons.reduce((sum, why) => sum + (this.#unpacked.get(why) ?? 0), 0);
  }

  /** Requests that count in none of the sums, with the reasons; none if there are none. */
  #others(...reasons: readonly Reason[]): readonly string[] {
    const found = reasons.filter((why) => this.#unpacked.has(why));
    if (found.length === 0) return [];
    return [`${counted(this.#count(...found))} not packed (${found.map((why) => REASONS[why]).join('; ')})`];
  }

  /** The closing line. `bypassed`: why no request came, if that is known. */
  line(isObserving = false, bypassed: readonly string[] = []): string {
    const all = Object.keys(REASONS) as Reason[];
    if (this.requests === 0 && this.#count(...all) > 0) {
      return `densify: ${[...this.#others(...all), ...bypassed].join('; ')}`;
    }
    if (this.requests === 0) {
      const why =
        bypassed.length > 0
          ? `: ${bypassed.join('; ')}`
          : ': it called no model, or its settings name another base URL';
      return `densify: no request went through the gateway${why}`;
    }
    // What is for no model is none of its business.
    const others = this.#others('compressed', 'large');
    if (this.rejected === this.requests) {
      return `densify: ${[counted(this.requests), ...others].join(', ')}, and none succeeded`;
    }
    const { tokensBefore, tokensAfter, cachedBefore, cachedAfter } = this;
    const saved = tokensBefore === 0 ? 0 : 1 - tokensAfter / tokensBefore;
    const dollars = [this.dollarsAfter, this.dollarsBefore];
    const [own, without] = dollars.map((amount) => `$${amount.toFixed(2)}`);
    const verb = isObserving ? 'would send' : 'sent';
    const failed = this.rejected === 0 ? [] : [`${this.rejected} of them failed`];
    return [
      `densify: ${counted(this.requests)}`,
      ...failed,
      ...others,
      `${verb} ${thousands(tokensAfter)} of ${thousands(tokensBefore)} tokens (-${percent(saved)})`,
      `input about ${own} instead of ${without}`,
      `${percent(share(cachedAfter, tokensAfter))} from the cache instead of ${percent(share(cachedBefore, tokensBefore))}`,
    ].join(', ');
  }
}

const counted = (requests: number): string => (requests === 1 ? '1 request' : `${requests} requests`);

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function percent(part: number): string {
  return `${Math.round(part * 100)}%`;
}

function thousands(tokens: number): string {
  return tokens < 10_000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}
