// A browser without a window, and a server that gives it pages under a policy.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { launchOptions } from '../../scripts/browser.mjs';

/** Starts the browser with the flags of all tests of the project. */
export const launch = () => chromium.launch(launchOptions());

const page = (script) => `<!doctype html><meta charset="utf-8"><script type="module" src="${script}"></script>`;

/** What a bundle, whose chunks lie beside it, logs first on a page under a policy; or the error that it ends with. */
export async function firstWord(browser, file, policy) {
  const server = createServer(({ url }, response) => {
    const path = join(dirname(file), url);
    const isFile = url !== '/' && existsSync(path);
    const type = url.endsWith('.wasm') ? 'application/wasm' : `text/${isFile ? 'javascript' : 'html'}; charset=utf-8`;
    response.writeHead(isFile || url === '/' ? 200 : 404, { 'Content-Type': type, 'Content-Security-Policy': policy });
    response.end(isFile ? readFileSync(path) : page(basename(file)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tab = await browser.newPage();
  try {
    const found = new Promise((resolve) => {
      tab.on('console', (message) => resolve(message.text()));
      tab.on('pageerror', (error) => resolve(String(error)));
    });
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    return await found;
  } finally {
    await tab.close();
    server.close();
    server.closeAllConnections();
  }
}
