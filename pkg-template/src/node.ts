/**
 * What only Node has: prompts and what was cut, in directories.
 *
 * @packageDocumentation
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { densifyError } from './base/errors.js';

export { directoryStore } from './node-store.js';
export type { RecallEntry, RecallStore } from './recall/store.js';

/**
 * The prompts of a directory, by their paths in it, for the option `prompts`: every file whose name ends
 * in `.md`. Links are not followed.
 *
 * @example
 * requestSummary(history, { strategy: 'one-shot', prompts: readPrompts('/etc/agent/prompts'), provider: 'acme' });
 */
export function readPrompts(directory: string): Map<string, string> {
  const prompts = new Map<string, string>();
  collect(directory, '', prompts);
  return prompts;
}

function collect(directory: string, path: string, prompts: Map<string, string>): void {
  for (const entry of attempt(path || directory, () => readdirSync(join(directory, path), { withFileTypes: true }))) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) collect(directory, inner, prompts);
    else if (entry.isFile() && entry.name.endsWith('.md')) prompts.set(inner, textOf(directory, inner));
  }
}

function textOf(directory: string, path: string): string {
  return attempt(path, () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(join(directory, path))));
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw densifyError(
      'invalid-prompt',
      `prompt ${path}: found a file that can't be read as UTF-8 (see 'cause'): check its encoding and permissions`,
      { key: path, cause },
    );
  }
}
