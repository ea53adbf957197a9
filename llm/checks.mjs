// What must be true of every history that a summary was made for, computed from the histories alone.

import assert from 'node:assert/strict';
import { keptPairs } from '../demo/checks.mjs';

/** Lines that densify writes into a summary, at most once each. */
const FIXED_LINES = [
  'Full pre-compression transcript available at: ',
  '[Pinned, verbatim]',
  '[Standing instructions of the user, verbatim]',
  '<read-files>',
  '</read-files>',
  '<modified-files>',
  '</modified-files>',
];

/** Every string in a value, in order. */
export function stringsOf(value) {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

const textOf = (content) => content.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
const isSummary = (content) => content.metadata?.isSummary === true;

/** The same messages, each the same object. */
export function assertSame(messages, before, what) {
  assert.equal(messages.length, before.length, `${what}: as many messages as before`);
  messages.forEach((message, at) => {
    if (message !== before[at]) assert.fail(`${what}: message ${at} is another one`);
  });
}

/**
 * A summary took the place of some messages: `after` is a beginning of `before`, one or two new messages, at most
 * one request that was moved behind them, and an end of `before`.
 */
export function assertApplied(before, after, { strategy, pins = [], note }) {
  const old = new Map(before.map((message, at) => [message, at]));
  const fresh = after.filter((message) => !old.has(message));
  const first = after.indexOf(fresh[0]);
  assert.equal(fresh.length, strategy === 'structured' ? 1 : 2, 'new messages: the summary and its acknowledgement');
  assert.deepEqual(after.slice(first, first + fresh.length), fresh, 'the new messages stand together');
  assert.deepEqual(
    fresh.map(({ speaker }) => speaker),
    ['human', 'ai'].slice(0, fresh.length),
  );
  const top = after.slice(0, first).map((message) => old.get(message));
  const rest = after.slice(first + fresh.length).map((message) => old.get(message));
  // An earlier summary that stood at the top is part of the new one.
  const start = before.slice(0, top.length + 1).filter((message) => !isSummary(message) || after.includes(message));
  assertSame(after.slice(0, first), start.slice(0, top.length), 'the top');
  const moved = rest.filter((at, index) => at !== before.length - rest.length + index);
  assert.ok(moved.length <= 1, `the tail is an end of the history, behind at most one moved request: ${rest}`);
  for (const at of moved) assert.equal(before[at].speaker, 'human', 'only a request is moved');
  assert.deepEqual(
    [...top, ...rest],
    [...new Set([...top, ...rest])].sort((a, b) => a - b),
    'in order, exactly once',
  );
  assertWhole(before, after);
  assertSummaries(after, { pins, note });
  return textOf(fresh[0]);
}

/** Calls and responses stayed together. */
export function assertWhole(before, after) {
  assert.equal(keptPairs(before, after).torn, 0, 'no pair is torn');
}

/** One summary; each of our lines in it once; pinned texts in it to the letter. */
export function assertSummaries(messages, { pins = [], note } = {}) {
  const summaries = messages.filter(isSummary);
  assert.ok(summaries.length <= 1, `one summary, not ${summaries.length}`);
  for (const text of summaries.map(textOf)) {
    const lines = text.split('\n');
    for (const fixed of FIXED_LINES) {
      const count = lines.filter((line) => line.startsWith(fixed)).length;
      assert.ok(count <= 1, `${count} times in a summary: ${fixed}\n${text}`);
    }
    for (const pin of pins) assert.ok(text.includes(pin), `the pin is in the summary: ${pin}\n${text}`);
    if (note) assert.ok(text.includes(note), 'the path of the transcript is in the summary');
  }
}

/** Words of the user that must be there for good, in a request or in a summary. */
export function assertStanding(messages, words) {
  const texts = messages.flatMap(stringsOf);
  for (const word of words)
    assert.ok(
      texts.some((text) => text.includes(word)),
      `the user's words are kept: ${word}`,
    );
}
