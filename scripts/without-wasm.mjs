// Turns wasm-bindgen's wasm file into JavaScript, for hosts without WebAssembly:
//
//   node scripts/without-wasm.mjs FILE.wasm SCRIPT.js [FLAG of wasm-opt]...
//
// The script exports `instantiate`, a function from the wasm file's imports to its exports.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, run } from './steps.mjs';

const modules = fileURLToPath(new URL('../pkg-template/node_modules', import.meta.url));
/** What JavaScript has no instructions for becomes calls and loops. */
const LOWERED = ['--llvm-memory-copy-fill-lowering', '--llvm-nontrapping-fptoint-lowering', '--signext-lowering'];

/** The script of a wasm file, as wasm2js writes it. */
function translated(file, flags) {
  const folder = mkdtempSync(join(tmpdir(), 'densify-script-'));
  try {
    const [lowered, script] = [join(folder, 'lowered.wasm'), join(folder, 'script.js')];
    run(join(modules, '.bin/wasm-opt'), [...flags, '-Os', ...LOWERED, '--strip-debug', file, '-o', lowered]);
    run(join(modules, '.bin/wasm2js'), ['-Os', '--enable-bulk-memory-opt', lowered, '-o', script]);
    return readFileSync(script, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A module of our own around the function that wasm2js writes. */
export function moduleOf(script) {
  const start = script.indexOf('function asmFunc(');
  const end = script.indexOf('var retasmFunc =');
  if (start < 0 || end < start) fail("wasm2js's output has an unknown form");
  const before = script.slice(0, start).replace(/^import .*\n/gm, '');
  // A trap must be an error that no code of ours throws by itself.
  const text = `${before}export ${script.slice(start, end)}`
    .replace('export function asmFunc(', 'export function instantiate(')
    .replaceAll(/new Error\((['"])abort\1\)/g, "new RangeError('unreachable')");
  if (/\bWebAssembly\b|\bimport\b|\beval\b|\bFunction\(/.test(text))
    fail("wasm2js's output needs what hosts may forbid");
  return text;
}

if (process.argv[1] === import.meta.filename) {
  const [file, to, ...flags] = process.argv.slice(2);
  const { minify } = createRequire(new URL('../pkg-template/package.json', import.meta.url))('terser');
  const text = moduleOf(translated(file, flags));
  const { code } = await minify(text, { module: true, ecma: 2015, format: { comments: false } });
  writeFileSync(to, `${code}\n`);
}
