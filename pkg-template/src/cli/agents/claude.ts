import { upstreamsIn } from '../gateway.js';
import { type Environment, home, joined } from '../host.js';
import { isSetUp } from '../setups/files.js';
import { isOnCloud, isStanding, withoutProxy } from './address.js';
import { type Agent, type Bag, bag, jsonIn, notJson, ownUrl } from './agent.js';

const KEY = 'ANTHROPIC_BASE_URL';
/** The upstream that stands for the user's own provider, behind the gateway of a set-up. */
export const OWN = 'claude-provider';

/** The folder of Claude Code's settings. */
export const claudeFolder = (env: Environment): string => env.CLAUDE_CONFIG_DIR ?? joined(home(), '.claude');

/**
 * The variables in the user's settings, which win over those of the environment. Those of a project are left alone: it must
 * not say where keys are sent before the user trusts it.
 */
export const claudeVariables = (env: Environment): Bag => bag(jsonIn(settingsPath(env)).env);

/** The user's settings of Claude Code. */
export const settingsPath = (env: Environment): string => joined(claudeFolder(env), 'settings.json');

/** The base URL of the user's own provider: not that of the gateway which `densify setup` has put before it. */
function providerUrl(env: Environment, set: Bag): string | undefined {
  const url = ownUrl(set[KEY]) ?? ownUrl(env[KEY]);
  if (url === undefined || !isStanding(url) || !isSetUp('claude', env)) return url;
  const { DENSIFY_UPSTREAM: named } = set;
  return upstreamsIn(ownUrl(named))[OWN];
}

export const claude: Agent = {
  name: 'claude',
  upstreams(env): Readonly<Record<string, string>> {
    const url = providerUrl(env, claudeVariables(env));
    return url === undefined ? {} : { anthropic: url };
  },
  origin: (_, env) => (ownUrl(claudeVariables(env)[KEY]) === undefined ? KEY : `env.${KEY} in ${settingsPath(env)}`),
  launch(base, env) {
    const set = claudeVariables(env);
    const url = { [KEY]: `${base}/anthropic` };
    // Behind another base URL tool search is off unless it is asked for: so it was with the user's own URL, too.
    const isUsual = providerUrl(env, set) === undefined && set.ENABLE_TOOL_SEARCH === undefined;
    const own = isUsual ? { ...url, ENABLE_TOOL_SEARCH: env.ENABLE_TOOL_SEARCH ?? 'true' } : url;
    const local = set.NO_PROXY === undefined && set.no_proxy === undefined ? {} : withoutProxy(set);
    const over = { ...(ownUrl(set[KEY]) === undefined ? {} : url), ...local };
    if (Object.keys(over).length === 0) return { env: own };
    return { env: own, args: ['--settings', JSON.stringify({ env: over })] };
  },
  bypassed(env) {
    const isElsewhere = isOnCloud({ ...env, ...claudeVariables(env) });
    const cloud = isElsewhere ? ['its requests go to a cloud such as Bedrock or Vertex, bypassing densify'] : [];
    return [...notJson([settingsPath(env)]), ...cloud];
  },
};
