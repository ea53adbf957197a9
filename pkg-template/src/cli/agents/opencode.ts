import { type Environment, folderOf, home, joined, workingFolder } from '../host.js';
import { type Agent, bag, jsonIn, jsonOf, ownUrl } from './agent.js';

/** Settings that opencode reads from the environment, over those of its files. */
const KEY = 'OPENCODE_CONFIG_CONTENT';

/** Providers that are packed: their path behind a gateway, and the variable of their own base URL. */
const PROVIDERS = {
  anthropic: { path: '/anthropic/v1', variable: 'ANTHROPIC_BASE_URL' },
  openai: { path: '/openai/v1', variable: 'OPENAI_BASE_URL' },
  google: { path: '/gemini/v1beta', variable: undefined },
};

/** The name of the upstream that stands for a provider's own base URL. */
const own = (name: string): string => `opencode-${name}`;

type Name = keyof typeof PROVIDERS;

/** The base URL that the user has set for a provider; `null` for one that densify can't read. */
function configured(env: Environment): (name: Name) => string | null | undefined {
  const settings = [...filesOf(env).map(jsonIn), jsonOf(env[KEY] ?? '')];
  return (name) => {
    const { variable } = PROVIDERS[name];
    const given = settings.map(({ provider }) => ownUrl(bag(bag(bag(provider)[name]).options).baseURL));
    const found = given.filter((url) => url !== undefined).at(-1) ?? (variable && ownUrl(env[variable]));
    const url = found?.replace(/\{env:([^}]*)\}/g, (_, key: string) => env[key] ?? '');
    // opencode adds a version to this one.
    if (url === undefined || url === 'https://api.anthropic.com') return undefined;
    return URL.canParse(url) ? url : null;
  };
}

/** The files that opencode reads settings from; later ones win. */
function filesOf(env: Environment): readonly string[] {
  const global = joined(env.XDG_CONFIG_HOME ?? joined(home(), '.config'), 'opencode');
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

const NAMES = Object.keys(PROVIDERS) as readonly Name[];

export const opencode: Agent = {
  name: 'opencode',
  upstreams(env) {
    const urlOf = configured(env);
    return Object.fromEntries(
      NAMES.flatMap((name) => {
        const url = urlOf(name);
        return typeof url === 'string' ? [[own(name), url]] : [];
      }),
    );
  },
  launch(base, env) {
    const urlOf = configured(env);
    const given = jsonOf(env[KEY] ?? '');
    const providers = bag(given.provider);
    const behind = NAMES.flatMap((name) => {
      const url = urlOf(name);
      if (url === null) return [];
      const set = bag(providers[name]);
      const baseURL = `${base}${url === undefined ? PROVIDERS[name].path : `/${own(name)}`}`;
      return [[name, { ...set, options: { ...bag(set.options), baseURL } }]];
    });
    const provider = { ...providers, ...Object.fromEntries(behind) };
    return { env: { [KEY]: JSON.stringify({ ...given, provider }) } };
  },
};
