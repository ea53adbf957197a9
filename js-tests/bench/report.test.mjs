/** `node --test`: what a report says beside its table follows from its rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment, markdown } from './report.mjs';

/** @param {string} name @param {number} value @param {import('./cases.mjs').Bar} [bar] @returns {import('./cases.mjs').Row} */
const row = (name, value, bar) => ({ case: 'real', name, value, unit: 'x', bar, detail: '' });

test('the limit of real sessions is told by the rows', () => {
  const rows = [
    row('rescan, recounting by a : each block counted once, nothing else (recency pruning on)', 72.44),
    row('handle : each block counted once, nothing else (recency pruning on)', 1.21),
    row('rescan, recounting by a : each block counted once, nothing else (recency pruning off)', 19.36),
  ];
  const text = markdown(rows, {}, [], []);
  assert.match(text, /72\.4 \(recency pruning on\) and 19\.4 \(recency pruning off\) times as fast as the rescan/);
  assert.match(text, /The handle takes 1\.2 \(recency pruning on\) times as long/);
  assert.match(markdown([], {}, [], []), /no rows of it/);
});

test('the prose behind the table has no measured figures of its own', () => {
  const prose = markdown([], {}, [], []).split('## Where the limits are')[1] ?? '';
  assert.doesNotMatch(prose, /\d+(\.\d+)? (times|%|GB|MB|ms)/);
});

test('what was left out stands there with its command', () => {
  assert.match(markdown([], {}, [], ['Chromium: `make bench`']), /Not in this report:\n\n- Chromium: `make bench`\n/);
  assert.doesNotMatch(markdown([], {}, [], []), /Not in this report/);
});

test('a bar is written as it is meant', () => {
  assert.match(markdown([row('a', 3, { most: 1.2 * 3 })], {}, [], []), /\| ≤ 3\.6 \|/);
});

test('a report says which versions of the peers it measured', () => {
  const { peers } = environment({ quick: true, seconds: 1 });
  assert.match(String(peers), /\btiktoken \d+\.\d+\.\d+.*\blangchain \d/);
});
