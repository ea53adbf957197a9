// node --test demo/rules.test.mjs: what the demo says of each rule, held against the result's own edits.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { findCuts, RULES } from './cuts.mjs';
import { excerpt } from './excerpt.mjs';
import { bundledSources, importPackage } from './load.mjs';
import { runAll } from './run.mjs';

const densify = await importPackage();

test('every rule has a name of its own', () => {
  const types = readFileSync(new URL('../pkg-template/src/generated/protocol.d.ts', import.meta.url), 'utf8');
  const [, union] = /export type Rule =([^;]+);/.exec(types);
  const names = union.match(/[\w-]+/g);
  assert.deepEqual(Object.keys(RULES).sort(), names.sort());
  assert.equal(new Set(Object.values(RULES)).size, names.length);
});

for (const { name, load } of bundledSources()) {
  const conversation = load();
  const { runs } = runAll(densify, conversation);
  for (const run of runs) {
    test(`${name}: ${run.strategy.name}`, () => {
      const edits = {};
      for (const { rule, pending } of run.result.edits) if (!pending) edits[rule] = (edits[rule] ?? 0) + 1;
      const told = Object.fromEntries(Object.entries(run.rules).map(([rule, tally]) => [rule, tally.edits]));
      assert.deepEqual(told, edits);
      const tallies = Object.values(run.rules);
      const saved = tallies.reduce((sum, tally) => sum + tally.saved, 0);
      assert.equal(saved, run.tokensBefore - run.tokensAfter);
      assert.ok(tallies.every((tally) => tally.edits > 0 && tally.saved > 0));
      assert.ok(run.isTold);
      for (const rule of new Set(run.cuts.flatMap(({ blocks }) => blocks.map((block) => block.rule)))) {
        const others = new Set(Object.keys(RULES).filter((other) => other !== rule));
        const { title, rows } = excerpt(conversation.contents, run, others);
        assert.ok(title.length > 0 && rows.some(({ sign }) => sign === '-'));
      }
    });
  }
}

test('edits that do not lead to the result are told', () => {
  const [{ load }] = bundledSources();
  const { contents } = load();
  const result = densify.optimize(contents);
  const made = result.edits.filter(({ pending }) => !pending);
  assert.ok(findCuts(densify, contents, result).isTold);
  assert.ok(!findCuts(densify, contents, { ...result, edits: made.slice(1) }).isTold);
});
