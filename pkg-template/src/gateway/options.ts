import { describe, onlyKnown, optionError, readOption, wrongOption } from '../base/options.js';
import type { OptimizeOptions } from '../types.js';
import type { Sizes } from './pack.js';
import { UPSTREAMS } from './routes.js';
import type { Usage } from './usage.js';

/** Options of `createGateway`. */
export interface GatewayOptions {
  /**
   * How histories are packed: a `preset`, or single rules.
   *
   * @default { preset: 'balanced', flush: 'when-it-pays' }
   */
  readonly optimize?: OptimizeOptions<object> | undefined;
  /**
   * Shortens tool results before they are first sent, as `shrinkResult` does: that costs no cache. Files stay letter by letter.
   *
   * @default true
   */
  readonly intake?: boolean | undefined;
  /**
   * Sends every request unchanged and only reports what packing would save.
   *
   * @default false
   */
  readonly observe?: boolean | undefined;
  /**
   * Base URLs of further providers, by the first segment of the path, or other URLs for those that are known:
   * `anthropic`, `openai`, `chatgpt`, `gemini`, `code-assist`.
   *
   * @default the providers' own URLs
   */
  readonly upstreams?: Readonly<Record<string, string>> | undefined;
  /**
   * Clients must send this token: in the header `x-densify-token`, or as the first segment of the path. The gateway
   * does not forward it.
   *
   * @default none: every client that reaches the gateway may use it, with its own provider key
   */
  readonly token?: string | undefined;
  /**
   * The most requests at once. Further ones get status 503 with `retry-after`.
   *
   * @default 1000
   */
  readonly maxParallel?: number | undefined;
  /**
   * Sends requests to the provider.
   *
   * @default the global `fetch`
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Is called after each request that holds a history, with figures and no contents.
   *
   * @default nothing is called
   */
  readonly onReport?: ((report: GatewayReport) => void) | undefined;
  /**
   * Called with a line without contents if a request is sent unpacked because packing failed, and once for each model
   * without known prices.
   *
   * @default a warning on the console
   */
  readonly onWarning?: ((line: string) => void) | undefined;
}

/** One request that went through a gateway. */
export interface GatewayReport extends Sizes {
  /** The first segment of the path, such as `anthropic`. */
  readonly upstream: string;
  readonly model: string | undefined;
  /** Dollars of the input without densify, by list prices; the models' output costs the same. */
  readonly dollarsBefore: number;
  readonly dollarsAfter: number;
  /** The status of the provider's answer; 499 if the client left before it. */
  readonly status: number;
  /** Whether the provider only counted the tokens of the request. */
  readonly isCount: boolean;
  /** Whether the packed body differs from the received one. */
  readonly changed: boolean;
  /** Milliseconds that packing took. */
  readonly milliseconds: number;
  /** The provider's own count of tokens, if it reports one. */
  readonly usage: Usage | undefined;
  /** Why the request was sent unpacked, if packing failed. Its estimated tokens are 0 then if it was not measured. */
  readonly failure: string | undefined;
}

/** Options with their defaults. */
export interface Settings {
  readonly optimize: OptimizeOptions<object>;
  readonly observe: boolean;
  readonly intake: boolean;
  readonly upstreams: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  readonly maxParallel: number;
  readonly fetch: GatewayOptions['fetch'];
  readonly onReport: (report: GatewayReport) => void;
  readonly onWarning: (line: string) => void;
}

const TYPES = {
  optimize: 'object',
  observe: 'boolean',
  intake: 'boolean',
  upstreams: 'object',
  token: 'string',
  maxParallel: 'number',
  fetch: 'function',
  onReport: 'function',
  onWarning: 'function',
} as const;

/** Checks options; a wrong one is an error that names its key. */
export function settingsOf(options: GatewayOptions = {}): Settings {
  onlyKnown(options, Object.keys(TYPES));
  for (const [key, type] of Object.entries(TYPES)) {
    const value = readOption(options, key);
    if (value !== undefined && (typeof value !== type || value === null)) {
      throw wrongOption(key, value, type === 'object' ? 'an object' : `a ${type}`);
    }
  }
  const { optimize = {}, observe = false, intake = true, token, maxParallel = 1000, fetch } = options;
  if (!(Number.isInteger(maxParallel) && maxParallel > 0)) {
    throw wrongOption('maxParallel', maxParallel, 'a whole number above 0');
  }
  if (token !== undefined && !/^[\w.~-]{16,}$/.test(token)) {
    throw optionError(
      'token',
      ': expected at least 16 letters, digits or any of . _ ~ -, such as 32 random hex digits',
    );
  }
  return {
    optimize,
    observe,
    intake,
    token,
    maxParallel,
    fetch,
    upstreams: { ...UPSTREAMS, ...checkedUpstreams(options.upstreams) },
    onReport: quiet(options.onReport ?? (() => undefined)),
    onWarning: quiet(options.onWarning ?? ((line) => console.warn(line))),
  };
}

/** Paths that the gateway answers itself. */
const OWN_PATHS = ['healthz', 'metrics'];

function checkedUpstreams(upstreams: GatewayOptions['upstreams'] = {}): Readonly<Record<string, string>> {
  for (const [name, url] of Object.entries(upstreams)) {
    if (!/^[a-z0-9][a-z0-9-]*$/.test(name) || OWN_PATHS.includes(name)) {
      const expected = `expected lower-case letters, digits and -, and none of ${OWN_PATHS.join(', ')}`;
      throw optionError('upstreams', `: found the name ${describe(name)}, ${expected}`);
    }
    const problem = problemOf(url);
    if (problem !== undefined) {
      throw optionError(`upstreams.${name}`, `: ${problem}, expected a URL such as https://llm.example.com/v1`);
    }
  }
  return upstreams;
}

function problemOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return `found ${describe(url)}`;
  const { protocol, username, password, search, hash } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'found a URL that begins with neither https: nor http:';
  if (username !== '' || password !== '') return 'found a URL with a user name or password';
  return search !== '' || hash !== '' ? 'found a URL with a query or a fragment' : undefined;
}

/** A listener whose failure is none of the request's. */
function quiet<T>(listener: (told: T) => void): (told: T) => void {
  return (told) => {
    try {
      listener(told);
    } catch {
      // There is no caller left to tell.
    }
  };
}
