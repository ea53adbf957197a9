/** How an agent is pointed at a gateway for one run, without a change to its files. */
import { isObject } from '../../base/options.js';
import { type Environment, readTextIfThere } from '../host.js';

/** How the agent is started. */
export interface Launch {
  /** Variables that are added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments that are put before those of the user. */
  readonly args?: readonly string[];
}

export interface Agent {
  /** The name of its command. */
  readonly name: string;
  /** The providers that the agent is configured to use, where they differ from the usual ones. */
  upstreams(env: Environment, args: readonly string[]): Readonly<Record<string, string>>;
  /** Where the user has set the URL of one of these providers, for errors. */
  origin(upstream: string, env: Environment): string;
  /** `base` is the gateway's URL; `args` are those of the user. */
  launch(base: string, env: Environment, args: readonly string[]): Launch;
  /** Why the agent's requests don't reach a gateway: one phrase a cause, none if they do. */
  bypassed(env: Environment, args: readonly string[]): readonly string[];
}

/** A file's text; nothing if there is none, or none that can be read: that is the agent's business. */
export function textOrNone(path: string): string {
  try {
    return (readTextIfThere(path) ?? '').replace(/^\uFEFF/, '');
  } catch {
    return '';
  }
}

export type Bag = Readonly<Record<string, unknown>>;

export const bag = (value: unknown): Bag => (isObject(value) ? (value as Bag) : {});

/** The object in JSON; nothing if it holds none. Comments and commas at the end of a list are left out. */
export const jsonOf = (text: string): Bag => bag(jsonValue(text));

function jsonValue(text: string): unknown {
  const plain = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1');
  try {
    return JSON.parse(plain.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1')) as unknown;
  } catch {
    return undefined;
  }
}

/** The object in a JSON file; nothing if there is none. */
export const jsonIn = (path: string): Bag => jsonOf(textOrNone(path));

/** A phrase for each of these files that holds text but no JSON object. */
export function notJson(paths: readonly string[]): readonly string[] {
  const isOdd = (text: string) => text.trim() !== '' && !isObject(jsonValue(text));
  return paths.filter((path) => isOdd(textOrNone(path))).map((path) => `${path} isn't a JSON object: correct it`);
}

/** A URL that a user has set, unless it is empty: agents read that as none. */
export const ownUrl = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The base URL that the user has set for a provider; `null` for one that densify can't read. */
export type Configured = (provider: string) => string | null | undefined;

/** The routes through a gateway for an agent whose providers may have base URLs of their own. */
export class Routes {
  readonly #agent: string;
  readonly #paths: Readonly<Record<string, string>>;

  /** `paths`: where each provider is behind a gateway, unless it has a base URL of its own. */
  constructor(agent: string, paths: Readonly<Record<string, string>>) {
    this.#agent = agent;
    this.#paths = paths;
  }

  /** The upstreams that stand for base URLs of the user's. */
  upstreams(configured: Configured): Readonly<Record<string, string>> {
    const found = Object.keys(this.#paths).map((provider) => [this.#upstream(provider), configured(provider)] as const);
    return Object.fromEntries(found.filter((each): each is readonly [string, string] => typeof each[1] === 'string'));
  }

  /** The base URLs behind a gateway, by provider; a provider whose base URL can't be read is left alone. */
  urls(base: string, configured: Configured): Readonly<Record<string, string>> {
    const read = Object.entries(this.#paths).filter(([provider]) => configured(provider) !== null);
    const pathOf = (provider: string, path: string) =>
      configured(provider) === undefined ? path : `/${this.#upstream(provider)}`;
    return Object.fromEntries(read.map(([provider, path]) => [provider, base + pathOf(provider, path)]));
  }

  /** The provider that an upstream stands for. */
  provider(upstream: string): string {
    return upstream.slice(this.#agent.length + 1);
  }

  /** Why no request goes through a gateway, if no provider does. */
  bypassed(configured: Configured, why: string): readonly string[] {
    return Object.keys(this.urls('', configured)).length === 0 ? [why] : [];
  }

  /** Why the requests of a provider that the agent chooses by default don't go through a gateway. */
  elsewhere(provider: string | undefined): readonly string[] {
    if (provider === undefined || Object.hasOwn(this.#paths, provider)) return [];
    const known = Object.keys(this.#paths).join(', ');
    return [`its model is one of ${JSON.stringify(provider)}, and densify points only ${known} at its gateway`];
  }

  #upstream(provider: string): string {
    return `${this.#agent}-${provider}`;
  }
}
