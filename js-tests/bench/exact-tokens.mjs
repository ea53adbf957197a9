/**
 * Exact counts of `o200k_base` against what people would install.
 *
 * @import {Bar, Context, Row} from './cases.mjs'
 * @typedef {{name: string, kind: 'own' | 'npm' | 'rust', value: number, least: number, text: string}} Measured
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { median } from './measure.mjs';
import { packageFolder } from './start-up.mjs';
import { corpus, counters } from './token-peers.mjs';

const CASE = 'exact tokens';
const WARM = 'throughput, warm';

/** @param {string} script @param {readonly string[]} args */
function child(script, args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', path, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 }),
  );
}

/**
 * @param {Context} context
 * @returns {Promise<Row[]>}
 */
export async function exactTokens({ quick, note }) {
  return [...warmRows(quick, note), ...(await coldRows(quick, note)), ...sizeRows(), ...missingRows(quick)];
}

/**
 * Without the Rust crates, a whole run lacks figures that have bars.
 * @param {boolean} quick
 * @returns {Row[]}
 */
function missingRows(quick) {
  if (quick || hasCrates) return [];
  const detail = 'not compiled: run scripts/rust-peers.sh';
  return [{ case: CASE, name: 'the Rust crates are there', value: NaN, unit: 'ok', bar: { least: 1 }, detail }];
}

/** Whether the fastest Rust crates were compiled, to compare with. */
export const hasCrates = counters.some(({ kind }) => kind === 'rust');

/**
 * @param {boolean} quick
 * @param {Context['note']} note
 * @returns {Row[]}
 */
function warmRows(quick, note) {
  note(`${CASE}, warm`);
  const { bytes, texts, origin, rows, worst, estimates } = child('exact-tokens-warm.mjs', quick ? ['--quick'] : []);
  const measured = rows.map((/** @type {any} */ row) => ({
    ...row,
    value: row.median,
    text: `${(bytes / 1000 / row.median).toFixed(1)} MB/s`,
  }));
  const counts = new Set(rows.map((/** @type {any} */ { last }) => last));
  return [
    ...ratioRows(WARM, measured, { tiktoken: 12, npm: 3, rust: 1 }),
    {
      case: CASE,
      name: 'same counts',
      value: counts.size === 1 ? 1 : NaN,
      unit: 'ok',
      bar: { least: 1 },
      detail: `${texts} texts, ${(bytes / 1e6).toFixed(1)} MB of ${origin}: ${[...counts].join(', ')} tokens`,
    },
    ...Object.entries(estimates).map(([name, { all, each }]) => ({
      case: 'estimates of tokens',
      name: `${name} : exact count`,
      value: all,
      unit: /** @type {const} */ ('x'),
      detail: `in total; text by text ${(100 * each).toFixed(1)}% off, ${texts} texts of ${origin}`,
    })),
    ...worst.map((/** @type {any} */ { name, most, least }) => ({
      case: 'exact tokens, worst cases',
      name,
      value: most,
      unit: 'ms',
      bar: { most: 50 },
      detail: `the longest of 5, least ${least.toFixed(2)} ms`,
    })),
  ];
}

/**
 * @param {boolean} quick
 * @param {Context['note']} note
 * @returns {Promise<Row[]>}
 */
async function coldRows(quick, note) {
  note(`${CASE}, in fresh processes`);
  // The logs are read once, not in each process.
  const folder = mkdtempSync(join(tmpdir(), 'densify-bench-'));
  const file = join(folder, 'texts.json');
  writeFileSync(file, JSON.stringify((await corpus(2_000_000)).texts));
  const contenders = counters.filter(({ name }) => name !== 'js-tiktoken' || !quick);
  /** @type {Map<string, {load: number, pass: number, rss: number}[]>} */
  const samples = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < (quick ? 2 : 5); round++)
    for (const { name } of contenders) samples.get(name)?.push(child('exact-tokens-cold.mjs', [name, file]));
  rmSync(folder, { recursive: true });
  const measured = (/** @type {'load' | 'pass'} */ key) =>
    contenders.map(({ name, kind }) => {
      const runs = samples.get(name) ?? [];
      const times = runs.map((sample) => sample[key]);
      const value = median(times);
      const rss = median(runs.map((sample) => sample.rss)).toFixed(0);
      return { name, kind, value, least: Math.min(...times), text: `${value.toFixed(1)} ms, process ${rss} MB` };
    });
  return [
    ...ratioRows('first pass in a fresh process', measured('pass'), { tiktoken: 12, npm: 3, rust: 1 }),
    ...ratioRows('load to first count in a fresh process', measured('load'), { npm: 6 }),
  ];
}

/**
 * Others over ours; the bars are for `tiktoken`, the fastest of npm and the fastest crate.
 * @param {string} what
 * @param {readonly Measured[]} measured
 * @param {{tiktoken?: number, npm?: number, rust?: number}} bars
 * @returns {Row[]}
 */
function ratioRows(what, measured, bars) {
  const [own, ...others] = measured;
  const fastest = (/** @type {string} */ kind) =>
    others.filter((other) => other.kind === kind).reduce((a, b) => (b.value < a.value ? b : a), NONE);
  const [npm, rust] = [fastest('npm'), fastest('rust')];
  return others.map((other) => {
    const least = Math.max(
      (other.name === 'tiktoken' && bars.tiktoken) || 0,
      (other === npm && bars.npm) || 0,
      (other === rust && bars.rust) || 0,
    );
    return {
      case: CASE,
      name: `${what}: ${other.name} : ours`,
      value: other.value / own.value,
      unit: 'x',
      bar: least > 0 ? { least } : undefined,
      detail: `${other.text} : ${own.text}, by minima ${(other.least / own.least).toFixed(2)}x`,
      chart: what === WARM ? `${other.name}, tokens` : undefined,
    };
  });
}

/** @type {Measured} */
const NONE = { name: '', kind: 'npm', value: Infinity, least: Infinity, text: '' };

/** @returns {Row[]} */
function sizeRows() {
  const folder = packageFolder();
  const size = (/** @type {readonly string[]} */ files) =>
    files.reduce((sum, file) => {
      const bytes = readFileSync(new URL(`dist/${file}`, folder));
      return sum + brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }).length / 1000;
    }, 0);
  const row = (/** @type {string} */ name, /** @type {readonly string[]} */ files, /** @type {number} */ most) => ({
    case: CASE,
    name,
    value: size(files),
    unit: /** @type {const} */ ('kB'),
    bar: { most },
    detail: files.join(', '),
  });
  return [row('brotli, inline', ['tokens.js', 'wasm-tokens-inline.js', 'o200k-base.js'], 1200)];
}
