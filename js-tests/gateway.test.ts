// The gateway as users start it: other requests must not change, and packed ones must arrive as the core packs them.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib, { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { optimize } from 'densify/anthropic';
import { validate } from 'densify/validate';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
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
import { MARK } from './support/hooks.js';

/** What the provider answers with, by path. */
type Answer = Parameters<typeof startUpstream>[0];
let answer: NonNullable<Answer>;
let upstream: Upstream;
let gateway: Started;

beforeAll(async () => {
  upstream = await startUpstream((arrived, response, incoming) => answer(arrived, response, incoming));
  gateway = await startGateway(upstream.url);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
afterEach(() => {
  upstream.arrived.length = 0;
});

const sent = () => upstream.arrived.at(-1)!;
const sentJson = () => JSON.parse(sent().body.toString()) as { messages: object[] };
const post = (path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
  ask(`${gateway.url}${path}`, { body, headers: { 'content-type': 'application/json', ...headers } });

const noise = randomBytes(100_000);
const bomb = brotliCompressSync(Buffer.alloc(64 * 2 ** 20), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
const events = `event: message_start\ndata: {"usage":{"input_tokens":12}}\n\ndata: ${'é'.repeat(4000)}\n\ndata: [DONE]\n\n`;

test.each<[string, NonNullable<Answer>]>([
  ['an empty answer', (_, response) => void response.end()],
  ['JSON with a length', (_, response) => void response.setHeader('content-length', '2').end('{}')],
  ['no content type', (_, response) => void response.writeHead(200).end(noise)],
  ['two cookies', (_, response) => void response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end('x')],
  [
    'too many requests',
    (_, response) => void response.writeHead(429, { 'retry-after': '7', 'x-odd': 'ü' }).end('{"error":{}}'),
  ],
  ['overloaded, with a text of its own', (_, response) => void response.writeHead(529, 'Overloaded').end('busy')],
  ['a server error', (_, response) => void response.writeHead(500).end(noise.subarray(0, 9))],
  ['no content', (_, response) => void response.writeHead(204).end()],
  ['not modified', (_, response) => void response.writeHead(304, { etag: '"x"' }).end()],
  ['a redirection, which is not followed', (_, response) => void response.writeHead(307, { location: '/x' }).end()],
  [
    'gzip',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.from(events))),
  ],
  [
    'an encoding that nobody knows',
    (_, response) => void response.writeHead(200, { 'content-encoding': 'x' }).end(noise),
  ],
  [
    'a stream in odd pieces',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(events);
      // Pieces end within characters.
      for (let at = 0; at < bytes.length; at += 997) response.write(bytes.subarray(at, at + 997));
      response.end();
    },
  ],
])('answers arrive byte for byte: %s', async (_, given) => {
  answer = given;
  const body = JSON.stringify(requestOf(session(2)));
  for (const path of ['/v1/messages', '/v1/organizations/x?y=%20z']) {
    const direct = await ask(`${upstream.url}${path}`, { body });
    expect(await ask(`${gateway.url}/anthropic${path}`, { body })).toEqual(direct);
  }
});

test('a stream is handed on while it comes, and a client that leaves ends it', async () => {
  let ended: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    ended = resolve;
  });
  answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\n\n'); // nothing else comes
    response.on('close', ended);
  };
  const asked = request(`${gateway.url}/anthropic/v1/messages`, { method: 'POST' });
  asked.on('error', () => undefined);
  asked.end('{}');
  const [incoming] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
  const [first] = (await once(incoming, 'data')) as [Buffer];
  expect(first.toString()).toBe('data: first\n\n');
  asked.destroy();
  await isOver;
});

test('a client that leaves before the answer begins ends the request', async () => {
  let ended: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const arrives = new Promise<void>((resolve) => {
    answer = (_, response) => {
      response.on('close', ended);
      resolve();
    };
  });
  const asked = request(`${gateway.url}/anthropic/v1/messages`, { method: 'POST' });
  asked.on('error', () => undefined);
  asked.end(JSON.stringify(requestOf(session(1))));
  await arrives;
  asked.destroy();
  await isOver;
});

test('a provider that breaks off is no whole answer', async () => {
  answer = (_, response) => {
    response.writeHead(200);
    response.write('half', () => response.destroy());
  };
  const broken = await post('/anthropic/v1/messages', JSON.stringify(requestOf(session(1))));
  expect([broken.body.toString(), broken.isWhole]).toEqual(['half', false]);
});

test('a provider that never answers holds up no other request, and clients that vanish leave nothing behind', async () => {
  let isSilent = true;
  answer = (_, response) => {
    if (!isSilent) response.end('{}');
  };
  const own = await startGateway(upstream.url);
  const body = JSON.stringify(requestOf(session(2)));
  const silent = Array.from({ length: 50 }, () => {
    const asked = request(`${own.url}/anthropic/v1/messages`, { method: 'POST', agent: false });
    asked.on('error', () => undefined);
    asked.end(body);
    return asked;
  });
  // Half of these stop within their body.
  const halves = Array.from({ length: 50 }, () => {
    const headers = { 'content-length': body.length };
    const asked = request(`${own.url}/anthropic/v1/messages`, { method: 'POST', agent: false, headers });
    asked.on('error', () => undefined);
    asked.write(body.slice(0, body.length / 2));
    return asked;
  });
  const metric = async (name: string) => {
    const { body: text } = await ask(`${own.url}/metrics`, { method: 'GET' });
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text.toString())?.[1]);
  };
  while (upstream.arrived.length < 50 || (await metric('densify_under_way')) < 100) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  isSilent = false;
  expect((await ask(`${own.url}/anthropic/v1/messages`, { body })).status).toBe(200);
  for (const asked of [...silent, ...halves]) asked.destroy();
  while ((await metric('densify_under_way')) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await ask(`${own.url}/anthropic/v1/messages`, { body })).status).toBe(200);
  await own.stop();
  expect(own.output()).not.toMatch(/rror/);
});

test('a client that sends slowly is waited for', async () => {
  answer = done;
  const body = Buffer.from(JSON.stringify(requestOf(session(40))));
  const headers = { 'content-length': body.length };
  const asked = request(`${gateway.url}/anthropic/v1/messages`, { method: 'POST', headers });
  for (let at = 0; at < body.length; at += 20_000) {
    asked.write(body.subarray(at, at + 20_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  asked.end();
  const [incoming] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { readonly statusCode: number }];
  incoming.resume();
  expect(incoming.statusCode).toBe(200);
  expect(sent().body.length).toBeLessThan(body.length);
});

test('a slow client slows the provider down', async () => {
  const piece = Buffer.alloc(2 ** 20);
  let written = 0;
  const full = new Promise<void>((resolve) => {
    answer = (_, response) => {
      response.writeHead(200);
      const write = () => {
        while (written < 200) {
          written += 1;
          if (!response.write(piece)) {
            response.once('drain', write);
            // No more is taken for a while: buffers on the way are full.
            setTimeout(resolve, 500);
            return;
          }
        }
        response.end();
      };
      write();
    };
  });
  const asked = request(`${gateway.url}/anthropic/v1/messages`, { method: 'POST' });
  asked.end('{}');
  const [incoming] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
  await full;
  expect(written).toBeLessThan(100);
  let size = 0;
  for await (const chunk of incoming) size += (chunk as Buffer).length;
  expect(size).toBe(200 * piece.length);
});

const done: NonNullable<Answer> = (_, response) => void response.end('{"usage":{"input_tokens":7,"output_tokens":1}}');

test.each<[string, string, string | Buffer, Record<string, string>]>([
  ['malformed JSON', '/anthropic/v1/messages', '{"messages": [', {}],
  ['no object', '/anthropic/v1/messages', '[1]', {}],
  ['messages that are none', '/anthropic/v1/messages', '{"messages":[1,null,"x"]}', {}],
  ['another content type', '/anthropic/v1/messages', 'messages=1', { 'content-type': 'text/plain' }],
  ['no UTF-8', '/anthropic/v1/messages', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), {}],
  ['nothing', '/anthropic/v1/messages', '', {}],
  ['a damaged compression', '/anthropic/v1/messages', noise, { 'content-encoding': 'gzip' }],
  ['a damaged compression', '/anthropic/v1/messages', noise, { 'content-encoding': 'br' }],
  ['a damaged compression', '/anthropic/v1/messages', noise, { 'content-encoding': 'zstd' }],
  ['a body that grows too large', '/anthropic/v1/messages', bomb, { 'content-encoding': 'br' }],
  ['an encoding that nobody knows', '/anthropic/v1/messages', noise, { 'content-encoding': 'lz4' }],
  ['an endpoint without a history', '/openai/v1/files', noise, {}],
  ['an endpoint without a history', '/openai/v1/embeddings', JSON.stringify(requestOf(session(40))), {}],
  [
    'what goes on with an answer that the provider holds',
    '/openai/v1/responses',
    JSON.stringify({
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'a', output: 'x' }],
    }),
    {},
  ],
])('requests arrive byte for byte: %s', async (_, path, body, headers) => {
  answer = done;
  const own = { authorization: 'Bearer key', 'x-own': '1, 2', 'user-agent': 'agent/1.0 (x; y)', ...headers };
  const [, direct] = /^\/\w+(.*)$/.exec(path)!;
  const endToEnd = () => {
    const { host: _, connection: __, ...all } = sent().headers;
    return all;
  };
  await ask(`${upstream.url}${direct}`, { body, headers: { 'content-type': 'application/json', ...own } });
  const expected = endToEnd();
  expect((await post(path, body, own)).status).toBe(200);
  expect(sent().body.equals(Buffer.from(body))).toBe(true);
  expect(sent().url).toBe(direct);
  expect(endToEnd()).toEqual(expected);
});

test('methods and queries pass', async () => {
  answer = done;
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const { status } = await ask(`${gateway.url}/anthropic/v1/things/a%2Fb?x=1&x=2`, { method });
    expect([status, sent().method, sent().url]).toEqual([200, method, '/v1/things/a%2Fb?x=1&x=2']);
  }
});

test('a body of 100 MB passes, unpacked', async () => {
  answer = done;
  const body = Buffer.alloc(100 * 2 ** 20, '{"messages":[');
  expect((await post('/anthropic/v1/messages', body)).status).toBe(200);
  const print = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(print(sent().body)).toBe(print(body));
});

test('a session is packed as a call that makes all edits at once, where it asks for no cache; so is its count', async () => {
  answer = done;
  const all = session(40);
  let changes = 0;
  for (let end = 1; end <= all.length; end += 2) {
    const messages = all.slice(0, end);
    const expected = optimize(messages as never, { flush: 'always', model: 'claude-opus-4-8' }).messages;
    for (const path of ['/anthropic/v1/messages/count_tokens', '/anthropic/v1/messages']) {
      await post(path, JSON.stringify(requestOf(messages)));
      expect(sentJson()).toEqual(requestOf(expected as object[]));
    }
    if (expected !== (messages as unknown)) changes += 1;
  }
  expect(changes).toBeGreaterThan(5);
});

test('a compressed request is packed too, and goes out plain', async () => {
  answer = done;
  const body = JSON.stringify(requestOf(session(40)));
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    // Node.js 22.15 and newer.
    ...('zstdCompressSync' in zlib ? [['zstd', zlib.zstdCompressSync(body)] as const] : []),
  ] as const) {
    await post('/anthropic/v1/messages', bytes, { 'content-encoding': encoding });
    expect(sent().headers['content-encoding']).toBeUndefined();
    expect(sent().body.length).toBeLessThan(body.length);
    expect(validate(sentJson().messages, { format: 'anthropic' }).ok).toBe(true);
  }
});

test('what is not edited keeps its characters', async () => {
  answer = done;
  // Numbers beyond a double, escapes, white space, a key twice: JSON.parse and JSON.stringify would change them all.
  const odd = String.raw`{ "role": "assistant", "content": [ {"type":"tool_use","id":"toolu_x","name":"Odd","input":{"n":12345678901234567890,"f":1.0,"s":"\u00e9\/","a":1,"a":2}} ] }`;
  const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_x","content":"ok"}]}`;
  const messages = session(40).map((message) => JSON.stringify(message));
  messages.splice(1, 0, odd, result);
  const body = `{"model":"claude-opus-4-8","big":98765432109876543210,\n "messages": [${messages.join(' , ')}], "max_tokens":1e2}`;
  await post('/anthropic/v1/messages', body);
  const text = sent().body.toString();
  expect(text.length).toBeLessThan(body.length);
  expect(text).toContain(odd);
  expect(text.startsWith('{"model":"claude-opus-4-8","big":98765432109876543210,\n "messages": [')).toBe(true);
  expect(text).toContain('"max_tokens":1e2');
});

test('keys and contents are in no output', async () => {
  answer = done;
  const secrets = ['sk-ant-very-secret', 'const value1_7', 'toolu_5', 'file_path'];
  const own = await startGateway(upstream.url, ['--json']);
  const headers = { 'x-api-key': secrets[0]! };
  await ask(`${own.url}/anthropic/v1/messages`, { body: JSON.stringify(requestOf(session(40))), headers });
  await ask(`${own.url}/anthropic/v1/messages`, { body: 'const value1_7', headers });
  const { body: metrics } = await ask(`${own.url}/metrics`, { method: 'GET' });
  expect(metrics.toString()).toMatch(/^densify_requests_total 1$/m);
  expect(metrics.toString()).toMatch(/^densify_reported_input_tokens_total 7$/m);
  expect(await own.stop()).toBe(0);
  expect(own.output()).toMatch(/densify: 1 request, sent \S+ of \S+ tokens \(-\d+%\)/);
  for (const secret of secrets) expect(own.output() + metrics.toString()).not.toContain(secret);
});

test('--observe changes nothing and counts', async () => {
  answer = done;
  const own = await startGateway(upstream.url, ['--observe', '--json']);
  const body = JSON.stringify(requestOf(session(40)));
  await ask(`${own.url}/anthropic/v1/messages`, { body });
  expect(sent().body.toString()).toBe(body);
  await own.stop();
  const report = JSON.parse(/^\{.*\}$/m.exec(own.output())![0]) as { tokensBefore: number; tokensAfter: number };
  expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
});

/** A module that breaks the thread at its second request. */
const breaking = (act: string) => `
const { isMainThread, parentPort } = require('node:worker_threads');
if (!isMainThread) {
  const on = parentPort.on.bind(parentPort);
  let count = 0;
  parentPort.on = (event, action) => on(event, (given) => {
    count += 1;
    if (count === 2) { ${act} }
    action(given);
  });
}`;

test.each([
  ['a thread that ends', 'process.exit(1)', '(the thread ended)'],
  [
    'a thread that throws',
    "throw Object.assign(new Error('const value1_7'), { code: 'EODD' })",
    '(the thread ended (EODD))',
  ],
])('%s: its request goes out as it came, with one warning, and others are packed', async (_, act, why) => {
  answer = done;
  const folder = mkdtempSync(join(tmpdir(), 'densify-fault-'));
  writeFileSync(join(folder, 'break.cjs'), breaking(act));
  const own = await startGateway(upstream.url, ['--json'], {}, ['--require', join(folder, 'break.cjs'), CLI]);
  const body = JSON.stringify(requestOf(session(40)));
  const sizes: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    expect((await ask(`${own.url}/anthropic/v1/messages`, { body })).status).toBe(200);
    sizes.push(sent().body.length);
  }
  const { densify_failed_open_total: failed, densify_requests_total: all } = await metricsOf(own);
  await own.stop();
  rmSync(folder, { recursive: true });
  expect(sizes.map((size) => size === body.length)).toEqual([false, true, false, true, false]);
  expect([all, failed]).toEqual([5, 2]);
  expect(own.output().split(`densify: a request was sent unchanged ${why}`)).toHaveLength(2);
  expect(own.output().match(/"failure":/g)).toHaveLength(2);
  expect(own.output()).not.toContain('value1_7');
});

test('a package whose thread is missing: requests go out as they came, and the warning says why', async () => {
  answer = done;
  const copy = mkdtempSync(join(tmpdir(), 'densify-part-'));
  const real = new URL('.', pathToFileURL(CLI)).pathname;
  mkdirSync(join(copy, 'dist'));
  symlinkSync(join(real, '..', 'package.json'), join(copy, 'package.json'));
  for (const name of readdirSync(real)) {
    if (name !== 'gateway-thread.js') symlinkSync(join(real, name), join(copy, 'dist', name));
  }
  const links = ['--preserve-symlinks', '--preserve-symlinks-main', join(copy, 'dist', 'cli.js')];
  const own = await startGateway(upstream.url, [], {}, links);
  const body = JSON.stringify(requestOf(session(40)));
  for (let count = 0; count < 2; count += 1) {
    await ask(`${own.url}/anthropic/v1/messages`, { body });
    expect(sent().body.toString()).toBe(body);
  }
  expect((await metricsOf(own)).densify_failed_open_total).toBe(2);
  await own.stop();
  rmSync(copy, { recursive: true });
  expect(own.output().match(/sent unchanged \(the thread ended \(\w+\)\)/g)).toHaveLength(1);
});

test('packing that takes too long: the request goes out as it came, with one warning', async () => {
  answer = done;
  const own = await startGateway(upstream.url, ['--time-limit=1']);
  const body = JSON.stringify(requestOf(session(400, 200)));
  for (let count = 0; count < 3; count += 1) {
    await ask(`${own.url}/anthropic/v1/messages`, { body });
    expect(sent().body.toString()).toBe(body);
  }
  await own.stop();
  expect(own.output().match(/took longer than 1 ms/g)).toHaveLength(1);
});

test('packing that takes too long pauses its own session only: others lose neither time nor their state', async () => {
  answer = done;
  const own = await startGateway(upstream.url, ['--time-limit=1200']);
  const steps = session(60_000, 10).slice(1);
  const slow = (name: string) => JSON.stringify(requestOf([{ role: 'user', content: name }, ...steps]));
  // The provider binds thinking to the messages before it: thinking stays only if the gateway knows what was sent.
  const bound = (messages: readonly object[]) => JSON.stringify({ ...requestOf(messages), model: 'claude-opus-5-5' });
  const all = session(45);
  const known = all.slice(0, 89);
  const thinking = { type: 'thinking', thinking: 'A thought.', signature: 'x' };
  const [thought, result] = all.slice(89) as [{ content: object[] }, object];
  const next = bound([...known, { ...thought, content: [thinking, ...thought.content] }, result]);
  const path = (gateway: Started) => `${gateway.url}/anthropic/v1/messages`;
  /** The newest request that began with a text. */
  const newest = (text: string) =>
    upstream.arrived.findLast(({ body }) => body.subarray(0, 200).includes(`"content":"${text}"`))!.body;
  const usual = 'Please refactor the project.';
  for (const list of [known.slice(0, 87), known]) await ask(path(own), { body: bound(list) });
  const both = Promise.all([ask(path(own), { body: slow('one') }), ask(path(own), { body: slow('two') })]);
  await new Promise((resolve) => setTimeout(resolve, 1000)); // both are uploaded
  await ask(path(own), { body: JSON.stringify(requestOf(session(39))) });
  expect(newest(usual).length).toBeLessThan(JSON.stringify(requestOf(session(39))).length);
  await ask(path(own), { body: slow('three') });
  expect(newest('three').length).toBe(slow('three').length); // the second one is being packed
  await both;
  await ask(path(own), { body: next });
  expect(newest(usual).length).toBeLessThan(next.length);
  expect(newest(usual).toString()).toContain('A thought.');
  await ask(path(gateway), { body: next });
  expect(newest(usual).toString()).not.toContain('A thought.');
  await ask(path(own), { body: slow('one') });
  expect(newest('one').length).toBe(slow('one').length);
  // On a busy machine the second upload may have ended when the first request was packed.
  for (let more = 0; more < 5 && !own.output().includes('of other requests'); more += 1) {
    await Promise.all(['a', 'b', 'c'].map((name) => ask(path(own), { body: slow(`${name}${more}`) })));
  }
  await own.stop();
  expect(
    own
      .output()
      .match(/\([^)]*(?:longer|paused)[^)]*\)/g)
      ?.sort(),
  ).toEqual([
    '(packing of other requests took longer than 1200 ms)',
    '(packing of this session is paused for 30 s after a timeout)',
    '(packing took longer than 1200 ms)',
  ]);
}, 60_000);

test('packing that takes too long, and thinking that is bound to what was sent: the request goes out without it', async () => {
  answer = done;
  const own = await startGateway(upstream.url, ['--time-limit=1']);
  const all = session(400, 200);
  const thinking = { type: 'thinking', thinking: 'Of a packed request.', signature: 'x' };
  const thought = all.map((message) => {
    const { role, content } = message as { role: string; content: object[] };
    return role === 'assistant' ? { role, content: [thinking, ...content] } : message;
  });
  for (const [model, expected] of [
    ['claude-opus-5-5', all],
    ['claude-opus-4-8', thought],
  ] as const) {
    await ask(`${own.url}/anthropic/v1/messages`, { body: JSON.stringify({ ...requestOf(thought), model }) });
    expect(sentJson()).toEqual({ ...requestOf(expected), model });
  }
  await own.stop();
  expect(own.output()).toContain('took longer than 1 ms');
});

test('results are shortened before they are first sent, and stay so', async () => {
  answer = done;
  const noisy = (turn: number) =>
    Array.from(
      { length: 60 },
      (_, at) => `\u001b[32mok\u001b[0m src/deep/folder/of/turn${turn}.ts:${at}: found it`,
    ).join('\n');
  const all = Array.from({ length: 12 }, (_, turn) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `t${turn}`, name: 'Grep', input: { pattern: `found ${turn}` } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: noisy(turn) }] },
  ]).flat();
  const history = [{ role: 'user', content: 'Look for it.' }, ...all];
  let before: unknown[] = [];
  for (let end = 1; end <= history.length; end += 2) {
    // The breakpoint moves on with each request.
    const list = history.slice(0, end).map((message, at) => {
      if (at !== end - 1 || typeof message.content === 'string') return message;
      return { ...message, content: message.content.map((block) => ({ ...block, ...MARK })) };
    });
    await post('/anthropic/v1/messages', JSON.stringify(requestOf(list)));
    const plain = JSON.parse(
      JSON.stringify(sentJson().messages).replaceAll(`,${JSON.stringify(MARK).slice(1, -1)}`, ''),
    );
    expect(JSON.stringify(plain)).not.toContain('[32m');
    expect(plain.slice(0, before.length)).toEqual(before);
    before = plain;
  }
  expect(JSON.stringify(before).length).toBeLessThan(0.7 * JSON.stringify(history).length);
});
