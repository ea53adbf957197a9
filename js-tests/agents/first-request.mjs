// Measures the time from nothing to a first packed request: one `npx` command in an empty home, with a warm npm cache.
//
//   node first-request.mjs [TARBALL]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Seconds that it may take. */
const BAR = 20;

const packages = new URL('../../target/package/', import.meta.url).pathname;
const tarball =
  process.argv[2] ??
  join(
    packages,
    readdirSync(packages).find((name) => name.endsWith('.tgz')),
  );
const root = mkdtempSync(join(tmpdir(), 'densify-first-'));

const lines = Array.from({ length: 200 }, (_, at) => `${at}\tconst value = ${at * 7919};`).join('\n');
const messages = [{ role: 'user', content: 'Read the file.' }];
for (let step = 0; step < 30; step += 1) {
  const id = `toolu_${step}`;
  const input = { file_path: '/w/a.ts' };
  messages.push(
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: lines }] },
  );
}
const body = JSON.stringify({ model: 'claude-opus-4-8', max_tokens: 100, messages });
// A stand-in for an agent: it sends one request.
writeFileSync(join(root, 'body.json'), body);
writeFileSync(
  join(root, 'claude'),
  `#!${process.execPath}
const body = require('node:fs').readFileSync(${JSON.stringify(join(root, 'body.json'))});
fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body });`,
  { mode: 0o755 },
);

let arrived;
const server = createServer((request, response) => {
  let size = 0;
  request.on('data', (chunk) => (size += chunk.length));
  request.on('end', () => {
    arrived = { size, at: performance.now() };
    response.end('{}');
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const upstream = `anthropic=http://127.0.0.1:${server.address().port}`;

/** Runs the command in a new home; resolves with the seconds until the request arrived. */
async function measured(home) {
  mkdirSync(join(root, home));
  arrived = undefined;
  const start = performance.now();
  const args = ['--yes', '--prefer-offline', '--package', tarball, 'densify', 'run', `--upstream=${upstream}`, '--'];
  const env = { ...process.env, HOME: join(root, home), npm_config_cache: join(root, 'cache') };
  const child = spawn('npx', [...args, join(root, 'claude')], { cwd: join(root, home), env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  if (arrived === undefined) throw new Error(`no request arrived: ${output}`);
  if (arrived.size >= body.length) throw new Error(`the request is not packed: ${output}`);
  return (arrived.at - start) / 1000;
}

try {
  await measured('first');
  // What npx has unpacked goes; the cache of npm stays.
  rmSync(join(root, 'cache', '_npx'), { recursive: true });
  const seconds = await measured('second');
  console.log(`from nothing to a first packed request: ${seconds.toFixed(1)} s (at most ${BAR} s)`);
  if (seconds > BAR) process.exitCode = 1;
} finally {
  server.close();
  rmSync(root, { recursive: true, force: true });
}
