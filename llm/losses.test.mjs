import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossesOf, lossesText } from './losses.mjs';

/** Points of 20 sessions, of which each token of a name lost so much; the other tokens lost nothing. */
const pointsOf = (balanced, masking) =>
  Array.from({ length: 100 }, (_, at) => {
    const result = (loss) => {
      const isRemoved = [false, false, loss(at) > 0, loss(at) > 0];
      return { lost: [0, 0, loss(at), loss(at)], isRemoved, left: 0.5, removed: loss(at) > 0 ? 1 : 0 };
    };
    const isName = [false, false, true, true];
    return {
      ...{ session: `s${at % 20}`, names: 1, isName },
      results: { balanced: result(balanced), masking: result(masking) },
    };
  });

test('the bar is judged on the tokens of names', () => {
  const met = lossesOf(
    pointsOf(
      (at) => (at % 5 === 0 ? 1 : 0),
      () => 1,
    ),
  );
  assert.deepEqual([met.points, met.sessions, met.names, met.scored, met.scoredInNames], [100, 20, 100, 400, 200]);
  const { balanced, masking } = met.policies;
  assert.deepEqual([balanced.names.value, masking.names.value], [0.2, 1]);
  assert.deepEqual([balanced.all.value, masking.all.value], [0.1, 0.5]);
  assert.deepEqual([balanced.ofOwn.value, masking.ofOwn.value], [1, 1]);
  assert.deepEqual([balanced.removed, masking.removed, balanced.left], [20, 100, 0.5]);
  assert.ok(balanced.names.low < 0.2 && balanced.names.high > 0.2);
  assert.equal(met.share, 0.2);
  assert.deepEqual([met.isJudged, met.isMet, met.isSure], [true, true, false]);
  assert.match(lossesText(met), /loses 0\.20 of what masking loses: met; the interval holds the opposite, too\n$/);
});

test('a bar that is missed is missed, and so is one that nothing is shown for', () => {
  const missed = lossesOf(
    pointsOf(
      () => 0.9,
      () => 1,
    ),
  );
  assert.deepEqual([missed.isJudged, missed.isMet, missed.isSure], [true, false, true]);
  assert.match(lossesText(missed), /loses 0\.90 of what masking loses: missed\n$/);
  const nothing = lossesOf(
    pointsOf(
      () => -1,
      (at) => (at % 2 === 0 ? 1 : -1),
    ),
  );
  assert.deepEqual([nothing.isJudged, nothing.isMet, nothing.isSure], [false, false, false]);
  assert.match(lossesText(nothing), /missed: the interval of what masking loses holds 0, so nothing is shown\n$/);
  const sure = lossesOf(
    pointsOf(
      () => 0,
      () => 1,
    ),
  );
  assert.deepEqual([sure.isMet, sure.isSure], [true, true]);
});
