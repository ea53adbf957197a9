// The browser without a window that all tests and measurements in pages use.
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);

/**
 * What Playwright launches it with: the program that scripts/setup.sh found or installed, and the flags that webdriver.json
 * gives the wasm tests too.
 *
 * @returns {{ executablePath: string, args: string[] }}
 */
export function launchOptions() {
  const noted = new URL('.toolchain/browser', root);
  const found = existsSync(noted) ? readFileSync(noted, 'utf8').split('\n')[0] : undefined;
  const executablePath = process.env.CHROMIUM ?? found;
  if (executablePath === undefined || !existsSync(executablePath))
    throw new Error('there is no browser to test with: run scripts/setup.sh browser');
  const { args } = JSON.parse(readFileSync(new URL('webdriver.json', root), 'utf8'))['goog:chromeOptions'];
  return { executablePath, args };
}
