import { type Environment, folderOf, home, joined, workingFolder } from '../host.js';
import { type Agent, type Bag, bag, type Configured, jsonIn, jsonOf, notJson, ownUrl, Routes } from './agent.js';

/** Settings that opencode reads from the environment, over those of its files. */
const KEY = 'OPENCODE_CONFIG_CONTENT';

const routes = new Routes('opencode', {
  anthropic: '/anthropic/v1',
  openai: '/openai/v1',
  google: '/gemini/v1beta',
});

/** The variables of providers' own base URLs. */
const VARIABLES: Readonly<Record<string, string>> = { anthropic: 'ANTHROPIC_BASE_URL', openai: 'OPENAI_BASE_URL' };

/** The variables of providers' keys. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
};

/** The settings of all its files and of the environment; later ones win. */
const settingsOf = (env: Environment): readonly Bag[] => [...filesOf(env).map(jsonIn), jsonOf(env[KEY] ?? '')];

/** The settings together, by their first key. */
export const opencodeSettings = (env: Environment): Bag => Object.assign({}, ...settingsOf(env)) as Bag;

function configuredIn(env: Environment): Configured {
  const settings = settingsOf(env);
  const data = joined(env.XDG_DATA_HOME || joined(home(), '.local', 'share'), 'opencode');
  const logins = { ...jsonIn(joined(data, 'auth.json')), ...jsonOf(env.OPENCODE_AUTH_CONTENT ?? '') };
  // opencode offers every provider that settings name: one without a key must not appear among them.
  const isUsed = (name: string) =>
    KEYS[name]?.some((key) => ownUrl(env[key]) !== undefined) ||
    [logins, ...settings.map(({ provider }) => bag(provider))].some((each) => Object.hasOwn(each, name));
  return (name) => {
    if (!isUsed(name)) return null;
    const variable = VARIABLES[name];
    const given = settings.map(({ provider }) => ownUrl(bag(bag(bag(provider)[name]).options).baseURL));
    const found = given.filter((url) => url !== undefined).at(-1) ?? (variable && ownUrl(env[variable]));
    const url = found?.replace(/\{env:([^}]*)\}/g, (_, key: string) => env[key] ?? '');
    // opencode adds a version to this one.
    if (url === undefined || url === 'https://api.anthropic.com') return undefined;
    return URL.canParse(url) ? url : null;
  };
}

/** The folder of opencode's settings. */
export const opencodeFolder = (env: Environment): string =>
  joined(env.XDG_CONFIG_HOME || joined(home(), '.config'), 'opencode');

/** The files that opencode reads settings from; later ones win. */
function filesOf(env: Environment): readonly string[] {
  const global = opencodeFolder(env);
  const inside = (folder: string) => ['opencode.json', 'opencode.jsonc'].map((name) => joined(folder, name));
  const above: string[] = [];
  for (let folder = workingFolder(); ; folder = folderOf(folder)) {
    above.unshift(folder);
    if (folderOf(folder) === folder) break;
  }
  return [
    joined(global, 'config.json'),
    ...inside(global),
    ...(env.OPENCODE_CONFIG ? [env.OPENCODE_CONFIG] : []),
    ...above.flatMap(inside),
    ...above.flatMap((folder) => inside(joined(folder, '.opencode'))),
    ...(env.OPENCODE_CONFIG_DIR ? inside(env.OPENCODE_CONFIG_DIR) : []),
  ];
}

export const opencode: Agent = {
  name: 'opencode',
  upstreams: (env) => routes.upstreams(configuredIn(env)),
  origin(upstream, env) {
    const name = routes.provider(upstream);
    const isIn = (settings: Bag) => ownUrl(bag(bag(bag(settings.provider)[name]).options).baseURL) !== undefined;
    const file = [...filesOf(env)].reverse().find((path) => isIn(jsonIn(path)));
    if (isIn(jsonOf(env[KEY] ?? ''))) return `the base URL of ${name} in ${KEY}`;
    return file === undefined ? (VARIABLES[name] ?? name) : `the base URL of ${name} in ${file}`;
  },
  launch(base, env) {
    const given = jsonOf(env[KEY] ?? '');
    const providers = bag(given.provider);
    const behind = Object.entries(routes.urls(base, configuredIn(env))).map(([name, baseURL]) => {
      const set = bag(providers[name]);
      return [name, { ...set, options: { ...bag(set.options), baseURL } }];
    });
    if (behind.length === 0) return {};
    const provider = { ...providers, ...Object.fromEntries(behind) };
    return { env: { [KEY]: JSON.stringify({ ...given, provider }) } };
  },
  bypassed(env) {
    const [provider] = ownUrl(opencodeSettings(env).model)?.split('/') ?? [];
    return [
      ...notJson(filesOf(env)),
      ...routes.bypassed(configuredIn(env), 'densify found no key, login or readable base URL for its providers'),
      ...routes.elsewhere(provider),
    ];
  },
};
