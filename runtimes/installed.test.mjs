// A runtime that isn't installed is skipped with a message, and fails in CI.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing } from './support/programs.mjs';

/** What may be missing in CI, by name: DENSIFY_WITHOUT="Next.js, Bun". */
const allowed = (process.env.DENSIFY_WITHOUT ?? '').split(',').map((name) => name.trim());

test('every runtime is there', (t) => {
  const names = missing();
  for (const name of names) {
    t.diagnostic(`NOT TESTED: ${name}, which isn't installed here`);
    console.error(`runtimes: NOT TESTED: ${name}, which isn't installed here`);
  }
  if (process.env.CI)
    assert.deepEqual(
      names.filter((name) => !allowed.includes(name)),
      [],
    );
});
