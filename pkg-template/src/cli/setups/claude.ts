/** Claude Code: a base URL and hooks in the user's settings. */

import { BASE } from '../agents/address.js';
import { claudeFolder } from '../agents/claude.js';
import { UsageError } from '../gateway.js';
import { type Environment, hookCommand, joined } from '../host.js';
import { jsonChange, type Setup } from './files.js';
import { STARTS_ITSELF } from './gateway.js';
import { type HookList, withHooks } from './hooks.js';

/** Tools whose results are shortened before they enter the history; files stay letter by letter. */
const SHORTENED = 'Bash|PowerShell|Grep|mcp__.*';

const hooks = (): Readonly<Record<string, HookList>> => {
  const hook = [{ type: 'command', command: hookCommand('agent-hook.js'), timeout: 15 }];
  return {
    SessionStart: [{ hooks: hook }],
    UserPromptSubmit: [{ hooks: hook }],
    PostToolUse: [{ matcher: SHORTENED, hooks: hook }],
  };
};

const settingsPath = (env: Environment): string => joined(claudeFolder(env), 'settings.json');

/** Claude Code reads `env` from its settings before it makes a request. */
export const claude: Setup = {
  changes: (env) => [
    jsonChange(settingsPath(env), (settings) => {
      const own = (settings.env ?? {}) as Readonly<Record<string, unknown>>;
      refuseOther('ANTHROPIC_BASE_URL', own.ANTHROPIC_BASE_URL);
      return {
        ...settings,
        env: { ...own, ANTHROPIC_BASE_URL: `${BASE}/anthropic`, ENABLE_TOOL_SEARCH: own.ENABLE_TOOL_SEARCH ?? 'true' },
        hooks: withHooks(settingsPath(env), settings.hooks, hooks()),
      };
    }),
  ],
  next: STARTS_ITSELF,
};

function refuseOther(key: string, value: unknown): void {
  if (value === undefined) return;
  throw new UsageError(
    `${key} is already set. Remove it from the settings, set DENSIFY_UPSTREAM=anthropic=${String(value)} in your environment, then run \`densify setup claude --yes\` again`,
  );
}
