// What is looked at in the finished core.wasm: its imports, its size, and what it tells of this machine.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { fail } from './steps.mjs';

/** Growth beyond this share rewrites the committed figures. */
const TOLERANCE = 0.05;

/**
 * Fails if the core can reach anything of its host that the committed list doesn't allow. The list has
 * lines "module name" for what it imports (wasm-bindgen's hashes at the end of names are written as `*`)
 * and "global name" for what its glue uses.
 */
export function checkReach(bytes, globals, listFile) {
  const listed = readFileSync(listFile, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const allowed = new Set(listed.filter((line) => line && !line.startsWith('#')));
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  const used = new Set([
    ...imports.map(({ module, name }) => `${module} ${name.replace(/_[0-9a-f]{16}$/, '_*')}`),
    ...globals.map((name) => `global ${name}`),
  ]);
  const unused = [...allowed].filter((line) => !used.has(line));
  if (unused.length) console.error(`package: no longer used, delete from ${listFile}:\n${unused.join('\n')}`);
  const unknown = [...used].filter((line) => !allowed.has(line)).sort();
  if (unknown.length) fail(`the core reaches for what ${listFile} doesn't allow:\n${unknown.join('\n')}`);
}

/** Fails if a path of this machine got into the core, for example by a panic's location. */
export function checkPaths(bytes, paths) {
  const text = bytes.toString('latin1');
  for (const path of paths) {
    const at = text.indexOf(path);
    if (at >= 0) fail(`the core names a path of this machine: ${text.slice(at, at + 80).replace(/[^ -~].*/s, '')}`);
  }
}

/** Prints the core's size beside the committed one, which is rewritten if it is off too far. */
export function reportSize(bytes, sizeFile) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  const now = {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, brotli).length,
  };
  const committed = existsSync(sizeFile) ? JSON.parse(readFileSync(sizeFile, 'utf8'))['core.wasm'] : undefined;
  const figures = Object.entries(now).map(([kind, size]) => {
    return `${kind} ${(size / 1000).toFixed(1)} kB${committed ? ` (${percent(size / committed[kind] - 1)})` : ''}`;
  });
  console.error(`package: core.wasm ${figures.join(', ')}`);

  const change = committed ? Math.max(...Object.keys(now).map((kind) => now[kind] / committed[kind] - 1)) : Infinity;
  const shrunk = committed && now.gzip / committed.gzip - 1 < -TOLERANCE;
  if (change <= TOLERANCE && !shrunk) return;
  writeFileSync(sizeFile, JSON.stringify({ 'core.wasm': now }, null, 2) + '\n');
  const verdict = !committed ? 'had no figures' : shrunk ? 'the core has shrunk' : 'THE CORE HAS GROWN';
  console.error(
    `package: ${sizeFile}: ${verdict}${committed ? ' by more than 5 %' : ''}, rewritten; look at it and commit it`,
  );
}

const percent = (share) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
