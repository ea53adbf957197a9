import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const manifest = JSON.parse(readFileSync(new URL('node_modules/densify/package.json', import.meta.url), 'utf8')) as {
  exports: Readonly<Record<string, unknown>>;
};
/** What can be imported of the package: code is offered for no other. */
const entries = Object.keys(manifest.exports).map((name) => name.replace(/^\./, 'densify'));

// Paths are relative, so that the build can lie in any folder of any web server.
export default defineConfig({
  base: './',
  define: { DENSIFY_ENTRIES: JSON.stringify(entries) },
  build: {
    outDir: '../target/playground',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es', rolldownOptions: { checks: { pluginTimings: false } } },
});
