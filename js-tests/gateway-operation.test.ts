// A gateway that stays on for long: threads that are replaced, slow lines, too many files, rest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ask, CLI, requestOf, type Started, session, startGateway, startUpstream } from './support/gateway.js';

const folder = mkdtempSync(join(tmpdir(), 'densify-operation-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PATH = '/anthropic/v1/messages';
const bodyOf = (first: string) =>
  JSON.stringify(requestOf([{ role: 'user', content: first }, ...session(40).slice(1)]));
const until = async (isDone: () => boolean | Promise<boolean>) => {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Starts a gateway in whose process and threads some code runs first. */
function startWith(code: string, upstream: string, args: readonly string[] = []): Promise<Started> {
  const path = join(folder, `${Math.random()}.cjs`);
  writeFileSync(path, `${code}\nrequire('node:module').syncBuiltinESMExports();`);
  return startGateway(upstream, args, {}, ['--require', path, CLI]);
}

/** The first thread's answers come only after its end: Node.js delivers what it had sent before. */
const LATE = `const threads = require('node:worker_threads');
const { Worker } = threads;
let isFirst = true;
threads.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.isLate = isFirst;
    isFirst = false;
  }
  on(event, action) {
    if (event !== 'message' || !this.isLate) return super.on(event, action);
    this.deliver = action;
    return super.on(event, (message) => {
      this.held = message;
      console.error('held');
    });
  }
  terminate() {
    if (this.held !== undefined) setImmediate(() => this.deliver(this.held));
    return super.terminate();
  }
};`;

test('what an ended thread had packed goes out with no other request', async () => {
  const upstream = await startUpstream();
  const gateway = await startWith(LATE, upstream.url);
  const asked = ['one', 'other'].map((name) => async () => {
    const headers = { 'x-api-key': name };
    expect((await ask(`${gateway.url}${PATH}`, { headers, body: bodyOf(`The task of ${name}.`) })).status).toBe(200);
  });
  const one = asked[0]!();
  await until(() => gateway.output().includes('held'));
  await Promise.all([one, asked[1]!()]);
  const sent = upstream.arrived.map(({ headers, body }) => {
    const { messages } = JSON.parse(body.toString()) as { messages: { content: string }[] };
    return [headers['x-api-key'], messages[0]!.content];
  });
  expect(sent.sort()).toEqual([
    ['one', 'The task of one.'],
    ['other', 'The task of other.'],
  ]);
  await gateway.stop();
  await upstream.close();
});

const TOO_MANY_FILES = `const { Server } = require('node:net');
const { listen } = Server.prototype;
Server.prototype.listen = function (...given) {
  const fail = () => this.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }));
  this.on('listening', () => setImmediate(() => [1, 2, 3].forEach(fail)));
  return listen.apply(this, given);
};`;

test('connections that the system refuses end no gateway', async () => {
  const upstream = await startUpstream();
  const gateway = await startWith(TOO_MANY_FILES, upstream.url);
  expect((await ask(`${gateway.url}${PATH}`, { body: '{}' })).status).toBe(200);
  expect(await gateway.stop()).toBe(0);
  await upstream.close();
});

/** A second stands for more than eight minutes. */
const QUICK_CLOCK = `const http = require('node:http');
const { createServer } = http;
http.createServer = ({ requestTimeout = 300_000, ...options }, ...more) =>
  createServer({ ...options, requestTimeout: requestTimeout / 500, connectionsCheckingInterval: 20 }, ...more);`;

test('a client on a slow line may take longer than five minutes', async () => {
  const upstream = await startUpstream();
  const gateway = await startWith(QUICK_CLOCK, upstream.url);
  const body = bodyOf('A task.');
  const headers = { 'content-length': body.length };
  const asked = request(`${gateway.url}${PATH}`, { method: 'POST', headers, agent: false });
  const status = new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (answer) => resolve(answer.resume().statusCode));
  });
  asked.write(body.slice(0, 1000));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  asked.end(body.slice(1000));
  expect(await status).toBe(200);
  await gateway.stop();
  await upstream.close();
});

/** A signal stands for the end of four hours. */
const BELL = `const { setInterval: real } = globalThis;
globalThis.setInterval = (action, time, ...more) => {
  const ring = () => {
    action();
    console.error('rung');
  };
  if (time === 240 * 60_000) process.on('SIGUSR2', ring);
  return real(action, time, ...more);
};`;

test.skipIf(process.platform === 'win32')('a gateway that may rest ends in no request, and then it does', async () => {
  let answer: () => void = () => undefined;
  const upstream = await startUpstream((_, response) => {
    answer = () => response.end('{}');
  });
  const gateway = await startWith(BELL, upstream.url, ['--idle=240']);
  const asked = ask(`${gateway.url}${PATH}`, { body: bodyOf('A long task.') });
  await until(() => upstream.arrived.length === 1);
  let rung = 0;
  const ring = async () => {
    rung += 1;
    gateway.child.kill('SIGUSR2');
    await until(() => gateway.output().split('rung').length > rung);
  };
  await ring();
  answer();
  expect((await asked).isWhole).toBe(true);
  expect((await ask(`${gateway.url}/healthz`, { method: 'GET' })).status).toBe(200);
  await ring();
  await ring(); // nothing was asked since the last one
  await until(() => gateway.child.exitCode !== null);
  expect(gateway.child.exitCode).toBe(0);
  await upstream.close();
});

/** Prints the wasm files that threads read. */
const READING = `const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const { readFileSync } = fs;
fs.readFileSync = (path, ...more) => {
  const [name] = /[^/]+\\.wasm$/.exec(String(path)) ?? [];
  if (name && !isMainThread) fs.writeSync(2, 'read ' + name + '\\n');
  return readFileSync(path, ...more);
};`;

test.each([
  ['full.wasm', []],
  ['core.wasm', ['--no-intake']],
])('the thread that packs loads one wasm file: %s', async (file, args) => {
  const upstream = await startUpstream();
  const gateway = await startWith(READING, upstream.url, args);
  const body = bodyOf('A task.');
  await ask(`${gateway.url}${PATH}`, { body });
  await gateway.stop();
  await upstream.close();
  expect(upstream.arrived[0]!.body.length).toBeLessThan(body.length);
  expect([...gateway.output().matchAll(/^read (\S+)$/gm)].map(([, name]) => name)).toEqual([file]);
});

test.each<[string, readonly string[], string, string]>([
  ['an unknown host', ['--host=nowhere.invalid'], 'a-token-of-enough-characters', 'this machine has no such address'],
  ['a short token', ['--host=0.0.0.0'], 'short', 'DENSIFY_TOKEN: expected at least 16 letters'],
  ['an empty token', ['--host=0.0.0.0'], '', 'set a token in DENSIFY_TOKEN'],
  ['a rest that no timer can wait for', ['--idle=35792'], '', 'option --idle: found "35792", expected minutes from 1'],
])('%s: one line says what to do', (_, args, token, line) => {
  const env = { ...process.env, DENSIFY_TOKEN: token };
  const given = [CLI, 'gateway', '--port=0', ...args];
  const { status, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8', env, timeout: 60_000 });
  expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(line);
});
