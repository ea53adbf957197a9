import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GOALS, surface } from './surface.mjs';

test('the surface does not grow', () => {
  const { counts, names } = surface();
  assert.ok(names.values.includes('optimize') && names.types.includes('OptimizeOptions'));
  // `optimize` has one key more than its goal, and may not get further ones.
  const most = { ...GOALS, 'keys of optimize': 13 };
  for (const what of ['values at the root', 'exported type names', 'keys of optimize', 'keys of a conversation'])
    assert.ok(counts[what] <= most[what], `${what}: ${counts[what]}, at most ${most[what]}`);
});
