// Measures the playground's bars in headless Chromium and prints them; needs a build and a server:
//
//   node measure.mjs [ADDRESS]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { launchOptions } from '../scripts/browser.mjs';

const address = process.argv[2] ?? 'http://127.0.0.1:4173/';
const root = new URL('../', import.meta.url);
const STEPS = 200;

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
const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
const cdp = await page.context().newCDPSession(page);
// Time of the thread itself, so that a busy machine doesn't count.
await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
const busy = async () => {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
};
const figures = page.getByTestId('figures');
const replayed = () =>
  page.waitForFunction(() => document.querySelector('[data-testid=figures]')?.textContent?.includes('%'));

const start = performance.now();
await page.goto(address);
await replayed();
console.log(`first view, replayed: ${Math.round(performance.now() - start)} ms`);

const before = await figures.textContent();
await page.evaluate(() => {
  globalThis.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
  }).observe({ type: 'longtask' });
});
const dropped = performance.now();
await page.locator('input[type=file]').setInputFiles(file);
await page.waitForFunction((old) => {
  const text = document.querySelector('[data-testid=figures]')?.textContent;
  return text !== old && text?.includes('%');
}, before);
const drawn = performance.now() - dropped;
console.log(
  `a log of ${(log.length / 1e6).toFixed(1)} MB, 10,000 messages, parsed, replayed and drawn: ${Math.round(drawn)} ms`,
);
console.log(`longest task of the page meanwhile: ${Math.round(await page.evaluate(() => globalThis.longest))} ms`);

await page.getByRole('slider', { name: 'Call of the model' }).focus();
await page.waitForTimeout(500);
const idle = await busy();
for (let step = 0; step < STEPS; step += 1) await page.keyboard.press('ArrowLeft');
await page.waitForTimeout(300);
console.log(
  `scrubbing, main-thread work a step: ${(((await busy()) - idle) / STEPS).toFixed(1)} ms (mean of ${STEPS})`,
);
await browser.close();

const assets = new URL('target/playground/assets/', root);
const sizes = readdirSync(assets)
  .filter((name) => /\.(js|css|wasm)$/.test(name))
  .map((name) => [name, gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length]);
for (const [name, size] of sizes) console.log(`${(size / 1000).toFixed(1).padStart(8)} kB gzip  ${name}`);
