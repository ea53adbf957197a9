// Examples of the guides that run in the page: those that import nothing but densify. Each becomes a module in the folder
// `public/run/` of the site, with the values that the tests of the guides give it, and a button below it in its page.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';

const TAKEN = /^[ \t]*import [^;]*;.*\n/gm;
const isOfDensify = (line) => /^\s*import type|from 'densify(?:\/[\w/-]+)?';/.test(line);

/** What the tests of the guides give each block: js-tests/support/documents.ts, which holds nothing but data. */
async function readGiven(root) {
  const source = readFileSync(join(root, 'js-tests/support/documents.ts'), 'utf8');
  const code = ts.transpileModule(source, { compilerOptions: { module: 'ESNext', target: 'ES2022' } }).outputText;
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).DOCUMENTS;
}

/** The names that a block declares at its top. */
function declaredIn(code) {
  const names = [];
  const add = (name) => (ts.isIdentifier(name) ? names.push(name.text) : name.elements.forEach((e) => add(e.name)));
  for (const statement of ts.createSourceFile('a.ts', code, ts.ScriptTarget.ES2022).statements)
    if (ts.isVariableStatement(statement)) for (const { name } of statement.declarationList.declarations) add(name);
  return names;
}

/** A block as a module; `undefined` if it needs more than densify, or shows nothing. */
function moduleOf(code, given) {
  const imports = [...code.matchAll(TAKEN), ...given.matchAll(TAKEN)].map(([line]) => line);
  const own = imports.filter((line) => !line.includes("'vitest'"));
  const rest = code.replace(TAKEN, '').replaceAll(/^export /gm, '');
  const names = declaredIn(rest);
  if (own.length === 0 || !own.every(isOfDensify) || (names.length === 0 && !code.includes('console.log')))
    return undefined;
  return `${own.join('')}${given.replace(TAKEN, '')}
export async function run(console: Pick<Console, 'log' | 'warn' | 'error'>): Promise<Record<string, unknown>> {
${rest}
return { ${names.join(', ')} };
}\n`;
}

/** Writes the modules, and returns the page with a button below each block that runs. */
export async function collectRunnable(root, out, pages) {
  const folder = join(root, 'target/site-run');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const documents = await readGiven(root);
  const entries = [];
  for (const page of pages) {
    const path = join(out, page);
    const { names: all = '', blocks = {} } = documents[`docs/${page}`] ?? {};
    let at = 0;
    const text = readFileSync(path, 'utf8').replaceAll(/^```ts\n([\s\S]*?)^```\n/gm, (block, code) => {
      at += 1;
      const [, own = {}] = Object.entries(blocks).find(([words]) => code.includes(words)) ?? [];
      const source = code.includes('// before') ? undefined : moduleOf(code, `${all}\n${own.names ?? ''}\n`);
      if (source === undefined || own.compiledOnly) return block;
      const name = `${page.slice(0, -'.md'.length)}-${at}`;
      writeFileSync(join(folder, `${name}.ts`), source);
      entries.push(join(folder, `${name}.ts`));
      return `${block}\n<RunCode name="${name}" />\n`;
    });
    writeFileSync(path, text);
  }
  await build({
    entryPoints: entries,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    nodePaths: [join(root, 'site/node_modules')],
    outdir: join(out, 'public/run'),
    logLevel: 'warning',
  });
  return entries.length;
}
