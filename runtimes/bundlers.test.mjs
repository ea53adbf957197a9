// The package in each bundler's output, which runs where none of the package's files are.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Workshop } from './support/build.mjs';
import { expectation } from './support/expectation.mjs';
import { firstWord, launch } from './support/site.mjs';

const run = promisify(execFile);
const workshop = new Workshop();
const STRICT = "default-src 'none'; script-src 'self'";
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
let expected;
let browser;

before(async () => {
  expected = await expectation();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  workshop.remove();
});

async function saidInNode(file) {
  const { stdout, stderr } = await run(process.execPath, [file], { maxBuffer: 1 << 26 });
  assert.equal(stderr, '');
  return stdout.trimEnd();
}

for (const [name, make] of Object.entries({
  'esbuild, for Node.js, ES module': () => workshop.esbuild('esm', 'main.mjs', { platform: 'node', format: 'esm' }),
  'esbuild, for Node.js, CommonJS': () => workshop.esbuild('cjs', 'main.cjs', { platform: 'node', format: 'cjs' }),
  'webpack, for Node.js': () => workshop.webpack('webpack-node', 'node20'),
})) {
  test(name, async () => assert.equal(await saidInNode(await make()), expected));
}

for (const [name, make] of Object.entries({
  'esbuild, for browsers': () => workshop.esbuild('browser', 'main.js', { platform: 'browser', format: 'esm' }),
  'webpack, for browsers': () => workshop.webpack('webpack-web', 'web'),
  Vite: () => workshop.vite('vite'),
})) {
  test(name, async () => assert.equal(await firstWord(browser, await make(), POLICY), expected));
}

test("a page whose policy lacks 'wasm-unsafe-eval' is told so", async () => {
  const file = await workshop.esbuild('forbidden', 'main.js', { platform: 'browser', format: 'esm' });
  const word = await firstWord(browser, file, STRICT);
  assert.match(word, /wasm-unsafe-eval/);
  assert.match(word, /DensifyError/);
});

test('under that policy a bundle by the condition no-wasm says the same', async () => {
  const options = { platform: 'browser', format: 'esm', conditions: ['no-wasm'] };
  const file = await workshop.esbuild('script', 'main.js', options);
  assert.equal(await firstWord(browser, file, STRICT), expected);
});

for (const [name, make] of Object.entries({
  webpack: (options) => workshop.webpack('webpack-url', 'web', options),
  Vite: (options) => workshop.vite('vite-url', options),
})) {
  test(`${name}, by the condition wasm-url: files that are compiled while they arrive`, async () => {
    const entry = fileURLToPath(new URL('entries/fetched.mjs', import.meta.url));
    const file = await make({ entry, conditions: ['wasm-url'] });
    const { early, streamed, said } = JSON.parse(await firstWord(browser, file, `${POLICY}; connect-src 'self'`));
    assert.match(early, /^wasm-unavailable: core\.wasm .*await init\(\)/);
    assert.equal(streamed, 3);
    assert.equal(said, expected);
  });
}
