import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.ts'],
    setupFiles: ['support/seed.ts'],
    // The default leaves a core to itself: half of the machine, where there are two.
    maxWorkers: '100%',
    // Time is measured by the benchmarks; a busy machine must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    typecheck: {
      enabled: true,
      include: ['*.test-d.ts'],
      // Every test file must compile, not only those that test types.
      ignoreSourceErrors: false,
    },
  },
});
