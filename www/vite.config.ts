import { defineConfig } from 'vite';

// Paths are relative, so that the build can lie in any folder of any web server.
export default defineConfig({
  base: './',
  build: {
    outDir: '../target/playground',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
});
