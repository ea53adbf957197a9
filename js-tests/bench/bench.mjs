/**
 * node js-tests/bench/bench.mjs [--quick] [--only <name>]... [--stand-in]
 *
 * Measures the installed package against plain JavaScript and prints ratios beside their bars; a bar that is missed ends
 * with status 1. `--quick` runs shorter sessions and leaves out the bars that need full ones. `--stand-in` tries the
 * runner without the package: its bars are not judged.
 */
import { parseArgs } from 'node:util';
import { adapters } from './adapters.mjs';
import { flatness, memory, sessionAgainstRescan, sessionAgainstTwin, stateless, truncation } from './cases.mjs';
import { conversations, summaryRequests } from './conversation.mjs';
import { exactTokens } from './exact-tokens.mjs';
import { environment, passes, terminalTable, writeReport } from './report.mjs';
import { packageFolder, startUp } from './start-up.mjs';

/** @type {Record<string, (context: import('./cases.mjs').Context) => import('./cases.mjs').Row[]>} */
const CASES = {
  rescan: sessionAgainstRescan,
  twin: sessionAgainstTwin,
  flatness,
  stateless,
  truncation,
  adapters,
  requests: summaryRequests,
  conversation: conversations,
  tokens: exactTokens,
  'start-up': startUp,
  memory,
};

/** @param {boolean} standIn */
async function loadDensify(standIn) {
  if (standIn) return (await import('./stand-in.mjs')).standIn;
  if (!packageFolder()) fail('densify is not there: run `make bench`, which installs it (or use --stand-in)');
  const packageName = 'densify';
  return import(packageName);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(2);
}

function readArguments() {
  const names = Object.keys(CASES);
  try {
    const flag = /** @type {const} */ ({ type: 'boolean', default: false });
    const { values } = parseArgs({
      options: { quick: flag, only: { type: 'string', multiple: true, default: names }, 'stand-in': flag },
    });
    const unknown = values.only.filter((name) => !names.includes(name));
    if (unknown.length > 0) fail(`unknown case ${unknown.join(', ')}: there are ${names.join(', ')}`);
    return { quick: values.quick, only: values.only, standIn: values['stand-in'] };
  } catch (error) {
    return fail(
      `${/** @type {Error} */ (error).message}\nusage: bench.mjs [--quick] [--only ${names.join('|')}] [--stand-in]`,
    );
  }
}

/**
 * A case that throws is a row that fails; the others still run.
 * @param {string} name
 * @param {(context: import('./cases.mjs').Context) => import('./cases.mjs').Row[]} run
 * @param {import('./cases.mjs').Context} context
 * @returns {import('./cases.mjs').Row[]}
 */
function runCase(name, run, context) {
  try {
    return run(context);
  } catch (error) {
    context.note(`${name} failed: ${/** @type {Error} */ (error).stack}`);
    return [
      {
        case: name,
        name: 'ran to the end',
        value: NaN,
        unit: 'ok',
        bar: { least: 1 },
        detail: `${error}`.split('\n', 1)[0],
      },
    ];
  }
}

const { quick, only, standIn } = readArguments();
const densify = await loadDensify(standIn);
const note = (/** @type {string} */ text) => void process.stderr.write(`… ${text}\n`);
const rows = Object.entries(CASES)
  .filter(([name]) => only.includes(name))
  .flatMap(([name, run]) => runCase(name, run, { densify, quick, note }));
const where = environment({ quick, standIn });
console.log(
  Object.entries(where)
    .map(([key, value]) => `${key}: ${value}`)
    .join(' · '),
);
console.log(terminalTable(rows));
writeReport(rows, where);
const missed = rows.filter((row) => passes(row) === false);
const verdict = missed.length === 0 ? 'every bar is met' : `bars missed: ${missed.map(({ name }) => name).join('; ')}`;
console.log(`\n${verdict}${standIn ? ' (stand-in: not judged)' : ''}; report in target/bench/`);
if (missed.length > 0 && !standIn) process.exitCode = 1;
