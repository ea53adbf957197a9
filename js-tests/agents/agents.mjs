// How each agent is started without a person, against a provider on this machine, in a home of its own.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the agents are installed. */
const MODULES = process.env.DENSIFY_AGENTS ?? new URL('node_modules', import.meta.url).pathname;
const bin = (path) => join(MODULES, path);

/** The path of a program by another name: two packages have a command `pi`, and `densify run` knows agents by their command. */
function named(folder, name, path) {
  const link = join(MODULES, '.named', folder, name);
  if (existsSync(bin(path)) && !existsSync(link)) {
    mkdirSync(join(MODULES, '.named', folder), { recursive: true });
    symlinkSync(bin(path), link);
  }
  return link;
}

/** A home, and a folder with files to read. */
export function workspace(root) {
  const home = join(root, 'home');
  const work = join(root, 'work');
  mkdirSync(join(work, 'src'), { recursive: true });
  mkdirSync(home, { recursive: true });
  for (let file = 0; file < 12; file += 1) {
    const lines = Array.from(
      { length: 150 },
      (_, at) => `export const value_${file}_${at} = "${(file * 7919 + at * 104_729) % 99_991} of module ${file}";`,
    );
    writeFileSync(join(work, 'src', `file${file}.ts`), `${lines.join('\n')}\n`);
  }
  return { home, work };
}

/** What no agent needs from the machine it runs on. */
const QUIET = {
  NO_COLOR: '1',
  CI: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  PI_OFFLINE: '1',
  GEMINI_TELEMETRY_ENABLED: 'false',
};

const firstOf = (tools, ...names) => names.find((name) => tools.includes(name));

/** One call of a step, in the words of the agent's own tools. */
const read = (tools, path, work) =>
  tools.includes('Read')
    ? { name: 'Read', args: { file_path: join(work, path) } }
    : tools.includes('read_file')
      ? { name: 'read_file', args: { file_path: join(work, path), absolute_path: join(work, path) } }
      : tools.includes('read')
        ? { name: 'read', args: { filePath: join(work, path), path: join(work, path) } }
        : shell(tools, `cat ${path}`, work);

function shell(tools, command, work) {
  const name = firstOf(tools, 'Bash', 'bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell');
  if (name === 'exec_command') return { name, args: { cmd: command, workdir: work } };
  if (name === 'shell') return { name, args: { command: ['bash', '-c', command], workdir: work } };
  return { name, args: { command, description: 'a command', workdir: work, workdir_path: work } };
}

/** The name of a line of a file, before and after an edit. */
export const EDITED = ['value_2_7 =', 'changed_2_7 ='];

/** An edit by the agent's own tool, where it has one. Some agents refuse arguments that their tool doesn't declare. */
function edit(tools, file, work, body) {
  const path = join(work, 'src', `file${file}.ts`);
  const [before, after] = EDITED.map((text) => text.replace('2', file));
  const claude = { file_path: path, old_string: before, new_string: after };
  const edits = [{ oldText: before, newText: after }];
  if (tools.includes('Edit')) return { name: 'Edit', args: claude };
  if (tools.includes('replace')) return { name: 'replace', args: { ...claude, instruction: 'rename it' } };
  const other = { filePath: path, path, oldString: before, newString: after, edits };
  if (!tools.includes('edit')) return undefined;
  const declared = body.tools.find(({ name, function: called }) => (called?.name ?? name) === 'edit');
  const { properties } = declared.input_schema ?? declared.function?.parameters ?? declared.parameters;
  return { name: 'edit', args: Object.fromEntries(Object.entries(other).filter(([key]) => key in properties)) };
}

/** Words by which the first message of a sub-agent is known. */
export const INNER = 'You are the helper of this test';

/** The call that starts a sub-agent, where the agent has such a tool. */
function delegate(tools) {
  const name = firstOf(tools, 'Agent', 'Task', 'task');
  const type = name === 'task' ? 'general' : 'general-purpose';
  const prompt = `${INNER}: read the files in src and tell what you find.`;
  return name && { name, args: { description: 'look at the files', prompt, subagent_type: type } };
}

/**
 * A session of 40 steps: files are read again and again, two at once, a command fails, files are written by commands and
 * edited, a sub-agent works for 8 steps.
 */
export function script(work, steps = 40) {
  return (step, { tools, body }) => {
    const first = JSON.stringify(body.messages?.[0] ?? body.input?.[0] ?? '');
    const isInner = first.includes(INNER);
    if (step >= (isInner ? 8 : steps)) return 'All done.';
    const helper = step === 12 && !isInner ? delegate(tools) : undefined;
    if (helper !== undefined) return [helper];
    const path = `src/file${step % 6}.ts`;
    const edited = step % 20 === 14 ? edit(tools, step % 6, work, body) : undefined;
    if (edited !== undefined) return [edited];
    if (step % 10 === 4) return [shell(tools, `echo 'export const added = ${step};' >> ${path}`, work)];
    if (step % 10 === 6) return [shell(tools, 'ls no-such-folder', work)];
    if (step % 10 === 8) return [read(tools, path, work), read(tools, `src/file${(step + 1) % 6}.ts`, work)];
    if (step % 3 === 1) return [shell(tools, `cat ${path}`, work)];
    return [read(tools, path, work)];
  };
}

const PROMPT = 'Read the files in src, again and again, and tell me what you find.';

/** The agents: `direct` points one at a URL without densify; `upstream` tells `densify run` where that is. */
export const agents = {
  claude: {
    path: bin('@anthropic-ai/claude-code-linux-x64/claude'),
    env: ({ home }) => ({
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_API_KEY: 'sk-ant-test-key',
      IS_SANDBOX: '1',
    }),
    prepare: ({ home }) => {
      mkdirSync(join(home, '.claude'), { recursive: true });
      writeFileSync(
        join(home, '.claude', '.claude.json'),
        JSON.stringify({
          hasCompletedOnboarding: true,
          customApiKeyResponses: { approved: ['sk-ant-test-key'.slice(-20)] },
        }),
      );
    },
    args: () => [
      '-p',
      PROMPT,
      '--model',
      'claude-opus-4-8',
      '--dangerously-skip-permissions',
      '--output-format',
      'json',
    ],
    bound: (args) => args.map((arg) => (arg === 'claude-opus-4-8' ? 'claude-opus-5-5' : arg)),
    resume: () => [
      '-c',
      '-p',
      'And again, please.',
      '--model',
      'claude-opus-4-8',
      '--dangerously-skip-permissions',
      '--output-format',
      'json',
    ],
    upstream: (url) => `anthropic=${url}`,
    direct: (url) => ({ env: { ANTHROPIC_BASE_URL: url } }),
    login: { more: { ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: 'login-style-token' } },
  },
  codex: {
    path: bin('@openai/codex/bin/codex.js'),
    env: ({ home }) => ({ CODEX_HOME: join(home, '.codex') }),
    prepare: ({ home }) => {
      mkdirSync(join(home, '.codex'), { recursive: true });
      writeFileSync(join(home, '.codex', 'config.toml'), 'model = "gpt-5.2-codex"\n');
      writeFileSync(join(home, '.codex', 'auth.json'), JSON.stringify({ OPENAI_API_KEY: 'sk-test' }));
    },
    args: ({ work }) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '-C',
      work,
      PROMPT,
    ],
    resume: () => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      'resume',
      '--last',
      'And again, please.',
    ],
    upstream: (url) => `openai=${url}`,
    direct: (url) => ({
      args: ['-c', `openai_base_url="${url}/v1"`],
    }),
    // Codex asks the user once whether it may run a hook.
    trusted: ['--dangerously-bypass-hook-trust'],
    // No login of ChatGPT: Codex 0.171.0 asks chatgpt.com for a workspace before its first request.
  },
  gemini: {
    path: bin('@google/gemini-cli/bundle/gemini.js'),
    env: () => ({ GEMINI_API_KEY: 'test', GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    prepare: ({ home }) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      writeFileSync(
        join(home, '.gemini', 'settings.json'),
        JSON.stringify({
          security: { auth: { selectedType: 'gemini-api-key' } },
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
        }),
      );
    },
    args: () => ['--yolo', '--model', 'gemini-2.5-pro', '-p', PROMPT],
    // No `resume`: Gemini CLI 0.61.0 then sends each result twice, without densify too, and the provider refuses that.
    upstream: (url) => `gemini=${url}`,
    direct: (url) => ({ env: { GOOGLE_GEMINI_BASE_URL: url } }),
    // It ends when an answer breaks off, without densify too.
    breaks: false,
  },
  opencode: {
    path: bin('opencode-linux-x64/bin/opencode'),
    env: ({ home }) => ({
      ANTHROPIC_API_KEY: 'sk-ant-test-key',
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.data'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_STATE_HOME: join(home, '.state'),
    }),
    prepare: ({ home }) => {
      mkdirSync(join(home, '.config', 'opencode'), { recursive: true });
      writeFileSync(
        join(home, '.config', 'opencode', 'opencode.json'),
        JSON.stringify({
          $schema: 'https://opencode.ai/config.json',
          permission: 'allow',
          autoupdate: false,
          provider: {
            anthropic: {
              models: { 'claude-opus-4-8': { name: 'Opus', limit: { context: 1_000_000, output: 32_000 } } },
            },
          },
        }),
      );
    },
    args: () => ['run', '--model', 'anthropic/claude-opus-4-8', PROMPT],
    resume: () => ['run', '--continue', '--model', 'anthropic/claude-opus-4-8', 'And again, please.'],
    upstream: (url) => `anthropic=${url}`,
    direct: (url) => ({
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { anthropic: { options: { baseURL: `${url}/v1` } } } }),
      },
    }),
  },
  pi: {
    path: named('pi', 'pi', '@earendil-works/pi-coding-agent/dist/bundle/cli.js'),
    env: ({ home }) => ({ ANTHROPIC_API_KEY: 'sk-ant-test-key', PI_CODING_AGENT_DIR: join(home, '.pi') }),
    prepare: ({ home }) => {
      mkdirSync(join(home, '.pi'), { recursive: true });
    },
    args: () => ['-p', '--provider', 'anthropic', '--model', 'claude-opus-4-5', PROMPT],
    resume: () => ['-c', '-p', '--provider', 'anthropic', '--model', 'claude-opus-4-5', 'And again, please.'],
    upstream: (url) => `anthropic=${url}`,
    direct: (url, { home }) => {
      mkdirSync(join(home, '.pi', 'extensions'), { recursive: true });
      writeFileSync(
        join(home, '.pi', 'extensions', 'direct.ts'),
        `export default (pi) => pi.registerProvider('anthropic', { baseUrl: '${url}' });\n`,
      );
      return {};
    },
    login: {
      more: { ANTHROPIC_API_KEY: undefined },
      prepare({ home }) {
        const login = { type: 'oauth', access: 'sk-ant-oat01-token', refresh: 'r', expires: Date.now() + 36_000_000 };
        writeFileSync(join(home, '.pi', 'auth.json'), JSON.stringify({ anthropic: login }));
      },
    },
  },
};

/** pi under its former name. */
agents['pi-0.73'] = {
  ...agents.pi,
  name: 'pi',
  path: named('pi-0.73', 'pi', '@mariozechner/pi-coding-agent/dist/cli.js'),
};

/** The environment of an agent: nothing of the machine's own settings. */
export function environmentOf(agent, folders, more = {}) {
  const nodeBin = join(MODULES, 'node24', 'bin');
  const { PATH } = process.env;
  return {
    PATH: existsSync(nodeBin) ? `${nodeBin}:${PATH}` : PATH,
    HOME: folders.home,
    TMPDIR: folders.root,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ...QUIET,
    ...agent.env(folders),
    ...more,
  };
}

export function runnable(agent) {
  if (!existsSync(agent.path)) return false;
  chmodSync(agent.path, 0o755);
  return true;
}
