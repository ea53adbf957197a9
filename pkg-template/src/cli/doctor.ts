/** `densify doctor`: says how each agent is set up, and whether its requests would get through. */

import { isUp, PORT } from './agents/address.js';
import type { Command, Output } from './command.js';
import { environment } from './host.js';
import { inForce, recordOf } from './setups/files.js';
import { SETUPS } from './setups/index.js';
import { installedVersion, TESTED } from './versions.js';

const USAGE = `densify doctor             says which agents are set up, and whether their requests get through
`;

/** Agents that densify packs in their own process. */
const IN_PROCESS: ReadonlySet<string> = new Set(['opencode', 'pi']);
/** Agents whose hooks start the gateway. */
const STARTING: ReadonlySet<string> = new Set(['claude']);

/** How an agent's own compaction and densify get on. */
const COMPACTION: Readonly<Record<string, string>> = {
  claude: 'its auto-compaction reads the packed size, so it comes later',
  codex: 'its auto-compaction reads the packed size, so it comes later',
  gemini: 'it masks old tool output itself; densify packs what is left',
  opencode: 'its compaction reads the packed size, so it comes later; it gets the facts that densify found',
  pi: 'its compaction reads the packed size, so it comes later',
};

export const doctorCommand: Command = { usage: USAGE, run: (_given, output) => diagnose(output) };

async function diagnose({ print }: Output): Promise<number> {
  const env = environment();
  const isRunning = await isUp(2000);
  print(`gateway on port ${PORT}: ${isRunning ? 'running' : 'not running'}\n`);
  let failures = 0;
  for (const name of Object.keys(SETUPS)) {
    const version = installedVersion(name);
    const record = recordOf(name, env);
    const lines: string[] = [];
    lines.push(version === undefined ? 'not found in PATH' : `version ${version}, tested with ${TESTED[name]}`);
    if (record === undefined) lines.push('not set up');
    else if (inForce(record)) lines.push('set up');
    else {
      failures += 1;
      lines.push(`its files changed since the set-up: run \`densify setup ${name} --undo\` for what to do`);
    }
    if (record !== undefined && !isRunning && !IN_PROCESS.has(name)) {
      if (STARTING.has(name)) lines.push('its next session starts the gateway');
      else {
        failures += 1;
        lines.push('its requests fail until you start `densify gateway`');
      }
    }
    if (name === 'claude' && (env.CLAUDE_CODE_USE_BEDROCK === '1' || env.CLAUDE_CODE_USE_VERTEX === '1')) {
      lines.push('its requests go to Bedrock or Vertex, bypassing densify');
    }
    if (record !== undefined) lines.push(COMPACTION[name]!);
    print(`${name}: ${lines.join('; ')}\n`);
  }
  return failures === 0 ? 0 : 1;
}
