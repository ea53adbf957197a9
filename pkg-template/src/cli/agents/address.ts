/** The address of the gateway that agents are set up for. */
import type { Environment } from '../host.js';
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

/** What answers there within some milliseconds. */
export async function answering(env: Environment, timeLimit = 1000): Promise<Answering> {
  const challenge = newChallenge(env);
  try {
    const answer = await fetch(`${BASE}/healthz?challenge=${challenge.text}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
    return challenge.isProof((await answer.text()).trim()) ? 'gateway' : 'another program';
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    return code === 'ECONNREFUSED' ? 'nothing' : 'another program';
  }
}
