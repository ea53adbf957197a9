/** Sends requests by Node's own client, which leaves answers as they come: compressed ones stay compressed. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Send } from '../gateway/handler.js';
import { CONNECT_AT_MOST, connectionTo, failure } from './connections.js';

type Init = Parameters<Send>[1];

export const nodeSend: Send = async (url, init) => {
  const target = new URL(url);
  const sent = attempt(target, init, false);
  try {
    return await sent.answer;
  } catch (error) {
    // The provider closed a connection that had rested while the request was on its way.
    if (init.body instanceof ReadableStream || !sent.wasClosed(error)) throw error;
    return attempt(target, init, true).answer;
  }
};

/** Open connections to providers, each by its end here and its end there: together they name one connection. */
const opened = new Set<string>();
const endOf = (address: string | undefined, port: number | undefined) => `${address?.replace(/^::ffff:/, '')} ${port}`;

/** Whether a connection that came in is one that this process has opened: an upstream leads back here. */
export const isOwnConnection = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): boolean =>
  opened.has(`${endOf(remoteAddress, remotePort)} ${endOf(localAddress, localPort)}`);

function noted(socket: Socket): void {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  const connection = `${endOf(localAddress, localPort)} ${endOf(remoteAddress, remotePort)}`;
  opened.add(connection);
  socket.once('close', () => opened.delete(connection));
}

/** A request that was sent. */
interface Attempt {
  readonly answer: Promise<Response>;
  /** Whether a connection that had served others was closed before a byte of the answer. */
  wasClosed(error: unknown): boolean;
}

function attempt(target: URL, { method = 'GET', headers, body, signal }: Init, isNew: boolean): Attempt {
  const { request: make, to, options, headers: further } = connectionTo(target, isNew);
  const bytes = body instanceof Uint8Array ? body : undefined;
  const length = bytes === undefined ? (body ? {} : lengthOfNothing(method)) : { 'content-length': bytes.length };
  const request: ClientRequest = make(to, {
    method,
    ...options,
    headers: { ...Object.fromEntries(headers), ...length, ...further },
    ...(signal ? { signal } : {}),
  });
  let read = () => 0;
  const timer = setTimeout(() => request.destroy(failure('ETIMEDOUT')), CONNECT_AT_MOST);
  request.on('socket', (socket) => {
    const { bytesRead } = socket;
    read = () => socket.bytesRead - bytesRead;
    if (request.reusedSocket) return clearTimeout(timer);
    if (to.protocol === 'http:') socket.once('connect', () => noted(socket));
    socket.once(to.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
  });
  const answer = new Promise<Response>((resolve, reject) => {
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.on('response', (incoming) => {
      try {
        resolve(responseOf(incoming));
      } catch {
        // A `Response` has statuses from 200 to 599 only.
        incoming.destroy();
        reject(failure(`STATUS_${incoming.statusCode}`));
      }
    });
  });
  if (bytes !== undefined || !body) request.end(bytes);
  else send(body as ReadableStream<Uint8Array>, request);
  const wasClosed = (error: unknown) => {
    const { code } = error as { readonly code?: unknown };
    return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE') && read() === 0;
  };
  return { answer, wasClosed };
}

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
