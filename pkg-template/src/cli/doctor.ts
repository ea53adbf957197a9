/** `densify doctor`: says how each agent is set up, and whether its requests would get through. */

import { type Answering, type Holder, holder, isOlder, PORT } from './agents/address.js';
import { areHooksTrusted } from './agents/codex.js';
import { areHooksOn, variablesFile } from './agents/gemini.js';
import { AGENTS } from './agents/index.js';
import type { Command, Output } from './command.js';
import { compactionOf } from './compaction.js';
import { UsageError, withUsage } from './gateway.js';
import { type Environment, environment, isThere, version } from './host.js';
import { inForce, recordOf, type SetupRecord } from './setups/files.js';
import { SETUPS } from './setups/index.js';
import { installedVersion, TESTED } from './versions.js';

const USAGE = `densify doctor             reports which agents are set up, and whether their requests get through
`;

/** Agents that densify packs in their own process. */
const IN_PROCESS: ReadonlySet<string> = new Set(['opencode', 'pi']);
/** The program of hooks, which starts the gateway. */
const HOOK = 'agent-hook.js';

export const doctorCommand: Command = {
  usage: USAGE,
  run: (given, output) => withUsage(output, () => diagnose(given, output)),
};

/** What is said of the gateway's port. */
const GATEWAY = {
  gateway: 'running',
  nothing: 'not running',
  'another program': 'another program answers there, not your gateway; stop that program, or use only `densify run`',
};

/** Describes a gateway of another version, with advice. */
function versionProblem({ found, version: running, process }: Holder): string | undefined {
  if (found !== 'gateway' || running === version()) return undefined;
  const of = running === undefined ? 'an older version' : `version ${running}`;
  const isReplaced = process !== undefined && isOlder(running, version());
  const advice = isReplaced ? "an agent's next session replaces it" : 'end it and start `densify gateway` again';
  return `, but of ${of}, and this is ${version()}: ${advice}`;
}

/** The record of a set-up, or why it can't be read. */
function readRecord(name: string, env: Environment): SetupRecord | UsageError | undefined {
  try {
    return recordOf(name, env);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** Why an agent doesn't run the hook that starts its gateway. */
function hookProblem(name: string, env: Environment): string | undefined {
  if (name === 'codex' && !areHooksTrusted(env)) {
    return 'Codex runs its hook only after you trust it: start `codex` and choose so when it asks';
  }
  if (name === 'gemini' && !areHooksOn()) return 'its settings turn hooks off (`hooksConfig`): turn them on';
  return undefined;
}

/** What keeps the gateway from an agent that is set up for it. */
function problemOf(name: string, record: SetupRecord, found: Answering, env: Environment): string | undefined {
  if (IN_PROCESS.has(name)) return undefined;
  const isHooked = record.changes.some(({ after }) => after.includes(HOOK));
  const advice = isHooked ? hookProblem(name, env) : undefined;
  if (isHooked && advice === undefined) {
    return found === 'another program' ? 'its hook blocks prompts until you stop that program' : undefined;
  }
  const problem = {
    gateway: undefined,
    nothing: 'its requests fail until you start `densify gateway`',
    'another program': 'its requests, with your key, go to that program',
  }[found];
  return problem === undefined || advice === undefined ? (problem ?? advice) : `${problem}; ${advice}`;
}

async function diagnose(given: readonly string[], { print }: Output): Promise<number> {
  if (given.length > 0) throw new UsageError(`found ${JSON.stringify(given[0])}, but doctor takes no arguments`);
  const env = environment();
  const held = await holder(env, 2000);
  const { found } = held;
  const other = versionProblem(held);
  print(`gateway on port ${PORT}: ${GATEWAY[found]}${other ?? ''}\n`);
  let failures = other === undefined ? 0 : 1;
  for (const name of Object.keys(SETUPS)) {
    const installed = installedVersion(name);
    const record = readRecord(name, env);
    const lines: string[] = [];
    lines.push(installed === undefined ? 'not found in PATH' : `version ${installed}, tested with ${TESTED[name]}`);
    if (record instanceof UsageError) {
      failures += 1;
      print(`${name}: ${[...lines, record.message].join('; ')}\n`);
      continue;
    }
    if (record === undefined) lines.push('not set up');
    else if (inForce(record) !== 'gone') lines.push('set up');
    else {
      failures += 1;
      lines.push(`its files no longer hold the set-up: run \`densify setup ${name} --undo\`, then set it up again`);
    }
    const problem = record === undefined ? undefined : problemOf(name, record, found, env);
    if (problem !== undefined) failures += 1;
    if (problem !== undefined) lines.push(problem);
    else if (record !== undefined && found === 'nothing' && !IN_PROCESS.has(name)) {
      lines.push('its next session starts the gateway');
    }
    const gone = record?.programs?.find((program) => !isThere(program));
    if (gone !== undefined) {
      failures += 1;
      lines.push(`${gone} is gone: run \`densify setup ${name} --undo\`, then set it up again`);
    }
    // Agents that aren't there have no settings, and those that densify packs in their own process need no gateway.
    const isAsked = installed !== undefined || (record !== undefined && !IN_PROCESS.has(name));
    const bypassed = isAsked ? (AGENTS[name]?.bypassed(env, []) ?? []) : [];
    if (record !== undefined && bypassed.length > 0) failures += 1;
    lines.push(...bypassed);
    const hiding = name === 'gemini' && record !== undefined ? variablesFile() : undefined;
    if (hiding !== undefined && hiding !== record?.changes[0]?.path) {
      lines.push(`in this folder it reads ${hiding} instead: add its base URLs there`);
    }
    const compaction = installed === undefined && record === undefined ? undefined : compactionOf(name, env);
    if (compaction !== undefined) lines.push(compaction);
    print(`${name}: ${lines.join('; ')}\n`);
  }
  return failures === 0 ? 0 : 1;
}
