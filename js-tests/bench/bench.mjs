/**
 * node js-tests/bench/bench.mjs [--quick] [--only <name>]... [--publish]
 *
 * Measures the installed package against plain JavaScript, by CPU time, and prints ratios with their bars. A missed bar
 * ends with status 1. Each comparison has a time limit and reports how many rounds it ran. `--quick` gives each less
 * time, runs shorter sessions and leaves out the bars that need full ones. `--publish` also writes the report and its
 * charts into docs/.
 */
import { parseArgs } from 'node:util';
import { adapters } from './adapters.mjs';
import { balanced } from './balanced.mjs';
import { flatness, memory, sessionAgainstFloor, sessionAgainstRescan, stateless, truncation } from './cases.mjs';
import { inChromium } from './chromium.mjs';
import { compressKnown } from './compress-known.mjs';
import { conversations, summaryRequests } from './conversation.mjs';
import { exactTokens, hasCrates } from './exact-tokens.mjs';
import { allow } from './measure.mjs';
import { packageSize } from './package-size.mjs';
import { peers } from './peers.mjs';
import { realSessions } from './real-sessions.mjs';
import { environment, passes, terminalTable, writeReport } from './report.mjs';
import { server } from './server.mjs';
import { sizes } from './sizes.mjs';
import { packageFolder, startUp } from './start-up.mjs';

/** @type {Record<string, (context: import('./cases.mjs').Context) => import('./cases.mjs').Row[] | Promise<import('./cases.mjs').Row[]>>} */
const CASES = {
  rescan: sessionAgainstRescan,
  floor: sessionAgainstFloor,
  flatness,
  balanced,
  sizes,
  stateless,
  server,
  truncation,
  'compress-known': compressKnown,
  adapters,
  peers,
  requests: summaryRequests,
  conversation: conversations,
  tokens: exactTokens,
  'real-sessions': realSessions,
  'start-up': startUp,
  memory,
  'package-size': packageSize,
  chromium: inChromium,
};

/** Seconds that a comparison may take beyond its least rounds, and milliseconds of rest before each run. */
const ALLOWANCES = { quick: { seconds: 0.4, rest: 8 }, full: { seconds: 12, rest: 30 } };

/** Cases that a quick run leaves out unless `--only` names them. */
const LONG = new Set(['chromium']);

/** @param {boolean} quick @param {readonly string[]} only what a report of this run doesn't show, and how to see it */
function leftOut(quick, only) {
  const left = Object.keys(CASES).filter((name) => !only.includes(name));
  return [
    ...(quick
      ? [
          'sessions of 2,000 turns and their bars, tokens read each turn, three real sessions, sessions of 200 turns in the peers\' own messages: `make bench ARGS="--only rescan --only floor --only flatness --only balanced --only real-sessions --only peers"`',
        ]
      : []),
    ...(hasCrates
      ? []
      : ['Rust crates compiled to WebAssembly: `scripts/rust-peers.sh`, then `make bench ARGS="--only tokens"`']),
    ...left.map((name) => `\`${name}\`: \`make bench ARGS="--only ${name}"\``),
  ];
}

async function loadDensify() {
  if (!packageFolder()) fail('densify is not installed: run `make bench`, which installs it');
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
      options: { quick: flag, only: { type: 'string', multiple: true }, publish: flag },
    });
    const only = values.only ?? names.filter((name) => !values.quick || !LONG.has(name));
    const unknown = only.filter((name) => !names.includes(name));
    if (unknown.length > 0) fail(`unknown case ${unknown.join(', ')}: there are ${names.join(', ')}`);
    return { quick: values.quick, only, publish: values.publish };
  } catch (error) {
    return fail(
      `${/** @type {Error} */ (error).message}\nusage: bench.mjs [--quick] [--only ${names.join('|')}] [--publish]`,
    );
  }
}

/**
 * A case that throws is a row that fails; the others still run.
 * @param {string} name
 * @param {(typeof CASES)[string]} run
 * @param {import('./cases.mjs').Context} context
 * @returns {Promise<import('./cases.mjs').Row[]>}
 */
async function runCase(name, run, context) {
  try {
    return await run(context);
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

const { quick, only, publish } = readArguments();
const densify = await loadDensify();
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1000).toFixed(0);
const note = (/** @type {string} */ text) => void process.stderr.write(`${seconds().padStart(4)} s … ${text}\n`);
allow(ALLOWANCES[quick ? 'quick' : 'full']);
/** @type {import('./cases.mjs').Row[]} */
const rows = [];
for (const [name, run] of Object.entries(CASES))
  if (only.includes(name)) rows.push(...(await runCase(name, run, { densify, quick, note })));
const where = environment({ quick, seconds: Number(seconds()) });
console.log(
  Object.entries(where)
    .map(([key, value]) => `${key}: ${value}`)
    .join(' · '),
);
console.log(terminalTable(rows));
writeReport(rows, where, { publishes: publish, leftOut: leftOut(quick, only) });
const missed = rows.filter((row) => passes(row) === false);
const verdict = missed.length === 0 ? 'every bar is met' : `bars missed: ${missed.map(({ name }) => name).join('; ')}`;
console.log(`\n${verdict}; report in target/bench/`);
if (missed.length > 0) process.exitCode = 1;
