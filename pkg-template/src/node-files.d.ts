/** What `densify/node` uses of Node. */
declare module 'node:fs' {
  interface Entry {
    readonly name: string;
    isFile(): boolean;
    isDirectory(): boolean;
  }
  export function readdirSync(path: string, options: { withFileTypes: true }): Entry[];
  export function readFileSync(path: string): Uint8Array;
}

declare module 'node:path' {
  export function join(...parts: string[]): string;
}
