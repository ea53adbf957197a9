import { type Environment, home, joined, ownFile } from '../host.js';
import { type Agent, bag, type Configured, jsonIn, notJson, ownUrl, Routes } from './agent.js';

const routes = new Routes('pi', {
  anthropic: '/anthropic',
  openai: '/openai/v1',
  'openai-codex': '/chatgpt/backend-api',
  google: '/gemini/v1beta',
});

/** The folder of pi's settings. */
export const piFolder = (env: Environment): string => env.PI_CODING_AGENT_DIR || joined(home(), '.pi', 'agent');

/** A provider whose models have several base URLs counts as one that can't be read. */
function configuredIn(env: Environment): Configured {
  const providers = bag(jsonIn(joined(piFolder(env), 'models.json')).providers);
  return (provider) => {
    const { baseUrl, models } = bag(providers[provider]);
    const url = ownUrl(baseUrl);
    const hasMore = Array.isArray(models) && models.some((model) => ownUrl(bag(model).baseUrl) !== undefined);
    return hasMore || (url !== undefined && !URL.canParse(url)) ? null : url;
  };
}

export const pi: Agent = {
  name: 'pi',
  upstreams: (env) => routes.upstreams(configuredIn(env)),
  origin: (upstream, env) => `the base URL of ${routes.provider(upstream)} in ${joined(piFolder(env), 'models.json')}`,
  // An extension is pi's own way to change a provider's base URL for one run.
  launch(base, env) {
    const urls = JSON.stringify(routes.urls(base, configuredIn(env)));
    return { env: { DENSIFY_GATEWAY: urls }, args: ['--extension', ownFile('pi-gateway.js')] };
  },
  bypassed(env) {
    const files = ['models.json', 'settings.json'].map((name) => joined(piFolder(env), name));
    const { defaultProvider } = jsonIn(files[1]!);
    return [
      ...notJson(files),
      ...routes.bypassed(configuredIn(env), `${files[0]} gives its providers base URLs that densify can't read`),
      ...routes.elsewhere(ownUrl(defaultProvider)),
    ];
  },
};
