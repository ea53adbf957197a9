/** Starts the gateway that an agent is set up for, if none answers. */
import { spawn } from 'node:child_process';
import { type Answering, answering, endStarted, type Holder, holder, isOlder } from '../agents/address.js';
import { type Environment, executable, ownFile, pause, version } from '../host.js';

/** Minutes without a request after which a gateway that was started here ends. */
const IDLE = 240;
/** Milliseconds that an agent waits for it. */
const WAIT = 5000;

/** Returns what then answers at its port. */
export async function startIfDown(env: Environment): Promise<Answering> {
  const held = await settled(env);
  // After an upgrade the old one must not serve on. One that the user has started stays: `doctor` names it.
  const isReplaced = held.found === 'gateway' && isOlder(held.version, version()) && (await endStarted(held, env));
  if (held.found !== 'nothing' && !isReplaced) return held.found;
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
  const started = spawn(executable(), args, { stdio: 'ignore', detached: true, windowsHide: true, env: own });
  started.on('error', () => undefined); // its silence at the port says so
  started.unref();
  const end = performance.now() + WAIT;
  for (;;) {
    const now = await answering(env);
    if (now === 'gateway' || performance.now() > end) return now;
    await pause(50);
  }
}

/** Looks twice before it reports another program: a gateway that is ending or busy may miss one request. */
async function settled(env: Environment): Promise<Holder> {
  const held = await holder(env);
  if (held.found !== 'another program') return held;
  await pause(300);
  return holder(env, WAIT);
}
