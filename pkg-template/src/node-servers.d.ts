/** What the gateway and its commands use of Node. */
declare module 'node:stream' {
  export class Readable {
    static fromWeb(stream: ReadableStream<Uint8Array>): Readable;
    static toWeb(readable: Readable): ReadableStream<Uint8Array<ArrayBuffer>>;
    on(event: string, action: (error: Error) => void): this;
    pipe(to: object): void;
    resume(): this;
    destroy(error?: Error): this;
  }
}

declare module 'node:net' {
  export interface Socket {
    readonly bytesRead: number;
    readonly localAddress?: string;
    readonly localPort?: number;
    readonly remoteAddress?: string;
    readonly remotePort?: number;
    once(event: string, action: () => void): this;
    destroy(): void;
  }
}

declare module 'node:tls' {
  const tls: {
    /** Node.js 22.15 and newer. */
    readonly getCACertificates?: (type: 'default' | 'system') => readonly string[];
    readonly createSecureContext: (options: { readonly ca: readonly string[] }) => unknown;
  };
  export default tls;
}

declare module 'node:crypto' {
  export function randomBytes(size: number): { toString(encoding: 'hex'): string };
  export function createHmac(
    algorithm: 'sha256',
    key: string,
  ): { update(text: string): { digest(encoding: 'hex'): string } };
}

declare module 'node:zlib' {
  type Decompress = (
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number },
    done: (error: Error | null, plain: Uint8Array) => void,
  ) => void;
  const zlib: {
    readonly brotliDecompress: Decompress;
    /** Node.js 22.15 and newer. */
    readonly zstdDecompress?: Decompress;
  };
  export default zlib;
}

declare module 'node:http' {
  import type { Socket } from 'node:net';
  import { Readable } from 'node:stream';

  export interface AgentOptions {
    readonly keepAlive: boolean;
    readonly maxSockets: number;
    readonly secureContext?: unknown;
  }
  export class Agent {
    constructor(options: AgentOptions);
  }
  export class IncomingMessage extends Readable {
    readonly method?: string;
    readonly url?: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
    readonly rawHeaders: readonly string[];
    readonly statusCode?: number;
    readonly statusMessage?: string;
    readonly socket: Socket;
  }
  export interface ServerResponse {
    readonly writableFinished: boolean;
    writeHead(status: number): this;
    writeHead(status: number, text: string, headers: Readonly<Record<string, string | string[]>>): this;
    flushHeaders(): void;
    write(chunk: Uint8Array): boolean;
    end(text?: string): void;
    destroy(): void;
    on(event: string, action: () => void): this;
    off(event: string, action: () => void): this;
  }
  export interface ClientRequest {
    readonly reusedSocket: boolean;
    on(event: 'socket', action: (socket: Socket) => void): this;
    on(event: 'connect', action: (answer: IncomingMessage, socket: Socket) => void): this;
    on(event: 'response', action: (answer: IncomingMessage) => void): this;
    on(event: 'error', action: (error: Error) => void): this;
    on(event: 'close', action: () => void): this;
    end(body?: Uint8Array): void;
    destroy(error?: Error): void;
  }
  export interface RequestOptions {
    readonly method: string;
    readonly headers: Readonly<Record<string, string | number>>;
    readonly agent: Agent | false;
    readonly path?: string;
    readonly secureContext?: unknown;
    readonly signal?: AbortSignal;
  }
  export function request(url: URL, options: RequestOptions): ClientRequest;
  interface Server {
    maxHeadersCount: number;
    on(event: 'error', action: (error: Error) => void): this;
    listen(port: number, host: string, ready: () => void): void;
    address(): { readonly port: number; readonly address: string } | string | null;
    close(done: () => void): void;
    closeIdleConnections(): void;
    closeAllConnections(): void;
  }
  export function createServer(
    options: {
      readonly maxHeaderSize: number;
      readonly keepAliveTimeout: number;
      readonly requestTimeout: number;
      readonly noDelay: boolean;
      readonly keepAlive: boolean;
    },
    listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  ): Server;
}

/** The build bundles the used part of `srvx/node`, whose own types need those of Node. */
declare module 'bundled:srvx' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export const NodeRequest: new (pair: { readonly req: IncomingMessage; readonly res: ServerResponse }) => Request;
  export function sendNodeResponse(outgoing: ServerResponse, answer: Response): Promise<void>;
}

/** The build bundles what finds the proxy of a URL. */
declare module 'bundled:proxy-from-env' {
  export function getProxyForUrl(url: URL): string;
}

/** The build bundles what reads TOML. */
declare module 'bundled:smol-toml' {
  export function parse(
    text: string,
    options: { readonly integersAsBigInt: 'asNeeded' },
  ): Readonly<Record<string, unknown>>;
}

declare module 'node:https' {
  import { type ClientRequest, Agent as HttpAgent, type RequestOptions } from 'node:http';
  import type { Socket } from 'node:net';

  export interface ConnectionOptions {
    readonly host: string;
    readonly port: number | string;
    readonly socket?: Socket;
  }
  export class Agent extends HttpAgent {
    createConnection(
      options: ConnectionOptions,
      done?: (error: Error | null, socket?: Socket) => void,
    ): Socket | undefined;
  }
  export function request(url: URL, options: RequestOptions): ClientRequest;
}

declare module 'node:worker_threads' {
  export class Worker {
    constructor(file: URL, options: { readonly workerData: unknown });
    on(event: 'message', action: (message: never) => void): this;
    on(event: 'error', action: (error: { readonly code?: unknown }) => void): this;
    on(event: 'exit', action: () => void): this;
    postMessage(message: unknown): void;
    terminate(): Promise<unknown>;
    unref(): void;
  }
  export const parentPort: {
    on(event: 'message', action: (message: never) => void): void;
    postMessage(message: unknown, transferred: readonly ArrayBuffer[]): void;
  } | null;
  export const workerData: unknown;
}

declare module 'node:child_process' {
  export interface ChildProcess {
    readonly pid?: number;
    on(event: 'error', action: (error: Error & { readonly code?: string }) => void): this;
    on(event: 'close', action: (code: number | null, signal: string | null) => void): this;
    kill(signal: string): boolean;
    unref(): void;
  }
  export function spawn(
    command: string,
    args: readonly string[],
    options: {
      readonly stdio: 'inherit' | 'ignore';
      readonly env?: Readonly<Record<string, string | undefined>>;
      readonly detached?: boolean;
      readonly windowsHide?: boolean;
      readonly windowsVerbatimArguments?: boolean;
    },
  ): ChildProcess;
  export function spawnSync(
    command: string,
    args: readonly string[],
    options: { readonly encoding: 'utf8'; readonly timeout: number; readonly windowsVerbatimArguments: boolean },
  ): { readonly stdout: string; readonly stderr: string; readonly error?: Error };
}

declare module 'node:os' {
  export function homedir(): string;
  export const constants: { readonly signals: Readonly<Record<string, number>> };
}

declare module 'node:url' {
  export function fileURLToPath(url: URL): string;
  export function pathToFileURL(path: string): URL;
}

declare module 'node:fs' {
  export function rmdirSync(path: string): void;
  export function realpathSync(path: string): string;
}
