/** The address of the gateway that agents are set up for. */

export const PORT = 8787;
export const BASE = `http://127.0.0.1:${PORT}`;

/** Whether that gateway answers within some milliseconds. */
export async function isUp(timeLimit = 1000): Promise<boolean> {
  try {
    return (await fetch(`${BASE}/healthz`, { signal: AbortSignal.timeout(timeLimit) })).ok;
  } catch {
    return false;
  }
}
