// What is looked at in the finished wasm files: their imports, their sizes, and what they tell of this machine.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
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

/** Prints the sizes of wasm files beside the committed ones, which are rewritten if one is off too far. */
export function reportSizes(files, sizeFile) {
  const committed = existsSync(sizeFile) ? JSON.parse(readFileSync(sizeFile, 'utf8')) : {};
  const verdicts = [];
  const figures = files.map((file) => {
    const [name, now] = [basename(file), sizesOf(readFileSync(file))];
    const verdict = compare(name, now, committed[name]);
    if (verdict) verdicts.push(`${name} ${verdict}`);
    return [name, verdict ? now : committed[name]];
  });
  if (verdicts.length === 0) return;
  writeFileSync(sizeFile, JSON.stringify(Object.fromEntries(figures), null, 2) + '\n');
  console.error(`package: ${sizeFile}: ${verdicts.join(', ')}; rewritten, look at it and commit it`);
}

function sizesOf(bytes) {
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, brotli).length,
  };
}

/** Prints a file's sizes; says what is wrong with the committed ones, if anything is. */
function compare(name, now, committed) {
  const figures = Object.entries(now).map(([kind, size]) => {
    return `${kind} ${(size / 1000).toFixed(1)} kB${committed ? ` (${percent(size / committed[kind] - 1)})` : ''}`;
  });
  console.error(`package: ${name} ${figures.join(', ')}`);
  if (!committed) return 'had no figures';
  const change = Math.max(...Object.keys(now).map((kind) => now[kind] / committed[kind] - 1));
  if (change > TOLERANCE) return 'HAS GROWN by more than 5%';
  return now.gzip / committed.gzip - 1 < -TOLERANCE ? 'has shrunk by more than 5%' : undefined;
}

const percent = (share) => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)}%`;
