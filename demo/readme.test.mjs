// node --test demo/readme.test.mjs: the README's table holds the figures that the demo measures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { bundledSources } from './load.mjs';
import { savingsOf } from './savings.mjs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { requests, rows } = await savingsOf(bundledSources().map(({ load }) => load()));

for (const [name, , , share] of rows) {
  test(`README.md: ${name}`, () => {
    const row = readme.split('\n').find((line) => line.startsWith(`| ${name} |`));
    assert.equal(row, `| ${name} | 100% | ${share} |`, 'a rule changed the figures: copy this row into README.md');
  });
}

test('README.md: the number of conversations and calls', () => {
  assert.equal(bundledSources().length, 4);
  assert.match(readme, new RegExp(`Four bundled conversations, ${requests} model calls, default settings`));
});
