// Between the gateway and its provider: proxies, authorities, closed connections, uploads, clients that vanish.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { createGateway } from 'densify/gateway';
import { afterAll, expect, test } from 'vitest';
import { ask, CLI, requestOf, type Started, session, startGateway, startUpstream } from './support/gateway.js';
import { certificate, startBare, startProxy } from './support/network.js';

const PATH = '/anthropic/v1/messages';
const BODY = JSON.stringify(requestOf(session(0)));
const own = certificate();
afterAll(() => own.remove());

const until = async (isDone: () => boolean | Promise<boolean>) => {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
};
const underWay = async (gateway: Started) => {
  const { body } = await ask(`${gateway.url}/metrics`, { method: 'GET' });
  return Number(/^densify_under_way (\d+)$/m.exec(body.toString())![1]);
};
/** No proxy but that of the test. */
const proxied = (env: Readonly<Record<string, string>>) => ({
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
      [name, ''],
      [name.toLowerCase(), ''],
    ]),
  ),
  ...env,
});

test('HTTP_PROXY: the proxy gets the whole URL and its login, the provider neither', async () => {
  const upstream = await startUpstream();
  const proxy = await startProxy(upstream.url, 'us@er:pä:ss');
  const url = `http://us%40er:p%C3%A4:ss@127.0.0.1:${proxy.port}`;
  const gateway = await startGateway('http://provider.example:81', [], proxied({ HTTP_PROXY: url }));
  const headers = { authorization: 'Bearer key' };
  expect((await ask(`${gateway.url}${PATH}?x=1`, { body: BODY, headers })).status).toBe(200);
  expect(proxy.asked).toEqual(['POST http://provider.example:81/v1/messages?x=1 provider.example:81']);
  expect(upstream.arrived[0]!.headers.authorization).toBe('Bearer key');
  expect(upstream.arrived[0]!.body.toString()).toBe(BODY);
  await gateway.stop();
  await proxy.close();
  await upstream.close();
});

test('HTTPS_PROXY: requests share a tunnel, and the provider proves who it is', async () => {
  const upstream = await startUpstream(undefined, own);
  const proxy = await startProxy(upstream.url, 'user:pass');
  const env = { HTTPS_PROXY: `http://user:pass@127.0.0.1:${proxy.port}` };
  const gateway = await startGateway('https://provider.example', [], {
    ...proxied(env),
    NODE_EXTRA_CA_CERTS: own.file,
  });
  for (let count = 0; count < 2; count += 1) {
    expect((await ask(`${gateway.url}${PATH}`, { body: BODY })).status).toBe(200);
  }
  expect(proxy.asked).toEqual(['CONNECT provider.example:443 provider.example:443']);
  expect(upstream.arrived.map(({ headers, body }) => [headers.host, body.toString()])).toEqual([
    ['provider.example', BODY],
    ['provider.example', BODY],
  ]);
  await gateway.stop();
  const stranger = await startGateway('https://provider.example', [], proxied(env));
  const { status, body } = await ask(`${stranger.url}${PATH}`, { body: BODY });
  expect([status, body.toString()]).toEqual([502, expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT')]);
  await stranger.stop();
  await proxy.close();
  await upstream.close();
});

test('a proxy that refuses is named by its status, and no login is shown', async () => {
  const proxy = await startProxy('http://127.0.0.1:9', 'user:pass');
  const env = proxied({ HTTPS_PROXY: `http://user:secret@127.0.0.1:${proxy.port}` });
  const gateway = await startGateway('https://provider.example', [], env);
  const { status, body } = await ask(`${gateway.url}${PATH}`, { body: BODY });
  expect([status, body.toString()]).toEqual([502, expect.stringContaining('(PROXY_407)')]);
  expect(await underWay(gateway)).toBe(0);
  await gateway.stop();
  expect(gateway.output() + body.toString()).not.toContain('secret');
  await proxy.close();
});

test.each([
  ['127.0.0.1', 0],
  ['other.example, 127.0.0.1', 0],
  ['.0.0.1', 0],
  ['*.0.0.1', 0],
  ['*', 0],
  ['127.0.0.1:PORT', 0],
  ['127.0.0.1:1', 1],
  ['0.0.1', 1],
])('NO_PROXY=%s', async (list, count) => {
  const upstream = await startUpstream();
  const proxy = await startProxy(upstream.url);
  const env = { HTTP_PROXY: `127.0.0.1:${proxy.port}`, NO_PROXY: list.replace('PORT', new URL(upstream.url).port) };
  const gateway = await startGateway(upstream.url, [], proxied(env));
  expect((await ask(`${gateway.url}${PATH}`, { body: BODY })).status).toBe(200);
  expect(proxy.asked).toHaveLength(count);
  await gateway.stop();
  await proxy.close();
  await upstream.close();
});

// Node.js before 22.15 does not read the system's authorities.
test.skipIf(!('getCACertificates' in tls) || process.platform !== 'linux')('authorities of the system', async () => {
  const upstream = await startUpstream(undefined, own);
  const proxy = await startProxy(upstream.url);
  const env = proxied({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, SSL_CERT_FILE: own.file });
  const gateway = await startGateway('https://provider.example', [], env);
  expect((await ask(`${gateway.url}${PATH}`, { body: BODY })).status).toBe(200);
  await gateway.stop();
  await proxy.close();
  await upstream.close();
});

/** A module with which 30 seconds are over at once. */
const HURRY = `const { setTimeout: real } = globalThis;
globalThis.setTimeout = (action, time, ...more) => real(action, time === 30_000 ? 200 : time, ...more);`;

test.each([
  ['directly', (url: string): [string, Record<string, string>] => [url.replace('http', 'https'), {}]],
  [
    'through a proxy',
    (url: string): [string, Record<string, string>] => ['https://provider.example', { HTTPS_PROXY: url }],
  ],
])('a host that takes a connection and says nothing: an error after the time limit (%s)', async (_, way) => {
  const bare = await startBare(() => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'densify-'));
  writeFileSync(join(folder, 'hurry.cjs'), HURRY);
  const [url, env] = way(bare.url);
  const gateway = await startGateway(url, [], proxied(env), ['--require', join(folder, 'hurry.cjs'), CLI]);
  const { status, body } = await ask(`${gateway.url}${PATH}`, { body: BODY });
  expect([status, body.toString()]).toEqual([502, expect.stringContaining('could not be reached (ETIMEDOUT)')]);
  expect(bare.connections()).toBe(1);
  expect(await underWay(gateway)).toBe(0);
  await gateway.stop();
  await bare.close();
  rmSync(folder, { recursive: true });
});

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

test.each<[string, typeof own | undefined, (socket: Socket) => void]>([
  ['HTTP, reset', undefined, (socket) => socket.resetAndDestroy()],
  ['HTTP, ended', undefined, (socket) => socket.end()],
  ['HTTPS, destroyed', own, (socket) => socket.destroy()],
  ['HTTPS, ended', own, (socket) => socket.end()],
])(
  'a connection that the provider closed after an answer: the request goes out once more (%s)',
  async (_, tls, close) => {
    const bare = await startBare((count, socket) => void (count === 1 ? socket.write(ANSWER) : close(socket)), tls);
    const proxy = await startProxy(bare.url);
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    const gateway = await startGateway(tls === undefined ? bare.url : 'https://provider.example', [], {
      ...proxied(env),
      NODE_EXTRA_CA_CERTS: own.file,
    });
    for (let count = 1; count <= 3; count += 1) {
      expect((await ask(`${gateway.url}${PATH}`, { body: BODY })).status).toBe(200);
    }
    expect(bare.connections()).toBe(3);
    await gateway.stop();
    await proxy.close();
    await bare.close();
  },
);

test.each<[string, (count: number, write: (text: string) => void, end: () => void) => void, number]>([
  ['a new connection that is closed', (_, _write, end) => end(), 1],
  [
    'a used connection that breaks off within an answer',
    (count, write, end) => {
      if (count === 1) return write(ANSWER);
      write('HTTP/1.1 2');
      setTimeout(end, 50);
    },
    2,
  ],
])('no second try: %s', async (_, act, requests) => {
  const bare = await startBare((count, socket) =>
    act(
      count,
      (text) => socket.write(text),
      () => socket.resetAndDestroy(),
    ),
  );
  const gateway = await startGateway(bare.url);
  let status = 0;
  for (let count = 1; count <= requests; count += 1)
    status = (await ask(`${gateway.url}${PATH}`, { body: '{}' })).status;
  expect([status, bare.connections()]).toEqual([502, 1]);
  await gateway.stop();
  await bare.close();
});

test('no second try: an upload that streams', async () => {
  const bare = await startBare((count, socket) => (count === 1 ? socket.write(ANSWER) : socket.resetAndDestroy()));
  const gateway = await startGateway(bare.url);
  expect((await ask(`${gateway.url}/openai/v1/models`, { method: 'GET' })).status).toBe(200);
  expect((await ask(`${gateway.url}/openai/v1/files`, { body: 'x' })).status).toBe(502);
  expect(bare.connections()).toBe(1);
  await gateway.stop();
  await bare.close();
});

test('the length of an upload that streams through is kept, and none is made up', async () => {
  const upstream = await startUpstream();
  const gateway = await startGateway(upstream.url);
  const large = Buffer.alloc(33 * 2 ** 20, ' ');
  for (const [path, body] of [
    ['/openai/v1/files', randomBytes(100_000)],
    [PATH, large],
  ] as const) {
    await ask(`${gateway.url}${path}`, { body, headers: { 'content-length': String(body.length) } });
    const { headers, body: arrived } = upstream.arrived.at(-1)!;
    expect([headers['content-length'], headers['transfer-encoding']]).toEqual([String(body.length), undefined]);
    expect(arrived.equals(body)).toBe(true);
  }
  await ask(`${gateway.url}/openai/v1/files`, { body: 'x', headers: { 'transfer-encoding': 'chunked' } });
  const { headers } = upstream.arrived.at(-1)!;
  expect([headers['content-length'], headers['transfer-encoding']]).toEqual([undefined, 'chunked']);
  await gateway.stop();
  await upstream.close();
});

test('uploads count while they are read: what does not fit streams through', async () => {
  const streamed: unknown[] = [];
  const handler = createGateway({
    fetch: async (_, { body }) => {
      streamed.push(body instanceof ReadableStream);
      if (body instanceof ReadableStream) await body.cancel();
      return new Response('{}');
    },
  });
  const chunk = new Uint8Array(2 ** 20); // one chunk, many times
  const upload = async () => {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) });
    for (let count = 0; count < 31; count += 1) controller.enqueue(chunk);
    const answer = handler(new Request(`http://x${PATH}`, { method: 'POST', body, duplex: 'half' } as RequestInit));
    await until(() => controller.desiredSize !== 1 - 31);
    await until(() => streamed.length > 0 || controller.desiredSize === 1);
    return { controller, answer };
  };
  const uploads = [];
  for (let count = 0; count < 16; count += 1) uploads.push(await upload());
  expect(streamed).toEqual([]); // 16 * 31 MB are less than 512
  const last = await upload();
  expect((await last.answer).status).toBe(200);
  expect(streamed).toEqual([true]);
  for (const { controller } of uploads) controller.error(new Error('gone'));
  await Promise.allSettled(uploads.map(({ answer }) => answer));
  const body = JSON.stringify(requestOf(session(40)));
  await handler(new Request(`http://x${PATH}`, { method: 'POST', body }));
  expect(streamed).toEqual([true, false]);
});

/** A provider that records which of its requests are open. */
async function startOpen(act: (response: ServerResponse) => void) {
  const open = new Set<IncomingMessage>();
  let begun = 0;
  const server = createServer((incoming, response) => {
    begun += 1;
    open.add(incoming);
    incoming.on('error', () => undefined).resume();
    response.on('close', () => open.delete(incoming));
    act(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, begun: () => begun, close };
}

const slow = JSON.stringify(requestOf(session(100_000, 1)));
test.each<[string, { path?: string; body: string; sent?: number; isAtProvider: boolean; act?: 'stream' }]>([
  ['while its body is uploading', { body: BODY, sent: BODY.length - 5, isAtProvider: false }],
  [
    'while its body streams through',
    { path: '/openai/v1/files', body: 'x'.repeat(1e6), sent: 5e5, isAtProvider: true },
  ],
  ['while its request is packed', { body: slow, isAtProvider: false }],
  ['while the provider thinks', { body: BODY, isAtProvider: true }],
  ['in the middle of the answer', { body: BODY, isAtProvider: true, act: 'stream' }],
])('a client vanishes %s', async (_, { path = PATH, body, sent = body.length, isAtProvider, act }) => {
  const provider = await startOpen((response) => {
    if (act === 'stream') response.writeHead(200).write('data: first\n\n');
  });
  const gateway = await startGateway(provider.url);
  const headers = { 'content-length': body.length };
  const asked = request(`${gateway.url}${path}`, { method: 'POST', headers, agent: false });
  asked.on('error', () => undefined);
  const answered = new Promise<void>((resolve) => {
    asked.on('response', (incoming) => {
      incoming.on('error', () => undefined).resume();
      resolve();
    });
  });
  asked.write(body.slice(0, sent));
  await until(async () => (await underWay(gateway)) === 1 && asked.writableLength === 0);
  if (isAtProvider) await until(() => provider.open.size === 1);
  else await new Promise((resolve) => setTimeout(resolve, 300));
  if (act === 'stream') await answered;
  asked.destroy();
  await until(async () => (await underWay(gateway)) === 0);
  await until(() => provider.open.size === 0);
  expect(provider.begun()).toBe(isAtProvider ? 1 : 0);
  await gateway.stop();
  expect(gateway.output()).not.toMatch(/rror/);
  await provider.close();
});
