import { type Environment, home, joined, ownFile } from '../host.js';
import { type Agent, bag, jsonIn, ownUrl } from './agent.js';

/** The providers that are packed, with their paths behind a gateway. */
const PATHS: Readonly<Record<string, string>> = {
  anthropic: '/anthropic',
  openai: '/openai/v1',
  'openai-codex': '/chatgpt/backend-api',
  google: '/gemini/v1beta',
};

/** The folder of pi's settings. */
export const piFolder = (env: Environment): string => env.PI_CODING_AGENT_DIR ?? joined(home(), '.pi', 'agent');

/** The name of the upstream that stands for a provider's own base URL. */
const own = (name: string): string => `pi-${name}`;

/** The base URL that the user has set for a provider; `null` if there are several, or one that densify can't read. */
function configured(env: Environment, name: string): string | null | undefined {
  const { baseUrl, models } = bag(bag(jsonIn(joined(piFolder(env), 'models.json')).providers)[name]);
  const url = ownUrl(baseUrl);
  const hasMore = Array.isArray(models) && models.some((model) => ownUrl(bag(model).baseUrl) !== undefined);
  return hasMore || (url !== undefined && !URL.canParse(url)) ? null : url;
}

export const pi: Agent = {
  name: 'pi',
  upstreams: (env) =>
    Object.fromEntries(
      Object.keys(PATHS).flatMap((name) => {
        const url = configured(env, name);
        return typeof url === 'string' ? [[own(name), url]] : [];
      }),
    ),
  // An extension is pi's own way to change a provider's base URL for one run.
  launch(base, env) {
    const behind = Object.entries(PATHS).flatMap(([name, path]) => {
      const url = configured(env, name);
      return url === null ? [] : [[name, `${base}${url === undefined ? path : `/${own(name)}`}`]];
    });
    const text = JSON.stringify(Object.fromEntries(behind));
    return { env: { DENSIFY_GATEWAY: text }, args: ['--extension', ownFile('pi-gateway.js')] };
  },
};
