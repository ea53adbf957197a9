/** What the command uses of Node. */
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

interface Process {
  readonly argv: readonly string[];
  exitCode: number | undefined;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Out & { readonly isTTY?: boolean };
  readonly stderr: Out & { readonly isTTY?: boolean };
}

interface Out {
  write(text: string): boolean;
  once(event: 'drain' | 'error', action: (error?: { readonly code?: string }) => void): void;
}

const { process } = globalThis as unknown as { readonly process: Process };

export const argv = (): readonly string[] => process.argv.slice(2);
export const isTty = (): boolean => process.stderr.isTTY === true;
export const print = (text: string): void => void process.stdout.write(text);
export const printError = (text: string): void => void process.stderr.write(text);
export const stdin = (): AsyncIterable<Uint8Array> => process.stdin;

export function exitCode(code: number): void {
  process.exitCode = code;
}

/** Prints, and waits while the reader is slower: memory stays bounded. */
export async function printSlowly(text: string): Promise<void> {
  if (!process.stdout.write(text)) await new Promise<void>((resolve) => process.stdout.once('drain', () => resolve()));
}

/** A log's text; what isn't UTF-8 is replaced, as agents' logs are text but what tools printed may not be. */
export function readText(path: string): string {
  return new TextDecoder().decode(readFileSync(path));
}

export function writeText(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o644 });
}

/** The package's version, as its package.json has it. */
export function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return version;
}

/** A path's last part. */
export const lastPart = (path: string): string => basename(path);

/** Why a file can't be written; what is there stays as it is. */
export function refusalToWrite(path: string): string | undefined {
  try {
    const isThere = existsSync(path);
    closeSync(openSync(path, 'a'));
    if (!isThere) rmSync(path, { force: true });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
