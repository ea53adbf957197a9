// Where the demo finds the package and the conversations.

import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const BUNDLED = new URL('./conversations/', import.meta.url);

/** Imports `densify` or one of its entries: the installed package, or the one in DENSIFY_PACKAGE_DIR. */
export async function importPackage(entry = '.') {
  const directory = process.env.DENSIFY_PACKAGE_DIR;
  if (!directory) return import(entry === '.' ? 'densify' : `densify/${entry.slice(2)}`);
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const target = chooseTarget(exports?.[entry]);
  if (!target) throw new Error(`the package in ${directory} has no entry ${entry}`);
  return import(pathToFileURL(resolve(directory, target)).href);
}

/** The file that `import` would choose in Node. */
function chooseTarget(target) {
  if (typeof target !== 'object' || target === null) return target;
  for (const [condition, value] of Object.entries(target)) {
    if (['node', 'import', 'default'].includes(condition)) return chooseTarget(value);
  }
  return undefined;
}

/** The conversations that come with the demo; each is loaded when it is its turn. */
export function bundledSources() {
  const files = readdirSync(BUNDLED)
    .filter((file) => file.endsWith('.json'))
    .sort();
  return files.map((file) => ({ name: file, load: () => JSON.parse(readFileSync(new URL(file, BUNDLED), 'utf8')) }));
}

/** Logs of agents, in any known format. */
export function logSources(files, readTranscriptStream) {
  return files.map((file) => ({ name: file, load: () => loadLog(file, readTranscriptStream) }));
}

async function loadLog(file, readTranscriptStream) {
  const { format, contents, warnings } = await readTranscriptStream(createReadStream(file));
  if (contents.length === 0) throw new Error(format ? 'holds no conversation' : 'is no log of a known format');
  const odd = warnings.map(({ code, count }) => `${code} ${count}`).join(', ');
  return { title: basename(file), description: `${format} log${odd ? `; odd: ${odd}` : ''}`, contents };
}
