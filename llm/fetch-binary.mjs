// Adds node-llama-cpp's program for this machine to an installation made without optional packages:
//
//   node llm/fetch-binary.mjs FOLDER
//
// npm can only install all optional packages or none, and those for graphics cards are huge.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
try {
  fetchBinary(`@node-llama-cpp/${process.platform}-${process.arch}`);
} catch (error) {
  const [line] = String(error.stderr || error.message).match(/^npm error .+/m) ?? [error.message];
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}

function fetchBinary(name) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const locked = packages[`node_modules/${name}`];
  if (!locked) throw new Error(`there is no ${name}, so the model can't run on this machine`);
  const work = mkdtempSync(join(folder, 'binary-'));
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename }] = JSON.parse(run('npm', 'pack', '--json', '--loglevel=error', `${name}@${locked.version}`));
  const [algorithm] = locked.integrity.split('-');
  const digest = createHash(algorithm)
    .update(readFileSync(join(work, filename)))
    .digest('base64');
  if (locked.integrity !== `${algorithm}-${digest}`) throw new Error(`${name} is not what the lock file names`);
  const target = join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  run('tar', '-xzf', filename, '-C', target, '--strip-components=1');
  rmSync(work, { recursive: true });
}
