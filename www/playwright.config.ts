import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const root = new URL('../', import.meta.url);

/** The browser's program, as scripts/env.sh finds it. */
function program(): string {
  const noted = new URL('.toolchain/browser', root);
  const path = process.env['CHROMIUM'] ?? (existsSync(noted) ? readFileSync(noted, 'utf8').split('\n')[0] : undefined);
  if (path === undefined) throw new Error('there is no browser to test with: run scripts/setup.sh browser');
  return path;
}

const flags = JSON.parse(readFileSync(new URL('webdriver.json', root), 'utf8')) as {
  'goog:chromeOptions': { args: string[] };
};
const port = 4180 + (process.pid % 400);
const address = process.env['PLAYGROUND_URL'] ?? `http://127.0.0.1:${port}/`;
process.env['PLAYGROUND_URL'] = address; // workers read this file again

export default defineConfig({
  testDir: process.env['PLAYGROUND_TESTS'] ?? 'tests',
  outputDir: '../target/playground-tests',
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 15_000 }, // machines are shared
  reporter: 'list',
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 1000 },
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: { executablePath: program(), args: flags['goog:chromeOptions'].args },
  },
  webServer: { command: `node serve.mjs ${new URL(address).port}`, url: address, reuseExistingServer: true },
});
