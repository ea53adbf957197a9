// The example of an agent of Mastra, run by Mastra itself, in the Node.js that it needs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import esbuild from 'esbuild';
import { PROGRAMS, whyNot } from './support/programs.mjs';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
const NODE = 'Node.js 24';

test('the model no longer sees the stale read; what fails forwards all', { skip: whyNot(NODE) }, async () => {
  // Beneath node_modules, so that the example finds the package and Mastra as its readers' own does.
  const copies = join(folder, 'node_modules/.mastra');
  mkdirSync(copies, { recursive: true });
  const source = readFileSync(join(folder, '../examples/mastra/agent.ts'), 'utf8');
  const { code } = await esbuild.transform(source, { loader: 'ts', format: 'esm' });
  writeFileSync(join(copies, 'agent.mjs'), code);
  writeFileSync(join(copies, 'run.mjs'), readFileSync(join(folder, 'entries/mastra.mjs')));
  const { stdout } = await run(PROGRAMS[NODE].file, [join(copies, 'run.mjs')], { cwd: folder });
  const { packed, observed, failed } = JSON.parse(stdout.trim().split('\n').at(-1));
  assert.deepEqual(packed, [[], ['c1'], ['c2'], ['c2', 'c3']]);
  assert.deepEqual(observed, [[], ['c1'], ['c1', 'c2'], ['c1', 'c2', 'c3']]);
  assert.deepEqual(failed, observed);
});
