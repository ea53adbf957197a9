/**
 * The cases that need no files, in a worker of a page in headless Chromium.
 *
 * @import {Context, Row} from './cases.mjs'
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { launchOptions } from '../../scripts/browser.mjs';

const PAGE = '<!doctype html><meta charset="utf-8"><title>benchmark</title>';

/** The worker's script, and the files that the package asks for beside it, by path. */
async function bundle() {
  const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [path('in-page.mjs')],
    outdir: '/',
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    alias: { 'node:util': path('deep-equal.mjs') },
    logLevel: 'silent',
  });
  return new Map(outputFiles.map(({ path: name, contents }) => [name.replaceAll('\\', '/'), Buffer.from(contents)]));
}

/**
 * Pages of this server are isolated: their clocks are exact, and workers may wait.
 * @param {ReadonlyMap<string, Buffer>} files
 */
async function serve(files) {
  const server = createServer(({ url = '/' }, response) => {
    const found = url === '/' ? Buffer.from(PAGE) : (files.get(url) ?? packaged(url));
    const type = url === '/' ? 'text/html' : url.endsWith('.js') ? 'text/javascript' : 'application/octet-stream';
    response.writeHead(found === undefined ? 404 : 200, {
      'Content-Type': url.endsWith('.wasm') ? 'application/wasm' : type,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    response.end(found);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return server;
}

/** Files of the package that lie beside its scripts. @param {string} url */
function packaged(url) {
  const name = url.split('/').at(-1) ?? '';
  if (!/^[\w.-]+\.(wasm|bin)$/.test(name)) return undefined;
  try {
    return readFileSync(new URL(`../node_modules/densify/dist/${name}`, import.meta.url));
  } catch {
    return undefined;
  }
}

/**
 * @param {Context} context
 * @returns {Promise<Row[]>}
 */
export async function inChromium({ quick, note }) {
  const server = await serve(await bundle());
  const { args, executablePath } = launchOptions();
  const browser = await chromium.launch({ executablePath, args: [...args, '--js-flags=--expose-gc'] });
  try {
    const page = await browser.newPage();
    page.on('console', (message) => note(`Chromium: ${message.text()}`));
    await page.goto(`http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`);
    page.setDefaultTimeout(0);
    const rows = await page.evaluate(
      (isQuick) =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/in-page.js', { type: 'module' });
          worker.onerror = (event) => reject(new Error(event.message));
          worker.onmessage = ({ data }) => {
            if (data.note) console.log(data.note);
            if (data.error) reject(new Error(data.error));
            if (data.rows) resolve(data.rows);
          };
          worker.postMessage({ quick: isQuick });
        }),
      quick,
    );
    const version = browser.version().split('.', 1)[0];
    // The bars are set for Node.js; here the rows say what a page has of it. That outputs are the same holds everywhere.
    return /** @type {Row[]} */ (rows).map((row) => ({
      ...row,
      case: `Chromium ${version}: ${row.case}`,
      value: row.value ?? NaN,
      bar: row.unit === 'ok' ? row.bar : undefined,
    }));
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}
