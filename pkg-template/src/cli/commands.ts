/** How commands are started: npm's commands on Windows are scripts, which only a shell runs. */
import { commandFolders, type Environment, isThere, isWindows, joined } from './host.js';

/** What `spawn` takes. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: { readonly windowsVerbatimArguments: boolean };
}

/** The command as it is started on this machine. */
export function startable(command: string, args: readonly string[], env: Environment): Started {
  const plain = { command, args, options: { windowsVerbatimArguments: false } };
  if (!isWindows()) return plain;
  const found = fileOf(command, env);
  if (found === undefined || !/\.(?:cmd|bat)$/i.test(found)) return { ...plain, command: found ?? command };
  const line = [found.replace(META, '^$1'), ...args.map(quoted)].join(' ');
  return {
    command: env.ComSpec ?? env.COMSPEC ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    options: { windowsVerbatimArguments: true },
  };
}

/** The file of a command, as Windows finds it. */
function fileOf(command: string, env: Environment): string | undefined {
  const endings = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
  const isWhole = endings.some((ending) => command.toLowerCase().endsWith(ending));
  const names = isWhole ? [command] : endings.map((ending) => command + ending);
  if (/[\\/]/.test(command)) return names.find(isThere);
  return commandFolders(env)
    .flatMap((folder) => names.map((name) => joined(folder, name)))
    .find(isThere);
}

/** Characters that mean something to the shell. */
const META = /([()\][%!^"`<>&|;, *?])/g;

/** An argument for a script that passes it on: the shell reads it twice, and the program reads quotes and backslashes. */
function quoted(arg: string): string {
  const text = `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  return text.replace(META, '^$1').replace(META, '^$1');
}
