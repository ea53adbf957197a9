/** `node --test`: the rescan, the benchmark's baseline, gives exactly what the vectors expect. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { historyOf, session } from './histories.mjs';
import { OpenCalls } from './pairing.mjs';
import { rescanOptimize } from './rescan.mjs';

const VECTOR_FILES = ['../../tests/vectors/optimize.json', '../../../shared/vectors/optimize.json'].map(
  (path) => new URL(path, import.meta.url),
);
/** @param {string} text */
const countTokens = (text) => Math.ceil(text.length / 4);

const folder = process.env.DENSIFY_VECTORS;
const vectors = folder ? join(folder, 'optimize.json') : VECTOR_FILES.find((candidate) => existsSync(candidate));
const skip = vectors ? false : 'no optimize.json: set DENSIFY_VECTORS to the folder of the vectors';

/**
 * The documents' form of a result. Their configuration is flat.
 * @param {readonly import('./model.mjs').Content[]} history
 * @param {NonNullable<import('./model.mjs').Options['rules']> & { workspaceRoot?: string }} config
 */
function proposeDensity(history, { workspaceRoot = '/', ...rules }) {
  const { edits, metadata } = rescanOptimize(history, { rules, workspaceRoot });
  const sorted = edits.toSorted((a, b) => a.index - b.index);
  const removals = sorted.filter(({ content }) => content === null).map(({ index }) => index);
  const replacements = sorted.filter(({ content }) => content !== null).map(({ index, content }) => [index, content]);
  return { removals, replacements, metadata };
}

test('the rescan proposes exactly what the vectors expect', { skip }, () => {
  const cases = JSON.parse(readFileSync(vectors ?? '', 'utf8'));
  assert.equal(cases.length, 200);
  for (const [number, { history, config, expected }] of cases.entries()) {
    assert.deepEqual(proposeDensity(history, config), expected, `vector ${number}`);
  }
});

test('the rescan is pure, shares what it does not touch, and changes nothing twice', () => {
  const history = historyOf({ entries: 400, seed: 5 });
  const before = structuredClone(history);
  const once = rescanOptimize(history, { rules: { recencyPruning: true }, countTokens });
  assert.deepEqual(history, before);
  assert.ok(once.changed);
  assert.ok(once.tokensAfter < once.tokensBefore);
  const touched = new Set(once.edits.map(({ index }) => index));
  const untouched = history.filter((_, index) => !touched.has(index));
  assert.deepEqual(
    once.messages.filter((message) => history.includes(message)),
    untouched,
  );
  const twice = rescanOptimize(once.messages, { rules: { recencyPruning: true }, countTokens });
  assert.equal(twice.messages, once.messages);
  assert.equal(twice.tokensBefore, once.tokensAfter);
});

test('a response answers the first open call in the newest entry that has one', () => {
  /** @type {OpenCalls<any>} */
  const open = new OpenCalls();
  const [early, first, second] = [1, 2, 2].map((callEntry) => ({ callEntry, older: undefined }));
  for (const call of [early, first, second]) open.open('same', call);
  open.open(undefined, { callEntry: 3, older: undefined });
  const answered = Array.from({ length: 4 }, () => open.answer('same'));
  assert.deepEqual(
    answered.map((call) => [early, first, second].indexOf(call)),
    [1, 2, 0, -1],
  );
  assert.equal(open.answer(undefined), undefined);
});

test('sessions are deterministic, have the promised sizes, and use every rule', () => {
  const turns = session({ turns: 300, seed: 9 });
  assert.deepEqual(turns, session({ turns: 300, seed: 9 }));
  for (const entries of turns) assert.ok(entries.length >= 2 && entries.length <= 6, `${entries.length} entries`);
  for (const entries of [100, 1_000, 10_000]) assert.equal(historyOf({ entries, seed: 3 }).length, entries);
  const { metadata } = rescanOptimize(turns.flat(), { rules: { recencyPruning: true }, workspaceRoot: '/workspace' });
  for (const count of Object.values(metadata)) assert.ok(count > 20, JSON.stringify(metadata));
});
