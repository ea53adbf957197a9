import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grown, table } from './sizes.mjs';

const figures = [
  { name: 'a', bytes: 1021, most: 2000 },
  { name: 'b', bytes: 1019, most: 1000 },
  { name: 'new', bytes: 5 },
];
const noted = { release: { a: 900 }, today: { a: 1000, b: 1000 } };

test('what has grown by more than 2% since it was noted is named', () => {
  assert.deepEqual(
    grown(figures, noted).map(({ name }) => name),
    ['a'],
  );
});

test('the table has the last release, the noted figure and the bar of each', () => {
  assert.deepEqual(table(figures, noted).trim().split('\n').slice(2), [
    '| a | 0.9 kB | 1.0 kB | 1.0 kB | 2.0 kB | ✓ |',
    '| b |  | 1.0 kB | 1.0 kB | 1.0 kB | ✗ |',
    '| new |  |  | 0.0 kB |  |  |',
  ]);
});
