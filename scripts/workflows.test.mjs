import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingCommands } from './workflows.mjs';

test('commands that the repository lacks are found', () => {
  const text =
    '      - run: make test\n      - run: make tost\n        run: bash scripts/gone.sh && node head/scripts/here.mjs\n';
  const known = { targets: new Set(['test']), exists: (path) => path === 'scripts/here.mjs' };
  assert.deepEqual(missingCommands(text, known), ['make tost', 'scripts/gone.sh']);
});
