/** `node --test`: the planner's plans are the cheapest of all that there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plans } from './economics-plans.mjs';

const PRICES = { cached: 1, uncached: 12 };

/**
 * Calls with messages that shrink now and then.
 * @param {number} seed
 */
function scene(seed) {
  let state = seed;
  /** @param {number} below */
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  /** @type {{ tokens: number, text: string }[]} */
  const messages = [];
  const isEverCold = random(2) === 0;
  return Array.from({ length: 2 + random(4) }, (_, call) => {
    for (let more = 1 + random(2); more > 0; more -= 1) {
      messages.push({ tokens: 1 + random(100), text: `${messages.length}` });
    }
    messages.forEach((message, at) => {
      if (random(4) === 0) messages[at] = { tokens: random(message.tokens + 1), text: `${at} at ${call}` };
    });
    return { isCold: isEverCold && random(4) === 0, added: messages.length, sizes: new Map(messages.entries()) };
  });
}

/**
 * The cost if each call's flush begins at these places: the naive bill.
 * @param {ReturnType<typeof scene>} calls
 * @param {readonly number[]} flushes
 */
function cost(calls, flushes) {
  /** @type {{ tokens: number, text: string }[]} */
  let before = [];
  return calls.reduce((sum, { isCold, added, sizes }, call) => {
    const from = isCold && call > 0 ? 0 : (flushes[call] ?? added);
    const sent = Array.from({ length: added }, (_, at) => {
      const old = before[at];
      return old === undefined || at >= from ? /** @type {{ tokens: number, text: string }} */ (sizes.get(at)) : old;
    });
    let same = 0;
    while (!(isCold && call > 0) && same < before.length && sent[same]?.text === before[same]?.text) same += 1;
    before = sent;
    return sent.reduce((all, { tokens }, at) => all + tokens * (at < same ? PRICES.cached : PRICES.uncached), sum);
  }, 0);
}

/**
 * All plans: for each call a place to flush from, or none.
 * @param {ReturnType<typeof scene>} calls
 * @param {readonly number[]} chosen
 * @returns {Generator<readonly number[]>}
 */
function* all(calls, chosen = []) {
  const next = calls[chosen.length];
  if (next === undefined) yield chosen;
  for (let from = 0; next !== undefined && from <= next.added; from += 1) yield* all(calls, [...chosen, from]);
}

test('no plan is cheaper', () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const calls = scene(seed);
    const { whole, partial } = plans(calls, PRICES);
    let [least, leastWhole] = [Infinity, Infinity];
    for (const flushes of all(calls)) {
      const price = cost(calls, flushes);
      least = Math.min(least, price);
      // A flush of all that waits begins at the first message.
      if (flushes.every((from, call) => from === 0 || from === calls[call]?.added)) {
        leastWhole = Math.min(leastWhole, price);
      }
    }
    assert.equal(partial, least, `partial, seed ${seed}`);
    assert.equal(whole, leastWhole, `whole, seed ${seed}`);
  }
});
