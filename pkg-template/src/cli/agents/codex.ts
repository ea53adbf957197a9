import { parse } from 'bundled:smol-toml';
import { type Environment, home, joined } from '../host.js';
import { isSetUp } from '../setups/files.js';
import { isStanding } from './address.js';
import { type Agent, type Bag, bag, jsonIn, ownUrl, textOrNone } from './agent.js';

/** The folder of Codex's settings. */
export const codexFolder = (env: Environment): string => env.CODEX_HOME || joined(home(), '.codex');

/** The file of the user's hooks. */
export const codexHooks = (env: Environment): string => joined(codexFolder(env), 'hooks.json');

/** Whether the user has told Codex to run the hooks of that file: it notes so in config.toml. */
export function areHooksTrusted(env: Environment): boolean {
  const { state } = bag(codexSettings(env)?.hooks);
  const isTrusted = (event: string) =>
    Object.entries(bag(state)).some(
      ([key, value]) => key.startsWith(`${codexHooks(env)}:${event}:`) && bag(value).trusted_hash !== undefined,
    );
  return isTrusted('session_start') && isTrusted('user_prompt_submit');
}

/** A provider that config.toml chooses. */
export interface Chosen {
  /** The name of its table; none if the built-in provider has another base URL. */
  readonly name?: string;
  /** Its base URL; none if densify can't see one. */
  readonly url?: string | undefined;
}

/** The table in TOML; `undefined` for what isn't TOML. */
export function tomlOf(text: string): Bag | undefined {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch {
    return undefined;
  }
}

/** The provider that settings choose, if it isn't the built-in one at its own URL. */
export function chosenProvider(settings: Bag | undefined): Chosen | undefined {
  // Settings that can't be read may choose any provider.
  if (settings === undefined) return {};
  const { model_provider: name = BUILT_IN, openai_base_url: builtIn, model_providers: tables } = settings;
  if (typeof name !== 'string') return {};
  const given = name === BUILT_IN ? builtIn : bag(bag(tables)[name]).base_url;
  const url = typeof given === 'string' && URL.canParse(given) ? given : undefined;
  if (name !== BUILT_IN) return { name, url };
  return builtIn === undefined || builtIn === '' ? undefined : { url };
}

/** The name of OpenAI's own provider. */
const BUILT_IN = 'openai';

/** Whether the user logged in with ChatGPT: such a login is valid at another base URL. */
function isChatGpt(env: Environment): boolean {
  const { tokens, OPENAI_API_KEY: key } = jsonIn(joined(codexFolder(env), 'auth.json'));
  return typeof tokens === 'object' && tokens !== null && (key === null || key === undefined);
}

/** The base URL of OpenAI's own models behind a gateway. */
export const openaiBehind = (base: string, env: Environment): string =>
  isChatGpt(env) ? `${base}/chatgpt/backend-api/codex` : `${base}/openai/v1`;

/** The name of the profile that the command line chooses. */
function profileIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((each) => /^(?:-p|--profile(?:=.*)?)$/.test(each));
  return at < 0 ? undefined : (/=(.*)$/.exec(args[at]!)?.[1] ?? args[at + 1]);
}

/** Settings over others: tables are joined. */
function over(lower: Bag, upper: Bag): Bag {
  const joinedTables = Object.entries(upper).map(([key, value]) => {
    const isTable = Object.keys(bag(lower[key])).length > 0 && Object.keys(bag(value)).length > 0;
    return [key, isTable ? over(bag(lower[key]), bag(value)) : value] as const;
  });
  return { ...lower, ...Object.fromEntries(joinedTables) };
}

/** The settings, and those of the profile, which is a table or a file; `undefined` for a file that isn't TOML. */
function settingsOf(env: Environment, args: readonly string[]) {
  const read = (name: string) => {
    const path = joined(codexFolder(env), name);
    return { path, table: tomlOf(textOrNone(path)) };
  };
  const main = read('config.toml');
  const profile = profileIn(args) ?? ownUrl(main.table?.profile);
  const files = profile === undefined ? [main] : [main, read(`${profile}.config.toml`)];
  return { profile, files };
}

/** The user's settings; `undefined` if they aren't TOML. */
export const codexSettings = (env: Environment): Bag | undefined => settingsOf(env, []).files[0]?.table;

/** The provider of the settings, with those of the profile. */
function configured(env: Environment, args: readonly string[]): Chosen | undefined {
  const { profile, files } = settingsOf(env, args);
  const [settings, file = {}] = files.map(({ table }) => table);
  if (settings === undefined || files.some(({ table }) => table === undefined)) return {};
  const table = bag(bag(settings.profiles)[profile ?? '']);
  const chosen = chosenProvider(over(over(settings, table), file));
  const isOfSetup = chosen?.name === undefined && isStanding(chosen?.url ?? '') && isSetUp('codex', env);
  return isOfSetup ? undefined : chosen;
}

/** The name of the upstream that stands for the user's own provider. */
const OWN = 'codex-provider';

/** Whether the command line can name a provider: Codex splits the key at each dot. */
const isPlain = (name: string): boolean => /^[\w-]+$/.test(name);

export const codex: Agent = {
  name: 'codex',
  upstreams(env, args): Readonly<Record<string, string>> {
    const url = configured(env, args)?.url;
    return url === undefined ? {} : { [OWN]: url };
  },
  origin: (_, env) => `the base URL in ${joined(codexFolder(env), 'config.toml')}`,
  launch(base, env, args) {
    const own = configured(env, args);
    const set = (key: string, url: string) => ({ args: ['-c', `${key}="${url}"`] });
    // The user's provider may ask for a key of its own: it is never replaced by another one.
    if (own !== undefined && own.url === undefined) return {};
    // The provider stays the same: Codex stores its name in the session, and lists only sessions of that name.
    if (own?.name === undefined)
      return set('openai_base_url', own === undefined ? openaiBehind(base, env) : `${base}/${OWN}`);
    return isPlain(own.name) ? set(`model_providers.${own.name}.base_url`, `${base}/${OWN}`) : {};
  },
  bypassed(env, args) {
    const odd = settingsOf(env, args).files.filter(({ table }) => table === undefined);
    if (odd.length > 0)
      return odd.map(({ path }) => `${path} isn't TOML, so densify can't see its provider: correct it`);
    if (args.includes('--oss')) return ['--oss asks a model on this machine, bypassing densify'];
    const own = configured(env, args);
    const name = JSON.stringify(own?.name ?? BUILT_IN);
    if (own !== undefined && own.url === undefined)
      return [`densify can't read the base URL of model_provider ${name}`];
    const isOdd = own?.name !== undefined && !isPlain(own.name);
    return isOdd ? [`densify can't set the base URL of model_provider ${name}: use only letters, digits, - and _`] : [];
  },
};
