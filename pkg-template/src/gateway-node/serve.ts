/** Serves a gateway by Node's own HTTP server; srvx makes requests and answers of its objects. */

import { NodeRequest, sendNodeResponse } from 'bundled:srvx';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Gateway } from '../gateway/handler.js';
import { isOwnConnection } from './send.js';

export interface Served {
  readonly port: number;
  /** The IP address: a name such as `localhost` may have several. */
  readonly address: string;
  /** Lets requests that are under way end, for at most `grace` milliseconds. A second call may shorten the time. */
  close(grace?: number): Promise<void>;
}

/** Milliseconds between two looks for connections whose last answer has ended. */
const LOOK = 50;

/** Bytes of all headers of a request. Agents send a few kilobytes. */
const HEADER_BYTES_AT_MOST = 64 * 2 ** 10;
/** Headers of a request. Node.js would drop those beyond its own limit, an API key among them, without an error. */
const HEADERS_AT_MOST = 200;
/** An agent that thinks for a minute between two requests finds its connection again. */
const KEEP_ALIVE = 120_000;
/** The time to receive a request. Node.js allows 5 minutes, too little for a large file on a slow line. */
const RECEIVED_AT_MOST = 3_600_000;

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
    {
      maxHeaderSize: HEADER_BYTES_AT_MOST,
      keepAliveTimeout: KEEP_ALIVE,
      requestTimeout: RECEIVED_AT_MOST,
      noDelay: true,
      keepAlive: true, // the system finds out which clients vanished without a word
    },
    (incoming, outgoing) => void exchange(gateway, incoming, outgoing, isLocal),
  );
  server.maxHeadersCount = 0; // no limit of its own
  return new Promise((resolve, reject) => {
    // Later errors, such as too many open files, concern one connection.
    server.on('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const close = (grace = 0) =>
        new Promise<void>((done) => {
          const timer = setTimeout(() => server.closeAllConnections(), grace);
          // A client keeps its connection when its answer is over.
          const look = setInterval(() => server.closeIdleConnections(), LOOK);
          server.close(() => {
            clearTimeout(timer); // they would keep the process alive
            clearInterval(look);
            done();
          });
          server.closeIdleConnections();
        });
      const bound = typeof address === 'object' && address !== null ? address : { port, address: host };
      resolve({ port: bound.port, address: bound.address, close });
    });
  });
}

async function exchange(
  gateway: Gateway,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isLocal: boolean,
): Promise<void> {
  const { url = '/', headers, rawHeaders } = incoming;
  if (rawHeaders.length > 2 * HEADERS_AT_MOST) {
    outgoing.writeHead(431).end(`densify gateway: send at most ${HEADERS_AT_MOST} headers\n`);
    return;
  }
  if (!url.startsWith('/') || (isLocal && !LOCAL.test(headers.host ?? ''))) {
    outgoing.writeHead(403).end('densify gateway: connect to 127.0.0.1. This gateway is not a general proxy\n');
    return;
  }
  if (isOwnConnection(incoming.socket)) {
    const line = "densify gateway: an upstream leads back to this gateway; set it to the provider's own URL\n";
    outgoing.writeHead(508).end(line);
    return;
  }
  try {
    const answer = await gateway(new NodeRequest({ req: incoming, res: outgoing }));
    const sent = sendNodeResponse(outgoing, answer);
    // Headers don't wait for the first chunk. Flushed alone, Node.js writes them as UTF-8; with a chunk as they came.
    const isAscii = [...answer.headers.values()].every((value) => !/[^ -~\t]/.test(value));
    if (isAscii) outgoing.flushHeaders();
    await sent;
  } catch {
    // The client is gone, or the provider broke off: the client must see that the answer isn't whole.
    outgoing.destroy();
  }
}
