import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOALS, surface } from './surface.mjs';

test('the surface keeps within its goals', () => {
  const { counts, names } = surface();
  assert.ok(names.values.includes('optimize') && names.types.includes('OptimizeOptions'));
  for (const what of ['values at the root', 'exported type names', 'keys of optimize', 'keys of a conversation'])
    assert.ok(counts[what] <= GOALS[what], `${what}: ${counts[what]}, at most ${GOALS[what]}`);
});
