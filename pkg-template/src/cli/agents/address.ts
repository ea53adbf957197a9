/** The address of the gateway that agents are set up for. */

export const PORT = 8787;
export const BASE = `http://127.0.0.1:${PORT}`;

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

/** What answers there within some milliseconds. */
export async function answering(timeLimit = 1000): Promise<'gateway' | 'another program' | 'nothing'> {
  try {
    const answer = await fetch(`${BASE}/healthz`, { signal: AbortSignal.timeout(timeLimit) });
    return (await answer.text()) === 'ok\n' ? 'gateway' : 'another program';
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    return code === 'ECONNREFUSED' ? 'nothing' : 'another program';
  }
}

/** Whether that gateway answers. */
export const isUp = async (): Promise<boolean> => (await answering()) === 'gateway';
