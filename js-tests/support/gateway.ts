// A gateway as users start it, and a provider on this machine that records every byte.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CLI } from './command.js';

export { CLI };

/** A request as it reached the provider. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Upstream {
  readonly url: string;
  readonly arrived: Arrived[];
  close(): Promise<void>;
}

type Answering = (arrived: Arrived, response: ServerResponse, incoming: IncomingMessage) => void;

/** Starts a provider, with a certificate one that speaks HTTPS; without `answer` it says that it is done. */
export async function startUpstream(
  answer: Answering = (_, response) => void response.end('{}'),
  certificate?: { readonly key: string; readonly cert: string },
): Promise<Upstream> {
  const arrived: Arrived[] = [];
  const server: Server = certificate === undefined ? createServer() : createTlsServer(certificate);
  server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const one = { method, url, headers, body: Buffer.concat(chunks) };
      arrived.push(one);
      answer(one, response, incoming);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  /** All that the command has printed. */
  output(): string;
  /** Ends it; resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `densify gateway` on a free port, in front of a provider of all formats. */
export async function startGateway(
  upstream: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  command: readonly string[] = [CLI],
): Promise<Started> {
  const names = ['anthropic', 'openai', 'gemini'].map((name) => `${name}=${upstream}`).join(',');
  const child = spawn(process.execPath, [...command, 'gateway', '--port=0', `--upstream=${names}`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /gateway at (http:\S+?):(\d+):/.exec(output);
      if (found !== null) resolve(`http://127.0.0.1:${found[2]}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', () => reject(new Error(output)));
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return { url, child, output: () => output, stop };
}

/** All figures that a gateway reports, by name. */
export async function metricsOf({ url }: Started): Promise<Readonly<Record<string, number>>> {
  const { body } = await ask(`${url}/metrics`, { method: 'GET' });
  const found = body.toString().matchAll(/^(densify_\w+) ([\d.e-]+)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]));
}

/** An answer with every byte, undecoded. */
export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Whether the answer came to its end. */
  readonly isWhole: boolean;
}

/** Headers of one connection, and those that name its time. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'date'];

/** Asks by Node's own client, which decodes nothing. */
export function ask(
  url: string,
  {
    method = 'POST',
    headers = {},
    body,
  }: { method?: string; headers?: Readonly<Record<string, string>>; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      const end = (isWhole: boolean) => {
        const raw = answer.rawHeaders;
        const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1]!] as const] : []));
        resolve({
          status: answer.statusCode!,
          statusText: answer.statusMessage!,
          headers: pairs.filter(([name]) => !OF_CONNECTION.includes(name)).sort(),
          body: Buffer.concat(chunks),
          isWhole,
        });
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => end(true));
      answer.on('error', () => end(false));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** A long session of Anthropic's form, in which few files are read again and again. */
export function session(steps: number, lines = 60) {
  const messages: object[] = [{ role: 'user', content: 'Please refactor the project.' }];
  for (let step = 0; step < steps; step += 1) {
    const file = step % 3;
    const text = Array.from({ length: lines }, (_, at) => `${at + 1}\tconst value${file}_${at} = ${at * 7919};`);
    const id = `toolu_${step}`;
    messages.push(
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: `/w/file${file}.ts` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text.join('\n') }] },
    );
  }
  return messages;
}

/** A request of Anthropic's form. */
export const requestOf = (messages: readonly object[]) => ({ model: 'claude-opus-4-8', max_tokens: 100, messages });
