import { type Environment, home, joined } from '../host.js';
import { type Agent, jsonIn, ownUrl } from './agent.js';

const KEY = 'ANTHROPIC_BASE_URL';

/** The folder of Claude Code's settings. */
export const claudeFolder = (env: Environment): string => env.CLAUDE_CONFIG_DIR ?? joined(home(), '.claude');

/** The base URL in the user's settings, which wins over that of the environment. */
function settingsUrl(env: Environment): string | undefined {
  const { env: own } = jsonIn(joined(claudeFolder(env), 'settings.json')) as { readonly env?: Record<string, unknown> };
  const url = own?.[KEY];
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

export const claude: Agent = {
  name: 'claude',
  upstreams(env): Readonly<Record<string, string>> {
    const url = settingsUrl(env) ?? ownUrl(env[KEY]);
    return url === undefined ? {} : { anthropic: url };
  },
  launch(base, env) {
    // Behind another base URL tool search is off unless it is asked for.
    const own = { [KEY]: `${base}/anthropic`, ENABLE_TOOL_SEARCH: env.ENABLE_TOOL_SEARCH ?? 'true' };
    if (settingsUrl(env) === undefined) return { env: own };
    return { env: own, args: ['--settings', JSON.stringify({ env: own })] };
  },
};
