// What editors show of the package: its declarations, as TypeScript's language service reads them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as aiSdk from 'densify/ai-sdk';
import ts from 'typescript5';
import { describe, expect, test } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { exports } = JSON.parse(readFileSync(path('node_modules/densify/package.json'), 'utf8')) as {
  exports: Readonly<Record<string, { readonly import?: { readonly types: string } }>>;
};
const entries = Object.entries(exports).flatMap(([name, { import: way }]) =>
  way === undefined ? [] : [[name.replace('.', 'densify'), path(`node_modules/densify/${way.types}`)] as const],
);

/** A file that isn't there, and what is written in it up to where one types. */
const file = path('typed.ts');
const typed = `import { optimize } from 'densify/ai-sdk';\noptimize([], { provider: '`;

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  types: [],
};
const host = ts.createCompilerHost(options);
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getCurrentDirectory: () => path('.'),
  getDefaultLibFileName: () => host.getDefaultLibFileName(options),
  getScriptFileNames: () => [file, ...entries.map(([, types]) => types)],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => {
    const text = name === file ? `${typed}' });` : host.readFile(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  fileExists: (name) => host.fileExists(name),
  readFile: (name) => host.readFile(name),
});

describe('hovers', () => {
  const program = service.getProgram()!;
  const checker = program.getTypeChecker();

  /** The values that an entry exports, each with what is said of it. */
  const saidIn = (types: string) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(types)!)!).flatMap((exported) => {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      if ((symbol.flags & ts.SymbolFlags.Value) === 0) return [];
      return [[exported.name, ts.displayPartsToString(symbol.getDocumentationComment(checker))] as const];
    });

  test.each(entries)('%s says something of all that it exports', (_, types) => {
    const said = saidIn(types);
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter(([, words]) => words === '').map(([name]) => name)).toEqual([]);
  });
});

test('completions of `provider` are the names that are understood', () => {
  const found = service.getCompletionsAtPosition(file, typed.length, {});
  const names = (found?.entries ?? []).map(({ name }) => name);
  const factor = (provider: string) => aiSdk.createConversation({ contextLimit: 1_000, provider }).tokens.factor;
  expect(Object.fromEntries(names.map((name) => [name, factor(name)]))).toEqual({
    anthropic: 1.6,
    google: 1.24,
    vertex: 1.24,
    openai: 1,
    azure: 1,
    xai: 1,
  });
});
