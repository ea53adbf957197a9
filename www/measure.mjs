// Measures the playground's bars in headless Chromium and prints them, with exit code 1 if one is missed; needs a build
// and a server, which `scripts/playground.sh --measure` sees to:
//
//   node measure.mjs [ADDRESS]
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { launchOptions } from '../scripts/browser.mjs';

const address = process.argv[2] ?? 'http://127.0.0.1:4173/';
const assets = new URL('../target/playground/assets/', import.meta.url);
const ROUNDS = 3;
const [BATCHES, STEPS] = [5, 40];

/** A chat-completions log of 10,000 messages and 20 MB: reads, edits and shell output. */
function bigLog() {
  const messages = [];
  const line = (at) =>
    `  const value${at} = compute(${at * 7}, options.limit ?? ${at % 97}); // keeps the order of entries\n`;
  const text = Array.from({ length: 55 }, (_, at) => line(at)).join('');
  for (let at = 0; messages.length < 10_000; at += 1) {
    const call = (name, args) => [
      { id: `call_${at}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
    ];
    const path = `/work/src/file${at % 60}.ts`;
    if (at % 50 === 0) messages.push({ role: 'user', content: `Please go on with part ${at}.` });
    const isWrite = at % 5 === 4;
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: isWrite
        ? call('write_file', { file_path: path, content: text })
        : call('read_file', { file_path: path }),
    });
    messages.push({
      role: 'tool',
      tool_call_id: `call_${at}`,
      content: isWrite ? 'The file was written.' : `${at}\n${text}`,
    });
  }
  return JSON.stringify(messages.slice(0, 10_000));
}

const file = join(tmpdir(), 'playground-big-log.json');
const log = bigLog();
writeFileSync(file, log);

const browser = await chromium.launch(launchOptions());
const host = await browser.newBrowserCDPSession();
let [page, cdp] = [undefined, undefined];

/** A page that knows nothing of those before it. */
async function freshPage() {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  cdp = await page.context().newCDPSession(page);
  // Time of the page's own thread, so that a busy machine doesn't count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
}

const onThread = async () => {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
};
/** Processor time of everything that the page and its workers do. */
const onProcessor = async () => {
  const { processInfo } = await host.send('SystemInfo.getProcessInfo');
  return 1000 * processInfo.reduce((sum, { type, cpuTime }) => (type === 'renderer' ? sum + cpuTime : sum), 0);
};
const shown = (before) =>
  page.waitForFunction(
    (old) => {
      const text = document.querySelector('[data-testid=figures]')?.textContent;
      return text !== old && text?.includes('%');
    },
    before,
    { timeout: 60_000 },
  );

let isMissed = false;
function say(what, found, unit, bar) {
  const missed = bar !== undefined && found > bar;
  isMissed ||= missed;
  const wanted = bar === undefined ? '' : `  bar ${bar} ${unit}${missed ? ', MISSED' : ''}`;
  const figure = found < 100 ? found.toFixed(1) : Math.round(found).toString();
  console.log(`${what.padEnd(62)} ${figure.padStart(7)} ${unit}${wanted}`);
}

/** What an action took: by the clock, by the processor with all workers, and on the page's own thread. */
async function timed(action) {
  const [start, thread, processor] = [performance.now(), await onThread(), await onProcessor()];
  await action();
  const wall = performance.now() - start;
  return { wall, processor: (await onProcessor()) - processor, thread: (await onThread()) - thread };
}

/** The quickest of some rounds: other work on the machine can only add time. */
function sayTimes(what, rounds, bar) {
  const least = (key) => Math.min(...rounds.map((round) => round[key]));
  say(`${what}: by the clock`, least('wall'), 'ms', isQuiet ? bar : undefined);
  say(`${what}: processor, with workers`, least('processor'), 'ms', isQuiet ? undefined : bar);
  say(`${what}: the page's own thread`, least('thread'), 'ms');
}

const [load] = loadavg();
const isQuiet = load < cpus().length * 0.6;
console.log(
  `load ${load.toFixed(1)} on ${cpus().length} processors: ${isQuiet ? 'quiet, the clock counts' : 'busy, processor time counts'}; the quickest of ${ROUNDS}`,
);

const [firsts, logs, longest, fetched] = [[], [], [], new Set()];
for (let round = 0; round < ROUNDS; round += 1) {
  await freshPage();
  if (round === 0) page.on('request', (request) => fetched.add(new URL(request.url()).pathname.split('/').pop()));
  firsts.push(
    await timed(async () => {
      await page.goto(address);
      await shown(null);
    }),
  );
  const scripts = [...fetched].filter((name) => /\.(js|wasm)$/.test(name));
  if (round === 0) {
    const size = scripts.reduce(
      (sum, name) => sum + gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length,
      0,
    );
    say('first view: JavaScript and wasm, gzip', size / 1000, 'kB', 300);
  }
  const before = await page.getByTestId('figures').textContent();
  await page.evaluate(() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: 'longtask' });
  });
  logs.push(
    await timed(async () => {
      await page.locator('input[type=file]').setInputFiles(file);
      await shown(before);
    }),
  );
  longest.push(await page.evaluate(() => globalThis.longest));
}
sayTimes('first view, replayed', firsts, 1000);
sayTimes(`a log of ${(log.length / 1e6).toFixed(0)} MB, parsed, replayed, drawn`, logs, 3000);
say('longest task of the page meanwhile, by the clock', Math.min(...longest), 'ms');

await page.getByRole('slider', { name: 'Model call' }).focus();
await page.waitForTimeout(500);
const steps = [];
for (let batch = 0; batch < BATCHES; batch += 1) {
  const idle = await onThread();
  for (let step = 0; step < STEPS; step += 1) await page.keyboard.press('ArrowLeft');
  await page.waitForTimeout(200);
  steps.push(((await onThread()) - idle) / STEPS);
}
say("a step of scrubbing at 10,000 entries, the page's own thread", Math.min(...steps), 'ms', 10);
await browser.close();
process.exitCode = isMissed ? 1 : 0;
