// Writes docs/options.md from the types of the packed package:
//
//   node scripts/options-page.mjs            writes the page
//   node scripts/options-page.mjs --check    exit code 1 if the page is out of date
//
// It reads the package that is installed in js-tests/, so run scripts/js-install.sh first.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const require = createRequire(new URL('js-tests/package.json', root));
const ts = require('typescript5');

/** A type that an entry point of the package exports. */
const of = (entry, type) => `import('densify${entry}').${type}`;
/** The options that a function of an entry point takes: its parameter at a position. */
const given = (entry, name, at) => `Parameters<typeof ${of(entry, name)}>[${at}]`;

/** The sections of the page: a heading, and the type that declares the options. */
const SECTIONS = [
  ['`optimize`, `createOptimizer`, hooks', of('', 'OptimizeOptions')],
  ['`rules` of these', `${of('', 'OptimizeOptions')}['rules']`],
  ['The model: functions of a format', of('/anthropic', 'AnthropicOptions')],
  ['Hooks: `middleware`, `prepareStep`, `wrapModelCall` and others', of('/anthropic', 'HookOptions')],
  ['`compress`', of('', 'CompressOptions')],
  ['`createConversation`', of('', 'ConversationOptions')],
  ['`summary` of a conversation', `${of('', 'ConversationOptions')}['summary']`],
  ['`hooks` of a conversation', `${of('', 'ConversationOptions')}['hooks']`],
  ['`prepare`', `Parameters<${of('', 'Conversation')}['prepare']>[0]`],
  ['`requestSummary`', of('', 'SummaryOptions')],
  ['`applySummary`, `verifySummary`', of('', 'ApplyOptions')],
  ['`digest`', of('', 'DigestOptions')],
  ['`plan`', given('/anthropic', 'plan', 0)],
  ['`shrinkResult`, `shrinkResults`', given('/anthropic', 'shrinkResults', 1)],
  ['`shrinkTools`', of('/tools', 'ShrinkToolsOptions')],
  ['`createRecall`', of('/recall', 'RecallOptions')],
  ['`createGateway`', of('/gateway', 'GatewayOptions')],
  ['`replay`', of('/replay', 'ReplayOptions')],
  ['`validate`, `repair`', of('/validate', 'ValidateOptions')],
  ['`readTranscript`, `readTranscriptStream`', of('/transcripts', 'TranscriptOptions')],
];
const HEAD = `# Options

The options of the functions in the headings, as their types declare them. Your editor shows the same texts, in full. An unknown option
is an error that names the option and the nearest known one.

\`\`\`ts
import { createOptimizer } from 'densify/anthropic';

const optimizer = createOptimizer({ model: 'claude-opus-4-6', preset: 'balanced' });
\`\`\`
`;

const file = fileURLToPath(new URL('js-tests/options-page.ts', root));
const types = SECTIONS.map(([, type]) => type);
const source = types.map((type, at) => `export declare const o${at}: NonNullable<${type}>;\n`).join('');
const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  types: [],
};
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.getSourceFile = (name, ...rest) =>
  name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
host.fileExists = (name) => name === file || fileExists(name);
host.readFile = (name) => (name === file ? source : readFile(name));
const program = ts.createProgram([file], options, host);
const checker = program.getTypeChecker();

const sourceFile = program.getSourceFile(file);
const problems = program.getSemanticDiagnostics(sourceFile);
if (problems.length > 0) {
  for (const { messageText } of problems) console.error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  process.exit(1);
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
/** The first sentence of a text: up to a full stop or colon outside code and parentheses. */
const first = (text) => /^(?:`[^`]*`|\([^)]*\)|[^`])*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

/** The type of an option as its declaration has it: names say more than what they stand for. */
function typeOf(symbol) {
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, sourceFile));
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation).replaceAll('"', "'");
  if (type.getCallSignatures().length > 0) return 'function';
  if (text === '{}') return '`unknown`'; // without null and undefined
  return text.length > 90 ? 'object' : `\`${text.replace(/^readonly /, '')}\``;
}

function row(symbol) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const given = symbol.getJsDocTags(checker).find(({ name }) => name === 'default');
  const standard = given === undefined ? '' : ts.displayPartsToString(given.text);
  return `| \`${symbol.name}\` | ${cell(typeOf(symbol))} | ${cell(standard)} | ${cell(first(text))} |`;
}

/** Options that an earlier section has, by name and meaning. */
const seen = new Map();
const sections = sourceFile.statements.map((statement, at) => {
  const symbols = checker.getTypeAtLocation(statement.declarationList.declarations[0]).getProperties();
  const rows = symbols.map((symbol) => [symbol.name, row(symbol)]);
  const isShared = ([name, text]) => seen.get(name) === text;
  const shared = rows.filter(isShared).map(([name]) => `\`${name}\``);
  const own = rows.filter((entry) => !isShared(entry));
  for (const [name, text] of own) seen.set(name, text);
  const table = `| Option | Type | Default | Meaning |\n|---|---|---|---|\n${own.map(([, text]) => text).join('\n')}\n`;
  const also = `As above: ${shared.join(', ')}.\n`;
  const parts = [...(own.length > 0 ? [table] : []), ...(shared.length > 0 ? [also] : [])];
  return `## ${SECTIONS[at][0]}\n\n${parts.join('\n')}`;
});

const page = `${HEAD}\n${sections.join('\n')}`;
const path = new URL('docs/options.md', root);
if (process.argv.includes('--check')) {
  let kept = '';
  try {
    kept = readFileSync(path, 'utf8');
  } catch {}
  if (kept !== page) {
    console.error('options-page: docs/options.md is out of date: run node scripts/options-page.mjs and commit it');
    process.exit(1);
  }
} else {
  writeFileSync(path, page);
}
