/** Claude Code: a base URL and hooks in the user's settings. */

import { BASE, isProxied, isStanding, withoutProxy } from '../agents/address.js';
import { type Bag, bag, ownUrl } from '../agents/agent.js';
import { OWN, settingsPath } from '../agents/claude.js';
import { checkedUrl, UsageError } from '../gateway.js';
import { type Environment, hookCommand } from '../host.js';
import { jsonChange, type Setup, STARTS_ITSELF } from './files.js';
import { type HookList, withHooks } from './hooks.js';

/** Tools whose results are shortened before they enter the history; files stay letter by letter. */
const SHORTENED = 'Bash|PowerShell|Grep|mcp__.*';

const hooks = (): Readonly<Record<string, HookList>> => {
  const hook = [{ type: 'command', command: hookCommand('claude'), timeout: 15 }];
  return {
    SessionStart: [{ hooks: hook }],
    UserPromptSubmit: [{ hooks: hook }],
    PostToolUse: [{ matcher: SHORTENED, hooks: hook }],
  };
};

/** Claude Code reads `env` from its settings before it makes a request. */
export const claude: Setup = {
  changes: (env) => [
    jsonChange(settingsPath(env), (settings) => {
      const own = bag(settings.env);
      const hooked = withHooks(settingsPath(env), settings.hooks, hooks());
      return { ...settings, env: { ...own, ...variables(own, env) }, hooks: hooked };
    }),
  ],
  next: STARTS_ITSELF,
  undone: 'If an open session uses Claude 5.5 or newer, start a new one: without densify, the model may refuse it.',
};

/** The variables that the settings get. `own` are theirs, which win over those of the shell. */
function variables(own: Bag, shell: Environment): Bag {
  const given = { ...shell, ...own };
  const url = ownUrl(given.ANTHROPIC_BASE_URL);
  const local = isProxied(given) ? withoutProxy(given) : {};
  if (url === undefined) {
    // Behind another base URL tool search is off unless it is asked for.
    const search = ownUrl(given.ENABLE_TOOL_SEARCH) ?? 'true';
    return { ANTHROPIC_BASE_URL: `${BASE}/anthropic`, ENABLE_TOOL_SEARCH: search, ...local };
  }
  refuseUnusable(url);
  // A name of its own: a gateway that was started without this provider refuses the request, and no other gets the key.
  const upstreams = [ownUrl(given.DENSIFY_UPSTREAM), `${OWN}=${url}`].filter((each) => each !== undefined);
  return { ANTHROPIC_BASE_URL: `${BASE}/${OWN}`, DENSIFY_UPSTREAM: upstreams.join(','), ...local };
}

function refuseUnusable(url: string): void {
  const found = `ANTHROPIC_BASE_URL: found ${JSON.stringify(url)}`;
  if (isStanding(url)) throw new UsageError(`${found}, densify's own gateway; remove it first`);
  if (url.includes(',')) throw new UsageError(`${found}; densify can't pass on a URL with a comma`);
  checkedUrl(url, 'ANTHROPIC_BASE_URL');
}
