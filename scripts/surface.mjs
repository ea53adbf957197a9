// Counts what users must learn: entry points, exported names, option keys, lines of TypeScript.
//
//   node scripts/surface.mjs            a table with the goals
//   node scripts/surface.mjs --names    the names as well
//
// It reads the declarations of the built package (scripts/package.sh) and the sources.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pkg = join(root, 'pkg-template');

/** The most that we want of each. */
export const GOALS = {
  'entry points': 18,
  'values at the root': 24,
  'exported type names': 120,
  'keys of optimize': 12,
  'keys of a conversation': 16,
  'lines of TypeScript': 12_000,
};

/** Folders of the sources that aren't the library itself. */
const APART = ['validate', 'replay', 'transcripts', 'generated'];

/** The lines of the TypeScript sources under a folder, except those that are counted apart. */
function linesUnder(folder, apart = []) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !apart.includes(name))
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + linesUnder(path);
      return entry.name.endsWith('.ts') ? sum + readFileSync(path, 'utf8').split('\n').length - 1 : sum;
    }, 0);
}

/** What the package's entry points export, as the compiler sees it. */
function exported() {
  const ts = createRequire(join(pkg, 'package.json'))('@typescript/typescript6');
  const { exports } = JSON.parse(readFileSync(join(pkg, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).filter(([, target]) => target.import?.types !== undefined);
  const files = entries.map(([, target]) => join(pkg, target.import.types));
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, noEmit: true };
  const program = ts.createProgram(files, { ...options, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] });
  const checker = program.getTypeChecker();
  const moduleOf = (file) => checker.getSymbolAtLocation(program.getSourceFile(file));
  const isValue = (symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isTypeOnly = symbol.declarations?.some((each) => each.isTypeOnly || each.parent?.parent?.isTypeOnly);
    return (target.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly;
  };
  const keysOf = (file, name) => {
    const symbol = checker.getExportsOfModule(moduleOf(file)).find((each) => each.name === name);
    if (symbol === undefined) throw new Error(`${name}: not exported`);
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(target)).map((key) => key.name);
  };
  return {
    entries: entries.map(([name], at) => {
      const symbols = checker.getExportsOfModule(moduleOf(files[at]));
      return {
        name,
        values: symbols.filter(isValue).map((each) => each.name),
        types: symbols.filter((each) => !isValue(each)).map((each) => each.name),
      };
    }),
    optimize: keysOf(files[0], 'OptimizeOptions'),
    conversation: keysOf(files[0], 'ConversationOptions'),
  };
}

/** All that is counted, and the names behind the numbers. */
export function surface() {
  const { entries, optimize, conversation } = exported();
  const types = [...new Set(entries.flatMap((entry) => entry.types))].sort();
  const values = [...new Set(entries.flatMap((entry) => entry.values))].sort();
  return {
    counts: {
      'entry points': entries.length,
      'values at the root': entries[0].values.length,
      'exported type names': types.length,
      'keys of optimize': optimize.length,
      'keys of a conversation': conversation.length,
      'lines of TypeScript': linesUnder(join(pkg, 'src'), APART),
    },
    names: { entries, types, values, optimize, conversation },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { counts, names } = surface();
  for (const [what, count] of Object.entries(counts)) console.log(`${what}: ${count} (goal ${GOALS[what]})`);
  console.log(`value names in all: ${names.values.length}`);
  if (process.argv.includes('--names')) {
    for (const { name, values, types } of names.entries)
      console.log(`\n${name}\n  values: ${values.join(', ')}\n  types: ${types.join(', ')}`);
    console.log(`\ntypes: ${names.types.join(', ')}`);
    console.log(`optimize: ${names.optimize.join(', ')}\nconversation: ${names.conversation.join(', ')}`);
  }
}
