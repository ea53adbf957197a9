import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from './size-table.mjs';

test('the table has what changed, came and went, and always the tarball', () => {
  const base = new Map([
    ['core.wasm', 1000],
    ['index.js', 500],
    ['old.js', 70],
    ['tarball', 9000],
  ]);
  const head = new Map([
    ['core.wasm', 1100],
    ['index.js', 500],
    ['new.js', 80],
    ['tarball', 9000],
  ]);
  const rows = table(base, head).trim().split('\n').slice(2);
  assert.deepEqual(rows, [
    '| core.wasm | 1.0 kB | 1.1 kB | +10.0% |',
    '| new.js | none | 0.1 kB |  |',
    '| old.js | 0.1 kB | none |  |',
    '| tarball | 9.0 kB | 9.0 kB | +0.0% |',
  ]);
});
