import type { Agent } from './agent.js';

/** Settings that opencode reads from the environment, over those of its files. */
const KEY = 'OPENCODE_CONFIG_CONTENT';

type Bag = Readonly<Record<string, unknown>>;

export const opencode: Agent = {
  name: 'opencode',
  upstreams: () => ({}),
  launch(base, env) {
    const given = parsed(env[KEY]);
    const providers = bag(given.provider);
    const urls = { anthropic: '/anthropic/v1', openai: '/openai/v1', google: '/gemini/v1beta' };
    const provider = Object.fromEntries(
      Object.entries(urls).map(([name, path]) => {
        const own = bag(providers[name]);
        return [name, { ...own, options: { ...bag(own.options), baseURL: `${base}${path}` } }];
      }),
    );
    return { env: { [KEY]: JSON.stringify({ ...given, provider: { ...providers, ...provider } }) } };
  },
};

function parsed(text: string | undefined): Bag {
  try {
    return bag(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

function bag(value: unknown): Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {};
}
