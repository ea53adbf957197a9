/** The address of the gateway that agents are set up for. */

export const PORT = 8787;
export const BASE = `http://127.0.0.1:${PORT}`;

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
