/** Sums up the requests of a run. */
import type { GatewayReport } from '../gateway/options.js';

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

  add({ isCount, status, usage, ...sizes }: GatewayReport): void {
    if (isCount) return;
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

  /** The closing line. `bypassed`: why no request came, if that is known. */
  line(isObserving = false, bypassed: readonly string[] = []): string {
    if (this.requests === 0) {
      const why =
        bypassed.length > 0
          ? `: ${bypassed.join('; ')}`
          : ': it called no model, or its settings name another base URL';
      return `densify: no request went through the gateway${why}`;
    }
    if (this.rejected === this.requests) return `densify: ${counted(this.requests)}, and none succeeded`;
    const { tokensBefore, tokensAfter, cachedBefore, cachedAfter } = this;
    const saved = tokensBefore === 0 ? 0 : 1 - tokensAfter / tokensBefore;
    const dollars = [this.dollarsAfter, this.dollarsBefore];
    const [own, without] = dollars.map((amount) => `$${amount.toFixed(2)}`);
    const verb = isObserving ? 'would send' : 'sent';
    const failed = this.rejected === 0 ? [] : [`${this.rejected} of them failed`];
    return [
      `densify: ${counted(this.requests)}`,
      ...failed,
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
