import { type Environment, folderOf, home, isThere, joined, workingFolder } from '../host.js';
import { isSetUp } from '../setups/files.js';
import { isStanding } from './address.js';
import { type Agent, type Bag, bag, jsonIn, ownUrl, textOrNone } from './agent.js';

/** The upstreams, and the variables of their base URLs: with an API key, and with a Google login. */
const VARIABLES = { gemini: 'GOOGLE_GEMINI_BASE_URL', 'code-assist': 'CODE_ASSIST_ENDPOINT' } as const;

const inside = (folder: string): readonly string[] => [joined(folder, '.gemini', '.env'), joined(folder, '.env')];

/** The file in which the user's variables are, or are to be: Gemini CLI reads `~/.env` only if the other isn't there. */
export function userVariables(): string {
  const [own = '', ...others] = inside(home());
  return [own, ...others].find(isThere) ?? own;
}

/** The one file of variables that Gemini CLI reads here: the first that it finds in this folder, above it and at home. */
export function variablesFile(): string | undefined {
  for (let folder = workingFolder(); ; folder = folderOf(folder)) {
    const found = inside(folder).find(isThere);
    if (found !== undefined) return found;
    if (folderOf(folder) === folder) return inside(home()).find(isThere);
  }
}

/** The value of a variable in the text of such a file. */
function valueIn(text: string, name: string): string | undefined {
  const found = [...text.matchAll(new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(.*)$`, 'gm'))].at(
    -1,
  )?.[1];
  const [, , quoted] = /^(["'`])(.*?)\1/.exec(found ?? '') ?? [];
  return quoted ?? found?.replace(/#.*/, '').trim();
}

/** The base URL that the user has set; `null` if a project sets one, which must not say where keys are sent. */
function configured(env: Environment, name: string): string | null | undefined {
  const file = variablesFile() ?? userVariables();
  const url = ownUrl(env[name] ?? valueIn(textOrNone(file), name));
  if (url === undefined || (isStanding(url) && isSetUp('gemini', env))) return undefined;
  return env[name] === undefined && file !== userVariables() ? null : url;
}

/** The user's settings. */
export const geminiSettings = (): Bag => jsonIn(joined(home(), '.gemini', 'settings.json'));

/** Whether the user's settings let the hook of densify's extension run. */
export function areHooksOn(): boolean {
  const { enabled, disabled } = bag(geminiSettings().hooksConfig);
  return enabled !== false && !(Array.isArray(disabled) && disabled.includes('densify'));
}

export const gemini: Agent = {
  name: 'gemini',
  upstreams(env): Readonly<Record<string, string>> {
    const urls = Object.entries(VARIABLES).map(([upstream, name]) => [upstream, configured(env, name)] as const);
    return Object.fromEntries(
      urls.filter((each): each is readonly [keyof typeof VARIABLES, string] => Boolean(each[1])),
    );
  },
  origin(upstream, env) {
    const name = VARIABLES[upstream as keyof typeof VARIABLES];
    return env[name] === undefined ? `${name} in ${userVariables()}` : name;
  },
  launch(base, env) {
    const packed = Object.entries(VARIABLES).filter(([, name]) => configured(env, name) !== null);
    return { env: Object.fromEntries(packed.map(([upstream, name]) => [name, `${base}/${upstream}`])) };
  },
  bypassed(env) {
    const file = variablesFile() ?? userVariables();
    const { auth } = bag(geminiSettings().security);
    const { selectedType } = bag(auth);
    const chosen = env.GOOGLE_GENAI_USE_VERTEXAI ?? valueIn(textOrNone(file), 'GOOGLE_GENAI_USE_VERTEXAI');
    const isOnVertex = selectedType === 'vertex-ai' || (selectedType === undefined && chosen === 'true');
    const ofProject = Object.values(VARIABLES).filter((name) => configured(env, name) === null);
    return [
      ...(isOnVertex ? ['its requests go to Vertex AI, bypassing densify'] : []),
      ...ofProject.map((name) => `${file} sets ${name}, which densify takes only from ${userVariables()}`),
    ];
  },
};
