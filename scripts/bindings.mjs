// The time of calls that return plain values from the core: how much of it is the way across.
//
//   node scripts/bindings.mjs FOLDER...
//
// Each folder holds an installed package, such as js-tests/node_modules/densify. Several are measured in turns. A line for
// each call has the median of the processor's microseconds, of one call.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROUNDS = 41;
const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('found no folder, expected one with an installed package, such as js-tests/node_modules/densify');
  process.exit(2);
}

const bundled = new URL('../demo/conversations/fix-webhook-retries.json', import.meta.url);
const { contents } = JSON.parse(readFileSync(bundled, 'utf8'));
const LAYERS = [
  { 'compression.strategy': 'auto', 'compression.threshold': 0.7 },
  { compression: { preserve: 0.25, density: { fileDedupe: false } } },
];

/** The calls to measure, and how many of each are one sample. */
async function callsOf(folder) {
  const load = (name) => import(pathToFileURL(resolve(folder, 'dist', name)).href);
  const { requestSummary, digest, fileOperations } = await load('index.js');
  const { resolveSettings, parseSetting } = await load('host.js');
  const options = { strategy: 'one-shot' };
  return {
    resolveSettings: [200, () => resolveSettings(LAYERS)],
    parseSetting: [400, () => parseSetting('compression.threshold', '70%')],
    requestSummary: [4, () => requestSummary(contents, options)],
    'requestSummary, many parts': [2, () => requestSummary(contents, { ...options, window: 8000 })],
    digest: [4, () => digest(contents)],
    fileOperations: [8, () => fileOperations(contents)],
  };
}

/** The microseconds of the processor for one call. */
function timed([count, call]) {
  const start = process.cpuUsage();
  for (let left = count; left > 0; left -= 1) call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

const median = (list) => list.toSorted((one, other) => one - other)[list.length >> 1];

const packages = await Promise.all(folders.map(callsOf));
console.log(`${contents.length} messages; microseconds of one call, median of ${ROUNDS}\n`);
for (const name of Object.keys(packages[0])) {
  const samples = packages.map(() => []);
  for (let round = -3; round < ROUNDS; round += 1) {
    packages.forEach((calls, at) => {
      const took = timed(calls[name]);
      if (round >= 0) samples[at].push(took);
    });
  }
  console.log(`${name.padEnd(28)} ${samples.map((list) => median(list).toFixed(1).padStart(10)).join(' ')}`);
}
