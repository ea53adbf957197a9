// Data beside the project: vectors and real logs. They are not part of it; tests that need them
// are skipped, with a message, where they are missing.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { IContent } from 'densify';
import { readTranscript } from 'densify/transcripts';
import { TIMES } from './times.js';

const ROOT = new URL('../../../shared/', import.meta.url);

/** The value in a JSON file, or nothing. */
export function sharedJson<T>(path: string, reader: string): T | undefined {
  const file = new URL(path, ROOT);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T;
  console.log(`${reader}: ${path} is not beside the project, so its tests are skipped`);
  return undefined;
}

/** The path of a folder, or nothing. */
export function sharedFolder(path: string, reader: string): string | undefined {
  const folder = fileURLToPath(new URL(path, ROOT));
  if (existsSync(folder)) return folder;
  console.log(`${reader}: ${path} is not beside the project, so its tests are skipped`);
  return undefined;
}

export interface Log {
  readonly name: string;
  /** Reads the log's contents; each call gives new objects. */
  readonly read: () => readonly IContent[];
}

/** The real logs; those of `transcripts-new` are whole sessions of current agents. */
export function realLogs(reader: string, folder: 'transcripts' | 'transcripts-new' = 'transcripts'): Log[] {
  const manifest = sharedJson<{ files: { file: string; format: string }[] }>(`${folder}/manifest.json`, reader);
  return (manifest?.files ?? []).map(({ file }) => ({
    name: file,
    read: () => readTranscript(readFileSync(new URL(`${folder}/${file}`, ROOT), 'utf8')).contents,
  }));
}

/** A seventh of the logs, with some of each agent; with DENSIFY_RUNS all of them. */
export const someOf = (logs: readonly Log[]): Log[] => logs.filter((_, at) => TIMES > 1 || at % 7 === 0);

/** Every text in the blocks of some real logs. */
export function textsOfLogs(reader: string): Set<string> {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { read } of someOf(realLogs(reader))) collect(read());
  return texts;
}
