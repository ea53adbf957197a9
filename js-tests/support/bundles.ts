// Bundles of the entries, as users' tools make them.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const here = fileURLToPath(new URL('..', import.meta.url));

/** A folder beneath node_modules: what lies there finds the package, and nothing else finds it. */
export class Bundles {
  readonly folder = mkdtempSync(join(here, 'node_modules/.bundles-'));

  /** Bundles an entry; returns the file. */
  async make(entry: string, file: string, options: BuildOptions): Promise<string> {
    const outfile = join(this.folder, file);
    await build({
      entryPoints: [join(here, 'support/entries', entry)],
      outfile,
      bundle: true,
      logLevel: 'silent',
      target: 'es2022',
      ...options,
    });
    return outfile;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
