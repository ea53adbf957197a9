/**
 * What a provider's or framework's format costs beside the neutral one: the same session through the handle, turn by turn,
 * both in one process, where they take turns; each format has a process of its own, but for a quick look.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ratioRow } from './cases.mjs';
import { FORMATS } from './formats.mjs';
import { median } from './measure.mjs';

const ONE = fileURLToPath(new URL('adapters-one.mjs', import.meta.url));

/** The bar for formats whose calls hold objects, and for those whose calls hold JSON text. */
const OBJECTS = { most: 1.25 };
const TEXTS = { most: 2.5 };

/** What is measured: the documents' rules, beside which reading and editing weigh most, and what is on by default. */
const FULL = [
  { turns: 500, rounds: 25, warmUps: 15, rest: 20 },
  { preset: 'balanced', turns: 300, rounds: 7, warmUps: 4, rest: 20 },
];
/** Too few rounds for a bar, but one sees what is out of all proportion. */
const QUICK = [{ turns: 150, rounds: 5, warmUps: 5, rest: 0 }];

/**
 * @param {import('./cases.mjs').Context} context
 * @returns {import('./cases.mjs').Row[]}
 */
export function adapters({ quick, note }) {
  return (quick ? QUICK : FULL).flatMap((plan) => {
    const { turns, preset } = /** @type {(typeof FULL)[number]} */ (plan);
    const name = `session of ${turns} turns in a format${preset === undefined ? '' : `, ${preset}`}`;
    note(`${name}${quick ? '' : ', each in a fresh process'}`);
    const names = Object.keys(FORMATS);
    return (quick ? [names] : names.map((each) => [each])).flatMap((formats) => {
      const [neutral, ...theirs] = timesOf({ formats, ...plan }).map(timing);
      return formats.map((format, at) => rowOf(name, format, theirs[at], neutral, quick));
    });
  });
}

/**
 * @param {string} name
 * @param {string} format
 * @param {ReturnType<typeof timing>} theirs
 * @param {ReturnType<typeof timing>} neutral
 * @param {boolean} quick
 */
function rowOf(name, format, theirs, neutral, quick) {
  const isJson = FORMATS[format].isJson === true;
  const label = `${format}${isJson ? ' (arguments are JSON text)' : ''} : neutral`;
  return ratioRow(name, label, theirs, neutral, quick ? undefined : isJson ? TEXTS : OBJECTS);
}

/** @param {object} plan @returns {number[][]} of the neutral form, and of each format */
function timesOf(plan) {
  const args = ['--expose-gc', ONE, JSON.stringify(plan)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** @param {number[]} times */
function timing(times) {
  return { times, median: median(times), least: Math.min(...times), last: undefined };
}
