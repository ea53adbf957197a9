/** Starts the gateway that an agent is set up for, if none answers. */
import { spawn } from 'node:child_process';
import { answering, isUp } from '../agents/address.js';
import { type Environment, executable, ownFile } from '../host.js';

/** Minutes without a request after which a gateway that was started here ends. */
const IDLE = 240;
/** Milliseconds that an agent waits for it. */
const WAIT = 5000;

export async function startIfDown(env: Environment): Promise<void> {
  // Another program at its port would keep it from starting: `densify doctor` says so.
  if ((await answering()) !== 'nothing') return;
  const { DENSIFY_PRESET: preset, DENSIFY_UPSTREAM: upstream, DENSIFY_INTAKE: intake } = env;
  const args = [
    ownFile('cli.js'),
    'gateway',
    `--idle=${IDLE}`,
    ...(preset ? [`--preset=${preset}`] : []),
    ...(upstream ? [`--upstream=${upstream}`] : []),
    ...(intake === 'off' ? ['--no-intake'] : []),
  ];
  // The token is for a gateway of others: agents on this machine don't send it here.
  const { DENSIFY_TOKEN: _, ...own } = env;
  spawn(executable(), args, { stdio: 'ignore', detached: true, env: own }).unref();
  const end = performance.now() + WAIT;
  while (performance.now() < end && !(await isUp())) await new Promise((done) => setTimeout(done, 50));
}
