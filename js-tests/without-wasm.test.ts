// The build without WebAssembly gives the same results as the wasm files, byte by byte, on real logs.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { Bundles } from './support/bundles.js';
import { realLogs, sharedFolder, someOf } from './support/shared.js';

const run = promisify(execFile);
const bundles = new Bundles();
afterAll(() => bundles.remove());

const folder = sharedFolder('transcripts', 'without-wasm.test.ts');
const logs = someOf(realLogs('without-wasm.test.ts')).map(({ name }) => name);

/** What the program prints about the logs under some flags of Node. */
async function lines(file: string, ...flags: string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [...flags, file, folder ?? '', ...logs], { maxBuffer: 1 << 26 });
  return stdout.trimEnd().split('\n');
}

test.skipIf(folder === undefined)('the same bytes of each log', { timeout: 300_000 }, async () => {
  const file = await bundles.make('logs.ts', 'logs.mjs', {
    platform: 'node',
    format: 'esm',
    external: ['densify', 'densify/transcripts'],
  });
  const bare = join(bundles.folder, 'bare.mjs');
  writeFileSync(bare, 'delete globalThis.WebAssembly;');
  const [wasm, script] = await Promise.all([lines(file), lines(file, '--conditions=no-wasm', `--import=${bare}`)]);
  expect(wasm).toHaveLength(logs.length);
  expect(script).toEqual(wasm);
});
