/** Codex: the base URL of its own provider in config.toml. */

import { BASE } from '../agents/address.js';
import { chosenProvider, codexFolder, openaiBehind, tomlOf } from '../agents/codex.js';
import { UsageError } from '../gateway.js';
import { joined } from '../host.js';
import { type Setup, textChange } from './files.js';
import { KEEP_RUNNING } from './gateway.js';

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
          `${path}: it names a provider or a base URL already; set that base URL to ${BASE}/NAME and run \`densify gateway --upstream=NAME=URL\``,
        );
      }
      return after;
    };
    return [textChange(path, change)];
  },
  next: KEEP_RUNNING,
  isBehindProxy: true,
};
