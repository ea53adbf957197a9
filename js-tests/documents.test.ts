// The TypeScript of README and guides compiles, and runs if it needs no network. Links work, in the package too.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DOCUMENTS } from './support/documents.js';
import { messagesApi } from './support/provider.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');
const isPage = (name: string) => name.endsWith('.md');
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (isPage(name) ? [`docs/${name}`] : [])),
];

/** The code blocks of a document. A block that shows old code beside new code counts as the new code. */
function blocks(document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```(?:ts|typescript|js|javascript)\n([\s\S]*?)^```/gm)].map(([, code]) => {
    const after = code!.indexOf('// after');
    return after < 0 ? code! : code!.slice(after);
  });
}

/**
 * Turns a code block into a module; `run` runs it. Names that the block takes as given stand around it, so that its own come
 * first, as they would in a file of its own.
 */
function asModule(code: string, given: string): string {
  const imports: string[] = [];
  const rest = code.replace(/^import [^;]*;.*\n/gm, (line) => {
    imports.push(line);
    return '';
  });
  return `${imports.join('')}${given}\nexport async function run() {\n${rest.replace(/^export /gm, '')}\n}\n`;
}

const found = documents.flatMap((document) => {
  const { names: all = '', blocks: given = {} } = DOCUMENTS[document] ?? {};
  const codes = blocks(document);
  for (const words of Object.keys(given)) {
    const count = codes.filter((code) => code.includes(words)).length;
    if (count !== 1) throw new Error(`${document}: ${count} blocks hold ${words}`);
  }
  return codes.map((code, at) => {
    const words = Object.keys(given).find((words) => code.includes(words));
    const { names = '', shows = '', compiledOnly = false } = words === undefined ? {} : given[words]!;
    const name = `${document.replaceAll(/\W+/g, '-')}-${at + 1}`;
    const title = `${document}, block ${at + 1}: ${words ?? code.split('\n')[0]}`;
    return { title, name, compiledOnly, code: asModule(`${code}\n${shows}`, `${all}\n${names}`) };
  });
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(here, '.documents-'));
  for (const { name, code } of found) writeFileSync(join(folder, `${name}.ts`), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every block compiles, against the SDKs’ own types', () => {
  const options = { noUnusedLocals: false, noUnusedParameters: false, allowUnusedLabels: true };
  const project = { extends: '../tsconfig.json', compilerOptions: options, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  let problems = '';
  try {
    execFileSync('node', [join(here, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  } catch (failed) {
    problems = String((failed as { readonly stdout?: unknown }).stdout);
  }
  expect(problems).toBe('');
});

for (const { title, name, compiledOnly } of found) {
  test.skipIf(compiledOnly)(`${title} runs`, async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'none');
    vi.stubEnv('OPENAI_API_KEY', 'none');
    const { type, body } = messagesApi('Done.', 1);
    vi.stubGlobal('fetch', async () => new Response(body, { headers: { 'content-type': type } }));
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      const { run } = (await import(join(folder, `${name}.ts`))) as { run(): Promise<void> };
      await run();
    } finally {
      vi.unstubAllEnvs();
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
    }
  });
}

test('what is said of blocks is said of documents that there are', () => {
  expect(documents).toEqual(expect.arrayContaining(Object.keys(DOCUMENTS)));
});

/** What a link to a heading says, as hosts of Markdown make it. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** The links of documents in a folder, and in its `docs/`, that lead nowhere. */
function brokenLinks(folder: string): readonly string[] {
  const guides = readdirSync(join(folder, 'docs')).map((name) => `docs/${name}`);
  return [...readdirSync(folder), ...guides].filter(isPage).flatMap((document) => {
    const text = readFileSync(join(folder, document), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    return links.flatMap((link) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [path = '', heading] = link.split('#');
      const target = path === '' ? join(folder, document) : join(folder, dirname(document), path);
      if (!existsSync(target)) return [`${document}: ${link}`];
      if (heading === undefined) return [];
      const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchor(title!));
      return headings.includes(heading) ? [] : [`${document}: ${link}`];
    });
  });
}

test('every link leads somewhere, in the project and in the package', () => {
  expect(brokenLinks(root)).toEqual([]);
  expect(brokenLinks(join(here, 'node_modules/densify'))).toEqual([]);
});

test('each option in a command of densify is in the help of that command', () => {
  const cli = join(here, 'node_modules/densify/dist/cli.js');
  const help = execFileSync('node', [cli, '--help'], { encoding: 'utf8' }).split(/^densify (?=[a-z]+ )/m);
  const unknown: string[] = [];
  let options = 0;
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8').replaceAll('\\\n', ' ');
    for (const [, command, rest] of text.matchAll(/\bdensify ([a-z]+) ([^`\n#]*--[^`\n#]*)/g)) {
      const known = help.filter((part) => part.startsWith(`${command} `)).join('');
      // What follows a lone `--` is for the agent.
      for (const [option] of rest!.split(/(?:^| )-- /)[0]!.matchAll(/--[a-z-]+/g)) {
        options += 1;
        if (!new RegExp(`${option}(?![a-z-])`).test(known)) unknown.push(`${document}: ${command} ${option}`);
      }
    }
  }
  expect(unknown).toEqual([]);
  expect(options).toBeGreaterThan(10);
});

test('what the guides have named since the first version is still in one of them', () => {
  const text = documents.map((document) => readFileSync(join(root, document), 'utf8')).join('\n');
  // A name that a version takes away leaves this list as well.
  const names = readFileSync(join(here, 'fixtures/documented.txt'), 'utf8').trim().split('\n');
  const isNamed = (name: string) => new RegExp(`(?<![\\w$])${name.replaceAll(/\W/g, '\\$&')}(?![\\w$])`).test(text);
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test('the sizes on the page about platforms are those of the package', () => {
  const page = readFileSync(join(root, 'docs/platforms.md'), 'utf8');
  const dist = join(here, 'node_modules/densify/dist');
  for (const file of ['core', 'full', 'tokens']) {
    const stated = 1000 * Number(new RegExp(`^\\| ${file} \\|.*\\| (\\d+) kB \\|$`, 'm').exec(page)?.[1]);
    const size = gzipSync(readFileSync(join(dist, `${file}.wasm`)), { level: 9 }).length;
    expect(Math.abs(stated / size - 1), `${file}: ${size} bytes, the page has ${stated}`).toBeLessThan(0.05);
  }
  expect(page).toContain('the other entries more than 2 MB');
  expect(statSync(join(dist, 'wasm-full-js.js')).size).toBeGreaterThan(2e6);
});

test('the package’s README is the project’s, without what is said of the repository alone', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const shipped = readFileSync(join(here, 'node_modules/densify/README.md'), 'utf8');
  expect(shipped).not.toMatch(/<!--|make demo|Until it is released|ARCHITECTURE/);
  const lines = text.replaceAll(/ ?<!-- repository -->(?!\n).*<!-- \/repository -->/g, '').split('\n');
  for (const line of shipped.split('\n')) expect(lines).toContain(line);
  expect(shipped.match(/^## .*$/gm)).toEqual(text.match(/^## .*$/gm)?.filter((title) => !/Try it|Numbers/.test(title)));
});

test('no page of the package speaks of what only the repository has', () => {
  const folder = join(here, 'node_modules/densify');
  const guides = readdirSync(join(folder, 'docs')).map((name) => `docs/${name}`);
  expect(guides.length).toBeGreaterThan(5);
  for (const page of ['README.md', ...guides]) {
    const lines = readFileSync(join(folder, page), 'utf8').split('\n');
    const ours = lines.filter((line) => /`make |scripts\/|js-tests|tests\/it|pkg-template|\.test\.ts|<!--/.test(line));
    expect(ours, page).toEqual([]);
  }
});
