// densify/tokens in each kind of program, and the parts of it that bundles include.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { launch, Site } from './support/browser.js';
import { Bundles } from './support/bundles.js';

const run = promisify(execFile);
const bundles = new Bundles();
afterAll(() => bundles.remove());

const COUNT = `
Promise.all(['o200k_base', 'cl100k_base'].map((name) => loadTokenizer(name))).then((tokenizers) =>
  console.log(JSON.stringify(tokenizers.map(({ count }) => [count('hello world, 12345!'), count('=-'.repeat(50000)), count('中文')]))),
);
`;
const EXPECTED = '[[7,6250,1],[7,6250,2]]';
const ESM = `import { loadTokenizer } from 'densify/tokens'; ${COUNT}`;

function write(file: string, code: string): string {
  const path = join(bundles.folder, file);
  writeFileSync(path, code);
  return path;
}

async function node(path: string): Promise<string> {
  return (await run(process.execPath, [path], { maxBuffer: 1 << 26 })).stdout.trimEnd();
}

/** What a CommonJS package exports, whose files run as scripts. */
function scripted(name: string, from = import.meta.url, loaded = new Map<string, { exports: unknown }>()): unknown {
  const file = createRequire(from).resolve(name);
  if (isBuiltin(file)) return createRequire(from)(file);
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const code = `(function (module, exports, require, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const run = new Script(code, { filename: file }).runInThisContext() as (...given: unknown[]) => void;
  run(module, module.exports, (inner: string) => scripted(inner, file, loaded), dirname(file));
  return module.exports;
}

/** The bundle of some code. */
async function bundle(file: string, code: string, options: BuildOptions = {}): Promise<string> {
  const outfile = join(bundles.folder, file);
  const stdin = { contents: code, resolveDir: bundles.folder };
  await build({ stdin, outfile, bundle: true, format: 'esm', target: 'es2022', logLevel: 'silent', ...options });
  return outfile;
}

describe('Node', () => {
  test('import, require', async () => {
    expect(await node(write('tokens.mjs', ESM))).toBe(EXPECTED);
    expect(await node(write('tokens.cjs', `const { loadTokenizer } = require('densify/tokens'); ${COUNT}`))).toBe(
      EXPECTED,
    );
  });

  test('Jest, which runs CommonJS as scripts, without import()', async () => {
    const { loadTokenizer } = scripted('densify/tokens') as typeof import('densify/tokens');
    const counts = ['o200k_base', 'cl100k_base'] as const;
    const tokenizers = await Promise.all(counts.map((name) => loadTokenizer(name)));
    expect(tokenizers.map(({ count }) => count('hello world, 12345!'))).toEqual([7, 7]);
    const { optimize } = scripted('densify') as typeof import('densify');
    expect(optimize([]).messages).toEqual([]);
  });

  test('a host without URL reads a vocabulary of its own', async () => {
    const code = `
      import { loadTokenizer } from 'densify/tokens';
      import { vocabulary } from 'densify/tokens/o200k_base';
      delete globalThis.URL;
      const { count } = await loadTokenizer('o200k_base', { vocabulary });
      console.log(count('hello world, 12345!'));
    `;
    expect(await node(await bundle('no-url.mjs', code))).toBe('7');
  });

  test('a worker thread', async () => {
    const worker = new Worker(write('tokens-thread.mjs', ESM), { stdout: true });
    const chunks: string[] = [];
    for await (const chunk of worker.stdout.setEncoding('utf8')) chunks.push(String(chunk));
    expect(chunks.join('').trimEnd()).toBe(EXPECTED);
  });

  test('bundled, in both formats', async () => {
    expect(await node(await bundle('bundled.mjs', ESM, { platform: 'node' }))).toBe(EXPECTED);
    expect(await node(await bundle('bundled.cjs', ESM, { platform: 'node', format: 'cjs', minify: true }))).toBe(
      EXPECTED,
    );
  });
});

describe('in bundles', () => {
  const samples = ['o200k_base', 'cl100k_base'].map((name) =>
    readFileSync(
      createRequire(import.meta.url)
        .resolve(`densify/tokens/${name}`)
        .replace('.cjs', '.js'),
      'utf8',
    ).slice(3_000, 3_090),
  );
  const vocabularies = (path: string) => {
    const text = readFileSync(path, 'utf8');
    return samples.filter((sample) => text.includes(sample)).length;
  };

  test('of who never asks for tokens there is nothing', async () => {
    const path = await bundle('main.mjs', "import { optimize } from 'densify'; console.log(optimize([]));");
    expect(vocabularies(path)).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain('o200k');
    const unused = await bundle('unused.mjs', "import 'densify/tokens';");
    expect(readFileSync(unused, 'utf8').length).toBeLessThan(200);
  });

  test('of who asks for any there are both', async () => {
    expect(vocabularies(await bundle('both.mjs', ESM))).toBe(2);
  });

  test('of who brings a vocabulary there is none, and of who wants its costs alone no wasm either', async () => {
    const own = await bundle(
      'own.mjs',
      "import { createTokenizer } from 'densify/tokens'; console.log(createTokenizer);",
    );
    expect(vocabularies(own)).toBe(0);
    expect(readFileSync(own, 'utf8').length).toBeLessThan(120_000);
    const costs = await bundle('costs.mjs', "import { imageTokens } from 'densify/tokens'; console.log(imageTokens);");
    expect(readFileSync(costs, 'utf8').length).toBeLessThan(20_000);
  });

  test('split into files, each vocabulary is a file of its own that is fetched when it is asked for', async () => {
    const result = await build({
      stdin: { contents: ESM, resolveDir: bundles.folder },
      outdir: join(bundles.folder, 'split-tokens'),
      bundle: true,
      splitting: true,
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      metafile: true,
    });
    const sizes = Object.values(result.metafile.outputs).map(({ bytes }) => bytes);
    expect(sizes.filter((bytes) => bytes > 500_000)).toHaveLength(2);
    expect(await node(join(bundles.folder, 'split-tokens/stdin.mjs'))).toBe(EXPECTED);
  });
});

test('a browser: a page, and a module worker', async () => {
  const script = readFileSync(await bundle('page.js', ESM, { platform: 'browser', minify: true }), 'utf8');
  const inWorker = readFileSync(await bundle('worker.js', ESM.replace('console.log', 'postMessage')), 'utf8');
  const start = `new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => console.log(data);`;
  const page = (file: string) => `<!doctype html><meta charset="utf-8"><script type="module" src="${file}"></script>`;
  const site = new Site(
    new Map([
      ['/page.html', page('page.js')],
      ['/page.js', script],
      ['/in-worker.html', page('start.js')],
      ['/start.js', start],
      ['/worker.js', inWorker],
    ]),
  );
  const address = await site.open();
  const browser = await launch();
  try {
    for (const path of ['/page.html', '/in-worker.html']) {
      const tab = await browser.newPage();
      const word = tab.waitForEvent('console').then((message) => message.text());
      await tab.goto(address + path);
      expect(await word).toBe(EXPECTED);
    }
  } finally {
    await browser.close();
    site.close();
  }
});
