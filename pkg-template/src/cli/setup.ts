/** `densify setup`: points an agent at densify for good, by the agent's own settings, and takes it back byte for byte. */

import { questionAbout } from '../base/nearest.js';
import { endStarted, holder, isProxied } from './agents/address.js';
import { AGENTS } from './agents/index.js';
import { argumentsOf } from './arguments.js';
import type { Command, Output } from './command.js';
import { UsageError, withUsage } from './gateway.js';
import { type Environment, environment, isInCache, removeEmptyFolders } from './host.js';
import { inForce, isSetUp, recordOf, undo, written } from './setups/files.js';
import { SETUPS } from './setups/index.js';
import type { Change } from './setups/takeout.js';

const USAGE = `densify setup AGENT        sets up claude, codex, gemini, opencode or pi permanently

  --yes                    writes the change; without it you only see the change
  --undo                   takes the change back; your later edits stay

Claude Code, Codex and Gemini CLI start \`densify gateway\` by a hook, opencode and pi need none.
`;

const ACCEPTED = { valued: [], switches: ['yes', 'undo'] };

export const setupCommand: Command = {
  usage: USAGE,
  run: (given, output) => withUsage(output, () => setUp(given, output)),
};

async function setUp(given: readonly string[], output: Output): Promise<number> {
  const read = argumentsOf(given, ACCEPTED);
  if (typeof read === 'string') throw new UsageError(read);
  const { options, others } = read;
  const [name = '', ...more] = others;
  const setup = Object.hasOwn(SETUPS, name) ? SETUPS[name] : undefined;
  if (others.length === 0) throw new UsageError(`name an agent: densify setup ${Object.keys(SETUPS).join(' | ')}`);
  if (more.length > 0) throw new UsageError(`found ${JSON.stringify(others)}, expected one agent`);
  if (setup === undefined) {
    const known = Object.keys(SETUPS);
    throw new UsageError(
      `unknown agent ${JSON.stringify(name)}, expected one of ${known.join(', ')}${questionAbout(name, known)}`,
    );
  }
  const env = environment();
  if (options.has('undo')) return takeBack(name, env, output);
  if (isInCache()) {
    throw new UsageError(
      `this copy is in a cache that may be cleared: run \`npm install --global densify\`, then \`densify setup ${name}\``,
    );
  }
  const record = recordOf(name, env);
  if (record !== undefined) {
    const isGone = inForce(record) === 'gone';
    const found = isGone ? 'was set up, but its files no longer hold it' : 'is already set up';
    output.print(`${name} ${found}; \`densify setup ${name} --undo\` undoes it\n`);
    return 0;
  }
  const changes = setup.changes(env);
  for (const change of changes) output.print(shown(change));
  if (setup.isBehindProxy === true && isProxied(env)) {
    output.print('A proxy is set: add 127.0.0.1 to NO_PROXY, or requests to the gateway go there.\n\n');
  }
  const bypassed = USERS.includes(name) ? (AGENTS[name]?.bypassed(env, []) ?? []) : [];
  for (const why of bypassed) output.print(`Note: the set-up has no effect, because ${why}.\n\n`);
  if (!options.has('yes')) {
    output.print(`Nothing is written yet. To write it: densify setup ${name} --yes\n`);
    return 0;
  }
  written(name, changes, env);
  output.print(`${name} is set up. ${setup.next}\n`);
  if (USERS.includes(name)) await renewGateway(env, output.print);
  return 0;
}

async function takeBack(name: string, env: Environment, { print }: Output): Promise<number> {
  const record = recordOf(name, env);
  if (record === undefined) {
    print(`${name} is not set up, so there is nothing to undo\n`);
    return 0;
  }
  const isChanged = undo(name, record, env);
  print(`${name} is restored${isChanged ? '; later changes of its files stay' : ''}\n`);
  if (USERS.includes(name)) await endGateway(env, print);
  removeEmptyFolders(record.folders); // what the gateway held open until now
  const advice = SETUPS[name]?.undone;
  if (advice !== undefined) print(`${advice}\n`);
  return 0;
}

/** The agents that use the gateway. */
const USERS = ['claude', 'codex', 'gemini'];
/** Ends the gateway that an agent's hook has started, if no agent is set up for it any more. */
async function endGateway(env: Environment, print: Output['print']): Promise<void> {
  if (USERS.some((name) => isSetUp(name, env))) return;
  const held = await holder(env);
  if (held.found !== 'gateway' || (await endStarted(held, env))) return;
  print('Your `densify gateway` goes on; end it if no agent needs it\n');
}

/** Ends a gateway that runs already: it may not know this agent's provider. The agent's hook starts the next one. */
async function renewGateway(env: Environment, print: Output['print']): Promise<void> {
  const held = await holder(env);
  if (held.found !== 'gateway') return;
  print(
    (await endStarted(held, env))
      ? 'The gateway that ran already was ended: the next session or prompt starts a new one.\n'
      : 'Your `densify gateway` may not know its provider: end it with Ctrl-C, then start the agent or the gateway.\n',
  );
}

/** A change, as it is shown before it is written: the lines that go and those that come. */
function shown({ path, before, after }: Change): string {
  const old = before?.split('\n') ?? [];
  const lines = after.split('\n');
  let start = 0;
  while (start < old.length && old[start] === lines[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, lines.length) - start && old.at(-1 - end) === lines.at(-1 - end)) end += 1;
  const gone = old.slice(start, old.length - end).map((line) => `- ${line}`);
  const come = lines.slice(start, lines.length - end).map((line) => `+ ${line}`);
  return `${before === undefined ? 'new file ' : ''}${path}\n${[...gone, ...come].join('\n')}\n\n`;
}
