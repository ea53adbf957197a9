import type { Ask, Reply } from './endpoints/endpoint.js';

/** Dollars for a million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
}

/** Tokens that a provider may add to a request: its own instructions for tools, signs between messages. */
const ADDED = 1_000;
const ADDED_PER_TURN = 10;

/**
 * Keeps a run below its limit. Each question first reserves its highest price. When the reply reports its tokens, the rest is
 * free again. So the limit holds with many questions under way, and with an endpoint that reports no tokens.
 */
export class Purse {
  readonly #rates: Rates;
  readonly #limit: number;
  #spent = 0;
  #reserved = 0;
  /** How much more than a request of ours can cost an endpoint billed, as gateways with instructions of their own do. */
  #overrun = { dollars: 0, factor: 1 };

  constructor(rates: Rates, limit: number, spentBefore: number) {
    this.#rates = rates;
    this.#limit = limit;
    this.#spent = spentBefore;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Takes money aside; `false` if the limit doesn't allow it. */
  reserve(dollars: number): boolean {
    if (this.#spent + this.#reserved + dollars > this.#limit) return false;
    this.#reserved += dollars;
    return true;
  }

  /** Ends a reservation with what was paid. */
  pay(reserved: number, dollars: number): void {
    this.#reserved -= reserved;
    this.#spent += dollars;
  }

  /** What tokens cost. */
  price({ input, output }: NonNullable<Reply['usage']>): number {
    return (input * this.#rates.input + output * this.#rates.output) / 1e6;
  }

  /** The most that a request can cost: a token has at least one byte. */
  most(body: string, { turns }: Ask, maxTokens: number): number {
    const bytes = new TextEncoder().encode(body).length;
    const most = this.price({ input: bytes + ADDED + ADDED_PER_TURN * turns.length, output: maxTokens });
    return Math.max(most + this.#overrun.dollars, most * this.#overrun.factor);
  }

  /** What an endpoint billed for a request. If that is more than the most, all further requests may be billed as much more. */
  billed(usage: NonNullable<Reply['usage']>, most: number): number {
    const dollars = this.price(usage);
    if (dollars > most && most > 0) {
      const { dollars: before, factor } = this.#overrun;
      this.#overrun = { dollars: before + dollars - most, factor: (factor * dollars) / most };
    }
    return dollars;
  }
}
