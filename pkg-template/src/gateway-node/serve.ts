/** Serves a gateway by Node's own HTTP server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Gateway } from '../gateway/handler.js';

export interface Served {
  readonly port: number;
  /** Lets requests that are under way end, for at most `grace` milliseconds. */
  close(grace?: number): Promise<void>;
}

/** Bytes of all headers of a request. Agents send a few kilobytes. */
const HEADERS_AT_MOST = 64 * 2 ** 10;
/** An agent that thinks for a minute between two requests finds its connection again. */
const KEEP_ALIVE = 120_000;

/** Names of this machine: a page in a browser that reaches it by another name is refused. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** Starts a server; an error such as `EADDRINUSE` rejects. */
export function serve(
  gateway: Gateway,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Served> {
  const isLocal = LOOPBACK.has(host);
  const server = createServer(
    { maxHeaderSize: HEADERS_AT_MOST, keepAliveTimeout: KEEP_ALIVE, noDelay: true },
    (incoming, outgoing) => void exchange(gateway, incoming, outgoing, isLocal),
  );
  server.maxHeadersCount = 200;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const close = (grace = 0) =>
        new Promise<void>((done) => {
          server.close(() => done());
          server.closeIdleConnections();
          setTimeout(() => server.closeAllConnections(), grace);
        });
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port, close });
    });
  });
}

async function exchange(
  gateway: Gateway,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isLocal: boolean,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  try {
    const { method = 'GET', url = '/', headers } = incoming;
    if (!url.startsWith('/') || (isLocal && !LOCAL.test(headers.host ?? ''))) {
      outgoing.writeHead(403).end('densify gateway: address it as 127.0.0.1; it is no proxy for other hosts\n');
      return;
    }
    const isBare = method === 'GET' || method === 'HEAD';
    const request = new Request(`http://gateway${url}`, {
      method,
      headers: headersOf(incoming),
      signal: gone.signal,
      ...(isBare ? {} : { body: Readable.toWeb(incoming), duplex: 'half' }),
    } as RequestInit);
    await respond(await gateway(request), outgoing);
  } catch {
    // The client is gone, or the provider broke off: the client must see that the answer isn't whole.
    outgoing.destroy();
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}

async function respond(answer: Response, outgoing: ServerResponse): Promise<void> {
  const cookies = answer.headers.getSetCookie();
  const headers: Record<string, string | string[]> = Object.fromEntries(answer.headers);
  if (cookies.length > 0) headers['set-cookie'] = cookies;
  outgoing.writeHead(answer.status, answer.statusText, headers);
  if (answer.body === null) {
    outgoing.end();
    return;
  }
  // Flushed alone, Node.js writes headers as UTF-8; with a chunk it writes them as they came.
  const isAscii = [...answer.headers.values()].every((value) => !/[^ -~\t]/.test(value));
  if (isAscii) outgoing.flushHeaders();
  const reader = answer.body.getReader();
  outgoing.on('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

/** Waits for a slow client, or for its end. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go);
      outgoing.off('close', go);
      resolve();
    };
    outgoing.on('drain', go);
    outgoing.on('close', go);
  });
}
