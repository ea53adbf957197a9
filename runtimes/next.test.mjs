// The package in a Next.js application: in routes of the server and of the edge, and on a page.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expectation } from './support/expectation.mjs';
import { NEXT } from './support/programs.mjs';
import { launch } from './support/site.mjs';

const run = promisify(execFile);
const cwd = fileURLToPath(new URL('next', import.meta.url));
const program = NEXT;
const skip = existsSync(program) ? false : "Next.js isn't installed";
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };

/** An unused port. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('Next.js', { skip }, () => {
  let server;
  let address;
  let expected;

  before(async () => {
    expected = await expectation();
    await run(process.execPath, [program, 'build'], { cwd, env, maxBuffer: 1 << 26 });
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    server = spawn(process.execPath, [program, 'start', '-H', '127.0.0.1', '-p', String(port)], { cwd, env });
    await new Promise((resolve, reject) => {
      server.stdout.on('data', (text) => /Ready/.test(text) && resolve());
      server.on('exit', (code) => reject(new Error(`next start ended with ${code}`)));
    });
  });
  after(() => server?.kill());

  for (const [name, path] of [
    ['a route of the server', 'probe'],
    ['a route of the edge runtime', 'edge'],
  ])
    test(name, async () => {
      const response = await fetch(`${address}/${path}`);
      assert.equal(response.status, 200);
      assert.equal(await response.text(), expected);
    });

  test('a page', async () => {
    const browser = await launch();
    try {
      const tab = await browser.newPage();
      const found = new Promise((resolve) => {
        tab.on('console', (message) => message.type() === 'log' && resolve(message.text()));
        tab.on('pageerror', (error) => resolve(String(error)));
      });
      await tab.goto(address);
      assert.equal(await found, expected);
    } finally {
      await browser.close();
    }
  });
});
