/**
 * The rows as a table for the terminal, as Markdown, and as JSON.
 *
 * @import {Row} from './cases.mjs'
 * @typedef {Record<string, string | number | boolean>} Environment
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, platform, totalmem } from 'node:os';
import { barChart, lineChart } from './charts.mjs';
import { perTurn } from './sizes.mjs';
import { packageFolder } from './start-up.mjs';

/** The charts' titles, which are their alternative texts too. */
const CHARTS = {
  'benchmarks-turn.svg': 'What one more turn costs (lower is better)',
  'benchmarks-peers.svg': 'Times faster than',
};

/** What densify is measured beside, by the names under which it is installed. */
const PEERS = ['tiktoken', 'js-tiktoken', 'gpt-tokenizer', 'ai-tokenizer', 'ai7', 'langchain', '@langchain/core'];

/** The versions of the peers that are installed. */
function peers() {
  const manifests = PEERS.map((name) => new URL(`../node_modules/${name}/package.json`, import.meta.url));
  const known = manifests.filter((manifest) => existsSync(manifest));
  return known
    .map((manifest) => JSON.parse(readFileSync(manifest, 'utf8')))
    .map(({ name, version }) => `${name} ${version}`);
}

/**
 * @param {{quick: boolean, seconds: number}} mode
 * @returns {Environment}
 */
export function environment({ quick, seconds }) {
  const folder = packageFolder();
  const densify = folder ? JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')).version : 'none';
  const { node, v8 } = process.versions;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return {
    densify,
    node,
    v8,
    platform: `${platform()} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory,
    quick,
    took: `${seconds} s`,
    peers: peers().join(', '),
  };
}

/** @param {Row} row */
export function passes({ value, bar }) {
  if (!bar) return undefined;
  return 'least' in bar ? value >= bar.least : value <= bar.most;
}

/** @param {Row} row */
function cells(row) {
  const { name, value, unit, bar, detail } = row;
  const passed = passes(row);
  const mark = passed === undefined ? '' : passed ? '✓' : '✗';
  if (unit === 'ok') return { name, value: passed ? 'yes' : 'NO', bar: '', mark, detail };
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const limit = bar === undefined ? '' : 'least' in bar ? `≥ ${bar.least}` : `≤ ${Number(bar.most.toFixed(2))}`;
  return { name, value: `${value.toFixed(digits)} ${unit}`, bar: limit, mark, detail };
}

/**
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function terminalTable(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.flatMap((row, index) => {
    const { name, value, bar, mark, detail } = cells(row);
    const heading = rows[index - 1]?.case === row.case ? [] : ['', row.case];
    return [
      ...heading,
      `  ${name.padEnd(width)}  ${value.padStart(9)}  ${bar.padStart(6)}  ${mark.padEnd(1)}  ${detail}`,
    ];
  });
  return lines.join('\n');
}

/**
 * @param {readonly Row[]} rows
 * @param {Environment} where
 * @param {readonly string[]} charts
 * @param {readonly string[]} leftOut
 */
export function markdown(rows, where, charts, leftOut) {
  const head = [
    '# Benchmarks',
    '',
    '`make bench ARGS=--publish` writes this report. Every row compares two contenders in one process, in turns, by CPU time. Ratios are of medians.',
    'The detail gives the ratio of minima and the number of rounds.',
    '',
    Object.entries(where)
      .map(([key, value]) => `${key}: ${value}`)
      .join(' · '),
    '',
    'A row without a bar is for information.',
    '',
    ...(leftOut.length === 0 ? [] : ['Not in this report:', '', ...leftOut.map((what) => `- ${what}`), '']),
    ...charts.flatMap((name) => [`![${CHARTS[/** @type {keyof typeof CHARTS} */ (name)]}](${name})`, '']),
  ];
  const table = rows.map((row) => {
    const { name, value, bar, mark, detail } = cells(row);
    return `| ${row.case} | ${name} | ${value} | ${bar} | ${mark} | ${detail} |`;
  });
  return [...head, '| case | measured | value | bar | | detail |', '|---|---|---:|---:|---|---|', ...table, ''].join(
    '\n',
  );
}

/**
 * The page with a new report: the sections behind the old one stay, since they are written by hand.
 * @param {string} report
 * @param {string} page
 */
export function withReport(report, page) {
  const sections = page.indexOf('\n## ');
  return sections < 0 ? report : report + page.slice(sections);
}

/**
 * The charts of what was measured, by file name.
 * @param {readonly Row[]} rows
 */
function chartsOf(rows) {
  /** @type {Map<string, string>} */
  const charts = new Map();
  if (perTurn.every(({ points }) => points.length > 1))
    charts.set('benchmarks-turn.svg', lineChart(CHARTS['benchmarks-turn.svg'], perTurn));
  const bars = rows
    .filter(({ chart }) => chart !== undefined)
    .map(({ chart, value }) => ({ label: String(chart), value }));
  if (bars.length > 0) charts.set('benchmarks-peers.svg', barChart(CHARTS['benchmarks-peers.svg'], bars));
  return charts;
}

/**
 * @param {readonly Row[]} rows
 * @param {Environment} where
 * @param {{publishes: boolean, leftOut: readonly string[]}} how `publishes` also writes docs/benchmarks.md and its charts, which the
 * README shows; `leftOut` is what this run didn't measure, and by which command it is
 */
export function writeReport(rows, where, { publishes, leftOut }) {
  const folder = new URL('../../target/bench/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const charts = chartsOf(rows);
  for (const [name, chart] of charts) writeFileSync(new URL(name, folder), chart);
  const judged = rows.map((row) => ({ ...row, pass: passes(row) }));
  writeFileSync(
    new URL('report.json', folder),
    `${JSON.stringify({ environment: where, rows: judged }, undefined, 2)}\n`,
  );
  const text = markdown(rows, where, [...charts.keys()], leftOut);
  writeFileSync(new URL('report.md', folder), text);
  if (!publishes) return;
  const docs = new URL('../../docs/', import.meta.url);
  const page = new URL('benchmarks.md', docs);
  writeFileSync(page, withReport(text, readFileSync(page, 'utf8')));
  for (const [name, chart] of charts) writeFileSync(new URL(name, docs), chart);
}
