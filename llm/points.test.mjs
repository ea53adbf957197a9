import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTouched, maskedTo, sampleOf, shuffled, withInterval } from './points.mjs';

const call = (id, parameters) => ({ speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read', parameters }] });
const result = (callId, text) => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'read', result: text }],
});
const human = (text) => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
/** Characters are tokens here. */
const measure = (messages) => messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);

const long = (name) => `${name}Value = 1;\n`.repeat(20);
const log = [
  human('Go.'),
  call('1', { path: 'a' }),
  result('1', long('first')),
  call('2', { path: 'b' }),
  result('2', long('second')),
  call('3', { text: 'secondValue' }),
];

test('a masked history is as large as its target, old results first', () => {
  const whole = measure(log);
  for (const target of [whole, whole - 1, whole - 50, whole - 150, whole - 350]) {
    const masked = maskedTo(log, target, measure);
    assert.ok(measure(masked) <= target, `${target}`);
    assert.ok(measure(masked) > target - 40, `${target}: ${measure(masked)}`);
  }
  const [, , first, , second] = maskedTo(log, whole - 100, measure);
  assert.match(first.blocks[0].result, /^firstValue[\s\S]*omitted\]$/);
  assert.equal(second.blocks[0].result, long('second'));
  assert.equal(log[2].blocks[0].result, long('first'));
});

test('a point is a call with a name that a policy removed', () => {
  const [before, call] = [log.slice(0, 5), log[5].blocks[0]];
  assert.ok(isTouched(call, before, [before, before.slice(0, 4)]));
  assert.ok(!isTouched(call, before, [before, before.filter((_, at) => at !== 2)]));
  assert.ok(!isTouched({ parameters: { text: 'neverThere' } }, before, [[], []]));
  const cut = (block) => (block.type === 'tool_response' ? { ...block, result: `${'x'.repeat(60)}` } : block);
  const pack = (messages) => messages.map((message) => ({ ...message, blocks: message.blocks.map(cut) }));
  const options = { windows: [300, 10_000, 20_000], leastSaving: 0.1, measure, pack };
  const pointsOf = (contents, more) => sampleOf([{ session: 's', contents }], { ...more, points: 9, perSession: 9 });
  const [point, ...others] = pointsOf(log, options);
  assert.deepEqual([point.session, point.from, point.at, others.length], ['s', 0, 5, 0]);
  assert.ok(measure(point.masked) <= measure(point.packed));
  assert.deepEqual(pointsOf(log, { ...options, pack: (messages) => messages }), []);
  // A slice that begins with a result would have no call for it.
  const narrow = pointsOf(log, { ...options, windows: [measure(log.slice(2, 5))] });
  assert.ok(narrow.every(({ full }) => full[0].speaker !== 'tool'));
});

test('a sample has at most so many points of a session, and ends once it has enough', () => {
  const pack = (messages) =>
    messages.map((message) => (message.speaker === 'tool' ? result('1', 'x'.repeat(60)) : message));
  const contents = [...log, result('3', 'ok'), call('4', { text: 'firstValue' })];
  const logs = Array.from({ length: 5 }, (_, at) => ({ session: `s${at}`, contents }));
  const options = { windows: [10_000], leastSaving: 0.1, measure, pack };
  const counts = (points, perSession) => sampleOf(logs, { ...options, points, perSession }).length;
  assert.deepEqual([counts(99, 9), counts(99, 1), counts(3, 9)], [10, 5, 3]);
});

test('an interval is wider if points of a session are alike', () => {
  const random = [0, 1, 0, 1, 1, 0, 1, 0];
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const apart = withInterval(
    random.map((value) => [value]),
    mean,
  );
  const alike = withInterval(
    [
      [0, 0, 0, 0],
      [1, 1, 1, 1],
    ],
    mean,
  );
  assert.equal(apart.value, 0.5);
  assert.equal(alike.value, 0.5);
  assert.ok(alike.high - alike.low > apart.high - apart.low);
  assert.deepEqual(withInterval([[1], [0]], mean), withInterval([[1], [0]], mean));
});

test('an order of its own holds the same things', () => {
  const all = Array.from({ length: 50 }, (_, at) => at);
  assert.notDeepEqual(shuffled(all), all);
  assert.deepEqual(shuffled(all), shuffled(all));
  assert.deepEqual(
    shuffled(all).toSorted((a, b) => a - b),
    all,
  );
});
