/**
 * What a provider's format costs beside the neutral one: the same session through the handle, turn by turn, each format in
 * processes of its own, which take turns.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ratioRow } from './cases.mjs';
import { median } from './measure.mjs';

const ONE = fileURLToPath(new URL('adapters-one.mjs', import.meta.url));

/** The bar for formats whose calls hold objects, and for those whose calls hold JSON text. */
const OBJECTS = { most: 1.25 };
const TEXTS = { most: 2.5 };

/**
 * @param {import('./cases.mjs').Context} context
 * @returns {import('./cases.mjs').Row[]}
 */
export function adapters({ quick, note }) {
  const turns = quick ? 500 : 2_000;
  const name = `session of ${turns} turns in a provider's format`;
  note(`${name}, in fresh processes`);
  /** @type {Map<string, number[]>} */
  const times = new Map();
  for (let turn = 0; turn < (quick ? 2 : 7); turn += 1) {
    for (const format of ['neutral', 'anthropic', 'openai']) {
      times.set(format, [...(times.get(format) ?? []), ...timesOf(format, turns, quick ? 3 : 15)]);
    }
  }
  const timing = (/** @type {string} */ format) => {
    const found = times.get(format) ?? [];
    return { median: median(found), least: Math.min(...found), times: found, last: undefined };
  };
  const neutral = timing('neutral');
  return [
    ratioRow(name, 'anthropic : neutral', timing('anthropic'), neutral, OBJECTS),
    ratioRow(name, 'openai (arguments are JSON text) : neutral', timing('openai'), neutral, TEXTS),
  ];
}

/**
 * @param {string} format
 * @param {number} turns
 * @param {number} rounds
 * @returns {number[]}
 */
function timesOf(format, turns, rounds) {
  const args = ['--expose-gc', ONE, format, String(turns), String(rounds)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
