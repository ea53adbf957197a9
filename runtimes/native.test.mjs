// The package in React Native: bundled by Metro, run by Hermes, which has no WebAssembly.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as parts from './parts.mjs';
import { COUNTED, saidAtOnce } from './probe.mjs';
import { Workshop } from './support/build.mjs';
import { bundleNative, runInHermes } from './support/native.mjs';

const workshop = new Workshop();
after(() => workshop.remove());

const skip = process.platform === 'linux' && process.arch === 'x64' ? false : 'Hermes is packed for other machines';

test("Metro's bundle in Hermes", { skip }, async () => {
  const out = join(workshop.folder, 'native.js');
  await bundleNative(fileURLToPath(new URL('entries/native.mjs', import.meta.url)), out);
  const text = readFileSync(out, 'utf8');
  assert.doesNotMatch(text, /new WebAssembly\.Module/, 'no wasm file is in the bundle');
  const { count } = await parts.tokens.loadTokenizer('o200k_base');
  assert.equal(await runInHermes(out), JSON.stringify([saidAtOnce(parts), count(COUNTED)]));
});
