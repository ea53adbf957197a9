/** A share, with an interval that holds the true one 95 times in 100. */
export interface Estimate {
  readonly value: number;
  /** Absent for a single session: it shows nothing about others. */
  readonly low?: number;
  /** Absent for a single session. */
  readonly high?: number;
  /** The number of pairs. */
  readonly pairs: number;
}

const ROUNDS = 2_000;
/** The square of 1.96, the normal distribution's 95% quantile. */
const Z2 = 3.84;

/**
 * A mean over pairs with its bootstrap interval. Whole sessions are drawn again, with repeats: pairs of one session are alike,
 * so that single pairs would make the interval too narrow. Always the same for the same pairs. `least` is the least value of a pair.
 */
export function meanBySession(sessions: readonly (readonly number[])[], least: 0 | -1 = 0): Estimate | undefined {
  const groups = sessions
    .filter(({ length }) => length > 0)
    .map((values) => ({ sum: sumOf(values), size: values.length }));
  const pairs = sumOf(groups.map(({ size }) => size));
  if (pairs === 0) return undefined;
  const value = sumOf(groups.map(({ sum }) => sum)) / pairs;
  if (groups.length === 1) return { value, pairs };
  const all = sessions.flat();
  if (all.every((each) => each === all[0])) {
    // Drawing again would give an interval without width. Wilson's says how often the unseen may happen, in other sessions.
    const unseen = Z2 / (groups.length + Z2);
    return { value, low: Math.max(least, value - unseen), high: Math.min(1, value + unseen), pairs };
  }
  const random = seeded(20_261_123);
  const means = Array.from({ length: ROUNDS }, () => {
    let [sum, size] = [0, 0];
    for (let drawn = 0; drawn < groups.length; drawn += 1) {
      const group = groups[Math.floor(random() * groups.length)]!;
      sum += group.sum;
      size += group.size;
    }
    return sum / size;
  }).sort((one, other) => one - other);
  const at = (share: number) => means[Math.min(ROUNDS - 1, Math.floor(share * ROUNDS))]!;
  return { value, low: at(0.025), high: at(0.975), pairs };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Numbers from 0 up to 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
