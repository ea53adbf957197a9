/** Token bounds cross to the core as one number. */
import type { TokenBounds } from '../types.js';

/** The exclusive limit of lower bounds in that number. */
const LOWER = 2 ** 21;

/** Bounds as one number; NaN if they are invalid. */
export function packBounds({ lower, upper }: TokenBounds): number {
  const isSound = Number.isInteger(lower) && Number.isInteger(upper) && 0 <= lower && lower <= upper && upper < 2 ** 32;
  return isSound ? upper * LOWER + Math.min(lower, LOWER - 1) : NaN;
}

/** The bounds in a number. */
export function unpackBounds(packed: number): TokenBounds {
  return { lower: packed % LOWER, upper: Math.floor(packed / LOWER) };
}
