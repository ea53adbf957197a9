import type { IContent } from '../base/content.js';
import { neutralAs } from '../messages/neutral.js';
import { isSameJson } from '../messages/same.js';
import { estimateIn } from '../optimizer/functions.js';
import { sharedEngine } from '../optimizer/shared-engine.js';
import { read } from './odd.js';

/** Tokens of messages; each is counted once. */
export class Scale {
  readonly #tokens = new WeakMap<object, number>();

  of(message: IContent): number {
    let tokens = this.#tokens.get(message);
    if (tokens === undefined) {
      tokens = estimateIn(sharedEngine(), neutralAs<IContent>(), [message], {});
      this.#tokens.set(message, tokens);
    }
    return tokens;
  }
}

/** What requests cost, one after the other. */
export class Meter {
  readonly #scale: Scale;
  /** The request before, and the tokens up to each of its messages. */
  #before: IContent[] = [];
  #upTo: number[] = [0];
  tokens = 0;
  largest = 0;
  cachedTokens = 0;
  prefixBreaks = 0;

  constructor(scale: Scale) {
    this.#scale = scale;
  }

  /** Its tokens, and whether it is no continuation of the one before. A cold cache holds nothing of it. */
  request(messages: readonly IContent[], isCold: boolean): { readonly tokens: number; readonly isBroken: boolean } {
    let same = 0;
    while (same < this.#before.length && isSame(messages[same], this.#before[same])) same += 1;
    const isBroken = same < this.#before.length;
    if (isBroken) this.prefixBreaks += 1;
    const cached = isCold ? 0 : this.#upTo[same]!;
    this.#before.length = same;
    this.#upTo.length = same + 1;
    for (let at = same; at < messages.length; at += 1) {
      this.#before.push(messages[at]!);
      this.#upTo.push(this.#upTo[at]! + this.#scale.of(messages[at]!));
    }
    const tokens = this.#upTo.at(-1)!;
    this.tokens += tokens;
    this.largest = Math.max(this.largest, tokens);
    this.cachedTokens += cached;
    return { tokens, isBroken };
  }
}

/** Whether the same is sent, however many objects say it; what only the host sees of an entry isn't sent. */
function isSame(one: IContent | undefined, other: IContent | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined || read(one, 'speaker') !== read(other, 'speaker')) return false;
  return isSameJson(read(one, 'blocks'), read(other, 'blocks'));
}
