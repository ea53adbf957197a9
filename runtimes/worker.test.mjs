// The package in workerd, whose bundles hold the compiled wasm beside the code.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { densify } from './parts.mjs';
import { Workshop } from './support/build.mjs';
import { expectation } from './support/expectation.mjs';
import { PROGRAMS, whyNot } from './support/programs.mjs';
import { OPTIONS } from './worker/options.mjs';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
const NODE = 'Node.js 24';
const workshop = new Workshop();
let said;

before(async () => {
  if (whyNot(NODE)) return;
  const script = await workshop.worker('worker', join(folder, 'worker/worker.mjs'));
  const { stdout } = await run(PROGRAMS[NODE].file, ['worker/run.mjs', script, join(workshop.folder, 'stored')], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  said = JSON.parse(stdout);
});
after(() => workshop.remove());

test('every part of the package works in a worker', { skip: whyNot(NODE) }, async () => {
  assert.equal(said.probed, await expectation());
});

test('a Durable Object keeps a conversation over a restart', { skip: whyNot(NODE) }, () => {
  const { before, after } = said;
  assert.ok(before.messages.length < before.raw.length, 'something was compressed before it');
  const added = { speaker: 'human', blocks: [{ type: 'text', text: 'five '.repeat(20) }] };
  assert.deepEqual(after.raw, [...before.raw, added]);
  assert.deepEqual(after.messages, [...before.messages, added], 'and is the same after it');
  // A conversation that only knows the messages would be another one.
  const fresh = densify.createConversation(OPTIONS);
  fresh.add(...after.raw);
  fresh.beforeSend();
  assert.notDeepEqual(fresh.messages, after.messages);
});
