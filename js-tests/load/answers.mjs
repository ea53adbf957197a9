// Answers of every kind, the same for a number in every run: whole and streamed in odd pieces, compressed, errors, broken off.
import { createHash } from 'node:crypto';
import { createServer, request } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { random } from './sessions.mjs';

const STATUSES = [200, 200, 200, 200, 201, 204, 304, 307, 400, 404, 429, 500, 503, 529];
const PATHS = [
  ['/anthropic/v1/messages', { model: 'claude-opus-4-8', messages: [{ role: 'user', content: 'x' }] }],
  ['/openai/v1/chat/completions', { model: 'gpt-5.2', messages: [{ role: 'user', content: 'x' }] }],
  ['/openai/v1/responses', { model: 'gpt-5.2', input: [{ role: 'user', content: 'x' }] }],
  ['/gemini/v1beta/models/g:generateContent', { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }],
  ['/openai/v1/files', { any: 'thing' }],
];

/** The fastest levels: the answers are to be odd, not small. */
const ENCODERS = {
  gzip: (plain) => gzipSync(plain, { level: 1 }),
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

/** A request, and the answer to it. */
export function exchangeOf(number) {
  const next = random(number + 1);
  const [path, body] = PATHS[next(PATHS.length)];
  const status = STATUSES[next(STATUSES.length)];
  const isEmpty = status === 204 || status === 304;
  const text = Array.from(
    { length: next(40) },
    () => `data: {"delta":"${'é…x"\\'.repeat(next(60))}","n":${next(1e9)}}\n\n`,
  );
  const plain = Buffer.from(isEmpty ? '' : `${text.join('')}data: {"usage":{"input_tokens":${next(999)}}}\n\n`);
  const encoding = [undefined, undefined, 'gzip', 'br', 'x-odd'][isEmpty ? 0 : next(5)];
  const bytes = ENCODERS[encoding]?.(plain) ?? plain;
  const headers = {
    'content-type': ['text/event-stream', 'application/json', 'application/octet-stream'][next(3)],
    'request-id': `req_${next(1e9)}`,
    'x-odd': 'ü'.repeat(next(4)),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    ...(status === 307 ? { location: '/elsewhere' } : {}),
    ...(next(3) === 0 ? { 'set-cookie': ['a=1', `b=${next(99)}`] } : {}),
    ...(next(2) === 0 && !isEmpty ? { 'content-length': String(bytes.length) } : {}),
  };
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + next(next(2) === 0 ? 50 : 5000);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  // A provider that breaks off: what came until then must arrive, and its end must show.
  const isBroken = next(20) === 0 && pieces.length > 1;
  return { path, body: JSON.stringify(body), status, headers, pieces, isBroken };
}

/** Starts a provider that gives the answer whose number it is asked for. */
export async function startAnswering() {
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => {
      const { status, headers, pieces, isBroken } = exchangeOf(Number(incoming.headers['x-answer']));
      response.writeHead(status, headers);
      for (const piece of isBroken ? pieces.slice(0, 1) : pieces) response.write(piece);
      if (isBroken) setTimeout(() => response.destroy(), 20);
      else response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'date'];

/** A print of the whole answer to a request: status, headers, every byte, and whether it came to its end. */
export function printOf(url, number, agent, path) {
  const { body } = exchangeOf(number);
  return new Promise((resolve, reject) => {
    const headers = { 'x-answer': number, 'content-type': 'application/json' };
    const asked = request(`${url}${path}`, { method: 'POST', agent, headers }, (answer) => {
      const hash = createHash('sha256');
      const pairs = answer.rawHeaders.flatMap((name, at, all) =>
        at % 2 === 0 ? [[name.toLowerCase(), all[at + 1]]] : [],
      );
      hash.update(JSON.stringify([answer.statusCode, answer.statusMessage]));
      hash.update(JSON.stringify(pairs.filter(([name]) => !OF_CONNECTION.includes(name)).sort()));
      answer.on('data', (chunk) => hash.update(chunk));
      const end = (how) => resolve(`${how} ${hash.digest('hex')}`);
      answer.on('end', () => end('whole'));
      answer.on('error', () => end('broken'));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
