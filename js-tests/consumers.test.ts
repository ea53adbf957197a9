// The package's types in projects of all sorts, checked by TypeScript as those projects check them.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** Projects lie beneath node_modules, so that they find the package, and nothing else does them. */
const folder = mkdtempSync(new URL('node_modules/.consumers-', import.meta.url).pathname);
afterAll(() => rmSync(folder, { recursive: true }));

const ESM = `
import { compress, createOptimizer, isDensifyError, optimize, type CompressResult, type IContent, type Optimizer } from 'densify';
import { readTranscript } from 'densify/transcripts';
import { detectFormat, repair, validate, type Finding, type MessageFormat } from 'densify/validate';

interface Message extends IContent { readonly id: string }
export const pack = (history: readonly Message[]): readonly Message[] => optimize(history).messages;
export const fit = (history: Message[]): CompressResult<Message> => compress(history, { strategy: 'high-density', contextLimit: 1000, tokens: undefined });
export function live(): Optimizer<Message> {
  using optimizer = createOptimizer<Message>({ flush: 'never' });
  return optimizer;
}
export const contents: readonly IContent[] = readTranscript('').contents;
export const findings: readonly Finding[] = validate([{ role: 'user', content: 'x' }], { format: 'anthropic', model: undefined }).findings;
export const repaired: readonly Message[] = repair<Message>([], { format: 'densify' }).messages;
export const found: readonly MessageFormat[] = detectFormat([]).candidates;
export const code = (thrown: unknown): string | undefined => (isDensifyError(thrown) ? thrown.code : undefined);
// @ts-expect-error not an option; were the types any, this would be no error
optimize([], { unknown: true });
// @ts-expect-error not a format
validate([], { format: 'word' });
`;

/** The same without syntax that old compilers lack. */
const PLAIN = ESM.replace('using optimizer', 'const optimizer');

/** What a CommonJS file says under verbatimModuleSyntax. */
const CJS = `
import densify = require('densify');
import transcripts = require('densify/transcripts');
import checks = require('densify/validate');
export = { check: checks.validate, pack: (history: densify.IContent[]): readonly densify.IContent[] => densify.optimize(history).messages, read: transcripts.readTranscript };
`;

interface Project {
  /** The project's files, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly compiler?: string;
}

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
  types: [],
  target: 'ES2022',
  lib: ['ES2022', 'ESNext.Disposable'],
};

const projects: Readonly<Record<string, Project>> = {
  'Node, ES module and CommonJS': { files: { 'index.mts': ESM, 'other.cts': ESM }, options: { module: 'node16' } },
  'Node, verbatim CommonJS': {
    files: { 'index.cts': CJS },
    options: { module: 'nodenext', verbatimModuleSyntax: true },
  },
  'a bundler': {
    files: { 'index.ts': ESM },
    options: { module: 'esnext', moduleResolution: 'bundler', verbatimModuleSyntax: true },
  },
  'a bundler, for the browser': {
    files: { 'index.ts': ESM },
    options: { module: 'preserve', lib: ['ES2022', 'ESNext.Disposable', 'DOM'] },
  },
  'a library without disposables': {
    files: { 'index.mts': PLAIN },
    options: { module: 'nodenext', lib: ['ES2022'] },
  },
  'with the types of Node': { files: { 'index.mts': ESM }, options: { module: 'nodenext', types: ['node'] } },
  'TypeScript 5.4, ES module and CommonJS': {
    files: { 'index.mts': PLAIN, 'other.cts': PLAIN },
    options: { module: 'node16', lib: ['ES2022'] },
    compiler: 'typescript5',
  },
};

/** The compiler's program of a package. */
function compilerOf(name: string): string {
  const manifest = require.resolve(`${name}/package.json`);
  return join(dirname(manifest), 'bin/tsc');
}

test.concurrent.each(Object.entries(projects))('%s', async (name, { files, options, compiler = 'typescript' }) => {
  const project = join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(project);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  writeFileSync(join(project, 'package.json'), '{}');
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...strict, ...options }, files: Object.keys(files) }),
  );
  const { stdout } = await run(process.execPath, [
    compilerOf(compiler),
    '--project',
    project,
    '--pretty',
    'false',
  ]).catch((failed: unknown) => failed as { stdout: string });
  expect(stdout).toBe('');
});
