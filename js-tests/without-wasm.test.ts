// The build without WebAssembly says of all real logs, byte by byte, what the wasm files say.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { Bundles } from './support/bundles.js';
import { sharedFolder } from './support/shared.js';

const run = promisify(execFile);
const bundles = new Bundles();
afterAll(() => bundles.remove());

const folder = sharedFolder('transcripts', 'without-wasm.test.ts');

/** What the program says of the logs under some flags of Node. */
async function lines(file: string, ...flags: string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [...flags, file, folder ?? ''], { maxBuffer: 1 << 26 });
  return stdout.trimEnd().split('\n');
}

test.skipIf(folder === undefined)('the same bytes of every log', { timeout: 300_000 }, async () => {
  const file = await bundles.make('logs.ts', 'logs.mjs', {
    platform: 'node',
    format: 'esm',
    external: ['densify', 'densify/transcripts'],
  });
  const bare = join(bundles.folder, 'bare.mjs');
  writeFileSync(bare, 'delete globalThis.WebAssembly;');
  const [wasm, script] = await Promise.all([lines(file), lines(file, '--conditions=no-wasm', `--import=${bare}`)]);
  expect(wasm.length).toBeGreaterThan(60);
  expect(script).toEqual(wasm);
});
