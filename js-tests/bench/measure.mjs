/**
 * Interleaved measurement in one process: every round runs all contenders, each round in the opposite order of the last.
 * Times are CPU time, so that other programs on the machine change no ratio.
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
/**
 * @typedef {{rounds: number, warmUps: number, needs?: number}} Plan  a comparison goes on until it has had its rounds or
 * its time, but it has some in any case; `needs` says how often it must have warmed up
 */
const LEAST = { warmUps: 2, rounds: 3 };
/**
 * Milliseconds of CPU time that this process has used, in all its threads. A page knows only the time of day.
 * @returns {number}
 */
export function cpuTime() {
  if (typeof globalThis.process?.cpuUsage !== 'function') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that one comparison may take, half of them to warm up; and of rest before each run that counts. */
const allowance = { milliseconds: Infinity, rest: 30 };

/** Says how long each comparison in this process may take, and what rest comes before each run. @param {{seconds: number, rest: number}} given */
export function allow({ seconds, rest }) {
  Object.assign(allowance, { milliseconds: 1000 * seconds, rest });
}

const { gc } = /** @type {{gc?: () => void}} */ (globalThis);
const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function collectGarbage() {
  if (gc === undefined) throw new Error('the garbage collector is out of reach: start with --expose-gc');
  gc();
}

/** @param {number} milliseconds */
const pause = (milliseconds) => Atomics.wait(SLEEP, 0, 0, milliseconds);

/**
 * @template I, O
 * @param {readonly Contender<I, O>[]} contenders
 * @param {Plan} plan
 * @returns {Map<string, Timing<O>>}
 */
export function interleave(contenders, plan) {
  /** @type {Sheet<O>} */
  const sheet = new Map();
  for (const { contender, isWarmUp } of schedule(contenders, plan)) {
    const input = prepared(contender, isWarmUp);
    const start = cpuTime();
    const output = contender.run(input);
    note(sheet, contender.name, isWarmUp, { time: cpuTime() - start, input, output });
  }
  return timings(contenders, sheet);
}

/**
 * The same for contenders of which some give promises.
 * @template I, O
 * @param {readonly Contender<I, O | Promise<O>>[]} contenders
 * @param {Plan} plan
 * @returns {Promise<Map<string, Timing<O>>>}
 */
export async function interleaveAsync(contenders, plan) {
  /** @type {Sheet<O>} */
  const sheet = new Map();
  for (const { contender, isWarmUp } of schedule(contenders, plan)) {
    const input = prepared(contender, isWarmUp);
    const start = cpuTime();
    const output = await contender.run(input);
    note(sheet, contender.name, isWarmUp, { time: cpuTime() - start, input, output });
  }
  return timings(contenders, sheet);
}

/**
 * @template O
 * @typedef {Map<string, {times: number[], last: O, alive: unknown}>} Sheet
 */

/**
 * @template I, O
 * @param {readonly Contender<I, O>[]} contenders
 * @param {Plan} plan
 */
function* schedule(contenders, { rounds, warmUps, needs = LEAST.warmUps }) {
  const start = performance.now();
  const isOver = (/** @type {number} */ share) => performance.now() - start > share * allowance.milliseconds;
  let round = 0;
  const all = () => (round++ % 2 === 0 ? contenders : contenders.toReversed());
  for (let done = 0; done < warmUps && (done < needs || !isOver(0.5)); done++)
    for (const contender of all()) yield { contender, isWarmUp: true };
  for (let done = 0; done < rounds && (done < LEAST.rounds || !isOver(1)); done++)
    for (const contender of all()) yield { contender, isWarmUp: false };
}

/**
 * @template I, O
 * @param {Contender<I, O>} contender
 * @param {boolean} isWarmUp
 */
function prepared({ prepare }, isWarmUp) {
  const input = prepare(isWarmUp);
  collectGarbage();
  pause(isWarmUp ? 5 : allowance.rest); // the collector's threads sweep on for a while
  return input;
}

/**
 * @template O
 * @param {Sheet<O>} sheet
 * @param {string} name
 * @param {boolean} isWarmUp
 * @param {{time: number, input: unknown, output: O}} taken
 */
function note(sheet, name, isWarmUp, { time, input, output }) {
  const times = sheet.get(name)?.times ?? [];
  if (!isWarmUp) times.push(time);
  // Else the collector takes the last objects of a shape, and with it the code optimized for it.
  sheet.set(name, { times, last: output, alive: [input, output] });
}

/**
 * @template O
 * @param {readonly {name: string}[]} contenders
 * @param {Sheet<O>} sheet
 * @returns {Map<string, Timing<O>>} in the contenders' order
 */
function timings(contenders, sheet) {
  return new Map(
    contenders.map(({ name }) => {
      const { times, last } = /** @type {{times: number[], last: O}} */ (sheet.get(name));
      return [name, { times, median: median(times), least: Math.min(...times), last }];
    }),
  );
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
