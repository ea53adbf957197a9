// Steps of a build that are skipped when nothing they depend on has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Ends the build with one line that says what is wrong. */
export class BuildError extends Error {}

export function fail(message) {
  throw new BuildError(message);
}

/** Runs a program and fails if it does. Its stdout is returned if `capture`, else it goes to stderr. */
export function run(program, args, { capture = false, ...options } = {}) {
  const { status, signal, error, stdout } = spawnSync(program, args, {
    stdio: ['ignore', capture ? 'pipe' : process.stderr, 'inherit'],
    maxBuffer: 1 << 28,
    encoding: 'utf8',
    ...options,
  });
  const name = relative(process.cwd(), program) || program;
  if (error) fail(`${name} can't be started: ${error.message}`);
  if (status !== 0) fail(`${name} ${args[0] ?? ''} failed (${signal ?? `exit code ${status}`})`);
  return stdout;
}

/** All files under a path, sorted; the path itself if it is a file; nothing if it isn't there. */
export function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}

/** Remembers in a file with which inputs each step was done last. */
export class Steps {
  #file;
  #done;

  constructor(file) {
    this.#file = file;
    this.#done = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  }

  /**
   * Runs `work` unless it was done with the same inputs and its outputs are there.
   * Inputs are files or folders, compared by content; `settings` are any other strings.
   */
  step(name, { inputs, settings = [], outputs }, work) {
    const files = inputs.flatMap(filesUnder);
    const hash = createHash('sha256').update(JSON.stringify(settings));
    for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file));
    const digest = hash.digest('hex');
    if (this.#done[name] === digest && outputs.every((path) => existsSync(path))) return;

    console.error(`package: ${name}`);
    delete this.#done[name];
    this.#save();
    work();
    for (const path of outputs) if (!existsSync(path)) fail(`"${name}" did not make ${path}`);
    this.#done[name] = digest;
    this.#save();
  }

  #save() {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify(this.#done, null, 2) + '\n');
  }
}
