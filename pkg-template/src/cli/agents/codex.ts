import { type Environment, home, joined } from '../host.js';
import { type Agent, jsonIn, textOrNone } from './agent.js';

/** The folder of Codex's settings. */
export const codexFolder = (env: Environment): string => env.CODEX_HOME ?? joined(home(), '.codex');

/** A provider that config.toml chooses. */
export interface Chosen {
  /** The name of its table; none if the built-in provider has another base URL. */
  readonly name?: string;
  /** Its base URL; none if densify can't see one. */
  readonly url?: string | undefined;
}

/** The provider that config.toml chooses, if it isn't the built-in one at its own URL. */
export function chosenProvider(toml: string): Chosen | undefined {
  const [top = '', ...tables] = toml.split(/^\s*(?=\[)/m);
  const textOf = (key: string, lines: string) =>
    new RegExp(`^\\s*${key}\\s*=\\s*["']([^"']+)["']`, 'm').exec(lines)?.[1];
  const usable = (url: string | undefined) => (url === undefined || !URL.canParse(url) ? undefined : url);
  const name = textOf('model_provider', top) ?? BUILT_IN;
  if (name === BUILT_IN) {
    const url = textOf('openai_base_url', top);
    return url === undefined ? undefined : { url: usable(url) };
  }
  const headings = [name, `"${name}"`, `'${name}'`].map((key) => `model_providers.${key}`);
  const table = tables.find((each) => headings.includes(/^\[\s*([^\]]*?)\s*\]/.exec(each)?.[1] ?? ''));
  return { name, url: usable(textOf('base_url', table ?? '')) };
}

/** The name of OpenAI's own provider. */
const BUILT_IN = 'openai';

/** Whether the user logged in with ChatGPT: such a login is valid at another base URL. */
export function isChatGpt(env: Environment): boolean {
  const { tokens, OPENAI_API_KEY: key } = jsonIn(joined(codexFolder(env), 'auth.json'));
  return typeof tokens === 'object' && tokens !== null && (key === null || key === undefined);
}

/** The base URL and the login of OpenAI's own models behind a gateway. */
export function openaiBehind(base: string, env: Environment): { readonly url: string; readonly login: string } {
  const url = isChatGpt(env) ? `${base}/chatgpt/backend-api/codex` : `${base}/openai/v1`;
  const isNamed = !isChatGpt(env) && env.OPENAI_API_KEY !== undefined && env.OPENAI_API_KEY !== '';
  return { url, login: isNamed ? 'env_key = "OPENAI_API_KEY"' : 'requires_openai_auth = true' };
}

const configured = (env: Environment) => chosenProvider(textOrNone(joined(codexFolder(env), 'config.toml')));

/** The name of the upstream that stands for the user's own provider. */
const OWN = 'codex-provider';

export const codex: Agent = {
  name: 'codex',
  upstreams(env): Readonly<Record<string, string>> {
    const url = configured(env)?.url;
    return url === undefined ? {} : { [OWN]: url };
  },
  launch(base, env) {
    const own = configured(env);
    const set = (key: string, value: string) => ['-c', `${key}=${value}`];
    // The user's provider may ask for a key of its own: it is never replaced by another one.
    if (own !== undefined && own.url === undefined) return {};
    if (own?.name !== undefined) return { args: set(`model_providers.${own.name}.base_url`, `"${base}/${OWN}"`) };
    const { url, login } = openaiBehind(base, env);
    const baseUrl = own === undefined ? url : `${base}/${OWN}`;
    const provider = `{ name = "densify", base_url = "${baseUrl}", wire_api = "responses", ${login} }`;
    return { args: [...set('model_provider', '"densify"'), ...set('model_providers.densify', provider)] };
  },
};
