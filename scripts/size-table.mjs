// Prints, as Markdown, how large the built packages of two working trees are:
//
//   node scripts/size-table.mjs BASE HEAD
//
// Both must have been built by scripts/package.sh.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The files of a built tree that users load, and the tarball, with their sizes in bytes. */
export function sizesOf(tree) {
  const dist = join(tree, 'pkg-template/dist');
  const files = readdirSync(dist).filter((name) => /\.(wasm|bin|js)$/.test(name));
  const sizes = new Map(files.map((name) => [name, gzipSync(readFileSync(join(dist, name)), { level: 9 }).length]));
  const packed = join(tree, 'target/package');
  const tarball = readdirSync(packed).find((name) => name.endsWith('.tgz'));
  if (tarball !== undefined) sizes.set('tarball', statSync(join(packed, tarball)).size);
  return sizes;
}

/** A table of the files whose size differs, and of the tarball. */
export function table(base, head) {
  const names = [...new Set([...base.keys(), ...head.keys()])].sort();
  const kilobytes = (bytes) => (bytes === undefined ? 'none' : `${(bytes / 1000).toFixed(1)} kB`);
  const change = (before, after) => {
    if (before === undefined || after === undefined) return '';
    return `${after < before ? '−' : '+'}${((100 * Math.abs(after - before)) / before).toFixed(1)}%`;
  };
  const rows = names
    .filter((name) => name === 'tarball' || base.get(name) !== head.get(name))
    .map((name) => {
      const [before, after] = [base.get(name), head.get(name)];
      return `| ${name} | ${kilobytes(before)} | ${kilobytes(after)} | ${change(before, after)} |`;
    });
  return ['| file, gzip | before | after | change |', '|---|---:|---:|---:|', ...rows, ''].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [base, head] = process.argv.slice(2);
  if (head === undefined) {
    console.error('usage: size-table.mjs BASE HEAD');
    process.exit(2);
  }
  process.stdout.write(table(sizesOf(base), sizesOf(head)));
}
