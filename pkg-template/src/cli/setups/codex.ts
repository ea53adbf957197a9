/** Codex: a provider in config.toml. */

import { BASE } from '../agents/address.js';
import { chosenProvider, codexFolder, openaiBehind } from '../agents/codex.js';
import { UsageError } from '../gateway.js';
import { joined } from '../host.js';
import { type Setup, textChange, withLines } from './files.js';
import { KEEP_RUNNING } from './gateway.js';

/** A table at the end of config.toml, and the choice of it before the first table. */
export const codex: Setup = {
  changes(env) {
    const path = joined(codexFolder(env), 'config.toml');
    const change = (text: string) => {
      const [top = ''] = text.split(/^\s*\[/m, 1);
      const isTaken = /^\s*model_provider\s*=/m.test(top) || /^\s*\[\s*model_providers\.densify\s*\]/m.test(text);
      if (isTaken || chosenProvider(text) !== undefined) {
        throw new UsageError(
          `${path}: it names a provider or a base URL already; set that base URL to ${BASE}/NAME and run \`densify gateway --upstream=NAME=URL\``,
        );
      }
      if (!isToml(text)) throw new UsageError(`${path}: it isn't TOML, so it was left alone; correct it first`);
      const { url, login } = openaiBehind(BASE, env);
      const table = ['[model_providers.densify]', 'name = "densify"', `base_url = "${url}"`, 'wire_api = "responses"'];
      return `model_provider = "densify"\n${withLines(text, ['', ...table, login])}`;
    };
    return [textChange(path, change)];
  },
  next: KEEP_RUNNING,
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
