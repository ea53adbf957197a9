/** Between an agent and its provider: histories are packed on the way out, everything else passes through. */

import { pricesOf } from '../models/prices.js';
import { errorAnswer, textAnswer } from './answers.js';
import { BODY_AT_MOST, type Decoders, decompressed, type Room, readBody } from './body.js';
import { Caches } from './caches.js';
import { forwardedHeaders, returnedHeaders, TOKEN_HEADER } from './headers.js';
import { Metrics } from './metrics.js';
import { type GatewayOptions, type GatewayReport, type Settings, settingsOf } from './options.js';
import { localPacker, type Packed, type Packer, type Sizes, unpacked } from './pack.js';
import { formOf, type Route, routeOf } from './routes.js';
import { UsageReader } from './usage.js';

/** Answers requests as the provider does. */
export type Gateway = (request: Request) => Promise<Response>;

/** What a host brings: the gateway itself needs nothing but web standards. */
export interface Means {
  readonly packer: Packer;
  readonly send: Send;
  /** What undoes encodings of bodies that web streams can't. */
  readonly decoders?: Decoders | undefined;
  /** Is told of each request that was not packed and is in no report. */
  readonly onUnpacked?: ((why: Unpacked) => void) | undefined;
}

/**
 * Why a request is in no report: its compression is unknown or damaged; it is too large; its body holds no history; the
 * client left while it sent the body; it is none for a model; or the gateway refused it.
 */
export type Unpacked = 'compressed' | 'large' | 'no history' | 'left' | 'other' | 'refused';

/** Sends a request and returns the answer; its body's bytes must fit its headers. */
export type Send = (url: string, init: RequestInit & { readonly headers: Headers }) => Promise<Response>;

/** The gateway warns about at most this many models without prices. */
const UNPRICED_AT_MOST = 100;

/** Bytes of bodies that are held at once; beyond them requests pass through unpacked. */
const HELD_AT_MOST = 512 * 2 ** 20;

/**
 * Makes a gateway: a function from a request to an answer, for any server or edge runtime that speaks `fetch`.
 * `/anthropic/v1/messages` goes to Anthropic, `/openai/v1/responses` to OpenAI, `/gemini/v1beta/…` to Google. Histories in
 * requests are packed. All other requests, and all answers, pass through unchanged. If packing fails, the original
 * request is sent.
 *
 * @example
 * export default { fetch: createGateway({ token: 'a-long-random-token' }) };
 */
export function createGateway(options?: GatewayOptions): Gateway {
  const settings = settingsOf(options);
  return gatewayOf(settings, { packer: localPacker(settings), send: plainSend(settings.fetch) });
}

/** Sends by `fetch`, which undoes compression by itself: so none is asked for, and none is claimed. */
function plainSend(given: Settings['fetch']): Send {
  return async (url, init) => {
    init.headers.set('accept-encoding', 'identity');
    const answer = await (given ?? fetch)(url, init);
    if (!answer.headers.has('content-encoding')) return answer;
    const headers = new Headers(answer.headers);
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    const { status, statusText } = answer;
    return new Response(answer.body, { status, statusText, headers });
  };
}

/** Makes a gateway with a host's own means. */
export function gatewayOf(settings: Settings, means: Means): Gateway {
  const metrics = new Metrics();
  const caches = new Caches();
  const shared = {
    settings,
    means,
    metrics,
    caches,
    held: { bytes: 0 },
    unpriced: new Set<string>(),
    markedLater: new Set<string>(),
  };
  const refused = (...[status, message, format, headers]: Parameters<typeof errorAnswer>) => {
    metrics.count('densify_refused_total');
    means.onUnpacked?.('refused');
    return errorAnswer(status, message, format, headers);
  };
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(1);
    if (path === 'healthz') return textAnswer('ok\n', 'text/plain');
    const granted = grantedPath(path, request.headers, settings.token);
    if (granted === undefined)
      return refused(401, `send the gateway's token in the header ${TOKEN_HEADER}`, formOf(path));
    if (granted === 'metrics') return textAnswer(metrics.text());
    const route = routeOf(granted, search, request.method, settings.upstreams);
    if (route === undefined) {
      const names = Object.keys(settings.upstreams).join(', ');
      return refused(404, `the path names no provider; begin it with one of: ${names}`, formOf(granted));
    }
    if (metrics.underWay >= settings.maxParallel) {
      const message = `${settings.maxParallel} requests are under way; try again`;
      return refused(503, message, route.form, { 'retry-after': '1' });
    }
    return new Exchange(shared, request, route).answer();
  };
}

/** The path without the token; `undefined` if the token is missing or wrong. */
function grantedPath(path: string, headers: Headers, token: string | undefined): string | undefined {
  if (token === undefined) return path;
  const bearer = path === 'metrics' ? headers.get('authorization')?.replace(/^Bearer /i, '') : undefined;
  const given = headers.get(TOKEN_HEADER) ?? bearer;
  if (given !== undefined && isSame(given, token)) return path;
  const [first = ''] = path.split('/', 1);
  return isSame(first, token) ? path.slice(first.length + 1) : undefined;
}

/** Compares in a time that doesn't depend on where two texts differ. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at += 1) difference |= (one.charCodeAt(at) || 0) ^ other.charCodeAt(at);
  return difference === 0;
}

/** What all exchanges of a gateway share. */
interface Shared {
  readonly caches: Caches;
  readonly settings: Settings;
  readonly means: Means;
  readonly metrics: Metrics;
  readonly held: { bytes: number };
  /** Models without prices that the gateway has warned about. */
  readonly unpriced: Set<string>;
  /** Providers that cached requests without a breakpoint: something behind the gateway sets them. */
  readonly markedLater: Set<string>;
}

/** A request that holds a history, after packing. Its body is left out: the answer may go on for long. */
interface Known extends Omit<Packed, 'body' | 'outline'> {
  readonly sizes?: Sizes | undefined;
  /** Called when the provider has taken the request: its cache holds it now. */
  readonly taken: () => void;
  readonly changed: boolean;
  readonly milliseconds: number;
}

/** The status in reports of a request whose client left before the answer; nginx has it, too. */
const LEFT = 499;

/** Sizes of a request that failed before it was measured. */
const UNMEASURED: Sizes = { tokensBefore: 0, tokensAfter: 0, cachedBefore: 0, cachedAfter: 0 };

/** The memory of one body, as a part of what all bodies together may take. */
function sharedRoom(held: { bytes: number }): Room {
  let taken = 0;
  return {
    take(bytes) {
      taken += bytes;
      held.bytes += bytes;
      return taken <= BODY_AT_MOST && held.bytes <= HELD_AT_MOST;
    },
    release() {
      held.bytes -= taken;
      taken = 0;
    },
  };
}

/** A request, and its answer. */
class Exchange {
  readonly #shared: Shared;
  readonly #request: Request;
  readonly #route: Route;
  readonly #room: Room;
  #isOver = false;

  constructor(shared: Shared, request: Request, route: Route) {
    this.#shared = shared;
    this.#request = request;
    this.#route = route;
    this.#room = sharedRoom(shared.held);
  }

  async answer(): Promise<Response> {
    this.#shared.metrics.underWay += 1;
    try {
      return await this.#answer();
    } catch (error) {
      this.#over();
      throw error;
    }
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#shared.metrics.underWay -= 1;
    this.#room.release();
  }

  async #answer(): Promise<Response> {
    const { means, metrics } = this.#shared;
    const given = this.#request;
    const headers = forwardedHeaders(given.headers);
    const { body, known } = await this.#body(headers).catch((error: unknown) => {
      this.#unpacked('left');
      throw error;
    });
    const length = given.headers.get('content-length');
    // Some providers refuse uploads without a length. What streams through has the client's.
    if (body instanceof ReadableStream && length !== null) headers.set('content-length', length);
    const init = {
      method: given.method,
      headers,
      body,
      signal: given.signal,
      redirect: 'manual' as const, // a key must not follow to another host
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    };
    let answer: Response;
    try {
      answer = await means.send(this.#route.url, init);
    } catch (error) {
      if (given.signal.aborted) {
        this.#end(LEFT, known, undefined);
        throw error;
      }
      metrics.count('densify_upstream_failures_total');
      this.#end(502, known, undefined);
      const { host } = new URL(this.#route.url);
      return errorAnswer(502, `${host} could not be reached (${reasonOf(error)})`, this.#route.form);
    }
    if (known === undefined) metrics.count('densify_passed_total');
    const { status, statusText } = answer;
    if (status < 400) known?.taken();
    const shown = { status, statusText, headers: returnedHeaders(answer.headers) };
    if (answer.body === null) {
      this.#end(status, known, undefined);
      return new Response(null, shown);
    }
    return new Response(this.#passed(answer, known), shown);
  }

  #unpacked(why: Unpacked): void {
    this.#shared.means.onUnpacked?.(why);
  }

  /** The body to send, packed if it holds a history. */
  async #body(headers: Headers): Promise<{ body: BodyInit | null; known?: Known | undefined }> {
    const { body: stream } = this.#request;
    const { format, model, isCount, upstream } = this.#route;
    const { held, means, metrics, settings, caches } = this.#shared;
    const passed = (why: Unpacked, body: BodyInit | null) => {
      this.#unpacked(why);
      return { body };
    };
    if (stream === null || format === undefined) return passed('other', stream);
    if (held.bytes > HELD_AT_MOST) return passed('large', stream);
    const { bytes, stream: rest } = await readBody(stream, this.#room);
    if (bytes === undefined) return passed('large', rest);
    try {
      const plain = await decompressed(bytes, headers.get('content-encoding'), means.decoders);
      if (plain === undefined) return passed('compressed', bytes);
      const start = performance.now();
      const job = { format, model, body: plain, isMarkedLater: this.#shared.markedLater.has(upstream) };
      const { body: packed, outline, ...rest } = await settled(() => means.packer(job));
      const milliseconds = performance.now() - start;
      if (rest.failure !== undefined) {
        metrics.count('densify_failed_open_total');
        settings.onWarning(`densify: a request was sent unchanged (${rest.failure})`);
      }
      if (outline === undefined && rest.failure === undefined) return passed('no history', bytes);
      const { sizes, taken } = caches.measured(outline, upstream, isCount);
      const known = { ...rest, sizes, taken, changed: packed !== undefined, milliseconds };
      // A gateway that only observes never changes anything.
      const body = rest.failure === undefined || settings.observe ? packed : unpacked(job);
      if (body === undefined) return { body: bytes, known };
      headers.delete('content-encoding');
      return { body, known };
    } finally {
      this.#room.release();
    }
  }

  /** The answer's body, chunk by chunk as it comes; the reader's pace and its end reach the provider. */
  #passed({ body, status, headers }: Response, known: Known | undefined): ReadableStream<Uint8Array> {
    const reader = body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    // Compressed usage can't be read here.
    const usage = known === undefined || headers.has('content-encoding') ? undefined : new UsageReader();
    const end = () => this.#end(status, known, usage);
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const { done, value } = await reader.read();
            if (done) {
              end();
              return controller.close();
            }
            usage?.add(value);
            controller.enqueue(value);
          } catch (error) {
            end();
            throw error;
          }
        },
        async cancel(reason) {
          end();
          await reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  #tellUnpriced(model: string): void {
    const { unpriced, settings } = this.#shared;
    if (settings.optimize.prices !== undefined || unpriced.size >= UNPRICED_AT_MOST || unpriced.has(model)) return;
    unpriced.add(model);
    const name = SHOWN.test(model) ? model : 'a model';
    settings.onWarning(`densify: no prices known for ${name}: assuming the most expensive cache`);
  }

  #end(status: number, known: Known | undefined, usage: UsageReader | undefined): void {
    // A client that left ends the answer more than once.
    if (this.#isOver) return;
    this.#over();
    if (known === undefined) return;
    const { model, changed, failure, milliseconds, sizes = UNMEASURED } = known;
    const { tokensBefore, tokensAfter, cachedBefore, cachedAfter } = sizes;
    const used = usage?.read();
    if (known.isUncached && used !== undefined && used.cached + used.written > 0) {
      this.#shared.markedLater.add(this.#route.upstream);
    }
    const prices = pricesOf(model);
    if (prices.family === 'unknown' && sizes !== UNMEASURED) this.#tellUnpriced(model ?? '');
    const dollars = (tokens: number, cached: number) =>
      (cached * prices.cached + (tokens - cached) * prices.write) / 1e6;
    const report: GatewayReport = {
      upstream: this.#route.upstream,
      model,
      status,
      isCount: this.#route.isCount,
      changed,
      milliseconds,
      usage: used,
      failure,
      dollarsBefore: dollars(tokensBefore, cachedBefore),
      dollarsAfter: dollars(tokensAfter, cachedAfter),
      ...sizes,
    };
    this.#shared.metrics.report(report);
    this.#shared.settings.onReport(report);
  }
}

/** Names of models that may be shown: what a client sends may be anything. */
const SHOWN = /^[\w./:@-]{1,80}$/;

/** A packer's request, or why there is none. If packing fails, the original request is sent. */
async function settled(pack: () => Packed | Promise<Packed>): Promise<Packed> {
  try {
    return await pack();
  } catch (error) {
    return { failure: error instanceof Error ? error.name : 'unknown' };
  }
}

/** Why a provider could not be reached, without addresses or contents. */
function reasonOf(error: unknown): string {
  for (let at: unknown = error, depth = 0; depth < 4 && at instanceof Error; at = at.cause, depth += 1) {
    const { code } = at as { readonly code?: unknown };
    if (typeof code === 'string') return code;
  }
  return 'no connection';
}
