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

/** The object in a JSON file; nothing if there is none. Whether it can be read is the agent's business. */
export function jsonIn(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readTextIfThere(path) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
