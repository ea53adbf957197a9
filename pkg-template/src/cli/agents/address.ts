/** The address of the gateway that agents are set up for. */
import { type Environment, endProcess, pause } from '../host.js';
import { newChallenge } from './key.js';

export const PORT = 8787;
export const HOST = '127.0.0.1';
export const BASE = `http://${HOST}:${PORT}`;

/** Whether a URL is that of the gateway that agents are set up for. */
export const isStanding = (url: string): boolean => url === BASE || url.startsWith(`${BASE}/`);

/** The variables that keep requests to this machine away from a proxy: of both spellings, since agents read one or the other. */
export function withoutProxy(
  env: Readonly<Record<string, unknown>>,
): Readonly<Record<'NO_PROXY' | 'no_proxy', string>> {
  const given = [env.NO_PROXY, env.no_proxy].flatMap((text) => (typeof text === 'string' ? text.split(/[\s,]+/) : []));
  const hosts = new Set([...given.filter((host) => host !== ''), '127.0.0.1', 'localhost']);
  const text = hosts.has('*') ? '*' : [...hosts].join(',');
  return { NO_PROXY: text, no_proxy: text };
}

/** Whether requests go to a proxy, and those to this machine too. */
export function isProxied(env: Readonly<Record<string, unknown>>): boolean {
  const isNamed = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].some((name) => env[name] || env[name.toLowerCase()]);
  const { NO_PROXY } = withoutProxy(env);
  return isNamed && ![env.NO_PROXY, env.no_proxy].includes(NO_PROXY);
}

/** Whether Claude Code's variables send its requests to a cloud. */
export const isOnCloud = (variables: Readonly<Record<string, unknown>>): boolean =>
  ['BEDROCK', 'VERTEX', 'FOUNDRY'].some((cloud) =>
    /^(?:1|true|yes|on)$/i.test(String(variables[`CLAUDE_CODE_USE_${cloud}`])),
  );

/** What holds the port. `'gateway'` means this user's own gateway. */
export type Answering = 'gateway' | 'another program' | 'nothing';

/** The header in which a gateway tells its version to those that it proves itself to. */
export const VERSION_HEADER = 'x-densify-version';

/** What holds the port, with the version of a gateway, and its process if an agent's hook has started it. */
export interface Holder {
  readonly found: Answering;
  readonly version?: string | undefined;
  readonly process?: number | undefined;
}

/** What answers there within some milliseconds. */
export async function answering(env: Environment, timeLimit = 1000): Promise<Answering> {
  return (await holder(env, timeLimit)).found;
}

/** The same, with all that a gateway tells. */
export async function holder(env: Environment, timeLimit = 1000): Promise<Holder> {
  const challenge = newChallenge(env);
  try {
    const answer = await fetch(`${BASE}/healthz?challenge=${challenge.text}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
    const proven = challenge.proven((await answer.text()).trim());
    if (proven === undefined) return { found: 'another program' };
    return { found: 'gateway', version: answer.headers.get(VERSION_HEADER) ?? undefined, ...proven };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    return { found: code === 'ECONNREFUSED' ? 'nothing' : 'another program' };
  }
}

/** Milliseconds in which a gateway has left its port. */
const LEAVES = 5000;

/** Ends a gateway that an agent's hook has started, and waits until its port is free. Returns whether it was ended. */
export async function endStarted({ process }: Holder, env: Environment): Promise<boolean> {
  if (process === undefined || !endProcess(process)) return false;
  const end = performance.now() + LEAVES;
  while ((await answering(env)) !== 'nothing' && performance.now() < end) await pause(50);
  return true;
}

/** Whether one version is older than another; a gateway that tells none is older than all that do. */
export function isOlder(one: string | undefined, other: string): boolean {
  if (one === undefined) return true;
  const [mine, others] = [one, other].map((text) => text.split(/[.-]/).map(Number)) as [number[], number[]];
  const at = others.findIndex((number, place) => number !== mine[place]);
  return at >= 0 && (mine[at] ?? 0) < others[at]!;
}
