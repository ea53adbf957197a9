// Runs the examples as their readers would: beneath node_modules, so that they find the package and the SDKs.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll } from 'vitest';

const PROJECT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'ES2022',
  module: 'nodenext',
  lib: ['ES2023', 'ESNext.Disposable', 'DOM'],
  types: ['node'],
};

/** A folder for examples; it goes when the file's tests are done. */
export function exampleFolder() {
  const folder = mkdtempSync(new URL('../node_modules/.examples-', import.meta.url).pathname);
  afterAll(() => rmSync(folder, { recursive: true }));
  const files: string[] = [];
  return {
    /** Loads an example, after changes of its source; `as` names another copy of it. */
    async load<T>(path: string, change = (source: string) => source, as = ''): Promise<T> {
      const text = change(readFileSync(new URL(`../../examples/${path}.ts`, import.meta.url), 'utf8'));
      const file = join(folder, as, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.mts`, text);
      files.push(`${file}.mts`);
      const { code } = await transform(text, { loader: 'ts', format: 'esm' });
      writeFileSync(`${file}.mjs`, code);
      return (await import(`${file}.mjs`)) as T;
    },
    /** What the compiler says of what was loaded. */
    async compiled(): Promise<string> {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: PROJECT, files }));
      const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
      const args = [tsc, '--project', folder, '--pretty', 'false'];
      const { stdout } = await promisify(execFile)(process.execPath, args).catch(
        (failed: { stdout: string }) => failed,
      );
      return stdout;
    },
  };
}
