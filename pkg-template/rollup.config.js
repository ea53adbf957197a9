// Bundles what tsc made: every entry point of package.json as ESM and as CommonJS. Code that
// entry points share goes into shared files, in both formats, so that it has one state.
import { existsSync, readFileSync } from 'node:fs';
import { dts } from 'rollup-plugin-dts';

const compiled = '../target/npm/tsc';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

// './dist/transcripts.js' is made from src/transcripts.ts or src/transcripts/index.ts.
const names = Object.values(manifest.exports).flatMap(
  (entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.import?.default)?.[1] ?? [],
);
const entries = (extension) =>
  Object.fromEntries(
    names.map((name) => {
      const files = [name, `${name}/index`].map((path) => `${compiled}/${path}${extension}`);
      return [name, files.find(existsSync) ?? files[0]];
    }),
  );

/** Left to whoever loads the package: `#wasm…` is chosen by its `imports`, a wasm file by the host's bundler. */
const external = {
  name: 'external',
  resolveId: (id) => (/^(#wasm|node:)/.test(id) || /\.wasm(\?module)?$/.test(id) ? { id, external: 'absolute' } : null),
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
const onLog = (level, log, handle) => handle(level === 'warn' ? 'error' : level, log);

/** The command, the thread in which it packs, and what agents load: of the same shared files, so that they are small. */
const command = {
  cli: `${compiled}/cli/index.js`,
  'gateway-thread': `${compiled}/gateway-node/thread-entry.js`,
  'pi-gateway': `${compiled}/cli/agents/pi-gateway.js`,
  'pi-extension': `${compiled}/cli/agents/pi-extension.js`,
};
const shebang = ({ name }) => (name === 'cli' ? '#!/usr/bin/env node' : '');

const code = (input, ...outputs) => ({ input, onLog, plugins: [external], output: outputs });
const types = (extension) => ({
  input: entries('.d.ts'),
  onLog,
  plugins: [external, dts()],
  output: { ...output('es', extension), banner: libraries },
});

/** For users whose TypeScript `lib` is older than `Symbol.dispose`. */
function libraries({ exports, modules }) {
  const disposable = exports.length > 0 && Object.values(modules).some(({ code }) => code?.includes('Symbol.dispose'));
  return disposable ? '/// <reference lib="esnext.disposable" />' : '';
}

const wasm = (variant) => ({ [`wasm-${variant}`]: `${compiled}/wasm/${variant}.js` });

export default [
  code({ ...entries('.js'), ...command }, { ...output('es', '.js'), banner: shebang }),
  code(entries('.js'), output('cjs', '.cjs')),
  ...['', 'summary-', 'intake-', 'tokens-'].flatMap((module) => [
    code(wasm(`${module}inline`), output('es', '.js'), output('cjs', '.cjs')),
    code(wasm(`${module}workerd`), output('es', '.js')),
    code(wasm(`${module}edge`), output('es', '.js')),
  ]),
  types('.d.ts'),
  types('.d.cts'),
];
