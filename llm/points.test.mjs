import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calling,
  droppedTo,
  excerpted,
  excerptOf,
  lostOf,
  maskedTo,
  namesIn,
  sampleOf,
  scoredOf,
  shuffled,
  versionsOf,
  withInterval,
} from './points.mjs';

const call = (id, parameters) => ({ speaker: 'ai', blocks: [{ type: 'tool_call', id, name: 'read', parameters }] });
const result = (callId, text) => ({
  speaker: 'tool',
  blocks: [{ type: 'tool_response', callId, toolName: 'read', result: text }],
});
const human = (text) => ({ speaker: 'human', blocks: [{ type: 'text', text }] });
/** Characters are tokens here. */
const measure = (messages) => messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
const ends = (text, cap) => Array.from({ length: Math.min(cap, text.length) }, (_, at) => at + 1);

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

test('names are words with a sign of one, outside keys and escapes', () => {
  const found = (parameters) => namesIn({ name: 'read_file', parameters }).map(({ name }) => name);
  assert.deepEqual(found({ file_path: 'src/someThing.ts' }), ['someThing.ts']);
  assert.deepEqual(found({ text: 'plain\nnew_name changes\tit: value1 "quoted_key": 2.' }), [
    'new_name',
    'value1',
    'quoted_key',
  ]);
  assert.deepEqual(found({ list: ['oneName', { read_file: 'oneName' }] }), ['oneName']);
  assert.deepEqual(found(undefined), []);
  const block = { name: 'read_file', parameters: { text: 'use anyName, then anyName' } };
  const [{ from, to }] = namesIn(block);
  assert.equal(calling(block).slice(from, to), 'anyName');
  assert.equal(from, calling(block).indexOf('anyName'));
});

test('a name is lost where a policy left none of it, wherever it stood', () => {
  const [before, block] = [log.slice(0, 5), log[5].blocks[0]];
  const lost = (left) => lostOf(block, before, left).map(({ name, isLost }) => [name, ...isLost]);
  assert.deepEqual(lost([before, before.slice(0, 4)]), [['secondValue', false, true]]);
  // It is still in a message.
  assert.deepEqual(lost([before, [...before.slice(0, 4), human('See secondValue.')]]), []);
  assert.deepEqual(lost([before, before.filter((_, at) => at !== 2)]), []);
  assert.deepEqual(lostOf({ parameters: { text: 'neverThere' } }, before, [[], []]), []);
});

test('a call is scored up to the last lost name within the cap', () => {
  const names = [
    { from: 4, to: 8 },
    { from: 10, to: 12 },
    { from: 18, to: 25 },
  ];
  // Tokens of three characters: the first and third name begin inside of one.
  const threes = (count) => Array.from({ length: count }, (_, at) => 3 * (at + 1));
  const scored = (count) => scoredOf(threes(count), names)?.isName.map(Number).join('');
  assert.equal(scored(9), '011100111');
  assert.equal(scored(8), '0111');
  assert.equal(scored(3), '011');
  assert.equal(scored(2), undefined);
  assert.deepEqual(
    scoredOf(threes(9), names).names.map(({ tokens }) => tokens),
    [[1, 2], [3], [6, 7, 8]],
  );
  assert.equal(scoredOf([], names), undefined);
});

test('the middle is dropped down to a target, and no result is left without its call', () => {
  const whole = measure(log);
  for (let target = measure(log.slice(0, 1)); target <= whole; target += 50) {
    const left = droppedTo(log, target, measure);
    assert.ok(measure(left) <= target);
    assert.equal(left[0], log[0]);
    assert.notEqual(left[1]?.speaker, 'tool');
    assert.deepEqual(left.slice(1), log.slice(log.length - left.length + 1));
  }
  assert.deepEqual(droppedTo(log, whole, measure), log);
});

test('an excerpt has the last places of each name, calls with results, and the newest messages', () => {
  const steps = Array.from({ length: 9 }, (_, at) => [
    call(`${at}`, { path: `file${at}.ts` }),
    result(`${at}`, at % 4 === 0 ? long('wanted') : `text ${at}`),
  ]).flat();
  const full = [human('Go.'), ...steps];
  const names = [{ name: 'wantedValue' }];
  const cut = (places) => full.map((message, at) => (places.includes(at) ? result('x', 'cut') : message));
  // The name is in the results at 2, 10 and 18; one policy left the first, the other the first two.
  const left = [cut([10, 18]), cut([18])];
  const named = [1, 2, 9, 10, 17, 18];
  const size = (places) => places.reduce((sum, place) => sum + excerpted(full[place], names).text.length, 0);
  assert.deepEqual(excerptOf(full, left, names, size(named)), named);
  assert.deepEqual(excerptOf(full, left, names, size([...named, 15, 16])), [1, 2, 9, 10, 15, 16, 17, 18]);
  assert.deepEqual(excerptOf(full, left, names, 10_000).length, full.length);
  assert.equal(excerptOf(full, left, names, size(named) - 1), undefined);
});

test('a long message is shown in pieces, with each name where it stands last', () => {
  const text = `${'a '.repeat(500)}firstName ${'b '.repeat(500)}firstName other_name ${'c '.repeat(500)}`;
  const names = [{ name: 'firstName' }, { name: 'other_name' }, { name: 'not_there' }];
  const { role, text: shown } = excerpted(human(text), names);
  assert.equal(role, 'user');
  assert.match(shown, /^(?:a ){100}\n…\n(?:b ?){50}firstName other_name (?:c ?)+\n…$/);
  assert.equal(excerpted(human('short'), names).text, 'short');
});

test('what is left of a history is known by place, and dropped messages are missing', () => {
  const shorter = log.map((message) => (message.speaker === 'tool' ? result('1', 'cut') : message));
  assert.deepEqual(versionsOf(log, shorter), shorter);
  assert.deepEqual(versionsOf(log, [log[0], ...log.slice(3)]), [log[0], undefined, undefined, ...log.slice(3)]);
});

const cut = (text) => (message) => ({
  ...message,
  blocks: message.blocks.map((block) => (block.result?.length > 100 ? { ...block, result: text } : block)),
});
const options = {
  leastSaving: 0.1,
  measure,
  pack: (all) => all.map(cut('x'.repeat(200))),
  ends,
  cap: 200,
  window: 2_000,
};

test('a point is a call with a name that a policy removed, and two histories of one size', () => {
  const pointsOf = (contents, more) =>
    sampleOf([{ session: 's', contents }], { ...options, ...more, points: 9, perSession: 9 });
  const [point, ...others] = pointsOf(log, {});
  assert.deepEqual([point.session, point.at, others.length], ['s', 5, 0]);
  assert.ok(measure(point.masked) <= measure(point.packed));
  assert.ok(measure(point.masked) >= 0.99 * measure(point.packed));
  assert.deepEqual(
    point.names.map(({ name }) => name),
    ['secondValue'],
  );
  assert.deepEqual(point.places, [0, 1, 2, 3, 4]);
  const scored = [...calling(point.call)].filter((_, at) => point.isName[at]).join('');
  assert.equal(scored, 'secondValue');
  assert.equal(point.isName.at(-1), true);
  assert.deepEqual(pointsOf(log, { pack: (messages) => messages }), []);
  // Nothing beyond the cap is scored. A history that can't be masked to the packed size is left out.
  assert.deepEqual(pointsOf(log, { cap: 20 }), []);
  assert.deepEqual(pointsOf(log, { pack: (messages) => messages.slice(0, 1) }), []);
  assert.deepEqual(pointsOf(log, { window: 100 }), []);
});

test('a sample has at most so many points of a session, and ends once it has enough', () => {
  const contents = [...log, result('3', 'ok'), call('4', { text: 'firstValue' })];
  const logs = Array.from({ length: 5 }, (_, at) => ({ session: `s${at}`, contents }));
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
