import type { IContent } from '../base/content.js';
import { neutralAs } from '../messages/neutral.js';
import { isSameJson } from '../messages/same.js';
import { estimateIn } from '../optimizer/functions.js';
import { conversationEngine } from '../summary/engine.js';
import { read } from './odd.js';

/** Tokens of messages; each is counted once. */
export class Scale {
  readonly #tokens = new WeakMap<object, number>();

  of(message: IContent): number {
    let tokens = this.#tokens.get(message);
    if (tokens === undefined) {
      tokens = estimateIn(conversationEngine(), neutralAs<IContent>(), [message], {});
      this.#tokens.set(message, tokens);
    }
    return tokens;
  }
}

/** What requests cost, one after the other. */
export class Meter {
  readonly #scale: Scale;
  readonly #lookback: number;
  /** The request before, and the tokens and blocks up to each of its messages. */
  #before: IContent[] = [];
  #upTo: number[] = [0];
  #blocksUpTo: number[] = [0];
  /** The prefixes that the cache holds, by their messages: it writes one at each breakpoint. */
  #written: number[] = [];
  tokens = 0;
  largest = 0;
  cachedTokens = 0;
  prefixBreaks = 0;

  /** `lookback`: so many blocks before a breakpoint the provider looks for a prefix that it holds. */
  constructor(scale: Scale, lookback = Infinity) {
    this.#scale = scale;
    this.#lookback = lookback;
  }

  /**
   * Its tokens, and whether it is no continuation of the one before. A cold cache holds nothing of it. The host sets a
   * breakpoint at its end, and one behind the first `anchor` messages.
   */
  request(
    messages: readonly IContent[],
    isCold: boolean,
    anchor = 0,
  ): { readonly tokens: number; readonly isBroken: boolean } {
    let same = 0;
    while (same < this.#before.length && isSame(messages[same], this.#before[same])) same += 1;
    const isBroken = same < this.#before.length;
    if (isBroken) this.prefixBreaks += 1;
    this.#before.length = same;
    this.#upTo.length = same + 1;
    this.#blocksUpTo.length = same + 1;
    for (let at = same; at < messages.length; at += 1) {
      this.#before.push(messages[at]!);
      this.#upTo.push(this.#upTo[at]! + this.#scale.of(messages[at]!));
      this.#blocksUpTo.push(this.#blocksUpTo[at]! + sizeOf(messages[at]!));
    }
    const tokens = this.#upTo.at(-1)!;
    this.tokens += tokens;
    this.largest = Math.max(this.largest, tokens);
    this.cachedTokens += this.#upTo[this.#found(isCold ? 0 : same, anchor)]!;
    return { tokens, isBroken };
  }

  /** The messages that the cache holds, of those that are the same as before. */
  #found(same: number, anchor: number): number {
    if (this.#lookback === Infinity) return same;
    const second = Number.isInteger(anchor) && anchor > 0 ? Math.min(anchor, this.#before.length) : 0;
    const breakpoints = [this.#before.length, second];
    const blocks = (messages: number): number => this.#blocksUpTo[messages]!;
    this.#written = this.#written.filter((end) => end <= same);
    const near = this.#written.filter((end) =>
      breakpoints.some((at) => end <= at && blocks(at) - blocks(end) <= this.#lookback),
    );
    for (const end of breakpoints) if (!this.#written.includes(end)) this.#written.push(end);
    return Math.max(0, ...near);
  }
}

/** The blocks of a message, as a provider counts them. */
function sizeOf(message: IContent): number {
  const blocks = read(message, 'blocks');
  return Array.isArray(blocks) ? blocks.length : 0;
}

/** Whether the same is sent, however many objects say it; what only the host sees of an entry isn't sent. */
function isSame(one: IContent | undefined, other: IContent | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || read(one, 'speaker') !== read(other, 'speaker')) return false;
  return isSameJson(read(one, 'blocks'), read(other, 'blocks'));
}
