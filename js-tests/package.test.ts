// The tarball itself: its files, its dependencies, and its access to the host.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const installed = new URL('node_modules/densify/', import.meta.url);
const [tarball = '', ...others] = readdirSync(new URL('target/package/', root));
const files = execFileSync('tar', ['-tzf', new URL(`target/package/${tarball}`, root).pathname], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((path) => path.replace('package/', './'));
const text = (path: string): string => readFileSync(new URL(path, installed), 'utf8');
const manifest = JSON.parse(text('package.json')) as Record<string, unknown>;
const scripts = files.filter((path) => /\.c?js$/.test(path));

/** All strings in a value. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

describe('what is in it', () => {
  test('there is one tarball, of the version that it says', () => {
    expect(others).toEqual([]);
    expect(tarball).toBe(`densify-${String(manifest['version'])}.tgz`);
  });

  test('code, types, the core, licences and a manual, and nothing else', () => {
    const allowed =
      /^\.\/(package\.json|README\.md|LICENSE(-[A-Z]+)?|THIRD-PARTY-LICENSES\.txt|\.claude-plugin\/plugin\.json|hooks\/hooks\.json|docs\/[a-z-]+\.md|examples\/[a-z-]+\/(Dockerfile|[a-z-]+\.(ts|py))|dist\/(core|full|tokens)\.wasm|dist\/((shared|node)\/)?[a-z0-9-]+(\.d)?\.c?[jt]s)$/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
    expect(files.filter((path) => path.startsWith('./LICENSE')).length).toBeGreaterThanOrEqual(2);
    expect(manifest['license']).toBe('(MIT OR Apache-2.0)');
  });

  test('the licences of all that it carries of others', () => {
    const notices = text('THIRD-PARTY-LICENSES.txt');
    const libraries = readFileSync(new URL('pkg-template/rollup.libraries.js', root), 'utf8');
    const bundled = [...libraries.matchAll(/'bundled:([^']+)'/g)].map(([, name]) => name!);
    expect(bundled).toEqual(['srvx', 'proxy-from-env', 'smol-toml']);
    for (const name of [...bundled, 'tiktoken', 'serde', 'serde-wasm-bindgen', 'talc', 'wasm-bindgen'])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    // Only those that are compiled in, not what builds them.
    expect(notices).not.toMatch(/^(?:syn|rollup|densify) \d/m);
    expect(notices).toContain('Redistributions in binary form must reproduce');
  });

  test('everything that the manifest names', () => {
    const named = strings([manifest['main'], manifest['types'], manifest['exports'], manifest['imports']]);
    expect(named.length).toBeGreaterThan(10);
    for (const path of named) expect(files).toContain(path);
  });

  test('a manual that names every entry, and the guides that it names', () => {
    const manual = text('README.md') + text('docs/get-started.md');
    const entries = Object.keys(manifest['exports'] as object).filter(
      (name) => !/\.(?:wasm|json)$|\/(?:ui|prompt)$|_base$/.test(name),
    );
    for (const entry of entries) expect(manual).toContain(`\`${entry.replace('.', 'densify')}\``);
    const guides = [...manual.matchAll(/\]\((docs\/[a-z-]+\.md)/g)].map(([, path]) => `./${path}`);
    expect(guides.length).toBeGreaterThan(5);
    for (const guide of guides) expect(files).toContain(guide);
  });

  test('types for each way into each entry', () => {
    // A file of plain JavaScript is for hosts that have no CommonJS either.
    const { './js': js, ...others } = manifest['exports'] as Record<string, unknown>;
    expect(Object.keys(js as object)).toEqual(['types', 'default']);
    const entries = Object.values(others).filter((entry) => typeof entry === 'object') as object[];
    expect(entries).toHaveLength(Object.keys(others).filter((name) => !/\.(?:wasm|json)$/.test(name)).length);
    expect(entries.length).toBeGreaterThan(4);
    for (const entry of entries) {
      expect(Object.keys(entry)).toEqual(['import', 'require']);
      for (const way of Object.values(entry)) {
        const conditions = Object.keys(way as object);
        expect([conditions.at(0), conditions.at(-1)]).toEqual(['types', 'default']);
      }
    }
  });

  test('code without spaces that only readers need', () => {
    expect(scripts.length).toBeGreaterThan(100);
    expect(scripts.filter((path) => /\n {4}/.test(text(path)))).toEqual([]);
  });

  test('no path of the machine that made it', () => {
    const places = [root.pathname, homedir()].filter((path) => path.length > 1);
    for (const path of files)
      for (const place of places) expect(readFileSync(new URL(path, installed)).includes(place)).toBe(false);
  });
});

describe('what it asks for', () => {
  test('no package, and no code runs when it is installed', () => {
    expect(Object.keys(manifest).filter((key) => /scripts|dependencies|gypfile/i.test(key))).toEqual([]);
    expect(manifest['bin']).toEqual({ densify: 'dist/cli.js' });
    expect(manifest['sideEffects']).toBe(false);
  });

  test("no module but its own, and of Node's none but where Node is asked for", () => {
    const imported = (path: string) =>
      [...text(path).matchAll(/(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([\w#@./:-]+)['"]/g)].map(
        ([, name]) => name!,
      );
    const { './node': _, ...entries } = manifest['exports'] as Record<string, unknown>;
    const isForNode = (path: string) => /\/(?:wasm-[a-z]+-node\.c?js|[a-z0-9]+-base\.cjs)$/.test(path);
    const starts = strings([entries, manifest['imports']]).filter((path) => /\.c?js$/.test(path) && !isForNode(path));
    const reached = new Set(starts);
    for (const path of reached)
      for (const name of imported(path))
        if (name.startsWith('.')) reached.add(`./${new URL(name, new URL(path, 'file:///')).pathname.slice(1)}`);
    expect(reached.size).toBeGreaterThan(100);
    const foreign = (names: readonly string[]) =>
      names.filter((name) => !/^(\.{1,2}\/|#wasm(-full|-tokens)?$|#(o200k|cl100k)_base$)/.test(name));
    expect(foreign([...reached].filter((path) => scripts.includes(path)).flatMap(imported))).toEqual([]);
    expect(foreign(scripts.flatMap(imported)).filter((name) => !name.startsWith('node:'))).toEqual([]);
  });

  test('no code made of strings', () => {
    for (const path of scripts) expect(text(path)).not.toMatch(/\beval\(|\bnew Function\(/);
  });
});

/** What wasm files may need of their host beyond the first version of WebAssembly: browsers of 2021 have it. */
const FEATURES = ['bulk-memory-opt', 'nontrapping-float-to-int', 'sign-ext'];

/** Is a file valid on a host that has some features? */
function validates(name: string, features: readonly string[]): boolean {
  const flags = ['--mvp-features', ...features.map((feature) => `--enable-${feature}`)];
  try {
    const file = new URL(`dist/${name}.wasm`, installed).pathname;
    execFileSync(new URL('pkg-template/node_modules/.bin/wasm-opt', root).pathname, [...flags, file], {
      stdio: 'pipe',
    });
    return true;
  } catch {
    return false;
  }
}

/** The figures in bytes that `make sizes ARGS="--files --write"` notes. Look at what grows, and note it again. */
const { today } = JSON.parse(readFileSync(new URL('scripts/sizes.json', root), 'utf8')) as {
  today: Record<string, number>;
};
const mostOf = (name: string) => 1.02 * (today[name] ?? Number.NaN);

test('is no larger than was noted', () => {
  const bytes = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + statSync(new URL(path, installed)).size, 0);
  expect(bytes(files)).toBeLessThanOrEqual(mostOf('installed'));
  expect(bytes(['dist/js.js'])).toBeLessThanOrEqual(mostOf('js.js'));
  expect(statSync(new URL(`target/package/${tarball}`, root)).size).toBeLessThanOrEqual(mostOf('tarball'));
});

describe.each([
  ['core', 'wasm-imports'],
  ['full', 'full-imports'],
  ['tokens', 'tokens-imports'],
])('%s.wasm', (name, list) => {
  const bytes = readFileSync(new URL(`dist/${name}.wasm`, installed));
  const module = new WebAssembly.Module(bytes);

  test('is packed in the JavaScript of hosts that read no files, and nowhere else', async () => {
    const { compile } = (await import(new URL(`dist/wasm-${name}-inline.js`, installed).href)) as {
      compile: () => WebAssembly.Module;
    };
    const shape = (of: WebAssembly.Module) => [WebAssembly.Module.imports(of), WebAssembly.Module.exports(of)];
    expect(shape(compile())).toEqual(shape(module));
    const holding = scripts.filter((path) => /[A-Za-z0-9+/]{10000,}/.test(text(path)) && !/-js\.js$/.test(path));
    expect(holding.filter((path) => path.includes(`-${name}-`))).toEqual([`./dist/wasm-${name}-inline.js`]);
  });

  test('imports what is on the list, and no more', () => {
    const listed = readFileSync(new URL(`scripts/${list}.txt`, root), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !/^(#|global )/.test(line));
    const imported = WebAssembly.Module.imports(module).map(({ module: from, name: function_, kind }) => {
      expect(kind).toBe('function');
      return `${from} ${function_.replace(/_[0-9a-f]{16}$/, '_*')}`;
    });
    expect([...new Set(imported)].toSorted()).toEqual(listed.toSorted());
  });

  test('needs few features of its host, and no vectors', { timeout: 60_000 }, () => {
    expect(validates(name, FEATURES)).toBe(true);
    // By contrast: without them it is no valid file.
    expect(validates(name, [])).toBe(false);
  });

  test('is no larger a download than was noted', () => {
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(mostOf(`${name}.wasm, gzip`));
  });
});
