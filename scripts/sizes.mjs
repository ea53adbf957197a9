// Prints, as Markdown, what pages and servers load of the packed package, beside the bars and the last release:
//
//   node scripts/sizes.mjs            builds pages with esbuild, Vite and webpack (runtimes/)
//   node scripts/sizes.mjs --release  writes the figures down as those of the last release
//
// The exit code is 1 if a bar is missed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const RELEASE = join(root, 'scripts/sizes.json');

/** The pages: what they import, and what else of the bundle they load later; bars in kB of gzip. */
const PAGES = {
  optimize: { code: "import { optimize } from 'densify/openai';\nconsole.log(optimize([]));", most: 110 },
  createConversation: {
    code: "import { createConversation } from 'densify/openai';\nconsole.log(createConversation({ strategy: 'auto', contextLimit: 1e5 }));",
    most: 300,
  },
  'densify/tokens': {
    code: "import { createTokenizer } from 'densify/tokens';\nconsole.log(createTokenizer);",
    most: 30,
  },
  o200k_base: {
    code: "import { loadTokenizer } from 'densify/tokens';\nconsole.log(loadTokenizer('o200k_base'));",
    most: 650,
    without: /cl100k/,
  },
};

const gzip = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
const filesIn = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name));

/** What the scripts in a folder come to that a page loads. */
function loaded(folder, without = /^$/) {
  const scripts = filesIn(folder).filter((file) => /\.(js|mjs|wasm|bin)$/.test(file));
  return scripts
    .filter((file) => !without.test(readFileSync(file, 'latin1').slice(0, 200) + file))
    .reduce((sum, file) => sum + gzip(file), 0);
}

/** The bundlers, each with the settings that its users begin with. */
async function bundlers() {
  const require = createRequire(join(root, 'runtimes/package.json'));
  const load = async (name) => import(pathToFileURL(require.resolve(name)));
  const [esbuild, vite, { default: webpack }] = [await load('esbuild'), await load('vite'), await load('webpack')];
  return {
    esbuild: (entry, outdir) =>
      esbuild.build({
        entryPoints: [entry],
        outdir,
        bundle: true,
        minify: true,
        splitting: true,
        format: 'esm',
        logLevel: 'error',
      }),
    Vite: (entry, outDir) =>
      vite.build({
        root: join(entry, '..'),
        configFile: false,
        logLevel: 'error',
        build: { outDir, emptyOutDir: true, modulePreload: false, rollupOptions: { input: { main: entry } } },
      }),
    webpack: (entry, path) =>
      new Promise((resolve, reject) => {
        const settings = { mode: 'production', entry, output: { path }, performance: { hints: false } };
        webpack(settings, (error, stats) => {
          const failed = error ?? (stats.hasErrors() ? new Error(stats.toString('errors-only')) : undefined);
          if (failed) reject(failed);
          else resolve();
        });
      }),
  };
}

/** Figures by name: bytes, and the bar of those that have one. */
async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'densify-sizes-'));
  try {
    const packed = join(root, 'target/package');
    const tarball = join(
      packed,
      readdirSync(packed).find((name) => name.endsWith('.tgz')),
    );
    const installed = join(folder, 'node_modules/densify');
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
    const figures = [];
    const made = await bundlers();
    for (const [page, { code, most, without }] of Object.entries(PAGES)) {
      const entry = join(folder, `${page.replaceAll('/', '-')}.mjs`);
      writeFileSync(entry, code);
      for (const [bundler, build] of Object.entries(made)) {
        const out = join(folder, 'out', bundler, page);
        await build(entry, out);
        figures.push({ name: `page with ${page}, ${bundler}`, bytes: loaded(out, without), most: most * 1000 });
      }
    }
    const dist = join(installed, 'dist');
    const file = (name, most) => ({ name: `${name}, gzip`, bytes: gzip(join(dist, name)), most });
    figures.push(file('core.wasm', 85_000), file('full.wasm'), file('tokens.wasm'));
    const whole = filesIn(installed).filter((path) => statSync(path).isFile());
    const size = (path) => statSync(path).size;
    figures.push({ name: 'installed', bytes: whole.reduce((sum, path) => sum + size(path), 0), most: 4_500_000 });
    figures.push({ name: 'tarball', bytes: size(tarball), most: 2_500_000 });
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The figures as a table. */
export function table(figures, release) {
  const kilobytes = (bytes) => (bytes === undefined ? '' : `${(bytes / 1000).toFixed(1)} kB`);
  const rows = figures.map(({ name, bytes, most }) => {
    const verdict = most === undefined ? '' : bytes <= most ? '✓' : '✗';
    return `| ${name} | ${kilobytes(release[name])} | ${kilobytes(bytes)} | ${kilobytes(most)} | ${verdict} |`;
  });
  return ['| what | last release | now | bar | |', '|---|---:|---:|---:|---|', ...rows, ''].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await measure();
  const release = JSON.parse(readFileSync(RELEASE, 'utf8'));
  process.stdout.write(table(figures, release));
  if (process.argv.includes('--release')) {
    const named = Object.fromEntries(figures.map(({ name, bytes }) => [name, bytes]));
    writeFileSync(RELEASE, `${JSON.stringify(named, null, 2)}\n`);
  } else if (figures.some(({ bytes, most }) => bytes > most)) process.exitCode = 1;
}
