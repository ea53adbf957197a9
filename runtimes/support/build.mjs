// The bundlers, each with the settings that its users begin with.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { defaultClientConditions, build as vite } from 'vite';
import webpack from 'webpack';

const folder = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(folder, 'entries/bundled.mjs');

/** Builds bundles in a folder far from the package: none finds it there. */
export class Workshop {
  folder = mkdtempSync(join(tmpdir(), 'densify-'));

  async esbuild(name, file, options) {
    const outfile = join(this.folder, name, file);
    await esbuild.build({ entryPoints: [ENTRY], outfile, bundle: true, minify: true, logLevel: 'error', ...options });
    return outfile;
  }

  /** For edge runtimes, which compile wasm files themselves and give them to the code as globals. */
  edge(name) {
    return this.esbuild(name, 'main.js', {
      entryPoints: [join(folder, 'entries/finished.mjs')],
      format: 'iife',
      globalName: 'bundled',
      conditions: ['edge-light'],
      plugins: [
        {
          name: 'compiled-by-the-host',
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path, namespace: 'host' }));
            onLoad({ filter: /.*/, namespace: 'host' }, ({ path }) => ({
              contents: `export default globalThis.wasm_${/(\w+)\.wasm/.exec(path)[1]};`,
            }));
          },
        },
      ],
    });
  }

  /** For workerd: the wasm files stay files beside the script. Answers the folder. */
  async worker(name, entry) {
    const outdir = join(this.folder, name);
    await esbuild.build({
      entryPoints: { worker: entry },
      outdir,
      bundle: true,
      format: 'esm',
      target: 'es2022',
      conditions: ['workerd', 'worker'],
      loader: { '.wasm': 'copy' },
      assetNames: '[name]',
      logLevel: 'error',
    });
    return outdir;
  }

  async vite(name, { entry = ENTRY, conditions = [] } = {}) {
    const outDir = join(this.folder, name);
    const input = { main: entry };
    const output = { entryFileNames: '[name].js' };
    await vite({
      root: folder,
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: [...conditions, ...defaultClientConditions] },
      build: { outDir, emptyOutDir: true, modulePreload: false, rollupOptions: { input, output } },
    });
    return join(outDir, 'main.js');
  }

  webpack(name, target, { entry = ENTRY, conditions = [] } = {}) {
    const path = join(this.folder, name);
    const resolve = { conditionNames: [...conditions, '...'] };
    const configuration = { mode: 'production', entry, target, resolve, output: { path, filename: 'main.cjs' } };
    return new Promise((done, reject) => {
      webpack({ ...configuration, performance: { hints: false } }, (error, stats) => {
        const failed = error ?? (stats.hasErrors() ? new Error(stats.toString('errors-only')) : undefined);
        if (failed) reject(failed);
        else done(join(path, 'main.cjs'));
      });
    });
  }

  remove() {
    rmSync(this.folder, { recursive: true });
  }
}
