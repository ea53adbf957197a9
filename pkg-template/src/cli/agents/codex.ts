import { type Environment, home, joined, readTextIfThere } from '../host.js';
import { type Agent, jsonIn } from './agent.js';

/** The folder of Codex's settings. */
export const codexFolder = (env: Environment): string => env.CODEX_HOME ?? joined(home(), '.codex');

/** The provider that config.toml chooses, and its base URL. */
export function chosenProvider(toml: string): { readonly name: string; readonly url: string } | undefined {
  const top = toml.split(/^\s*\[/m, 1)[0] ?? '';
  const name = /^\s*model_provider\s*=\s*["']([\w-]+)["']/m.exec(top)?.[1];
  if (name === undefined) return undefined;
  const tables = toml.split(/^\s*(?=\[)/m);
  const heading = new RegExp(`^\\[\\s*model_providers\\.["']?${name}["']?\\s*\\]`);
  const url = /^\s*base_url\s*=\s*["']([^"']+)["']/m.exec(tables.find((table) => heading.test(table)) ?? '')?.[1];
  return url === undefined || !URL.canParse(url) ? undefined : { name, url };
}

/** Whether the user logged in with ChatGPT: such a login is valid at another base URL. */
export function isChatGpt(env: Environment): boolean {
  const { tokens, OPENAI_API_KEY: key } = jsonIn(joined(codexFolder(env), 'auth.json'));
  return typeof tokens === 'object' && tokens !== null && (key === null || key === undefined);
}

/** The base URL and the login of OpenAI's own models behind a gateway. */
export function openaiBehind(base: string, env: Environment): { readonly url: string; readonly login: string } {
  if (isChatGpt(env)) return { url: `${base}/chatgpt/backend-api/codex`, login: 'requires_openai_auth = true' };
  const isNamed = env.OPENAI_API_KEY !== undefined && env.OPENAI_API_KEY !== '';
  return { url: `${base}/openai/v1`, login: isNamed ? 'env_key = "OPENAI_API_KEY"' : 'requires_openai_auth = true' };
}

const configured = (env: Environment) => chosenProvider(readTextIfThere(joined(codexFolder(env), 'config.toml')) ?? '');

export const codex: Agent = {
  name: 'codex',
  upstreams(env): Readonly<Record<string, string>> {
    const own = configured(env);
    return own === undefined ? {} : { 'codex-provider': own.url };
  },
  launch(base, env) {
    const own = configured(env);
    const set = (key: string, value: string) => ['-c', `${key}=${value}`];
    if (own !== undefined) return { args: set(`model_providers.${own.name}.base_url`, `"${base}/codex-provider"`) };
    const { url, login } = openaiBehind(base, env);
    const provider = `{ name = "densify", base_url = "${url}", wire_api = "responses", ${login} }`;
    return { args: [...set('model_provider', '"densify"'), ...set('model_providers.densify', provider)] };
  },
};
