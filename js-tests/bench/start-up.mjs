/**
 * Size of the core's wasm, and the time to make an instance of it.
 *
 * @import {Context, Row} from './cases.mjs'
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { cpuTime, median } from './measure.mjs';

const CASE = 'core wasm';
/** @type {{ bars: Record<string, number> }} */
const { bars } = JSON.parse(readFileSync(new URL('../../scripts/sizes.json', import.meta.url), 'utf8'));
const CORE_BAR = { most: (bars['core.wasm, gzip'] ?? NaN) / 1000 };
const WASM_IN_BASE64 = /AGFzbQ[A-Za-z0-9+/]{1000,}={0,2}/g;

/**
 * @param {Context} context
 * @returns {Row[]}
 */
export function startUp({ densify, quick, note }) {
  note(CASE);
  const rows = [warmInstanceRow(densify, quick)];
  const wasm = findCoreWasm();
  if (!wasm)
    return [
      ...rows,
      {
        case: CASE,
        name: 'gzip size',
        value: NaN,
        unit: 'kB',
        bar: CORE_BAR,
        detail: 'no wasm found in the package',
      },
    ];
  const size = gzipSync(wasm.bytes, { level: 9 }).length / 1000;
  const detail = `${(wasm.bytes.length / 1000).toFixed(1)} kB raw, ${wasm.origin}`;
  return [
    ...rows,
    { case: CASE, name: 'gzip size', value: size, unit: 'kB', bar: CORE_BAR, detail },
    ...coldRows(quick),
  ];
}

/**
 * @param {Context['densify']} densify
 * @param {boolean} quick
 * @returns {Row}
 */
function warmInstanceRow({ createDensify }, quick) {
  const times = [];
  for (let round = 0; round < (quick ? 20 : 100); round++) {
    const start = cpuTime();
    const instance = createDensify();
    instance.optimize([{ speaker: 'human', blocks: [{ type: 'text', text: 'hello' }] }]); // an instance may come up lazily
    times.push(cpuTime() - start);
    instance[Symbol.dispose]?.();
  }
  const value = median(times);
  return {
    case: CASE,
    name: 'createDensify() and its first result, module compiled',
    value,
    unit: 'ms',
    bar: { most: 2 },
    detail: `median of ${times.length}, least ${Math.min(...times).toFixed(2)} ms`,
  };
}

/**
 * Each sample is a process of its own, as V8 remembers compiled code within one.
 * @param {boolean} quick
 * @returns {Row[]}
 */
function coldRows(quick) {
  const samples = Array.from({ length: quick ? 5 : 15 }, () => ({
    ...printed('cold-start.mjs'),
    ...printed('first-use.mjs'),
  }));
  const row = (/** @type {string} */ name, /** @type {string} */ key) => {
    const times = samples.map((sample) => sample[key]);
    const detail = `median of ${times.length} fresh processes, least ${Math.min(...times).toFixed(2)} ms`;
    return { case: CASE, name, value: median(times), unit: /** @type {const} */ ('ms'), detail };
  };
  return [
    { ...row('instantiate, fresh process', 'instantiate'), bar: { most: 2 } },
    row('compile, fresh process', 'compile'),
    { ...row('import + first optimize, fresh process', 'firstUse'), bar: { most: 25 } },
  ];
}

/**
 * What a program prints in a process of its own.
 * @param {string} name
 * @returns {Record<string, number>}
 */
function printed(name) {
  const script = fileURLToPath(new URL(name, import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
}

/** @returns {{bytes: Buffer, origin: string} | undefined} the wasm file of the installed package, or the one inlined in its scripts */
export function findCoreWasm() {
  const folder = packageFolder();
  if (!folder) return undefined;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.includes('node_modules'),
  );
  const binaries = files.filter((file) => file.endsWith('.wasm') && !/token|full/.test(file));
  const found = binaries.map((file) => ({ bytes: readFileSync(new URL(file, folder)), origin: file }));
  if (found.length === 0) {
    for (const file of files.filter((name) => /\.[cm]?js$/.test(name))) {
      const [base64] = readFileSync(new URL(file, folder), 'utf8').match(WASM_IN_BASE64) ?? [];
      if (base64) found.push({ bytes: Buffer.from(base64, 'base64'), origin: `inlined in ${file}` });
    }
  }
  const distinct = new Map(found.map((wasm) => [createHash('sha256').update(wasm.bytes).digest('hex'), wasm]));
  return [...distinct.values()].sort((a, b) => b.bytes.length - a.bytes.length)[0];
}

/** @returns {URL | undefined} */
export function packageFolder() {
  const folder = new URL('../node_modules/densify/', import.meta.url);
  return existsSync(folder) ? folder : undefined;
}
