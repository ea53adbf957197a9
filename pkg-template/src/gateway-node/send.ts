/** Sends requests by Node's own client, which leaves answers as they come: compressed ones stay compressed. */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import type { Send } from '../gateway/handler.js';

/** Milliseconds until a connection must be there. An answer may take as long as the agent waits. */
const CONNECT_AT_MOST = 30_000;

const { env } = (globalThis as unknown as { readonly process: { readonly env: Record<string, string | undefined> } })
  .process;
// Node.js 24 and newer read HTTPS_PROXY and NO_PROXY from here; older ones ignore it.
const options = { keepAlive: true, maxSockets: Infinity, proxyEnv: env };
const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };

export const nodeSend: Send = (url, { method = 'GET', headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const target = new URL(url);
    const isHttps = target.protocol === 'https:';
    const bytes = body instanceof Uint8Array ? body : undefined;
    const named = Object.fromEntries(headers);
    const length = bytes === undefined ? (body ? {} : lengthOfNothing(method)) : { 'content-length': bytes.length };
    const request: ClientRequest = (isHttps ? requestHttps : requestHttp)(target, {
      method,
      headers: { ...named, ...length },
      agent: agents[isHttps ? 'https:' : 'http:'],
      ...(signal ? { signal } : {}),
    });
    const timer = setTimeout(() => request.destroy(timeout()), CONNECT_AT_MOST);
    request.on('socket', (socket) => {
      if (!socket.connecting) clearTimeout(timer);
      else socket.once(isHttps ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.on('response', (answer) => {
      try {
        resolve(responseOf(answer));
      } catch {
        // A `Response` has statuses from 200 to 599 only.
        answer.destroy();
        reject(Object.assign(new Error(`status ${answer.statusCode}`), { code: `STATUS_${answer.statusCode}` }));
      }
    });
    if (bytes !== undefined || !body) request.end(bytes);
    else send(body as ReadableStream<Uint8Array>, request);
  });

/** A stream may break off: then the request does too. */
function send(body: ReadableStream<Uint8Array>, request: ClientRequest): void {
  const readable = Readable.fromWeb(body);
  readable.on('error', (error) => request.destroy(error));
  request.on('close', () => readable.destroy());
  readable.pipe(request);
}

function lengthOfNothing(method: string): Readonly<Record<string, number>> {
  return method === 'GET' || method === 'HEAD' ? {} : { 'content-length': 0 };
}

function timeout(): Error {
  return Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' });
}

/** Statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers();
  const { rawHeaders, statusCode: status = 502, statusMessage: statusText = '' } = answer;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  if (!WITHOUT_BODY.has(status)) return new Response(Readable.toWeb(answer), { status, statusText, headers });
  answer.resume();
  return new Response(null, { status, statusText, headers });
}
