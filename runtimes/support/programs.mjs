// The runtimes, as programs.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('..', import.meta.url));
const installed = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

const DENO = ['run', '--no-remote', '--no-prompt', '--cached-only', '--node-modules-dir=manual'];

/** Each runtime's program, and its arguments before the file to run. */
export const PROGRAMS = {
  'Node.js, the one that runs the tests': { file: process.execPath, flags: [] },
  'Node.js 22': { file: installed('node22/bin/node'), flags: [] },
  'Node.js 24': { file: installed('node24/bin/node'), flags: [] },
  Bun: { file: installed('@oven/bun-linux-x64/bin/bun'), flags: [] },
  // CommonJS reads the wasm files of the package, which Deno permits only when asked.
  'Deno, without permissions': {
    file: installed('@deno/linux-x64-glibc/deno'),
    flags: DENO,
    forRequire: ['--allow-read'],
  },
};

/** The path of Next.js. It is not a runtime, but may be missing like one. */
export const NEXT = installed('../next/node_modules/next/dist/bin/next');

/** The reason why a program can't run here, or false: npm has each of them for some machines only. */
export function whyNot(name) {
  return existsSync(PROGRAMS[name].file) ? false : `${name} isn't installed on this kind of machine`;
}

/** The programs that are not installed, so their tests are skipped. */
export function missing() {
  const files = {
    ...Object.fromEntries(Object.entries(PROGRAMS).map(([name, { file }]) => [name, file])),
    'Next.js': NEXT,
  };
  return Object.keys(files).filter((name) => !existsSync(files[name]));
}

/** The output of a program that runs a file in this folder. */
export async function said(name, path) {
  const { file, flags, forRequire = [] } = PROGRAMS[name];
  const more = path.endsWith('.cjs') ? forRequire : [];
  const { stdout } = await run(file, [...flags, ...more, path], { cwd: folder, maxBuffer: 1 << 26 });
  return stdout.trimEnd();
}
