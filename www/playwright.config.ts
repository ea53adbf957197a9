import { defineConfig } from '@playwright/test';
import { launchOptions } from '../scripts/browser.mjs';

const port = 4180 + (process.pid % 400);
const address = process.env['PLAYGROUND_URL'] ?? `http://127.0.0.1:${port}/`;
process.env['PLAYGROUND_URL'] = address; // workers read this file again

export default defineConfig({
  testDir: process.env['PLAYGROUND_TESTS'] ?? 'tests',
  outputDir: '../target/playground-tests',
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 30_000 }, // machines are shared
  reporter: 'list',
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 1000 },
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: launchOptions(),
  },
  webServer: { command: `node serve.mjs ${new URL(address).port}`, url: address, reuseExistingServer: true },
});
