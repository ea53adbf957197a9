/** `node --test`: what a report says beside its table follows from its rows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { environment, markdown, withReport } from './report.mjs';

/** @param {string} name @param {number} value @param {import('./cases.mjs').Bar} [bar] @returns {import('./cases.mjs').Row} */
const row = (name, value, bar) => ({ case: 'real', name, value, unit: 'x', bar, detail: '' });

test('a new report leaves the sections of the page as they are', () => {
  const text = markdown([row('a', 3)], {}, [], []);
  const page = withReport(text, '# Benchmarks\n\nold\n\n## Where the limits are\n\nA floor.\n');
  assert.match(page, /\| real \| a \|/);
  assert.doesNotMatch(page, /old/);
  assert.ok(page.endsWith('|\n\n## Where the limits are\n\nA floor.\n'));
  assert.equal(withReport(text, ''), text);
});

test('what the page says of limits has no measured figures of its own', () => {
  const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
  const [, limits = ''] = page.split('## Where the limits are');
  const [prose = ''] = limits.split('\n## ');
  assert.match(prose, /A floor is/);
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
