/** `densify gateway`: serves the gateway on this machine. */
import { isDensifyError } from '../base/errors.js';
import { questionAbout } from '../base/nearest.js';
import { textAnswer } from '../gateway/answers.js';
import { checkOptimize } from '../gateway/formats.js';
import { type Gateway, gatewayOf, type Unpacked } from '../gateway/handler.js';
import { type GatewayReport, settingsOf } from '../gateway/options.js';
import { nodeDecoders } from '../gateway-node/decoders.js';
import { nodeSend } from '../gateway-node/send.js';
import { LOOPBACK, type Served, serve } from '../gateway-node/serve.js';
import { threadPacker } from '../gateway-node/thread.js';
import { HOST, PORT, VERSION_HEADER } from './agents/address.js';
import { GatewayKey } from './agents/key.js';
import { type Arguments, argumentsOf } from './arguments.js';
import type { Command, Output } from './command.js';
import { endAfter, environment, onSignals, ownId, printUnlessFull, version } from './host.js';
import { Totals } from './totals.js';

const USAGE = `densify gateway            packs the requests of every agent that you point at it

  --port=8787              the port
  --host=127.0.0.1         the address; any other one needs a token in DENSIFY_TOKEN, which
                           clients then send
  --upstream=NAME=URL,…    further providers at /NAME/, or other URLs for known ones
  --preset=NAME            lossless, balanced (the default), aggressive or seed
  --flush=POLICY           when old messages are edited: when-it-pays (the default), when-cold,
                           always, never, or a number of tokens
  --time-limit=3000        milliseconds to pack a request; after that it is sent unchanged
  --no-intake              keeps new tool results whole
  --observe                changes nothing, and counts what packing would save
  --idle=MINUTES           ends after this time without a request
  --grace=30               seconds that running answers get after SIGTERM or SIGINT; a second signal
                           ends them immediately
  --json                   a line of JSON for each request
`;

/** Arguments that can't be met: the command ends with code 2 and one line. */
export class UsageError extends Error {}

/** How a gateway is started here. */
export interface Start {
  readonly port: number;
  readonly host: string;
  readonly upstreams: Readonly<Record<string, string>>;
  readonly preset: string | undefined;
  readonly flush: string | undefined;
  /** What clients must send; an address that others reach needs one. */
  readonly token?: string | undefined;
  readonly observe: boolean;
  readonly intake: boolean;
  readonly timeLimit?: number | undefined;
  /** Whether an agent's hook has started it. */
  readonly isOfHook?: boolean;
  /** Called when a request begins, also one that only asks whether the gateway runs. */
  readonly onRequest?: () => void;
  readonly onReport: (report: GatewayReport) => void;
  readonly onUnpacked: (why: Unpacked) => void;
  readonly onWarning: (line: string) => void;
}

/** Starts a gateway whose packing runs in a thread of its own. */
export async function startGateway({
  port,
  host,
  upstreams,
  preset,
  flush,
  token,
  observe,
  intake,
  timeLimit,
  isOfHook = false,
  onRequest = () => undefined,
  onReport,
  onUnpacked,
  onWarning,
}: Start): Promise<Served> {
  if (!LOOPBACK.has(host) && token === undefined) {
    throw new UsageError(`option --host: ${host} can be reached by others, so set a token in DENSIFY_TOKEN`);
  }
  const settings = checked({
    optimize: { ...(preset === undefined ? {} : { preset: preset as 'balanced' }), ...flushIn(flush) },
    observe,
    intake,
    upstreams,
    token,
    onReport,
    onWarning: warnOnce(onWarning),
  });
  const packer = threadPacker({ optimize: settings.optimize, observe, intake: settings.intake }, timeLimit);
  try {
    const means = { packer: packer.pack, send: nodeSend, decoders: nodeDecoders, onUnpacked };
    const gateway = gatewayOf(settings, means);
    let key: GatewayKey | undefined;
    const answer = proving(withoutSockets(gateway), () => key);
    const served = await serve(
      (request) => {
        onRequest();
        return answer(request);
      },
      { port, host },
    );
    const own = ownUpstream(settings.upstreams, served, host);
    if (own !== undefined) {
      await served.close();
      throw new UsageError(
        `option --upstream: ${own} is the address of this gateway itself; pass the provider's own URL`,
      );
    }
    // At another address it could answer for a program that passes challenges on.
    if (served.port === PORT && served.address === HOST)
      key = new GatewayKey(environment(), isOfHook ? ownId() : undefined);
    if (key?.store() === false) {
      onWarning(
        `densify: ${key.path} can't be written, so agents don't recognise this gateway; make that folder writable and start it again`,
      );
    }
    return {
      ...served,
      close: async (grace) => {
        key?.remove();
        await served.close(grace);
        await packer.close();
      },
    };
  } catch (error) {
    await packer.close();
    throw portError(error, port);
  }
}

/** The upstream that leads back to the gateway. */
function ownUpstream(upstreams: Readonly<Record<string, string>>, { port }: Served, host: string): string | undefined {
  return Object.keys(upstreams).find((name) => {
    const url = new URL(upstreams[name]!);
    const isOwn = url.hostname === host || LOOPBACK.has(url.hostname.replace(/^\[|\]$/g, ''));
    return isOwn && Number(url.port || (url.protocol === 'https:' ? 443 : 80)) === port;
  });
}

/** Codex first asks for a WebSocket. After this answer it uses HTTP immediately, after any other only seconds later. */
function withoutSockets(gateway: Gateway): Gateway {
  return async (request) =>
    request.headers.get('upgrade')?.toLowerCase() === 'websocket'
      ? new Response('densify gateway: it speaks HTTP only\n', { status: 426 })
      : gateway(request);
}

/** `/healthz?challenge=…` proves that this is the user's own gateway. */
function proving(gateway: Gateway, key: () => GatewayKey | undefined): Gateway {
  return async (request) => {
    const [, challenge = ''] = /^[a-z]+:\/\/[^/]+\/healthz\?challenge=(\w+)$/.exec(request.url) ?? [];
    const proof = key()?.proof(challenge);
    if (proof === undefined) return gateway(request);
    const answer = textAnswer(`${proof}\n`, 'text/plain');
    answer.headers.set(VERSION_HEADER, version());
    return answer;
  };
}

const POLICIES: readonly string[] = ['when-it-pays', 'when-cold', 'always', 'never'];

/** `--flush=when-cold`, `--flush=20000` */
function flushIn(text: string | undefined): { readonly flush?: 'always' | { readonly tokens: number } } {
  if (text === undefined) return {};
  if (/^\d{1,9}$/.test(text)) return { flush: { tokens: Number(text) } };
  if (POLICIES.includes(text)) return { flush: text as 'always' };
  throw new UsageError(
    `option --flush: found ${JSON.stringify(text)}, expected one of ${POLICIES.join(', ')} or a number of tokens` +
      questionAbout(text, POLICIES),
  );
}

/** One line for each kind of failure: an agent's screen is no log. */
function warnOnce(warn: (line: string) => void): (line: string) => void {
  const known = new Set<string>();
  return (line) => {
    if (known.has(line)) return;
    known.add(line);
    warn(line);
  };
}

function portError(error: unknown, port: number): unknown {
  const { code } = error as { readonly code?: unknown };
  if (code === 'EADDRINUSE') return new UsageError(`port ${port} is in use: stop the other program or pass --port`);
  if (code === 'EACCES') return new UsageError(`port ${port} needs more rights: pass a --port above 1023`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(code))) {
    return new UsageError('option --host: this machine has no such address');
  }
  return error;
}

/** Options whose errors are those of the command line. */
export function checked(options: Parameters<typeof settingsOf>[0]): ReturnType<typeof settingsOf> {
  try {
    checkOptimize(options?.optimize);
    return settingsOf(options);
  } catch (error) {
    if (isDensifyError(error) && error.code === 'invalid-options') {
      const message = error.message.replace(/^option token/, 'DENSIFY_TOKEN').replace(' as { tokens }', ' of tokens');
      throw new UsageError(message);
    }
    throw error;
  }
}

/** Refuses a URL that can't be an upstream, by the name of where the user has set it. */
export function checkedUrl(url: string, origin: string): void {
  try {
    settingsOf({ upstreams: { provider: url } });
  } catch (error) {
    if (!isDensifyError(error)) throw error;
    throw new UsageError(error.message.replace('option upstreams.provider', origin));
  }
}

/** `--upstream=acme=https://llm.acme.example,…` */
export function upstreamsIn(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(',').map((each) => {
      const at = each.indexOf('=');
      if (at <= 0) throw new UsageError(`option --upstream: found ${each}, expected NAME=URL`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}

function portIn(text: string | undefined): number {
  if (text === undefined) return PORT;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`option --port: found ${JSON.stringify(text)}, expected a number from 0 to 65535`);
}

/** The number that an option has, such as 5 minutes; `undefined` without the option. */
function countIn(
  options: Arguments['options'],
  name: string,
  unit: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new UsageError(`option --${name}: found ${JSON.stringify(text)}, expected ${unit} from ${least} to ${most}`);
}

/** Timers can't wait for longer. */
const MINUTES_AT_MOST = Math.floor((2 ** 31 - 1) / 60_000);

/** Reports when these minutes have passed without a request; never without a number. */
function restOf(minutes: number | undefined) {
  let isIdle = true;
  let timer: ReturnType<typeof setInterval> | undefined;
  const over = () =>
    new Promise<void>((resolve) => {
      if (minutes === undefined) return;
      timer = setInterval(() => {
        if (isIdle) resolve();
        isIdle = true;
      }, minutes * 60_000);
    });
  const touch = () => {
    isIdle = false;
  };
  return { over, touch, stop: () => clearInterval(timer) };
}

/** Runs a command; arguments that can't be met are one line and exit code 2. */
export async function withUsage(output: Output, action: () => Promise<number>): Promise<number> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.printError(`densify: ${error.message}\n`);
    return 2;
  }
}

const ACCEPTED = {
  valued: ['port', 'host', 'upstream', 'preset', 'flush', 'time-limit', 'idle', 'grace'],
  switches: ['no-intake', 'observe', 'json'],
};

export const gatewayCommand: Command = {
  usage: USAGE,
  run: (given, output) => withUsage(output, () => runGateway(argumentsOf(given, ACCEPTED), output)),
};

/** Milliseconds for a reader to take the last reports. */
const UNREAD = 1000;
/** Seconds that running answers get at the end: a long answer of a model takes minutes, a usual one less. */
const GRACE = 30;
/** Milliseconds after which a line explains the wait. */
const TELL = 500;

/** Ends a gateway: running answers get their grace, unless a second signal comes. */
async function ended(served: Served, grace: number, printError: Output['printError']): Promise<void> {
  const tell = setTimeout(() => {
    printError(`densify: waiting at most ${grace} s for running answers; a second signal ends them immediately\n`);
  }, TELL);
  void onSignals(SIGNALS).then(() => served.close(0));
  await served.close(1000 * grace);
  clearTimeout(tell);
}

const SIGNALS = ['SIGINT', 'SIGTERM'];

async function runGateway(read: Arguments | string, { printError }: Output): Promise<number> {
  if (typeof read === 'string') throw new UsageError(read);
  const { options, others } = read;
  if (others.length > 0) throw new UsageError(`found ${JSON.stringify(others[0])}, expected options only`);
  const totals = new Totals();
  let unread = 0;
  const grace = countIn(options, 'grace', 'seconds', [0, 3600]) ?? GRACE;
  const rest = restOf(countIn(options, 'idle', 'minutes', [1, MINUTES_AT_MOST]));
  const host = options.get('host') ?? '127.0.0.1';
  const token = environment().DENSIFY_TOKEN || undefined; // an empty variable is none
  const served = await startGateway({
    port: portIn(options.get('port')),
    host,
    upstreams: upstreamsIn(options.get('upstream')),
    preset: options.get('preset'),
    flush: options.get('flush'),
    token,
    observe: options.has('observe'),
    intake: !options.has('no-intake'),
    timeLimit: countIn(options, 'time-limit', 'milliseconds', [1, 999_999]),
    // Hooks start it this way; no process waits for its end.
    isOfHook: options.has('idle'),
    onRequest: rest.touch,
    onUnpacked: (why) => totals.addUnpacked(why),
    onReport: (report) => {
      totals.add(report);
      rest.touch();
      if (options.has('json') && !printUnlessFull(`${JSON.stringify(report)}\n`)) unread += 1;
    },
    onWarning: (line) => printError(`${line}\n`),
  });
  // Before the line: who reads it may end the gateway at once.
  const told = onSignals(SIGNALS);
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${served.port}`;
  printError(`densify gateway at ${base}: point agents at ${base}/anthropic, ${base}/openai/v1 or ${base}/gemini\n`);
  await Promise.race([told, rest.over()]);
  rest.stop();
  await ended(served, grace, printError);
  if (unread > 0) printError(`densify: ${unread} reports are missing: no program read the output\n`);
  printError(`${totals.line(options.has('observe'))}\n`);
  endAfter(UNREAD, 0);
  return 0;
}
