/** Factor for the number of random cases. Above 1, tests that take seconds a log read all real logs instead of some. */
export const TIMES = Number(process.env.DENSIFY_RUNS ?? 1);
