// Starts and stops the process that runs the small model.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const MODEL_NAME = 'smollm2-135m-instruct';

const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));
const START_TIMEOUT_MS = 60_000;

/** `{url, stop(), kill()}`: `kill` ends it in the middle of its work. */
export async function startLocalModel() {
  const child = spawn(process.execPath, [SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  clearTimeout(timer);
  if (typeof line !== 'string') throw new Error('the model did not start');
  const end = async (act) => {
    act();
    await exited;
  };
  return {
    url: JSON.parse(line).url,
    stop: () => end(() => child.stdin.end()),
    kill: () => end(() => child.kill('SIGKILL')),
  };
}
