/** Connections to providers: kept alive, through the proxies of the environment, checked by the system's authorities. */
import { getProxyForUrl } from 'bundled:proxy-from-env';
import { Agent as HttpAgent, type RequestOptions, request as requestHttp } from 'node:http';
import { type ConnectionOptions, Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';

/** Milliseconds until a connection must be there. An answer may take as long as the agent waits. */
export const CONNECT_AT_MOST = 30_000;

/** What a request to a provider needs. */
export interface Connection {
  readonly request: typeof requestHttp;
  /** Where the request is sent: the provider, or a proxy that forwards it. */
  readonly to: URL;
  readonly options: Pick<RequestOptions, 'agent'> & { readonly path?: string };
  readonly headers: Readonly<Record<string, string>>;
}

interface Proxy {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The way to a provider; `isNew` asks for a connection that was not used before. */
export function connectionTo(target: URL, isNew: boolean): Connection {
  const proxy = proxyFor(target);
  const secure = () => ({ ...optionsFor(isNew), ...trust() });
  if (target.protocol === 'https:') {
    const agent = agentOf(`${proxy?.url} ${isNew}`, () =>
      proxy === undefined ? new HttpsAgent(secure()) : new TunnelAgent(proxy, secure()),
    );
    return { request: requestHttps, to: target, options: { agent }, headers: {} };
  }
  const to = proxy?.url ?? target;
  const agent = agentOf(`${to.protocol} ${isNew}`, () =>
    to.protocol === 'https:' ? new HttpsAgent(secure()) : new HttpAgent(optionsFor(isNew)),
  );
  // A proxy reads the provider from the path.
  return {
    request: clientOf(to),
    to,
    options: proxy === undefined ? { agent } : { agent, path: target.href },
    headers: { host: target.host, ...proxy?.headers },
  };
}

const clientOf = ({ protocol }: URL) => (protocol === 'https:' ? requestHttps : requestHttp);
const optionsFor = (isNew: boolean) => ({ keepAlive: !isNew, maxSockets: Infinity });

const agents = new Map<string, HttpAgent>();

function agentOf(key: string, make: () => HttpAgent): HttpAgent {
  const agent = agents.get(key) ?? make();
  agents.set(key, agent);
  return agent;
}

/** The proxy that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` name, if it speaks HTTP. */
function proxyFor(target: URL): Proxy | undefined {
  const text = getProxyForUrl(target);
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const { username, password } = url;
  // In a URL, Node.js would send them as the provider's key.
  url.username = '';
  url.password = '';
  if (username === '' && password === '') return { url, headers: {} };
  const login = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { url, headers: { 'proxy-authorization': `Basic ${btoa(String.fromCharCode(...login))}` } };
}

/** Connects to HTTPS hosts through a proxy's tunnel. */
class TunnelAgent extends HttpsAgent {
  readonly #proxy: Proxy;

  constructor(proxy: Proxy, options: ConstructorParameters<typeof HttpsAgent>[0]) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: ConnectionOptions,
    done: (error: Error | null, socket?: Socket) => void,
  ): Socket | undefined {
    const { url, headers } = this.#proxy;
    const { host, port } = options;
    const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const tunnel = clientOf(url)(url, {
      method: 'CONNECT',
      path: authority,
      headers: { ...headers, host: authority },
      agent: false,
      ...(url.protocol === 'https:' ? trust() : {}),
    });
    const timer = setTimeout(() => tunnel.destroy(failure('ETIMEDOUT')), CONNECT_AT_MOST);
    const end = (error: Error | null, socket?: Socket) => {
      clearTimeout(timer);
      done(error, socket);
    };
    tunnel.on('error', (error) => end(error));
    tunnel.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return end(null, super.createConnection({ ...options, socket }));
      socket.destroy();
      end(failure(`PROXY_${statusCode}`));
    });
    tunnel.end();
    return undefined;
  }
}

/** An error whose code the client is shown. */
export function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

type Trust = { readonly secureContext?: unknown };
let known: Trust | undefined;

/**
 * The authorities of Node.js and the system, such as a company's own. Node.js before 22.15 does not read the system's:
 * there `NODE_EXTRA_CA_CERTS` names them. They are read once, since that takes long.
 */
function trust(): Trust {
  return (known ??= readTrust());
}

function readTrust(): Trust {
  const { getCACertificates, createSecureContext } = tls;
  if (getCACertificates === undefined) return {};
  try {
    const ca = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
    return { secureContext: createSecureContext({ ca: [...ca] }) };
  } catch {
    return {}; // one that can't be read must not stop all others
  }
}
