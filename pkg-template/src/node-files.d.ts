/** What `densify/node` uses of Node. */
declare module 'node:fs' {
  interface Entry {
    readonly name: string;
    isFile(): boolean;
    isDirectory(): boolean;
  }
  export function readdirSync(path: string, options: { withFileTypes: true }): Entry[];
  export function readFileSync(path: string): Uint8Array;
  export function readFileSync(path: URL, encoding: 'utf8'): string;
  export function mkdirSync(path: string, options: { recursive: true; mode: number }): void;
  export function appendFileSync(path: string, text: string, options: { mode: number }): void;
  export function writeFileSync(path: string, text: string, options: { mode: number }): void;
  export function renameSync(from: string, to: string): void;
  export function rmSync(path: string, options: { force: true }): void;
  export function existsSync(path: string): boolean;
  interface Stats {
    readonly dev: bigint;
    readonly ino: bigint;
    readonly size: bigint;
    isFile(): boolean;
  }
  export function statSync(path: string, options: { bigint: true }): Stats;
  export function statSync(path: string): {
    readonly size: number;
    readonly uid: number;
    readonly mode: number;
    isFile(): boolean;
    isDirectory(): boolean;
  };
  export function openSync(path: string, flags: 'a'): number;
  export function closeSync(file: number): void;
}

declare module 'node:os' {
  export function homedir(): string;
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
  export const delimiter: string;
  export function basename(path: string): string;
  export function dirname(path: string): string;
}
