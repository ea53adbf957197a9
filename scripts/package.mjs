// Builds the npm package, see package.sh.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { libraryOf } from '../pkg-template/rollup.libraries.js';
import { checkPaths, checkReach, reportSizes } from './core-report.mjs';
import { shippedText } from './readme.mjs';
import { BuildError, fail, filesUnder, run, Steps } from './steps.mjs';
import { cratesOf, libraryAt, notices } from './third-party.mjs';
import { commentVerbs } from './verb-comments.mjs';
import { vocabularyFiles } from './vocabulary.mjs';

const TARGET = 'wasm32-unknown-unknown';
// Named one by one: with --all-features wasm-opt emits what Node 20 doesn't load.
const WASM_FEATURES = [
  'bulk-memory',
  'bulk-memory-opt',
  'call-indirect-overlong',
  'sign-ext',
  'mutable-globals',
  'nontrapping-float-to-int',
];
/** What older hosts lack, and JavaScript, which is made of the same files; nothing here is quicker for it. */
const UNWANTED_FEATURES = ['reference-types', 'multivalue'];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const pkg = 'pkg-template';
const generated = `${pkg}/src/generated`;
const work = 'target/npm'; // intermediate files
const out = 'target/package';
const manifest = JSON.parse(readFileSync(`${pkg}/package.json`, 'utf8'));
// LLVM has already inlined where it pays. Inlining every function with one caller packs 4% worse.
// A second pass, which knows what values can be, finds a little more.
const OPTIMISED = [
  '--one-caller-inline-max-function-size=20',
  '--flexible-inline-max-function-size=8',
  '--gufa',
  '-O3',
  '--reorder-locals',
];

/**
 * The wasm files: the crate's feature, the names of the generated files, and the list of the host functions they may use.
 * With two files, a page that only optimizes would load 330 kB of packed code instead of 130 kB (`make sizes`).
 */
const modules = [
  {
    name: 'core',
    feature: 'wasm',
    // Everybody fetches it: 5% smaller, and reading messages, which is not done here, costs most.
    level: 's',
    optimise: OPTIMISED,
    types: 'densify',
    glue: 'glue',
    reach: 'scripts/wasm-imports.txt',
  },
  {
    // A superset of the core: a conversation loads this file alone.
    name: 'full',
    feature: 'wasm-full',
    level: 's',
    optimise: OPTIMISED,
    types: 'full',
    parts: ['summary', 'intake'],
    glue: 'full-glue',
    reach: 'scripts/full-imports.txt',
  },
  {
    name: 'tokens',
    feature: 'wasm-tokens',
    types: 'tokens',
    glue: 'tokens-glue',
    reach: 'scripts/tokens-imports.txt',
  },
];
const tarball = `${out}/${manifest.name}-${manifest.version}.tgz`;
const steps = new Steps(`${work}/steps.json`);
const bin = (name) => join(pkg, 'node_modules/.bin', name);

/** Installs the tools, if the lock file isn't the one they were installed by. */
function install() {
  const lock = `${pkg}/package-lock.json`;
  const stamp = `${pkg}/node_modules/.installed-by`;
  const digest = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  console.error('package: npm ci');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: pkg });
  writeFileSync(stamp, digest);
}

/** Compiles the crate (cargo knows by itself what is up to date) and returns the wasm file's path. */
function compile({ name, feature, level }) {
  // Flags in the environment are meant for native code, and they would replace those below.
  const { RUSTFLAGS, CARGO_ENCODED_RUSTFLAGS, ...env } = process.env;
  if (level !== undefined) env.CARGO_PROFILE_RELEASE_OPT_LEVEL = level;
  const cargo = (args, options) => run('scripts/wasm-env.sh', ['cargo', ...args], { env, ...options });
  const common = ['--target', TARGET, ...(process.env.CI ? ['--locked'] : [])];
  cargo(['fetch', '--quiet', ...common]); // so that remapFlags() sees where the dependencies lie
  const features = `-Ctarget-feature=${UNWANTED_FEATURES.map((feature) => `-${feature}`).join()}`;
  const config = `target.${TARGET}.rustflags=${JSON.stringify([...remapFlags(), features])}`;
  // The file has the crate's name for all features, so each module has its own folder.
  const folder = name === 'core' ? [] : ['--target-dir', join(process.env.CARGO_TARGET_DIR ?? 'target', name)];
  const size = level === undefined ? [] : ['--config', `profile.release.opt-level=${JSON.stringify(level)}`];
  const build = [
    'build',
    '--lib',
    '--release',
    '--features',
    feature,
    ...common,
    ...folder,
    '--config',
    config,
    ...size,
  ];
  const messages = cargo([...build, '--message-format', 'json-render-diagnostics'], { capture: true });
  for (const line of messages.split('\n').reverse()) {
    if (!line.startsWith('{')) continue;
    const { reason, target, filenames = [] } = JSON.parse(line);
    const file = filenames.find((name) => name.endsWith('.wasm'));
    if (reason === 'compiler-artifact' && target.name === manifest.name && file) return relative('.', file);
  }
  return fail('cargo made no wasm file; is the crate-type cdylib there?');
}

function registrySources() {
  const folder = join(cargoHome(), 'registry/src');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function cargoHome() {
  return process.env.CARGO_HOME ?? join(homedir(), '.cargo');
}

/** Panics name source files: not where they lie on this machine. The last one that fits counts. */
function remapFlags() {
  const flags = [
    [homedir(), '/home'],
    [cargoHome(), '/cargo'],
    [process.cwd(), '/densify'],
    ...registrySources().map((path) => [path, '/crates']),
  ];
  return flags.filter(([from]) => from.length > 1).map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

/** Makes a module's files in `generated/`: the optimised wasm, its glue as a factory, and their types. */
async function generate({ name, types, parts = [], glue, reach, optimise = [] }, wasm) {
  const bindgen = `${work}/bindgen-${name}`;
  const module = `${generated}/${name}.wasm`;
  const lock = `${pkg}/package-lock.json`;
  const bindgenArgs = ['--target', 'web', '--omit-default-module-path', '--out-name', types, '--out-dir', bindgen];
  const enabled = WASM_FEATURES.map((name) => `--enable-${name}`);
  const optArgs = ['-O3', ...optimise, '--strip-debug', '--strip-producers', ...enabled];

  const version = run('wasm-bindgen', ['--version'], { capture: true }).trim();
  steps.step(
    `wasm-bindgen ${name}`,
    { inputs: [wasm], settings: [version, ...bindgenArgs], outputs: [bindgen] },
    () => {
      rmSync(bindgen, { recursive: true, force: true });
      // The standard library was compiled with all features and says so, though it makes no use of them.
      const plain = `${work}/${name}-plain.wasm`;
      run(bin('wasm-opt'), [
        ...enabled,
        '--enable-reference-types',
        '--strip-target-features',
        '-g',
        wasm,
        '-o',
        plain,
      ]);
      run('wasm-bindgen', [...bindgenArgs, plain]);
      const extra = readdirSync(bindgen).filter((file) => !file.startsWith(types));
      if (extra.length) fail(`wasm-bindgen made files that nothing packs: ${extra.join(', ')}`);
    },
  );
  const optimised = { inputs: [`${bindgen}/${types}_bg.wasm`, lock], settings: optArgs, outputs: [module] };
  steps.step(`wasm-opt ${name}`, optimised, () => {
    mkdirSync(generated, { recursive: true });
    run(bin('wasm-opt'), [...optArgs, `${bindgen}/${types}_bg.wasm`, '-o', module]);
  });
  const { makeFactory, factoryTypes } = await import('./glue.mjs');
  const files = [`${types}.d.ts`, `${glue}.js`, `${glue}.d.ts`];
  const made = [...files, ...parts.map((part) => `${part}.d.ts`)];
  const sources = [module, `${bindgen}/${types}.js`, `${bindgen}/${types}.d.ts`];
  const inputs = [...sources, 'scripts/glue.mjs', 'scripts/package.mjs', reach];
  steps.step(`glue ${name}`, { inputs, outputs: made.map((file) => `${generated}/${file}`) }, () => {
    const factory = makeFactory(readFileSync(`${bindgen}/${types}.js`, 'utf8'));
    checkReach(readFileSync(module), factory.globals, reach);
    const contents = [
      readFileSync(`${bindgen}/${types}.d.ts`, 'utf8').replace(/^(\/\* [te]slint[:-]disable \*\/\n)+/, ''),
      factory.text,
      factoryTypes(types),
    ];
    files.forEach((file, i) => writeFileSync(`${generated}/${file}`, contents[i]));
    // The types of its parts, by their own names.
    for (const part of parts) writeFileSync(`${generated}/${part}.d.ts`, `export type * from './${types}.js';\n`);
  });
  const script = `${generated}/${name}-script.js`;
  const lowering = { inputs: [...optimised.inputs, 'scripts/without-wasm.mjs'], settings: optArgs, outputs: [script] };
  steps.step(`wasm2js ${name}`, lowering, () => {
    run('node', ['scripts/without-wasm.mjs', `${bindgen}/${types}_bg.wasm`, script, ...enabled, ...optimise]);
  });
  const packed = `${generated}/${name}-packed.js`;
  steps.step(`pack ${name}`, { inputs: [module, lock, 'scripts/pack-wasm.mjs'], outputs: [packed] }, () => {
    run('node', ['scripts/pack-wasm.mjs', module, packed]);
  });
  return module;
}

/** Writes the vocabularies; returns their files. */
function vocabularies() {
  const outputs = vocabularyFiles.map((name) => `${generated}/${name}`);
  const inputs = [`${pkg}/package-lock.json`, 'scripts/vocabulary.mjs'];
  steps.step('vocabularies', { inputs, outputs }, () => {
    run('node', ['scripts/vocabulary.mjs', generated]);
  });
  return outputs;
}

/** Writes down what the core says of itself once and for all, by a program of its own: no module carries it. */
function constants() {
  const locked = process.env.CI ? ['--locked'] : [];
  const args = ['run', '--quiet', ...locked, '--features', 'constants', '--bin', 'constants'];
  const source = `${work}/constants.json`;
  const printed = run('cargo', args, { capture: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(source, printed);
  const outputs = ['constants', 'protocol', 'summary-constants'].flatMap((name) =>
    ['.js', '.d.ts'].map((extension) => `${generated}/${name}${extension}`),
  );
  steps.step('constants', { inputs: [source, 'scripts/constants.mjs'], outputs }, () => {
    mkdirSync(generated, { recursive: true });
    run('node', ['scripts/constants.mjs', source, generated]);
  });
}

/** Compiles and bundles the TypeScript: ESM, CommonJS and the types of both. */
function bundle(files) {
  const dist = `${pkg}/dist`;
  const rollup = ['rollup.config.js', 'rollup.libraries.js', 'rollup.node.js', 'rollup.split.js'];
  const config = ['package.json', 'package-lock.json', 'tsconfig.json', ...rollup].map((name) => `${pkg}/${name}`);
  const inputs = [`${pkg}/src`, ...config, 'scripts/verb-comments.mjs'];
  steps.step('bundle', { inputs, outputs: [dist] }, () => {
    rmSync(`${work}/tsc`, { recursive: true, force: true });
    rmSync(dist, { recursive: true, force: true });
    run(bin('tsc'), ['--project', pkg]);
    commentVerbs(`${work}/tsc`);
    cpSync(generated, `${work}/tsc/generated`, { recursive: true });
    run('node_modules/.bin/rollup', ['--config', '--silent'], { cwd: pkg });
    for (const file of files) cpSync(file, join(dist, basename(file)));
  });
  return dist;
}

/** The pages of `docs` that only contributors need. */
const UNSHIPPED = ['benchmarks.md', 'playground.md'];
/** The guides, which are part of the package. */
const GUIDES = readdirSync('docs')
  .filter((name) => name.endsWith('.md') && !UNSHIPPED.includes(name))
  .map((name) => name.slice(0, -'.md'.length));

/** What the guides lead to, from `examples`. */
const EXAMPLES = [
  'ai-sdk',
  'anthropic',
  'gateway',
  'gemini',
  'host',
  'langchain',
  'mastra',
  'openai',
  'openai-agents',
  'pi',
  'spark',
];

/** Writes the licences of what the package carries of others. */
function thirdParty() {
  const file = `${work}/THIRD-PARTY-LICENSES.txt`;
  const source = 'scripts/third-party.mjs';
  const inputs = [source, 'Cargo.lock', `${pkg}/package-lock.json`, `${pkg}/rollup.libraries.js`];
  steps.step('third-party licences', { inputs, outputs: [file] }, () => {
    // What the vocabularies are made of comes last.
    const names = [...Object.values(libraryOf).map((path) => path.split('/')[0]), 'tiktoken'];
    const args = ['metadata', '--format-version=1', '--locked', `--filter-platform=${TARGET}`];
    const features = modules.map(({ feature }) => feature).join();
    const metadata = JSON.parse(run('cargo', [...args, '--features', features], { capture: true }));
    const libraries = names.map((name) => libraryAt(`${pkg}/node_modules/${name}`));
    writeFileSync(file, notices([...libraries, ...cratesOf(metadata)]));
  });
  return file;
}

/** What makes the package's folder a plug-in of Claude Code, for `claude --plugin-dir`. */
function claudePlugin() {
  const { name, version, description, homepage, license } = manifest;
  const plugin = { name, version, description, homepage, license, author: { name: 'The densify authors' } };
  return {
    '.claude-plugin/plugin.json': plugin,
    'hooks/hooks.json': { modules: ['../dist/claude-mod.js'] },
  };
}

/** Puts the package together beside the sources and packs it. */
function pack(dist) {
  const stage = `${work}/stage`;
  const licences = readdirSync('.').filter((name) => /^LICEN[CS]E/.test(name));
  const texts = [
    ...licences,
    ...GUIDES.map((name) => `docs/${name}.md`),
    ...EXAMPLES.map((name) => `examples/${name}`),
  ];
  for (const text of texts) if (!existsSync(text)) console.error(`package: ${text} is missing`);
  const notice = thirdParty();
  const sources = [`${pkg}/package.json`, 'README.md', 'scripts/package.mjs', 'scripts/readme.mjs'];
  const inputs = [dist, notice, ...sources, ...texts];
  steps.step('npm pack', { inputs, outputs: [tarball] }, () => {
    rmSync(stage, { recursive: true, force: true });
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    cpSync(dist, `${stage}/dist`, { recursive: true });
    cpSync(notice, join(stage, basename(notice)));
    for (const text of texts.filter((path) => existsSync(path))) cpSync(text, join(stage, text), { recursive: true });
    for (const name of ['README.md', ...GUIDES.map((guide) => `docs/${guide}.md`)])
      if (existsSync(name)) writeFileSync(join(stage, name), shippedText(readFileSync(name, 'utf8'), name));
    for (const [name, value] of Object.entries(claudePlugin())) {
      mkdirSync(dirname(join(stage, name)), { recursive: true });
      writeFileSync(join(stage, name), `${JSON.stringify(value, null, 2)}\n`);
    }
    const { devDependencies, scripts, ...published } = manifest; // these are for our machines alone
    writeFileSync(`${stage}/package.json`, JSON.stringify(published, null, 2) + '\n');
    run(
      'npm',
      [
        'pack',
        '--silent',
        '--ignore-scripts',
        '--pack-destination',
        fileURLToPath(new URL(`../${out}`, import.meta.url)),
      ],
      {
        cwd: stage,
        capture: true,
      },
    );
  });
  const made = filesUnder(out);
  if (made.length !== 1) fail(`${out} should hold the tarball alone, not: ${made.join(', ')}`);
}

/** The crate and the package are released together. */
function checkVersions() {
  const crate = /^version\s*=\s*"([^"]+)"/m.exec(readFileSync('Cargo.toml', 'utf8'))?.[1];
  if (crate !== manifest.version) fail(`Cargo.toml has version ${crate}, ${pkg}/package.json ${manifest.version}`);
}

try {
  checkVersions();
  install();
  const made = [];
  for (const module of modules) made.push(await generate(module, compile(module)));
  constants();
  const paths = [process.cwd(), homedir(), cargoHome()].filter((path) => path.length > 1);
  for (const file of made) checkPaths(readFileSync(file), paths);
  const files = [...made, ...vocabularies()];
  pack(bundle(files));
  reportSizes(
    files.filter((file) => /\.(?:wasm|js)$/.test(file)),
    'scripts/size.json',
  );
  console.log(tarball);
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(`package: ${error.message}`);
  process.exit(1);
}
