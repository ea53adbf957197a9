// The package in a real browser: on a page and in a module worker, at once and after `init`.
import { readFileSync } from 'node:fs';
import * as densify from 'densify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, Site } from './support/browser.js';
import { Bundles } from './support/bundles.js';
import { probe } from './support/probe.js';

/** A page that runs a script and logs its results. */
const page = (script: string, type = '') =>
  `<!doctype html><meta charset="utf-8"><script ${type} src="${script}"></script>`;

const START_WORKER = `
const worker = new Worker('/worker.js' + location.search, { type: 'module' });
worker.onmessage = ({ data }) => console.log(data);
worker.onerror = ({ message }) => console.error('the worker failed: ' + message);
`;

const files = new Map<string, string>([
  ['/sync.html', page('sync.js')],
  ['/module.html', page('module.js', 'type="module"')],
  ['/after-init.html', page('after-init.js')],
  ['/worker.html', page('start.js')],
  ['/start.js', START_WORKER],
]);
const bundles = new Bundles();
const site = new Site(files);
let browser: Browser;
let address: string;

beforeAll(async () => {
  const bundled = [
    ['sync.ts', 'sync.js', 'iife', false],
    ['sync.ts', 'module.js', 'esm', true],
    ['after-init.ts', 'after-init.js', 'iife', true],
    ['worker.ts', 'worker.js', 'esm', true],
  ] as const;
  for (const [entry, file, format, minify] of bundled) {
    const made = await bundles.make(entry, file, { platform: 'browser', format, minify });
    files.set(`/${file}`, readFileSync(made, 'utf8'));
  }
  address = await site.open();
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  site.close();
  bundles.remove();
});

/** The first line that a page logs; any other event is an error. */
async function firstWordOf(path: string): Promise<string> {
  const context = await browser.newContext();
  const tab = await context.newPage();
  try {
    const found = new Promise<string>((resolve, reject) => {
      tab.on('console', (message) =>
        message.type() === 'log' ? resolve(message.text()) : reject(new Error(message.text())),
      );
      tab.on('pageerror', reject);
    });
    await Promise.all([tab.goto(address + path), found]);
    return await found;
  } finally {
    await context.close();
  }
}

test.each([
  ['a script, right after import', '/sync.html'],
  ['a module, right after import', '/module.html'],
  ['a script, after init', '/after-init.html'],
  ['a module worker, right after import', '/worker.html'],
  ['a module worker, after init', '/worker.html?init'],
])('%s', async (_, path) => {
  expect(await firstWordOf(path)).toBe(probe(densify));
});

test('a page asks for nothing but its own files', async () => {
  site.asked.length = 0;
  await firstWordOf('/module.html');
  expect(site.asked.filter((path) => path !== '/favicon.ico')).toEqual(['/module.html', '/module.js']);
});
