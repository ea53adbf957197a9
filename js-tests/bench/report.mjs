/**
 * The rows as a table for the terminal, as Markdown, and as JSON.
 *
 * @import {Row} from './cases.mjs'
 * @typedef {Record<string, string | number | boolean>} Environment
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, platform, release, totalmem } from 'node:os';
import { packageFolder } from './start-up.mjs';

/**
 * @param {{quick: boolean, standIn: boolean}} mode
 * @returns {Environment}
 */
export function environment({ quick, standIn }) {
  const folder = packageFolder();
  const densify =
    standIn || !folder ? 'stand-in' : JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')).version;
  const { node, v8 } = process.versions;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return {
    densify,
    node,
    v8,
    platform: `${platform()} ${release()} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory,
    quick,
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
  const limit = bar === undefined ? '' : 'least' in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`;
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
 */
function markdown(rows, where) {
  const head = [
    '# Benchmark',
    '',
    Object.entries(where)
      .map(([key, value]) => `${key}: ${value}`)
      .join(' · '),
    '',
    'A row without a bar is for information.',
    '',
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
 * @param {readonly Row[]} rows
 * @param {Environment} where
 */
export function writeReport(rows, where) {
  const folder = new URL('../../target/bench/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const judged = rows.map((row) => ({ ...row, pass: passes(row) }));
  writeFileSync(
    new URL('report.json', folder),
    `${JSON.stringify({ environment: where, rows: judged }, undefined, 2)}\n`,
  );
  writeFileSync(new URL('report.md', folder), markdown(rows, where));
}
