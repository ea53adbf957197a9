/** `densify run`: runs an agent behind a gateway of its own. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { generationOfModel } from '../models/generations.js';
import { withoutProxy } from './agents/address.js';
import { AGENTS } from './agents/index.js';
import { argumentsOf } from './arguments.js';
import type { Command, Output } from './command.js';
import { startable } from './commands.js';
import { checkedUrl, startGateway, UsageError, upstreamsIn, withUsage } from './gateway.js';
import { environment, lastPart, passSignals } from './host.js';
import { Totals } from './totals.js';
import { installedVersion, TESTED } from './versions.js';

const USAGE = `densify run -- AGENT …     runs claude, codex, gemini, opencode or pi, and packs its requests

  --preset=NAME            lossless, balanced (the default), aggressive or seed
  --flush=POLICY           when old messages are edited: when-it-pays (the default), when-cold,
                           always, never, or a number of tokens
  --no-intake              keeps new tool results whole
  --observe                changes nothing, and counts what packing would save
  --json                   ends with a line of JSON instead of a sentence
  --upstream=NAME=URL,…    other URLs for anthropic, openai, chatgpt, gemini or code-assist

Everything after -- is the agent's own command line; you may leave out the --. densify changes no file.
`;

const ACCEPTED = { valued: ['preset', 'flush', 'upstream'], switches: ['no-intake', 'observe', 'json'] };

export const runCommand: Command = {
  usage: USAGE,
  run: (given, output) => withUsage(output, () => runAgent(given, output)),
};

async function runAgent(given: readonly string[], { printError }: Output): Promise<number> {
  // `densify run claude` means the same: options of densify come before the agent.
  const isValue = (at: number) => ACCEPTED.valued.some((name) => given[at - 1] === `--${name}`);
  const at = given.findIndex((each, place) => each === '--' || (!each.startsWith('-') && !isValue(place)));
  const read = argumentsOf(at < 0 ? given : given.slice(0, at), ACCEPTED);
  if (typeof read === 'string') throw new UsageError(read);
  const [command, ...args] = at < 0 ? [] : given.slice(given[at] === '--' ? at + 1 : at);
  const known = Object.keys(AGENTS).join(', ');
  if (command === undefined) throw new UsageError(`name the agent: densify run -- ${known.replaceAll(', ', ' | ')}`);
  const agent = Object.values(AGENTS).find(({ name }) => name === lastPart(command).replace(/\.(?:exe|cmd|js)$/, ''));
  if (agent === undefined) {
    const advice = 'start `densify gateway` and point the agent at it';
    throw new UsageError(
      `densify run doesn't know ${JSON.stringify(lastPart(command))} (it knows ${known}): ${advice}`,
    );
  }
  const { options } = read;
  const env = environment();
  const own = agent.upstreams(env, args);
  for (const [name, url] of Object.entries(own)) checkedUrl(url, agent.origin(name, env));
  const totals = new Totals();
  const observe = options.has('observe');
  const warnings: string[] = [];
  const binding = new Set<string>();
  const served = await startGateway({
    port: 0,
    host: '127.0.0.1',
    upstreams: { ...own, ...upstreamsIn(options.get('upstream')) },
    preset: options.get('preset'),
    flush: options.get('flush'),
    observe,
    intake: !options.has('no-intake'),
    onUnpacked: (why) => totals.addUnpacked(why),
    onReport: (report) => {
      totals.add(report);
      const { model, changed } = report;
      if (changed && !observe && isBinding(model)) binding.add(model);
    },
    // The agent owns the screen until it ends.
    onWarning: (line) => warnings.push(line),
  });
  try {
    const launch = agent.launch(`http://127.0.0.1:${served.port}`, env, args);
    const code = await spawned(command, [...(launch.args ?? []), ...args], {
      ...env,
      ...withoutProxy(env),
      ...launch.env,
      // What it has loaded of densify, by a set-up, leaves the packing to the gateway.
      DENSIFY_RUN: agent.name,
    });
    for (const line of warnings) printError(`${line}\n`);
    if (binding.size > 0) {
      const models = [...binding].join(', ');
      printError(
        `densify: ${models} refuses thinking behind messages that changed: resume this session only with \`densify run\`\n`,
      );
    }
    const bypassed =
      totals.requests === 0
        ? [...agent.bypassed(env, args), ...(code === 0 ? otherVersion(agent.name, command) : [])]
        : [];
    if (options.has('json')) {
      for (const line of bypassed) printError(`densify: ${line}\n`);
      printError(`${JSON.stringify(totals.figures())}\n`);
    } else printError(`${totals.line(observe, bypassed)}\n`);
    return code;
  } finally {
    await served.close();
  }
}

/** Milliseconds in which an agent must tell its version. */
const VERSION_WAIT = 3000;

/** A phrase for an agent whose major version differs from the tested one. */
function otherVersion(name: string, command: string): readonly string[] {
  const [found, tested] = [installedVersion(command, VERSION_WAIT), TESTED[name]];
  const isOther = found !== undefined && /^\d+\./.test(found) && found.split('.')[0] !== tested?.split('.')[0];
  return isOther ? [`its version is ${found}, and densify was tested with ${tested}`] : [];
}

/** Whether a model refuses thinking behind messages that were changed. */
const isBinding = (model: string | undefined): model is string =>
  model !== undefined && generationOfModel('anthropic', model) === 'preserved-thinking';

/** Runs the agent in this terminal, and resolves with its exit code, as a shell would have it. */
function spawned(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { command: program, args: own, options } = startable(command, args, env);
    const child = spawn(program, own, { ...options, stdio: 'inherit', env });
    const release = passSignals((signal) => child.kill(signal));
    child.on('error', (error) => {
      release();
      const found = error.code === 'ENOENT' ? 'found no such command' : `could not start it (${error.code})`;
      reject(new UsageError(`${command}: ${found}; install the agent or name its path`));
    });
    child.on('close', (code, signal) => {
      release();
      resolve(code ?? 128 + (constants.signals[signal ?? ''] ?? 0));
    });
  });
}
