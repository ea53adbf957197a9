// Run before each file of tests: DENSIFY_SEED makes the random cases the same in every run. Without it they are
// new each time; fast-check prints the seed of a failure.
import fc from 'fast-check';

const seed = process.env.DENSIFY_SEED;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
