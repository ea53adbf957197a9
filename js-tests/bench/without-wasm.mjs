// How much longer the build without WebAssembly takes, on a quarter of the real logs beside the project:
//
//   node js-tests/bench/without-wasm.mjs [ROUNDS]
//
// CPU time, both in one process, in turns; medians.
import { readFileSync } from 'node:fs';
import * as wasm from 'densify';
import * as script from 'densify/js';
import { readTranscript } from 'densify/transcripts';

const rounds = Number(process.argv[2] ?? 5);
const folder = new URL('../../../shared/transcripts/', import.meta.url);
/** @param {string} name */
const read = (name) => readFileSync(new URL(name, folder), 'utf8');
/** @type {{ files: { file: string }[] }} */
const { files } = JSON.parse(read('manifest.json'));
const texts = files.filter((_, at) => at % 4 === 1).map(({ file }) => read(file));

/** @type {Record<string, (densify: any, history: readonly any[]) => unknown>} */
const CASES = {
  seed: ({ optimize }, history) => optimize(history, { preset: 'seed' }).messages,
  balanced: ({ optimize }, history) => optimize(history).messages,
  'high-density': ({ compress }, history) =>
    compress(history, { strategy: 'high-density', contextLimit: 32_000 }).messages,
};

/** @param {() => void} action */
function cpu(action) {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @param {readonly number[]} all */
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0;

for (const [name, action] of Object.entries(CASES)) {
  /** @type {number[][]} */
  const times = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [at, densify] of [wasm, script].entries()) {
      const histories = texts.map((text) => readTranscript(text).contents);
      times[at]?.push(cpu(() => histories.forEach((history) => void action(densify, history))));
    }
  }
  const [first = 0, second = 0] = times.map((all) => median(all.slice(1)));
  console.log(
    `${name}: wasm ${first.toFixed(1)} ms, JavaScript ${second.toFixed(1)} ms, ${(second / first).toFixed(2)}x`,
  );
}
