/** How an agent is pointed at a gateway for one run, without a change to its files. */
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
  upstreams(env: Environment): Readonly<Record<string, string>>;
  /** `base` is the gateway's URL. */
  launch(base: string, env: Environment): Launch;
}

/** A file's text; nothing if there is none, or none that can be read: that is the agent's business. */
export function textOrNone(path: string): string {
  try {
    return (readTextIfThere(path) ?? '').replace(/^\uFEFF/, '');
  } catch {
    return '';
  }
}

type Bag = Readonly<Record<string, unknown>>;

export const bag = (value: unknown): Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {};

/** The object in JSON; nothing if it holds none. Comments and commas at the end of a list are left out. */
export function jsonOf(text: string): Bag {
  const plain = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1');
  try {
    return bag(JSON.parse(plain.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1')));
  } catch {
    return {};
  }
}

/** The object in a JSON file; nothing if there is none. */
export const jsonIn = (path: string): Bag => jsonOf(textOrNone(path));

/** A URL that a user has set, unless it is empty: agents read that as none. */
export const ownUrl = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
