// How properties are run, and what they compare with.
import fc from 'fast-check';

/** So many times the usual number of cases. */
const TIMES = Number(process.env.DENSIFY_RUNS ?? 1);

/** Checks a property on so many cases, or on DENSIFY_RUNS times as many; `seed.ts` says which. */
export function check<Ts extends [unknown, ...unknown[]]>(runs: number, property: fc.IProperty<Ts>): void {
  fc.assert(property, { numRuns: runs * TIMES });
}

/** The same for properties that wait. */
export async function checkAsync<Ts extends [unknown, ...unknown[]]>(
  runs: number,
  property: fc.IAsyncProperty<Ts>,
): Promise<void> {
  await fc.assert(property, { numRuns: runs * TIMES });
}
