import { claudeFolder } from '../agents/claude.js';
import { codexFolder, openaiBehind } from '../agents/codex.js';
import { PORT, UsageError } from '../gateway.js';
import { home, joined, packageUrl } from '../host.js';
import { type Environment, jsonChange, ownFileChange, readable, type Setup } from './files.js';

const BASE = `http://127.0.0.1:${PORT}`;
const GATEWAY = 'Keep `densify gateway` running, for example as a service: the agent sends its requests there.';

/** Claude Code reads `env` from its settings before it makes a request. */
const claude: Setup = {
  changes: (env) => [
    jsonChange(joined(claudeFolder(env), 'settings.json'), (settings) => {
      const own = (settings.env ?? {}) as Readonly<Record<string, unknown>>;
      refuseOther('ANTHROPIC_BASE_URL', own.ANTHROPIC_BASE_URL);
      return {
        ...settings,
        env: { ...own, ANTHROPIC_BASE_URL: `${BASE}/anthropic`, ENABLE_TOOL_SEARCH: own.ENABLE_TOOL_SEARCH ?? 'true' },
      };
    }),
  ],
  next: GATEWAY,
};

function refuseOther(key: string, value: unknown): void {
  if (value === undefined) return;
  throw new UsageError(
    `${key}: the settings name ${String(value)}; run \`densify gateway --upstream=anthropic=URL\` for it and remove it first`,
  );
}

/** A table at the end of config.toml, and the choice of it before the first table. */
const codex: Setup = {
  changes(env) {
    const path = joined(codexFolder(env), 'config.toml');
    const before = readable(path);
    const text = before ?? '';
    const top = text.split(/^\s*\[/m, 1)[0] ?? '';
    if (/^\s*model_provider\s*=/m.test(top) || /^\s*\[\s*model_providers\.densify\s*\]/m.test(text)) {
      throw new UsageError(
        `${path}: it names a model_provider already; set its base_url to ${BASE}/NAME and run \`densify gateway --upstream=NAME=URL\``,
      );
    }
    if (!isToml(text)) throw new UsageError(`${path}: it isn't TOML, so it was left alone; correct it first`);
    const { url, login } = openaiBehind(BASE, env);
    const table = [
      '',
      '[model_providers.densify]',
      'name = "densify"',
      `base_url = "${url}"`,
      'wire_api = "responses"',
      login,
      '',
    ];
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    return [{ path, before, after: `model_provider = "densify"\n${text}${gap}${table.join('\n')}` }];
  },
  next: GATEWAY,
};

/** Whether each line could stand in TOML: a heading, a key, a comment, or a part of a value of several lines. */
function isToml(text: string): boolean {
  let isOpen = false;
  for (const line of text.split('\n')) {
    const plain = line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""').replace(/#.*/, '');
    const quotes = (line.match(/"""|'''/g) ?? []).length;
    const isStart = plain.trim() === '' || /^\s*\[.*\]\s*$/.test(plain) || /^\s*[\w."-]+\s*=\s*\S/.test(plain);
    if (!isOpen && !isStart) return false;
    const depth = (plain.match(/[[{]/g) ?? []).length - (plain.match(/[\]}]/g) ?? []).length;
    if (quotes % 2 === 1) isOpen = !isOpen;
    else if (depth !== 0) isOpen = depth > 0;
  }
  return !isOpen;
}

/** Gemini CLI reads variables from a file of its own. */
const gemini: Setup = {
  changes() {
    const path = joined(home(), '.gemini', '.env');
    const before = readable(path);
    const text = before ?? '';
    if (/^\s*(?:GOOGLE_GEMINI_BASE_URL|CODE_ASSIST_ENDPOINT)\s*=/m.test(text)) {
      throw new UsageError(
        `${path}: it names a base URL already; run \`densify gateway --upstream=gemini=URL\` and remove it first`,
      );
    }
    const lines = [`GOOGLE_GEMINI_BASE_URL=${BASE}/gemini`, `CODE_ASSIST_ENDPOINT=${BASE}/code-assist`, ''];
    return [{ path, before, after: `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.join('\n')}` }];
  },
  next: GATEWAY,
};

/** An extension that packs what pi sends: no gateway runs. */
const pi: Setup = {
  changes: (env: Environment) => [
    ownFileChange(
      joined(env.PI_CODING_AGENT_DIR ?? joined(home(), '.pi', 'agent'), 'extensions', 'densify.js'),
      `export { default } from '${packageUrl('pi-extension.js')}';\n`,
    ),
  ],
  next: 'Its next session is packed.',
};

/** How each agent is set up, by the name of its command. */
export const SETUPS: Readonly<Record<string, Setup>> = { claude, codex, gemini, pi };
