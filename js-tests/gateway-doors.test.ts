// The gateway's doors: clients, providers, and the messages when it can't start.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createGateway } from 'densify/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ask,
  CLI,
  metricsOf,
  requestOf,
  type Started,
  session,
  startGateway,
  startUpstream,
  type Upstream,
} from './support/gateway.js';

let upstream: Upstream;
let gateway: Started;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway(upstream.url);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const statusOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  (await ask(`${gateway.url}${path}`, { headers, body: '{}' })).status;

test('only providers that are named can be reached', async () => {
  const before = upstream.arrived.length;
  expect(await statusOf('/')).toBe(404);
  expect(await statusOf('/v1/messages')).toBe(404);
  expect(await statusOf('/evil.example/v1/messages')).toBe(404);
  expect(await statusOf('/__proto__/x')).toBe(404);
  expect(await statusOf('/constructor')).toBe(404);
  // A page in a browser that made a name of its own point here.
  expect(await statusOf('/anthropic/v1/messages', { host: 'evil.example' })).toBe(403);
  expect(upstream.arrived.length).toBe(before);
  // What looks like another host stays a path of the provider.
  expect(await statusOf('/anthropic//evil.example/v1/messages')).toBe(200);
  expect(upstream.arrived.at(-1)?.url).toBe('//evil.example/v1/messages');
});

test('it is no proxy for other hosts', async () => {
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GET http://evil.example/anthropic/x HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  expect(chunk.toString()).toMatch(/^HTTP\/1.1 403 /);
  socket.destroy();
});

test('headers are bounded, and none is dropped', async () => {
  const before = upstream.arrived.length;
  expect(await statusOf('/anthropic/v1/messages', { 'x-long': 'x'.repeat(70_000) })).toBe(431);
  // Node.js adds three of its own.
  const many = (count: number) => ({
    ...Object.fromEntries(Array.from({ length: count - 4 }, (_, at) => [`x-${at}`, String(at)])),
    'x-api-key': 'the last one',
  });
  const refused = await ask(`${gateway.url}/anthropic/v1/messages`, { headers: many(201), body: '{}' });
  expect([refused.status, refused.body.toString()]).toEqual([431, 'densify gateway: send at most 200 headers\n']);
  expect(upstream.arrived.length).toBe(before);
  expect(await statusOf('/anthropic/v1/messages', many(200))).toBe(200);
  expect(upstream.arrived.at(-1)!.headers).toMatchObject(many(200));
});

test('metrics are the sums of the reports, and only reported tokens count as reported', async () => {
  const usage = JSON.stringify({ usage: { input_tokens: 100, cache_read_input_tokens: 300, output_tokens: 1 } });
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.end(usage),
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(usage)),
    (response) => response.writeHead(500).end('{}'),
  ];
  const provider = await startUpstream((_, response) => answers.shift()?.(response) ?? response.end('{}'));
  const own = await startGateway(provider.url, ['--json']);
  const body = JSON.stringify(requestOf(session(40)));
  const statuses: number[] = [];
  const post = async (path: string) => statuses.push((await ask(`${own.url}${path}`, { body })).status);
  for (let count = 0; count < 3; count += 1) await post('/anthropic/v1/messages');
  await post('/anthropic/v1/messages/count_tokens');
  await post('/anthropic/v1/files');
  await post('/nowhere/v1/files');
  await provider.close();
  await post('/anthropic/v1/files');
  expect(statuses).toEqual([200, 200, 500, 200, 200, 404, 502]);
  const of = await metricsOf(own);
  const { body: text } = await ask(`${own.url}/metrics`, { method: 'GET' });
  await own.stop();
  type Report = Record<'tokens' | 'cached' | 'dollars', number> & Record<string, unknown>;
  const reports = [...own.output().matchAll(/^\{.*\}$/gm)].map(([line]) => JSON.parse(line) as Report);
  const calls = reports.filter(({ isCount }) => isCount === false);
  expect([calls.length, reports.length]).toEqual([3, 4]);
  const counted = calls.filter(({ status }) => status === 200);
  const sum = (key: string) => counted.reduce((total, report) => total + Number(report[key]), 0);
  for (const name of ['tokens', 'cached', 'dollars']) {
    for (const when of ['before', 'after']) {
      const key = `${name}${when[0]!.toUpperCase()}${when.slice(1)}`;
      expect(of[`densify_${name}_${when}_total`]).toBeCloseTo(sum(key), 9);
    }
  }
  expect(sum('tokensAfter')).toBeLessThan(sum('tokensBefore'));
  expect(sum('dollarsAfter')).toBeGreaterThan(0);
  expect(of).toMatchObject({
    densify_requests_total: 3,
    densify_packed_total: 3,
    densify_rejected_total: 1,
    densify_counted_total: 1,
    densify_passed_total: 1,
    densify_reported_input_tokens_total: 400,
    densify_reported_cached_tokens_total: 300,
    densify_failed_open_total: 0,
    densify_refused_total: 1,
    densify_upstream_failures_total: 1,
    densify_under_way: 0,
    densify_packing_seconds_count: 3,
  });
  const packing = calls.reduce((total, { milliseconds }) => total + Number(milliseconds), 0);
  expect(of.densify_packing_seconds_sum! * 1000).toBeCloseTo(packing, 6);
  expect(text.toString()).toMatch(/^densify_packing_seconds_bucket\{le="\+Inf"\} 3$/m);
});

test('a provider that can not be reached is an error in its own form', async () => {
  const own = await startGateway('http://127.0.0.1:9');
  const errors = [];
  for (const path of ['anthropic/v1/messages', 'openai/v1/responses', 'gemini/v1beta/models/g:generateContent']) {
    const { status, body } = await ask(`${own.url}/${path}`, { body: JSON.stringify(requestOf(session(1))) });
    errors.push([status, JSON.parse(body.toString())]);
  }
  const message = 'densify gateway: 127.0.0.1:9 could not be reached (ECONNREFUSED)';
  expect(errors).toEqual([
    [502, { type: 'error', error: { type: 'api_error', message } }],
    [502, { error: { message, type: 'densify_gateway', param: null, code: null } }],
    [502, { error: { code: 502, message, status: 'UNAVAILABLE' } }],
  ]);
  await own.stop();
});

test('an odd status of a provider is an error of the one request', async () => {
  const odd = await startUpstream((_, response) => {
    response.socket!.end('HTTP/1.1 700 Odd\r\ncontent-length: 2\r\n\r\n{}');
  });
  const own = await startGateway(odd.url);
  const answer = await ask(`${own.url}/anthropic/v1/messages`, { body: '{}' });
  expect(answer.status).toBe(502);
  expect(answer.body.toString()).toContain('STATUS_700');
  expect((await ask(`${own.url}/healthz`)).status).toBe(200);
  await own.stop();
  await odd.close();
});

test('a token, in a header or in the path, opens the gateway and goes no further', async () => {
  const token = 'a-token-of-enough-characters';
  const own = await startGateway(upstream.url, ['--host=0.0.0.0'], { DENSIFY_TOKEN: token });
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await ask(`${own.url}${path}`, { headers, body: '{}' })).status;
  const before = upstream.arrived.length;
  expect(await get('/anthropic/v1/messages')).toBe(401);
  expect(await get('/anthropic/v1/messages', { 'x-densify-token': `${token}x` })).toBe(401);
  expect(await get('/metrics')).toBe(401);
  expect(upstream.arrived.length).toBe(before);
  expect(await get('/healthz')).toBe(200);
  expect(await get('/metrics', { authorization: `Bearer ${token}` })).toBe(200);
  expect(await get('/anthropic/v1/messages', { 'x-densify-token': token })).toBe(200);
  expect(await get(`/${token}/anthropic/v1/messages`)).toBe(200);
  for (const { url, headers } of upstream.arrived.slice(before)) {
    expect(url).toBe('/v1/messages');
    expect(JSON.stringify(headers)).not.toContain(token);
  }
  await own.stop();
});

const failing = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'gateway', ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return [status, stdout, stderr];
};

test.each([
  [['--host=0.0.0.0'], 'option --host: 0.0.0.0 can be reached by others, so set a token in DENSIFY_TOKEN'],
  [['--port=99999'], 'option --port: found "99999", expected a number from 0 to 65535'],
  [
    ['--port=0', '--flush=when-it-pay'],
    'option --flush: found "when-it-pay", expected one of when-it-pays, when-cold, always, never or a number of tokens. ' +
      "Did you mean 'when-it-pays'?",
  ],
  [['--upstream=x'], 'option --upstream: found x, expected NAME=URL'],
  [
    ['--upstream=acme=ftp://x'],
    'option upstreams.acme: found a URL that begins with neither https: nor http:, expected a URL such as https://llm.example.com/v1',
  ],
  [['serve'], 'found "serve", expected options only'],
])('wrong arguments are one line: %s', (args, line) => {
  expect(failing(...args)).toEqual([2, '', `densify: ${line}\n`]);
});

test('a wrong preset is one line that names it', () => {
  const [status, , stderr] = failing('--port=0', '--preset=balanc');
  expect([status, String(stderr).split('\n').length]).toEqual([2, 2]);
  expect(stderr).toContain('preset');
});

test('two gateways on one port: the second says what to do', () => {
  const { port } = new URL(gateway.url);
  expect(failing(`--port=${port}`)).toEqual([
    2,
    '',
    `densify: port ${port} is in use: stop the other program or pass --port\n`,
  ]);
});

test('a gateway that may rest ends at a signal, too', async () => {
  const own = await startGateway(upstream.url, ['--idle=240']);
  expect(await own.stop()).toBe(0);
  expect(failing('--idle=0')).toEqual([2, '', 'densify: option --idle: found "0", expected minutes from 1 to 35791\n']);
});

test("the container's command serves, its health check sees that, and SIGTERM ends it", async () => {
  const file = readFileSync(new URL('../examples/gateway/Dockerfile', import.meta.url), 'utf8');
  const text = file.replaceAll('\\\n', '');
  const listIn = (name: string) => JSON.parse(new RegExp(`^${name} (\\[.*\\])$`, 'm').exec(text)![1]!) as string[];
  const [program, command, ...args] = listIn('ENTRYPOINT');
  expect([program, command]).toEqual(['densify', 'gateway']);
  const own = await startGateway(upstream.url, args, { DENSIFY_TOKEN: 'a-token-of-enough-characters' });
  const [node, ...check] = listIn('HEALTHCHECK CMD');
  expect(node).toBe('node');
  const { port } = new URL(own.url);
  const health = () =>
    spawnSync(
      process.execPath,
      check.map((part) => part.replace('8787', port)),
    ).status;
  expect(health()).toBe(0);
  expect(await own.stop('SIGTERM')).toBe(0);
  expect(health()).toBe(1);
});

/** A gateway with a stream under way, which goes on until `finish`. */
async function streaming(...args: readonly string[]) {
  let finish: () => void = () => undefined;
  const provider = await startUpstream((_, response) => {
    response.write('data: x\n\n');
    finish = () => response.end('data: last\n\n');
  });
  const own = await startGateway(provider.url, args);
  const stream = ask(`${own.url}/anthropic/v1/messages`, { body: '{}' }).catch(() => undefined);
  while (provider.arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  return { own, stream, provider, finish: () => finish() };
}

test('a gateway ends within its grace while a stream goes on', async () => {
  const { own, stream, provider } = await streaming('--grace=1');
  expect(await own.stop('SIGINT')).toBe(0);
  await stream;
  await provider.close();
});

test('a running answer comes to its end after a signal, and no new request is taken', async () => {
  const { own, stream, provider, finish } = await streaming('--grace=600');
  const ended = own.stop();
  while (!own.output().includes('waiting at most 600 s for running answers')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect(ask(`${own.url}/healthz`, { method: 'GET' })).rejects.toThrow();
  finish();
  expect((await stream)?.body.toString()).toBe('data: x\n\ndata: last\n\n');
  expect(await ended).toBe(0);
  await provider.close();
});

test('a second signal ends running answers immediately', async () => {
  const { own, stream, provider } = await streaming('--grace=600');
  const ended = own.stop();
  while (!own.output().includes('a second signal ends them')) await new Promise((resolve) => setTimeout(resolve, 20));
  own.child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect((await stream)?.isWhole).not.toBe(true);
  await provider.close();
});

const freePort = async () => {
  const { url, close } = await startUpstream();
  await close();
  return new URL(url).port;
};

test('a gateway that is its own upstream is refused at its start', async () => {
  const port = await freePort();
  expect(failing(`--port=${port}`, `--upstream=acme=http://localhost:${port}/anthropic`)).toEqual([
    2,
    '',
    "densify: option --upstream: acme is the address of this gateway itself; pass the provider's own URL\n",
  ]);
});

test.runIf(process.platform === 'linux')('an upstream that leads back under another name ends at once', async () => {
  const [port, token] = [await freePort(), 'a-token-of-enough-characters'];
  const args = ['--host=0.0.0.0', `--port=${port}`, `--upstream=acme=http://127.0.0.2:${port}/${token}/acme`];
  const own = await startGateway(upstream.url, args, { DENSIFY_TOKEN: token });
  const headers = { 'x-densify-token': token };
  for (let count = 0; count < 2; count += 1) {
    const { status, body } = await ask(`${own.url}/acme/v1/messages`, { headers, body: '{}' });
    expect([status, body.toString()]).toEqual([508, expect.stringContaining('an upstream leads back to this gateway')]);
  }
  const { body } = await ask(`${own.url}/metrics`, { method: 'GET', headers });
  expect(body.toString()).toMatch(/^densify_passed_total 2$/m);
  await own.stop();
});

test('a refusal has the form of the provider that the path names', async () => {
  const handler = createGateway({ token: 'a-token-of-enough-characters' });
  const asked = async (path: string, headers = {}) =>
    (await handler(new Request(`http://x/${path}`, { method: 'POST', headers, body: '{}' }))).json() as Promise<object>;
  const type = 'authentication_error';
  for (const path of ['anthropic/v1/messages', 'wrong-token/anthropic/v1/models', 'claude-provider/v1/messages']) {
    expect(await asked(path)).toMatchObject({ type: 'error', error: { type } });
  }
  expect(await asked('gemini/v1beta/models/x:generateContent')).toMatchObject({ error: { status: 'UNAUTHENTICATED' } });
  expect(await asked('openai/v1/responses')).toMatchObject({ error: { type: 'densify_gateway', code: null } });
  const headers = { 'x-densify-token': 'a-token-of-enough-characters' };
  expect(await asked('v1/messages', headers)).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
});

test('what a provider refused is in no cache, and another provider has a cache of its own', async () => {
  const statuses = [429, 200, 200, 200];
  const cached: unknown[] = [];
  const handler = createGateway({
    upstreams: { acme: 'https://llm.acme.example' },
    fetch: async () => new Response('{}', { status: statuses.shift()! }),
    onReport: ({ cachedBefore, tokensBefore, cachedAfter, tokensAfter }) =>
      cached.push([cachedBefore / tokensBefore, cachedAfter / tokensAfter]),
  });
  const body = JSON.stringify(requestOf(session(4)));
  for (const name of ['anthropic', 'anthropic', 'acme', 'anthropic']) {
    await (await handler(new Request(`http://x/${name}/v1/messages`, { method: 'POST', body }))).text();
  }
  expect(cached).toEqual([
    [0, 0], // refused
    [0, 0],
    [0, 0], // elsewhere
    [1, 1],
  ]);
});

test('createGateway: too many requests at once are told to come again', async () => {
  let finish: () => void = () => undefined;
  const pending = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handler = createGateway({ maxParallel: 1, fetch: () => pending.then(() => new Response('done')) });
  const asked = () => handler(new Request('http://x/anthropic/v1/messages', { method: 'POST', body: '{}' }));
  const first = asked();
  const second = await asked();
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await second.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
  finish();
  expect(await (await first).text()).toBe('done');
  expect((await asked()).status).toBe(200);
});

test('createGateway: a listener that fails is no failure of the request', async () => {
  const handler = createGateway({
    fetch: async () => new Response('done'),
    onReport: () => {
      throw new Error('of the listener');
    },
  });
  const body = JSON.stringify(requestOf(session(2)));
  const answer = await handler(new Request('http://x/anthropic/v1/messages', { method: 'POST', body }));
  expect(await answer.text()).toBe('done');
});

test('createGateway: a rule that throws sends the request as it came, and the next one is packed', async () => {
  const sent: string[] = [];
  const warnings: string[] = [];
  let isBroken = true;
  const handler = createGateway({
    optimize: {
      flush: 'always',
      protect: () => {
        if (isBroken) throw new Error('of const value1_7');
        return false;
      },
    },
    fetch: async (_, { body }) => {
      sent.push(new TextDecoder().decode(body as Uint8Array));
      return Response.json({});
    },
    onWarning: (line) => warnings.push(line),
  });
  const body = JSON.stringify(requestOf(session(40)));
  const post = () => handler(new Request('http://x/anthropic/v1/messages', { method: 'POST', body }));
  const metric = async (name: string) =>
    new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await handler(new Request('http://x/metrics'))).text())?.[1];
  await (await post()).text();
  expect(sent).toEqual([body]);
  expect(warnings).toEqual([expect.stringMatching(/^densify: a request was sent unchanged \(\S+\)$/)]);
  isBroken = false;
  await (await post()).text();
  expect(sent[1]!.length).toBeLessThan(body.length);
  expect([warnings.length, await metric('densify_failed_open_total')]).toEqual([1, '1']);
  expect([await metric('densify_requests_total'), await metric('densify_passed_total')]).toEqual(['2', '0']);
});

test('createGateway: a warning that fails is no failure of the request', async () => {
  const onWarning = () => {
    throw new Error('nobody listens');
  };
  const gatewayOf = createGateway({ onWarning, upstreams: { anthropic: upstream.url } });
  const body = JSON.stringify({ ...requestOf(session(3)), model: 'nobody-knows-this-model' });
  const request = new Request('http://localhost/anthropic/v1/messages', { method: 'POST', body });
  expect((await gatewayOf(request)).status).toBe(200);
});

test('createGateway: wrong options name their key', () => {
  expect(() => createGateway({ token: 'short' })).toThrow('option token: expected at least 16');
  expect(() => createGateway({ upstreams: { 'a/b': 'https://x' } })).toThrow('option upstreams: found the name');
  expect(() => createGateway({ maxParallel: 0 })).toThrow('option maxParallel: found 0');
  expect(() => createGateway({ optimise: {} } as object)).toThrow('optimise: found an unknown key');
});
