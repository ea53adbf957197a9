// The gateway in workerd, by the example of a Cloudflare Worker.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Workshop } from './support/build.mjs';
import { PROGRAMS, whyNot } from './support/programs.mjs';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
const NODE = 'Node.js 24';
const workshop = new Workshop();
after(() => workshop.remove());

test('the gateway packs, streams and refuses in a worker as it does elsewhere', { skip: whyNot(NODE) }, async () => {
  // Beneath node_modules, so that the example finds the package as its readers' own does.
  const copy = join(folder, 'node_modules/.gateway/worker.ts');
  mkdirSync(join(copy, '..'), { recursive: true });
  copyFileSync(join(folder, '../examples/gateway/worker.ts'), copy);
  const script = await workshop.worker('gateway', copy);
  const { stdout } = await run(PROGRAMS[NODE].file, ['worker/gateway.mjs', script], {
    cwd: folder,
    maxBuffer: 1 << 26,
  });
  const { whole, refused, packed, odd, inHeader, slow, metrics, health, arrived } = JSON.parse(stdout);
  assert.equal(refused.status, 401);
  const stream = 'data: one\n\ndata: ü\n\ndata: [DONE]\n\n';
  assert.deepEqual(packed, { status: 200, own: '1', text: stream });
  assert.deepEqual(odd, { status: 529, own: '1', text: stream });
  assert.equal(inHeader.status, 200);
  assert.equal(slow.text, 'firstlast');
  assert.equal(health.text, 'ok\n');
  assert.match(metrics.text, /^densify_requests_total 1$/m);
  assert.deepEqual(
    arrived.map(({ url, key, token }) => [url, key, token]),
    [
      ['/v1/messages', 'key', undefined],
      ['/v1/odd', 'key', undefined],
      ['/v1/messages', 'key', undefined],
      ['/v1/slow', 'key', undefined],
    ],
  );
  const [sent, passed, malformed] = arrived.map(({ body }) => body);
  assert.ok(sent.length < whole.length / 2, `${sent.length} of ${whole.length} bytes were sent`);
  assert.deepEqual([passed, malformed], ['no JSON', '{"messages": [']);
  assert.equal(JSON.parse(sent).messages.length, JSON.parse(whole).messages.length);
});
