/** Which versions of agents densify was tested with, and which one is installed. */
import { spawnSync } from 'node:child_process';
import { startable } from './commands.js';
import { environment } from './host.js';

/** The versions that `make test-agents` runs. */
export const TESTED: Readonly<Record<string, string>> = {
  claude: '2.1.332',
  codex: '0.171.0',
  gemini: '0.61.0',
  opencode: '1.18.33',
  pi: '1.5.2',
};

/** The version that an agent's command prints within some milliseconds; `undefined` if there is no such command. */
export function installedVersion(command: string, timeLimit = 20_000): string | undefined {
  const { command: program, args, options } = startable(command, ['--version'], environment());
  const { stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8', timeout: timeLimit });
  if (error !== undefined) return undefined;
  return /\d+\.\d+\.\d+\S*/.exec(`${stdout} ${stderr}`)?.[0] ?? 'unknown';
}
