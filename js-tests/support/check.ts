// Runs properties.
import fc from 'fast-check';
import { TIMES } from './times.js';

/** Checks a property on `runs` cases, or on DENSIFY_RUNS times as many. `seed.ts` sets the seed. */
export function check<Ts extends [unknown, ...unknown[]]>(runs: number, property: fc.IProperty<Ts>): void {
  fc.assert(property, { numRuns: runs * TIMES });
}

/** The same for asynchronous properties. */
export async function checkAsync<Ts extends [unknown, ...unknown[]]>(
  runs: number,
  property: fc.IAsyncProperty<Ts>,
): Promise<void> {
  await fc.assert(property, { numRuns: runs * TIMES });
}
