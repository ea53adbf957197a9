// The package in each kind of Node program: results must not depend on how it was loaded.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import * as densify from 'densify';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { Bundles } from './support/bundles.js';
import { conversation } from './support/conversations.js';
import { probe } from './support/probe.js';

const run = promisify(execFile);
const bundles = new Bundles();
afterAll(() => bundles.remove());

const expected = probe(densify);

/** Runs a file, or code that is written to one, in a Node process of its own. */
async function node(file: string, code?: string, flags: readonly string[] = []): Promise<string> {
  const path = join(bundles.folder, file);
  if (code !== undefined) writeFileSync(path, code);
  const { stdout } = await run(process.execPath, [...flags, path], { maxBuffer: 1 << 26 });
  return stdout.trimEnd();
}

describe('Node', () => {
  const external: BuildOptions = { platform: 'node', external: ['densify'] };

  test('import', async () => {
    await bundles.make('sync.ts', 'external.mjs', { ...external, format: 'esm' });
    expect(await node('external.mjs')).toBe(expected);
  });

  test('require', async () => {
    await bundles.make('sync.ts', 'external.cjs', { ...external, format: 'cjs' });
    expect(await node('external.cjs')).toBe(expected);
  });

  test('after init', async () => {
    await bundles.make('after-init.ts', 'prepared.mjs', { ...external, format: 'esm' });
    expect(await node('prepared.mjs')).toBe(expected);
  });

  test('where no code may be made of strings, and __proto__ is gone', async () => {
    await bundles.make('sync.ts', 'strict.mjs', { ...external, format: 'esm' });
    expect(
      await node('strict.mjs', undefined, ['--disallow-code-generation-from-strings', '--disable-proto=delete']),
    ).toBe(expected);
  });

  test('a worker thread', async () => {
    const file = await bundles.make('sync.ts', 'thread.mjs', { ...external, format: 'esm' });
    const worker = new Worker(file, { stdout: true });
    const chunks: string[] = [];
    for await (const chunk of worker.stdout.setEncoding('utf8')) chunks.push(String(chunk));
    expect(chunks.join('').trimEnd()).toBe(expected);
  });

  test('validate, by both ways, without any wasm', async () => {
    const print = `const { ok, findings: [{ code }] } = validate([{ role: 'tool', tool_call_id: 'a', content: 'x' }], { format: 'openai-chat' }); console.log(ok, code, String(WebAssembly.Module));`;
    const watch = 'WebAssembly.Module = class { constructor() { throw new Error() } toString() {} }; ';
    for (const [file, load] of [
      ['validate.mjs', "const { validate } = await import('densify/validate'); "],
      ['validate.cjs', "const { validate } = require('densify/validate'); "],
    ] as const) {
      expect(await node(file, `${watch}${load}${print}`)).toMatch(/^false orphan-result class/);
    }
  });

  test('transcripts, by both ways', async () => {
    const print = `console.log(JSON.stringify(readTranscript('{"messages":[{"role":"user","content":"hi"}]}').contents))`;
    const contents = '[{"speaker":"human","blocks":[{"type":"text","text":"hi"}]}]';
    expect(await node('transcripts.mjs', `import { readTranscript } from 'densify/transcripts'; ${print}`)).toBe(
      contents,
    );
    expect(await node('transcripts.cjs', `const { readTranscript } = require('densify/transcripts'); ${print}`)).toBe(
      contents,
    );
  });

  test("one copy by import and require; a second one knows the first one's errors", async () => {
    const second = new URL('node_modules/densify/dist/index.js', import.meta.url).href;
    const code = `
      import { createRequire } from 'node:module';
      import * as esm from 'densify';
      import * as second from '${second}';
      const cjs = createRequire(import.meta.url)('densify');
      const error = (() => { try { cjs.optimize(1); } catch (thrown) { return thrown; } })();
      const history = [{ speaker: 'human', blocks: [{ type: 'text', text: 'hi' }] }];
      console.log(esm.optimize === cjs.optimize, second.optimize === cjs.optimize);
      console.log(second.isDensifyError(error), cjs.optimize(second.optimize(history).messages).messages === history);
    `;
    expect(await node('both.mjs', code)).toBe('true false\ntrue true');
  });

  test('few files are loaded: no part that only others need', async () => {
    const code = `
      import { createRequire } from 'node:module';
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).map((path) => path.split('/').at(-1)).sort().join(' ');
      await import('densify/validate');
      console.log(loaded());
      const { optimize } = await import('densify');
      optimize([]);
      console.log(loaded());
    `;
    const [validate, densify] = (await node('files.mjs', code)).split('\n');
    expect(validate?.split(' ')).toContain('base.cjs');
    expect(validate).not.toContain('core.cjs');
    const more = densify?.split(' ').filter((file) => !validate?.split(' ').includes(file));
    expect(more).toEqual(['core.cjs', 'index.cjs', 'wasm-core-node.cjs']);
  });

  test('importing does nothing: the core is compiled when it is first needed', async () => {
    const code = `
      const { Module } = WebAssembly;
      let compiled = 0;
      WebAssembly.Module = class extends Module { constructor(bytes) { super(bytes); compiled += 1; } };
      const { optimize, createDensify, isDensifyError } = await import('densify');
      const tenants = [createDensify(), createDensify()];
      const before = compiled;
      optimize([]);
      for (const tenant of tenants) tenant.optimize([]);
      console.log(before, compiled);
    `;
    // The core for `optimize`, and the file of the tenants, which have all of densify.
    expect(await node('lazy.mjs', code)).toBe('0 2');
  });
});

/** Takes from a host what others never had. */
const BARE = 'WebAssembly TextEncoder TextDecoder FinalizationRegistry URL fetch Buffer atob btoa'
  .split(' ')
  .map((name) => `delete globalThis.${name};`)
  .join(' ');

describe('without WebAssembly', () => {
  test('a bundle by the condition no-wasm, where even text coders are missing', async () => {
    const options = {
      platform: 'node' as const,
      format: 'esm' as const,
      conditions: ['no-wasm'],
      banner: { js: BARE },
    };
    await bundles.make('sync.ts', 'script.mjs', options);
    expect(await node('script.mjs')).toBe(expected);
  });

  test('the condition react-native takes it, too', async () => {
    const options = {
      platform: 'neutral' as const,
      format: 'esm' as const,
      conditions: ['react-native'],
      banner: { js: BARE },
    };
    await bundles.make('sync.ts', 'native.mjs', { ...options, mainFields: ['react-native', 'module', 'main'] });
    expect(await node('native.mjs')).toBe(expected);
  });

  test('densify/js is one file, small enough for a plug-in, that says what the package says', async () => {
    const entry = new URL('node_modules/densify/dist/js.js', import.meta.url);
    const text = readFileSync(entry, 'utf8');
    // Claude Code refuses files of 1 MiB: growth is to be seen before that.
    expect(text.length).toBeLessThan(1_045_000);
    expect(text).not.toMatch(/\bimport\b|\brequire\(/);
    const print = `
      const history = ${JSON.stringify(conversation(1, 40))};
      console.log(JSON.stringify([optimize(history), compress(history, { strategy: 'high-density', contextLimit: 4_000 })]));
    `;
    writeFileSync(join(bundles.folder, 'mod.mjs'), `${BARE}\n${text}`);
    const said = await node('from-mod.mjs', `import { compress, optimize } from './mod.mjs';${print}`);
    expect(said).toBe(await node('from-wasm.mjs', `import { compress, optimize } from 'densify';${print}`));
  });

  test('a host without it is told which entry helps', async () => {
    const code = `delete globalThis.WebAssembly; const { optimize } = await import('densify');
      try { optimize([]); } catch ({ code, message }) { console.log(code, message); }`;
    expect(await node('missing.mjs', code)).toMatch(/^wasm-unavailable .*densify\/js/);
  });
});

describe('hosts with less', () => {
  test('no fetch and no URL', async () => {
    const banner = { js: 'delete globalThis.fetch; delete globalThis.URL;' };
    await bundles.make('sync.ts', 'no-url.mjs', { platform: 'neutral', format: 'esm', banner });
    expect(await node('no-url.mjs')).toBe(expected);
  });

  test('a file system that can only be read', async () => {
    await bundles.make('sync.ts', 'read-only.mjs', { platform: 'node', external: ['densify'], format: 'esm' });
    const flags = [
      process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
      '--allow-fs-read=*',
      '--no-warnings',
    ];
    expect(await node('read-only.mjs', undefined, flags)).toBe(expected);
  });

  test('a server that lacks the wasm file at first, and has no type for it later', async () => {
    const wasm = new URL('node_modules/densify/dist/core.wasm', import.meta.url).href;
    const contents = `
      import { readFileSync } from 'node:fs';
      import { init, optimize } from 'densify';
      let status = 404;
      globalThis.fetch = async () => new Response(readFileSync(new URL('${wasm}')), { status });
      try { await init(); } catch ({ code, message }) { console.log(code, message); }
      status = 200;
      await init();
      console.log(optimize([]).messages.length);
    `;
    await build({
      stdin: { contents, resolveDir: bundles.folder },
      outfile: join(bundles.folder, 'fetched.mjs'),
      bundle: true,
      platform: 'neutral',
      external: ['node:fs'],
      format: 'esm',
      conditions: ['wasm-url'],
      logLevel: 'silent',
    });
    const [refusal, messages] = (await node('fetched.mjs')).split('\n');
    expect(refusal).toMatch(/^wasm-unavailable .*core\.wasm can't be fetched: the server answered 404/);
    expect(messages).toBe('0');
  });

  test('a bundle that left the wasm file behind says so', async () => {
    const code = `import { optimize } from 'densify'; try { optimize([]); } catch ({ code, message }) { console.log(code, message); }`;
    const outfile = join(bundles.folder, 'left-behind.mjs');
    await build({
      stdin: { contents: code, resolveDir: bundles.folder },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['node'],
      logLevel: 'silent',
    });
    expect(await node('left-behind.mjs')).toMatch(/^wasm-unavailable .*condition "module"/);
  });
});

describe('bundles', () => {
  test.each([
    ['esm', 'bundled.mjs', {}],
    ['cjs', 'bundled.cjs', {}],
    ['esm', 'bundled-small.mjs', { minify: true }],
    ['cjs', 'bundled-small.cjs', { minify: true }],
  ] as const)('%s for Node: %s', async (format, file, options) => {
    await bundles.make('sync.ts', file, { platform: 'node', format, ...options });
    expect(await node(file)).toBe(expected);
  });

  test('for a neutral platform, split into shared files', async () => {
    const entryPoints = ['sync.ts', 'after-init.ts'].map(
      (entry) => new URL(`support/entries/${entry}`, import.meta.url).pathname,
    );
    await build({
      entryPoints,
      outdir: join(bundles.folder, 'split'),
      bundle: true,
      splitting: true,
      format: 'esm',
      outExtension: { '.js': '.mjs' },
    });
    expect(await node('split/sync.mjs')).toBe(expected);
    expect(await node('split/after-init.mjs')).toBe(expected);
  });

  test('of what is not used nothing is left', async () => {
    const file = join(bundles.folder, 'unused.mjs');
    await build({
      stdin: { contents: "import 'densify'; import 'densify/transcripts';", resolveDir: bundles.folder },
      outfile: file,
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
    });
    expect(readFileSync(file, 'utf8').length).toBeLessThan(200);
  });

  test.each([
    ['optimize', 'densify', 'optimize([])'],
    ['requestSummary', 'densify', "requestSummary([], { strategy: 'one-shot' })"],
    ['createConversation', 'densify', "createConversation({ strategy: 'auto', contextLimit: 1e5 })"],
    ['replay', 'densify/replay', "replay([], { policies: ['lossless'] })"],
    ['compressionPrompt', 'densify/host', "compressionPrompt({ framing: 'one-shot' })"],
  ])('who uses %s alone gets one wasm file', async (name, entry, call) => {
    const file = join(bundles.folder, `only-${name}.mjs`);
    await build({
      stdin: {
        contents: `import { ${name} } from '${entry}'; console.log(typeof ${call});`,
        resolveDir: bundles.folder,
      },
      outfile: file,
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
    });
    expect(readFileSync(file, 'utf8').match(/[A-Za-z0-9+/]{10000,}/g)).toHaveLength(1);
    expect(['object', 'string']).toContain(await node(`only-${name}.mjs`));
  });

  test.each(['workerd', 'edge-light'])('for %s, which compiles wasm at deployment', async (condition) => {
    const file = `${condition}.mjs`;
    await bundles.make('sync.ts', file, {
      format: 'esm',
      conditions: [condition],
      plugins: [compiledAtDeployment],
      platform: 'node',
    });
    const text = readFileSync(join(bundles.folder, file), 'utf8');
    expect(text).not.toMatch(/[A-Za-z0-9+/]{10000,}/); // the core isn't in it a second time, as text
    expect(await node(file)).toBe(expected);
  });
});

/** Stands for the host's bundler: a wasm file is a compiled module. */
const compiledAtDeployment: Plugin = {
  name: 'compiled-at-deployment',
  setup(bundler) {
    bundler.onResolve({ filter: /\.wasm(\?module)?$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace('?module', '')),
      namespace: 'wasm',
    }));
    bundler.onLoad({ filter: /.*/, namespace: 'wasm' }, ({ path }) => ({
      contents: `import { readFileSync } from 'node:fs'; export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`,
    }));
  },
};
