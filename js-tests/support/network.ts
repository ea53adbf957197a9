// What lies between a gateway and its provider: proxies, certificates, and providers that close connections.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

/** A certificate of `provider.example` that is its own authority, and its file. */
export function certificate() {
  const folder = mkdtempSync(join(tmpdir(), 'densify-'));
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=provider.example', '-addext', 'subjectAltName=DNS:provider.example'];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...made, ...names, '-keyout', keyFile, '-out', file], { stdio: 'ignore' });
  const remove = () => rmSync(folder, { recursive: true });
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8'), file, remove };
}

/** Starts a proxy that reaches one provider under every name, and records its requests. */
export async function startProxy(upstream: string, login?: string) {
  const asked: string[] = [];
  const { hostname, port } = new URL(upstream);
  const isKnown = (header: string | undefined) =>
    login === undefined || header === `Basic ${Buffer.from(login).toString('base64')}`;
  const server = createHttpServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url} ${incoming.headers.host}`);
    if (!isKnown(incoming.headers['proxy-authorization'])) return void response.writeHead(407).end();
    const { pathname, search } = new URL(incoming.url!);
    const { method = '', headers } = incoming;
    const further = request({ hostname, port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(further);
  });
  const sockets = new Set<Socket>();
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(`${incoming.method} ${incoming.url} ${incoming.headers.host}`);
    sockets.add(socket);
    if (!isKnown(incoming.headers['proxy-authorization'])) return void socket.end('HTTP/1.1 407 Login\r\n\r\n');
    const further = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      further.pipe(socket).pipe(further);
    });
    for (const end of [socket, further]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { port: (server.address() as AddressInfo).port, asked, close };
}

/** Starts a provider of bare connections: `act` gets each request's number on its connection, and the connection. */
export async function startBare(
  act: (count: number, socket: Socket) => void,
  given?: { readonly key: string; readonly cert: string },
) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    let count = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => act((count += 1), socket));
  };
  const server = given === undefined ? createServer(serve) : createTlsServer(given, serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, connections: () => connections, close };
}
