/** `densify doctor`: says how each agent is set up, and whether its requests would get through. */

import { answering, isOnCloud, PORT } from './agents/address.js';
import { claudeVariables } from './agents/claude.js';
import { variablesFile } from './agents/gemini.js';
import type { Command, Output } from './command.js';
import { UsageError } from './gateway.js';
import { type Environment, environment, isThere } from './host.js';
import { inForce, recordOf, type SetupRecord } from './setups/files.js';
import { SETUPS } from './setups/index.js';
import { installedVersion, TESTED } from './versions.js';

const USAGE = `densify doctor             reports which agents are set up, and whether their requests get through
`;

/** Agents that densify packs in their own process. */
const IN_PROCESS: ReadonlySet<string> = new Set(['opencode', 'pi']);
/** Agents whose hooks start the gateway. */
const STARTING: ReadonlySet<string> = new Set(['claude']);

/** How an agent's own compaction and densify get on. */
const COMPACTION: Readonly<Record<string, string>> = {
  claude: 'its auto-compaction uses the packed size, so it runs later',
  codex: 'its auto-compaction uses the packed size, so it runs later',
  gemini: 'it masks old tool output itself; densify packs the rest',
  opencode: 'its compaction uses the packed size, so it runs later, and gets facts that densify found',
  pi: 'its compaction uses the packed size, so it runs later',
};

export const doctorCommand: Command = { usage: USAGE, run: (_given, output) => diagnose(output) };

/** What is said of the gateway's port. */
const GATEWAY = {
  gateway: 'running',
  nothing: 'not running',
  'another program': 'another program answers there, not your gateway; stop that program, or use only `densify run`',
};

/** The record of a set-up, or why it can't be read. */
function readRecord(name: string, env: Environment): SetupRecord | UsageError | undefined {
  try {
    return recordOf(name, env);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

async function diagnose({ print }: Output): Promise<number> {
  const env = environment();
  const found = await answering(env, 2000);
  print(`gateway on port ${PORT}: ${GATEWAY[found]}\n`);
  let failures = 0;
  for (const name of Object.keys(SETUPS)) {
    const version = installedVersion(name);
    const record = readRecord(name, env);
    const lines: string[] = [];
    lines.push(version === undefined ? 'not found in PATH' : `version ${version}, tested with ${TESTED[name]}`);
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
    if (record !== undefined && found !== 'gateway' && !IN_PROCESS.has(name)) {
      const isStarting = STARTING.has(name);
      if (found === 'nothing' && isStarting) lines.push('its next session starts the gateway');
      else {
        failures += 1;
        if (found === 'nothing') lines.push('its requests fail until you start `densify gateway`');
        else if (isStarting) lines.push('its hook blocks prompts until you stop that program');
        else lines.push('its requests, with your key, go to that program');
      }
    }
    const gone = record?.programs?.find((program) => !isThere(program));
    if (gone !== undefined) {
      failures += 1;
      lines.push(`${gone} is gone: run \`densify setup ${name} --undo\`, then set it up again`);
    }
    if (name === 'claude' && isOnCloud({ ...env, ...claudeVariables(env) })) {
      lines.push('its requests go to a cloud such as Bedrock or Vertex, bypassing densify');
    }
    const hiding = name === 'gemini' && record !== undefined ? variablesFile() : undefined;
    if (hiding !== undefined && hiding !== record?.changes[0]?.path) {
      lines.push(`in this folder it reads ${hiding} instead: add its base URLs there`);
    }
    if (record !== undefined) lines.push(COMPACTION[name]!);
    print(`${name}: ${lines.join('; ')}\n`);
  }
  return failures === 0 ? 0 : 1;
}
