// Prints, as Markdown, what pages and servers load of the packed package, next to the last release and the bars:
//
//   node scripts/sizes.mjs            builds pages with the bundlers of runtimes/
//   node scripts/sizes.mjs --write    notes the figures as today's
//   node scripts/sizes.mjs --release  notes them as those of the last release, too
//   node scripts/sizes.mjs --bars     fails if a bar is missed
//   node scripts/sizes.mjs --files    measures files alone and builds no pages; goes with the other flags
//
// The exit code is 1 if a figure is more than 2% above the one noted.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Figures in bytes: of the last release, as they were noted last, and bars that other measurements have, too. */
const NOTED = join(root, 'scripts/sizes.json');
const noted = JSON.parse(readFileSync(NOTED, 'utf8'));
/** Figures may grow by this factor before they must be noted again. */
const TOLERANCE = 1.02;

/** The pages, with their imports and the chunks they load later. Bars are in kB of gzip. */
const PAGES = {
  optimize: {
    code: "import { optimize } from 'densify/openai';\nconsole.log(optimize([]));",
    most: 110,
    turbopackMost: 120,
    isNative: true,
  },
  createConversation: {
    code: "import { createConversation } from 'densify/openai';\nconsole.log(createConversation({ strategy: 'auto', contextLimit: 1e5 }));",
    most: 300,
    isNative: true,
  },
  'densify/tokens': {
    code: "import { createTokenizer } from 'densify/tokens';\nconsole.log(createTokenizer);",
    most: 30,
    without: ['o200k-base', 'cl100k-base'],
  },
  o200k_base: {
    code: "import { loadTokenizer } from 'densify/tokens';\nconsole.log(loadTokenizer('o200k_base'));",
    most: 650,
    without: ['cl100k-base'],
  },
};

const size = (path) => statSync(path).size;
const gzip = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
const filesIn = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name));

/** The sum of the scripts in a folder that a page loads: without those that hold one of the texts. */
function loaded(folder, absent = []) {
  const scripts = filesIn(folder).filter((file) => /\.(js|mjs|wasm)$/.test(file));
  return scripts
    .filter((file) => !absent.some((text) => readFileSync(file, 'latin1').includes(text)))
    .reduce((sum, file) => sum + gzip(file), 0);
}

/** The bundlers, each with the settings that its users begin with. */
async function bundlers() {
  execFileSync('bash', [join(root, 'scripts/unpack.sh'), join(root, 'runtimes')]);
  const require = createRequire(join(root, 'runtimes/package.json'));
  const load = async (name) => import(pathToFileURL(require.resolve(name)));
  const [esbuild, vite, { default: webpack }] = [await load('esbuild'), await load('vite'), await load('webpack')];
  const [{ rollup }, { nodeResolve }] = [await load('rollup'), await load('@rollup/plugin-node-resolve')];
  const bun = join(root, 'runtimes/node_modules/@oven/bun-linux-x64/bin/bun');
  const next = join(root, 'runtimes/next/node_modules/next/dist/bin/next');
  const { bundleNative } = await import('../runtimes/support/native.mjs');
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
    Rollup: async (input, dir) => {
      const bundle = await rollup({ input, plugins: [nodeResolve({ browser: true })], logLevel: 'silent' });
      const { output } = await bundle.write({ dir, format: 'es' });
      for (const { fileName, code } of output)
        writeFileSync(join(dir, fileName), (await esbuild.transform(code, { minify: true })).code);
    },
    ...(existsSync(bun) && {
      Bun: (entry, outdir) => {
        const flags = ['--minify', '--splitting', '--target=browser', `--outdir=${outdir}`];
        execFileSync(bun, ['build', entry, ...flags], { stdio: 'pipe' });
      },
    }),
    Metro: async (entry, outdir) => {
      // Metro finds only files in its project.
      const copy = join(root, 'runtimes', `sizes-${basename(entry)}`);
      try {
        cpSync(entry, copy);
        mkdirSync(outdir, { recursive: true });
        const out = join(outdir, 'main.js');
        await bundleNative(copy, out);
        writeFileSync(out, (await esbuild.transform(readFileSync(out, 'utf8'), { minify: true })).code);
      } finally {
        rmSync(copy, { force: true });
      }
    },
    ...(existsSync(next) && { Turbopack: (entry, out) => turbopack(next, entry, out) }),
  };
}

/** Builds a page of Next.js, and leaves what it loads beyond a page without densify. */
function turbopack(next, entry, out) {
  const home = join(next, '../../../../..');
  execFileSync('bash', [join(root, 'scripts/unpack.sh'), home]);
  const app = join(home, 'sizes');
  const made = (code) => {
    rmSync(app, { recursive: true, force: true });
    mkdirSync(join(app, 'app'), { recursive: true });
    const layout = 'export default ({ children }) => <html><body>{children}</body></html>;';
    writeFileSync(join(app, 'app/layout.jsx'), layout);
    writeFileSync(join(app, 'app/page.jsx'), `'use client';\n${code}\nexport default () => null;`);
    writeFileSync(join(app, 'next.config.mjs'), `export default { turbopack: { root: ${JSON.stringify(home)} } };`);
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
    execFileSync(process.execPath, [next, 'build'], { cwd: app, env, stdio: 'pipe' });
    const folder = join(app, '.next/static/chunks');
    return new Map(
      filesIn(folder).flatMap((file) => (file.endsWith('.js') ? [[readFileSync(file, 'latin1'), file]] : [])),
    );
  };
  try {
    const without = made('');
    mkdirSync(out, { recursive: true });
    for (const [text, file] of made(readFileSync(entry, 'utf8')))
      if (!without.has(text)) writeFileSync(join(out, basename(file)), text, 'latin1');
  } finally {
    rmSync(app, { recursive: true, force: true });
  }
}

/** Figures by name: bytes, and the bar of those that have one. */
async function measure(isOfFiles) {
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
    const dist = join(installed, 'dist');
    const figures = [];
    const made = isOfFiles ? {} : await bundlers();
    for (const [page, { code, most, turbopackMost, isNative, without }] of Object.entries(PAGES)) {
      const entry = join(folder, `${page.replaceAll('/', '-')}.mjs`);
      writeFileSync(entry, code);
      for (const [bundler, build] of Object.entries(made)) {
        // Metro takes minutes for scripts made of wasm files.
        if (bundler === 'Metro' && !isNative) continue;
        const out = join(folder, 'out', bundler, page);
        await build(entry, out);
        const absent = without?.map((name) => readFileSync(join(dist, `${name}.js`), 'latin1').slice(1000, 1100));
        const bars = { Turbopack: turbopackMost ?? most, Metro: undefined };
        const bar = bundler in bars ? bars[bundler] : most;
        figures.push({
          name: `page with ${page}, ${bundler}`,
          bytes: loaded(out, absent),
          most: bar && bar * 1000,
        });
      }
    }
    const file = (name, most) => ({ name: `${name}, gzip`, bytes: gzip(join(dist, name)), most });
    figures.push(file('core.wasm', noted.bars['core.wasm, gzip']), file('full.wasm'), file('tokens.wasm'));
    figures.push({ name: 'js.js', bytes: size(join(dist, 'js.js')), most: 520_000 }, file('js.js', 155_000));
    const whole = filesIn(installed).filter((path) => statSync(path).isFile());
    const sum = (paths) => paths.reduce((bytes, path) => bytes + size(path), 0);
    const parts = {
      'without WebAssembly': /\/(?:js|wasm-\w+-js)\.js$/,
      vocabularies: /-base\.js$/,
    };
    figures.push({ name: 'installed', bytes: sum(whole), most: 4_500_000 });
    for (const [part, form] of Object.entries(parts))
      figures.push({ name: `of it, ${part}`, bytes: sum(whole.filter((path) => form.test(path))) });
    figures.push({ name: 'tarball', bytes: size(tarball), most: 2_500_000 });
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The figures as a table. */
export function table(figures, { release, today }) {
  const kilobytes = (bytes) => (bytes === undefined ? '' : `${(bytes / 1000).toFixed(1)} kB`);
  const rows = figures.map(({ name, bytes, most }) => {
    const verdict = most === undefined ? '' : bytes <= most ? '✓' : '✗';
    const cells = [name, ...[release[name], today[name], bytes, most].map(kilobytes), verdict];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| what | last release | noted | now | bar | |', '|---|---:|---:|---:|---:|---|', ...rows, ''].join('\n');
}

/** The figures that have grown since they were noted. */
export function grown(figures, { today }) {
  return figures.filter(({ name, bytes }) => bytes > today[name] * TOLERANCE);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [writes, releases, isStrict, isOfFiles] = ['--write', '--release', '--bars', '--files'].map((flag) =>
    process.argv.includes(flag),
  );
  const figures = await measure(isOfFiles);
  process.stdout.write(table(figures, noted));
  const now = Object.fromEntries(figures.map(({ name, bytes }) => [name, bytes]));
  if (writes || releases) {
    const { release, today, bars } = noted;
    const next = { release: releases ? now : release, today: { ...today, ...now }, bars };
    writeFileSync(NOTED, `${JSON.stringify(next, null, 2)}\n`);
  } else {
    const larger = grown(figures, noted).map(({ name }) => name);
    if (larger.length > 0) console.error(`sizes: more than 2% larger than noted: ${larger.join('; ')}`);
    const isMissed = isStrict && figures.some(({ bytes, most }) => bytes > most);
    if (larger.length > 0 || isMissed) process.exitCode = 1;
  }
}
