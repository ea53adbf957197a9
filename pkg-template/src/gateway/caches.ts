/**
 * How much of each request the provider's prompt cache can hold: the beginning that it shares with the newest request
 * of its session which the provider took. These are figures for reports. Nothing is decided by them.
 */
import { CHARACTERS } from '../formats/request-cache.js';
import { Memo } from './memo.js';
import type { Outline, Sizes } from './pack.js';
import type { Parts } from './prefix.js';

interface Newest {
  raw: Parts;
  sent: Parts;
}

const NOTHING: Parts = { sizes: [], prints: [] };
/** Bytes of a part: two numbers. */
const PART = 16;

const tokens = (characters: number) => Math.round(characters / CHARACTERS);

export class Caches {
  readonly #newest = new Memo<Newest>();

  /** A request's sizes, if it was measured, and what to call when the provider takes it. A count fills no cache. */
  measured(
    outline: Outline | undefined,
    upstream: string,
    isCount: boolean,
  ): { readonly sizes: Sizes | undefined; readonly taken: () => void } {
    if (outline === undefined) return { sizes: undefined, taken: () => undefined };
    const { session, raw, sent } = outline;
    const bytes = PART * (raw.sizes.length + sent.sizes.length);
    const newest = this.#newest.get(`${upstream} ${session}`, bytes, () => ({ raw: NOTHING, sent: NOTHING }));
    const [before, after] = [compared(raw, newest.raw), compared(sent, newest.sent)];
    const sizes = {
      tokensBefore: tokens(before.size),
      tokensAfter: tokens(after.size),
      cachedBefore: tokens(before.cached),
      cachedAfter: tokens(after.cached),
    };
    const taken = () => {
      if (!isCount) [newest.raw, newest.sent] = [raw, sent];
    };
    return { sizes, taken };
  }
}

/** Characters of a request, and those of them that an earlier one begins with, too. */
function compared({ sizes, prints }: Parts, before: Parts): { readonly size: number; readonly cached: number } {
  let size = 0;
  let cached = 0;
  let isSame = true;
  sizes.forEach((own, at) => {
    isSame &&= before.prints[at] === prints[at];
    size += own;
    if (isSame) cached += own;
  });
  return { size, cached };
}
