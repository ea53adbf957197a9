/**
 * Interleaved measurement in one process: every round runs all contenders, each round in the opposite order of the last.
 *
 * @template I, O
 * @typedef {object} Contender
 * @property {string} name
 * @property {(warmingUp: boolean) => I} prepare fresh input, outside the timing
 * @property {(input: I) => O} run
 */
/**
 * @template O
 * @typedef {{times: number[], median: number, least: number, last: O}} Timing  milliseconds, and the output of the last round
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');
const SLEEP = new Int32Array(new SharedArrayBuffer(4));

/**
 * @template I, O
 * @param {readonly Contender<I, O>[]} contenders
 * @param {{rounds: number, warmUps: number}} plan
 * @returns {Map<string, Timing<O>>}
 */
export function interleave(contenders, { rounds, warmUps }) {
  /** @type {Map<string, {times: number[], last: O | undefined, alive: unknown}>} */
  const taken = new Map(contenders.map(({ name }) => [name, { times: [], last: undefined, alive: undefined }]));
  for (let round = -warmUps; round < rounds; round++) {
    const order = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of order) {
      const { time, input, output } = timeOnce(contender, round < 0);
      const timing = /** @type {{times: number[], last: O | undefined, alive: unknown}} */ (taken.get(contender.name));
      timing.alive = [input, output]; // else the collector takes the last objects of a shape, and with it the code optimized for it
      timing.last = output;
      if (round >= 0) timing.times.push(time);
    }
  }
  return new Map(
    Array.from(taken, ([name, { times, last }]) => [
      name,
      { times, median: median(times), least: Math.min(...times), last: /** @type {O} */ (last) },
    ]),
  );
}

/**
 * @template I, O
 * @param {Contender<I, O>} contender
 * @param {boolean} warmingUp
 */
function timeOnce({ prepare, run }, warmingUp) {
  const input = prepare(warmingUp);
  collectGarbage();
  Atomics.wait(SLEEP, 0, 0, 40); // the collector's threads sweep on for a while
  const start = performance.now();
  const output = run(input);
  return { time: performance.now() - start, input, output };
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
