/** Codex: the base URL of its own provider in config.toml, and hooks that start the gateway. */

import { BASE } from '../agents/address.js';
import { chosenProvider, codexFolder, codexHooks, openaiBehind, tomlOf } from '../agents/codex.js';
import { UsageError } from '../gateway.js';
import { hookCommand, joined } from '../host.js';
import { jsonChange, type Setup, textChange } from './files.js';
import { withHooks } from './hooks.js';

/** A line before all others: there it belongs to no table. The provider's name, which sessions hold, stays. */
export const codex: Setup = {
  changes(env) {
    const path = joined(codexFolder(env), 'config.toml');
    const change = (text: string) => {
      const settings = tomlOf(text);
      if (settings === undefined) {
        throw new UsageError(`${path}: it isn't TOML, so it was left alone; correct it first`);
      }
      const url = openaiBehind(BASE, env);
      const after = `openai_base_url = "${url}"\n${text}`;
      if (chosenProvider(settings) !== undefined || tomlOf(after)?.openai_base_url !== url) {
        throw new UsageError(
          `${path}: it names a provider or a base URL already. Note the provider's URL, replace it by ${BASE}/NAME (NAME is any name you choose), and run \`densify gateway --upstream=NAME=<the old URL>\``,
        );
      }
      return after;
    };
    const list = [{ hooks: [{ type: 'command', command: hookCommand('codex'), timeout: 15 }] }];
    const hooks = jsonChange(codexHooks(env), (settings) => ({
      ...settings,
      hooks: withHooks(codexHooks(env), settings.hooks, { SessionStart: list, UserPromptSubmit: list }),
    }));
    return [textChange(path, change), hooks];
  },
  // Codex runs no hook that the user hasn't reviewed.
  next:
    'Start `codex` and trust its hook when it asks: then each session starts `densify gateway`. ' +
    'Before that, and if you only use `codex exec`, keep `densify gateway` running.',
  isBehindProxy: true,
};
