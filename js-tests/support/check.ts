// How properties are run, and what they compare with.
import fc from 'fast-check';

/** So many times the usual number of cases. */
const TIMES = Number(process.env.DENSIFY_RUNS ?? 1);
const SEED = process.env.DENSIFY_SEED;

/**
 * Checks a property on so many cases, or on DENSIFY_RUNS times as many. The seed is new in each run
 * (or DENSIFY_SEED) and fast-check prints it with the path of a failure.
 */
export function check<Ts extends [unknown, ...unknown[]]>(runs: number, property: fc.IProperty<Ts>): void {
  const seed = SEED === undefined ? {} : { seed: Number(SEED) };
  fc.assert(property, { numRuns: runs * TIMES, ...seed });
}
