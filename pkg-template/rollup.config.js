// Bundles what tsc made: every entry point of package.json as ESM and as CommonJS. Code that
// entry points share goes into shared files, in both formats, so that it has one state.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dts } from 'rollup-plugin-dts';
import { minify } from 'terser';
import { libraryOf } from './rollup.libraries.js';
import { nodeForm } from './rollup.node.js';
import { splitEntries } from './rollup.split.js';

const compiled = '../target/npm/tsc';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

// './dist/transcripts.js' is made from src/transcripts.ts or src/transcripts/index.ts.
const names = Object.values(manifest.exports)
  .flatMap((entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.import?.default)?.[1] ?? [])
  .filter((name) => !/-base$/.test(name)); // vocabularies, which are copied
const entries = (extension) =>
  Object.fromEntries(
    names.map((name) => {
      const files = [name, `${name}/index`].map((path) => `${compiled}/${path}${extension}`);
      return [name, files.find(existsSync) ?? files[0]];
    }),
  );

/** Left to whoever loads the package: `#…` is chosen by its `imports`, a wasm file by the host's bundler. */
const external = {
  name: 'external',
  resolveId: (id) =>
    /^(#|node:|\.\/js\.js$)/.test(id) || /\.wasm(\?module)?$/.test(id) ? { id, external: 'absolute' } : null,
};

/** What is published is minified, with the marks by which bundlers drop what isn't used. `kept`: names that stay. */
const minifying = (kept = []) => ({
  name: 'minified',
  renderChunk: (code, _chunk, { format }) =>
    minify(code, {
      module: format === 'es',
      ecma: 2020,
      // Scripts made of wasm files are as small as they get, and take minutes.
      compress: code.length < 400_000 && { passes: 2 },
      // Node.js prints the line of an uncaught error.
      format: { comments: false, preserve_annotations: true, max_line_len: 160 },
      mangle: { reserved: kept },
    }),
});
const minified = minifying();

const bundled = {
  name: 'bundled',
  resolveId: (id) => (id in libraryOf ? fileURLToPath(import.meta.resolve(libraryOf[id])) : null),
};

function output(format, extension) {
  return {
    dir: 'dist',
    format,
    entryFileNames: `[name]${extension}`,
    chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, '')}${extension}`,
    hoistTransitiveImports: false,
    generatedCode: { arrowFunctions: true, constBindings: true },
    exports: 'named',
  };
}

/** A warning here is a fault that users would meet. */
const onLog = (level, log, handle) => {
  // Functions of a library that call each other.
  const isForeign = log.code === 'CIRCULAR_DEPENDENCY' && log.ids.every((id) => id.includes('node_modules'));
  if (!isForeign) handle(level === 'warn' ? 'error' : level, log);
};

/** The command, the thread in which it packs, and what agents load: of the same shared files, so that they are small. */
const command = {
  cli: `${compiled}/cli/index.js`,
  'gateway-thread': `${compiled}/gateway-node/thread-entry.js`,
  'pi-gateway': `${compiled}/cli/agents/pi-gateway.js`,
  'pi-extension': `${compiled}/cli/plugins/pi.js`,
  'opencode-plugin': `${compiled}/cli/plugins/opencode.js`,
  'agent-hook': `${compiled}/cli/plugins/hook.js`,
};
const shebang = ({ name }) => (name === 'cli' ? '#!/usr/bin/env node' : '');

/**
 * What each wasm file is for, as entries that are thrown away: so code that only some of them need stands in files of
 * its own, and a page that wants `optimize` alone loads no other, whatever its bundler knows.
 */
const parts = {
  core: [
    'functions',
    'init',
    'messages/apply-edits',
    'optimizer/density',
    'formats/densify',
    'formats/core-verbs',
    'formats/requests',
    'formats/plan',
    'formats/hooks',
  ],
  intake: ['intake/functions', 'formats/intake-verbs'],
  summary: ['summary/functions', 'formats/summary-verbs'],
  conversation: ['conversation/functions', 'formats/conversation-verbs'],
};
const PART = /^part:(.+)$/;
const parted = {
  name: 'parted',
  resolveId: (id) => (PART.test(id) ? { id, moduleSideEffects: 'no-treeshake' } : null),
  load(id) {
    const [, name] = PART.exec(id) ?? [];
    return parts[name]?.map((file) => `export * from ${path(`${file}.js`)};`).join('\n') ?? null;
  },
  generateBundle(_options, bundle) {
    for (const [file, { facadeModuleId }] of Object.entries(bundle))
      if (PART.test(facadeModuleId ?? '')) delete bundle[file];
  },
};
const partEntries = Object.fromEntries(Object.keys(parts).map((name) => [`part-${name}`, `part:${name}`]));

const esModules = {
  input: { ...entries('.js'), ...command, ...partEntries },
  onLog,
  plugins: [external, bundled, parted, splitEntries(`${compiled}/formats/verbs.js`), minified],
  // As package.json says of the whole package.
  treeshake: { moduleSideEffects: false },
  output: { ...output('es', '.js'), banner: shebang },
};

const node = nodeForm(entries('.js'), compiled);
const commonJs = {
  input: node.input,
  onLog,
  plugins: [...node.plugins, external, bundled, minified],
  treeshake: { moduleSideEffects: false },
  output: {
    ...output('cjs', '.cjs'),
    manualChunks: node.manualChunks,
    // Jest runs CommonJS as scripts, in which `import()` fails.
    dynamicImportInCjs: false,
  },
};
const types = (extension, more = {}) => ({
  input: { ...entries('.d.ts'), ...more },
  onLog,
  plugins: [external, dts()],
  output: { ...output('es', extension), banner: libraries },
});

/** For users whose TypeScript `lib` is older than `Symbol.dispose`. */
function libraries({ exports, modules }) {
  const disposable = exports.length > 0 && Object.values(modules).some(({ code }) => code?.includes('Symbol.dispose'));
  return disposable ? '/// <reference lib="esnext.disposable" />' : '';
}

/** How each kind of host comes by the wasm file of a name: the module behind `#wasm…`. */
const hosts = {
  // Wherever code may be compiled and no file be read, or found by a bundler: it is part of the JavaScript.
  inline: (name) => `
    import { length, text } from ${path(`generated/${name}-packed.js`)};
    import { unpack } from ${path('wasm/unpack.js')};
    // Once, since Bun's bundler copies a text to each place that uses it.
    const bytes = () => unpack(text, length);
    export const compile = () => new WebAssembly.Module(bytes());
    export const compileAsync = async () => WebAssembly.compile(bytes());`,
  node: (name) => `
    import { readFileSync } from 'node:fs';
    const bytes = () => readFileSync(new URL('./${name}.wasm', import.meta.url));
    export const compile = () => new WebAssembly.Module(bytes());
    export const compileAsync = async () => WebAssembly.compile(bytes());`,
  // CommonJS, where a file's own place is known by another name.
  'node-cjs': (name) => `
    import { readFileSync } from 'node:fs';
    const bytes = () => readFileSync(__dirname + '/${name}.wasm');
    export const compile = () => new WebAssembly.Module(bytes());
    export const compileAsync = async () => WebAssembly.compile(bytes());`,
  // A file that the page's bundler copies and `init` fetches: it is compiled while it arrives.
  url: (name) => `
    import { compileFetched, notFetched } from ${path('wasm/fetched.js')};
    export const compile = () => notFetched('${name}.wasm');
    export const compileAsync = () => compileFetched(new URL('./${name}.wasm', import.meta.url));`,
  // Hosts without WebAssembly run the same code as JavaScript.
  js: (name) => `
    import { instantiate } from ${path(`generated/${name}-script.js`)};
    export const compile = () => instantiate;
    export const compileAsync = async () => instantiate;`,
  // The core's is in the package once, in the file that has all of it.
  'js-shared': () => "export { compile, compileAsync } from './js.js';",
  // Cloudflare's workerd compiles wasm at deployment and never at run time.
  workerd: (name) => `
    import module from './${name}.wasm';
    export const compile = () => module;
    export const compileAsync = async () => module;`,
  // Bundlers for edge runtimes compile wasm when asked to by `?module`.
  edge: (name) => `
    import module from './${name}.wasm?module';
    export const compile = () => module;
    export const compileAsync = async () => module;`,
};
const path = (name) => JSON.stringify(fileURLToPath(new URL(`${compiled}/${name}`, import.meta.url)));

const HOST = /^host:(.+):(.+)$/;
const hosted = {
  name: 'hosted',
  resolveId: (id) => (HOST.test(id) ? id : null),
  load(id) {
    const [, host, name] = HOST.exec(id) ?? [];
    return host === undefined ? null : hosts[host](name);
  },
};

function wasm(name, host, format = 'es') {
  return {
    input: { [`wasm-${name}-${host.replace(/-cjs|-shared/, '')}`]: `host:${host}:${name}` },
    onLog,
    plugins: [external, hosted, minified],
    output: output(format, format === 'cjs' ? '.cjs' : '.js'),
  };
}

/** The core and its functions in one file, which needs no WebAssembly. */
const oneFile = {
  input: { js: `${compiled}/js.js` },
  onLog,
  plugins: [{ name: 'without-wasm', resolveId: (id) => (id === '#wasm' ? 'host:js:core' : null) }, hosted, minified],
  output: { ...output('es', '.js'), inlineDynamicImports: true },
};

/** The mod of Claude Code, in one file: there no import leads to a package, and the host itself compiles the wasm file. */
const mod = {
  input: { 'claude-mod': `${compiled}/cli/plugins/claude-mod.js` },
  onLog,
  plugins: [
    {
      name: 'given-wasm',
      resolveId: (id) => (id === '#wasm-full' ? JSON.parse(path('cli/plugins/claude-mod-wasm.js')) : null),
    },
    // Claude Code looks for its own names before it runs a mod.
    minifying(['$', 'on', 'next']),
  ],
  treeshake: { moduleSideEffects: false },
  output: { ...output('es', '.js'), inlineDynamicImports: true },
};

export default [
  esModules,
  commonJs,
  ...['core', 'full', 'tokens'].flatMap((name) => [
    ...['inline', 'node', 'url', 'workerd', 'edge', name === 'core' ? 'js-shared' : 'js'].map((host) =>
      wasm(name, host),
    ),
    wasm(name, 'node-cjs', 'cjs'),
  ]),
  types('.d.ts', { js: `${compiled}/js.d.ts` }),
  oneFile,
  mod,
  types('.d.cts'),
];
