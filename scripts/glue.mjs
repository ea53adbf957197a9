// Turns wasm-bindgen's JavaScript (`--target web`) into a factory.
//
// wasm-bindgen keeps the instance in variables of its module, so there can only be one.
// densify needs many: one for each tenant, and a fresh one after a trap. So the module's
// body becomes the body of `createGlue()`: each call makes its own classes, tables, caches
// and text coders. The text is parsed, not searched; anything of an unknown form is an error.
import { createRequire } from 'node:module';
import { fail } from './steps.mjs';

const { parse } = createRequire(new URL('../pkg-template/package.json', import.meta.url))('acorn');

/**
 * The loaders. The asynchronous one finds the wasm file by itself, which is our business; the other one takes a module that
 * the host's bundler has compiled, which may be of another realm, for bytes.
 */
const UNWANTED = ['__wbg_init', '__wbg_load', 'initSync'];
/** What the factory's own code below builds on. */
const NEEDED = ['__wbg_get_imports', '__wbg_finalize_init', 'wasm'];
/** Names that the factory adds. */
const OURS = [
  'createGlue',
  'coders',
  'TextDecoder',
  'TextEncoder',
  'guardedRegistry',
  'initSync',
  'initAsync',
  'retire',
  'retired',
  'FinalizationRegistry',
];
/** Statements that may stand at the top besides exports. */
const PLAIN = ['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclaration', 'IfStatement', 'ExpressionStatement'];

/** Names that look like globals and are none. */
const BUILT_IN = ['arguments', 'undefined'];

const HEAD = `\
// Made by scripts/glue.mjs from wasm-bindgen's output: one instance of the core for each call.
function guardedRegistry(isRetired) {
    if (typeof FinalizationRegistry === 'undefined') return undefined;
    // A finalizer must not run code of an instance that has trapped.
    return class extends FinalizationRegistry {
        constructor(free) {
            super((pointer) => { if (!isRetired()) free(pointer); });
        }
    };
}

export function createGlue(coders) {
// Of hosts that have none, the package's own.
const { TextDecoder, TextEncoder } = coders ?? {};
let retired = false;
const FinalizationRegistry = guardedRegistry(() => retired);

`;

const TAIL = `
function initSync({ module }) {
    if (wasm) return wasm;
    const imports = __wbg_get_imports();
    // Without WebAssembly the module is a function.
    const instance = typeof module === 'function' ? { exports: module(imports) } : new WebAssembly.Instance(module, imports);
    return __wbg_finalize_init(instance, module);
}

async function initAsync({ module }) {
    if (typeof module === 'function') return initSync({ module });
    const instance = await WebAssembly.instantiate(module, __wbg_get_imports());
    return wasm ?? __wbg_finalize_init(instance, module);
}

function retire() {
    retired = true;
}
`;

/** @returns the factory's module: its text, and the names of the globals that it uses. */
export function makeFactory(source) {
  const program = parseModule(source, "wasm-bindgen's output");
  const names = { exported: new Map(), declared: new Set() };
  let body = '';
  for (const node of program.body) body += keep(node, source, names);

  for (const name of NEEDED) if (!names.declared.has(name)) fail(`wasm-bindgen's output has no ${name}`);
  for (const name of OURS) if (names.declared.has(name)) fail(`wasm-bindgen's output has a ${name} of its own`);
  names.exported.delete('default');
  names.exported.delete('initSync');
  for (const local of names.exported.values()) {
    if (!names.declared.has(local)) fail(`wasm-bindgen's output exports ${local}, which isn't there`);
  }
  const results = [...names.exported].map(([name, local]) => (name === local ? name : `${name}: ${local}`));
  const factory = `${HEAD}${body}${TAIL}\nreturn { ${[...results, 'initSync', 'initAsync', 'retire'].join(', ')} };\n}\n`;
  return { text: factory, globals: check(factory) };
}

/** The text of one top-level statement in the factory, '' if it is dropped; notes its names. */
function keep(node, source, { exported, declared }) {
  let kept = node;
  if (node.type === 'ExportNamedDeclaration') {
    if (node.source) fail(`wasm-bindgen's output imports ${node.source.value}`);
    for (const { exported: to, local } of node.specifiers) exported.set(to.name, local.name);
    if (!node.declaration) return '';
    kept = node.declaration;
    for (const name of declaredNames(kept)) exported.set(name, name);
  }
  if (!PLAIN.includes(kept.type)) fail(`wasm-bindgen's output has an unexpected ${kept.type} at ${where(kept)}`);
  const own = declaredNames(kept);
  if (own.some((name) => UNWANTED.includes(name))) return '';
  for (const name of own) declared.add(name);
  return withFreshView(kept, source) + '\n\n';
}

/** A view of the memory that is kept until the memory grows. */
const VIEW = /^get\w+Memory\d+$/;

/**
 * A statement's text. wasm-bindgen sees by a view's length that the memory has grown; without WebAssembly the old memory
 * keeps its length, so a view is compared with the memory.
 */
function withFreshView(node, source) {
  const text = source.slice(node.start, node.end);
  if (node.type !== 'FunctionDeclaration' || !VIEW.test(node.id.name)) return text;
  const [check] = node.body.body;
  const cached = check.consequent?.body?.[0]?.expression?.left?.name;
  if (check.type !== 'IfStatement' || cached === undefined) fail(`wasm-bindgen's ${node.id.name} has an unknown form`);
  const { start, end } = check.test;
  const fresh = `${cached} === null || ${cached}.buffer !== wasm.memory.buffer`;
  return source.slice(node.start, start) + fresh + source.slice(end, node.end);
}

function declaredNames(node) {
  return (node.declarations ?? [node]).flatMap(({ id }) => namesOf(id));
}

/** The factory must be a module with one export that imports nothing. Returns the globals it uses. */
function check(factory) {
  const program = parseModule(factory, 'the factory');
  if (program.body.length !== 2) fail('the factory is more than its two functions');
  const used = new Set();
  const declared = new Set();
  for (const { node, parent, key } of walk(program)) {
    const foreign = node.type === 'ImportExpression' || (node.type === 'MetaProperty' && node.meta.name === 'import');
    if (foreign) fail(`wasm-bindgen's output uses import at run time: ${factory.slice(node.start, node.end)}`);
    for (const pattern of bindings(node)) for (const name of namesOf(pattern)) declared.add(name);
    if (node.type === 'Identifier' && isName(parent, key)) used.add(node.name);
  }
  return [...used].filter((name) => !declared.has(name) && !BUILT_IN.includes(name)).sort();
}

/** The patterns that a node binds names with. */
function bindings(node) {
  if (/Function|Class/.test(node.type)) return [node.id, ...(node.params ?? [])];
  if (node.type === 'VariableDeclarator') return [node.id];
  return node.type === 'CatchClause' ? [node.param] : [];
}

function namesOf(pattern) {
  if (!pattern) return [];
  const { type, name, properties, elements, left, argument, value } = pattern;
  if (type === 'Identifier') return [name];
  return (properties ?? elements ?? [left ?? argument ?? value]).flatMap(namesOf);
}

/** Does the identifier at `parent[key]` name a variable, not a property? */
function isName(parent, key) {
  if (key === 'property') return parent.computed;
  return !(key === 'key' && !parent.computed) && key !== 'label';
}

function* walk(node, parent = node, key = '') {
  if (Array.isArray(node)) for (const item of node) yield* walk(item, parent, key);
  else if (typeof node?.type === 'string') {
    yield { node, parent, key };
    for (const [name, value] of Object.entries(node)) if (typeof value === 'object') yield* walk(value, node, name);
  }
}

function parseModule(text, what) {
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  } catch (error) {
    return fail(`${what} can't be parsed: ${error.message}`);
  }
}

const where = (node) => `line ${node.loc.start.line}`;

/** The types of the factory's module; everything else comes from wasm-bindgen's own declarations, a file beside it. */
export const factoryTypes = (declarations) => `\
// Made by scripts/glue.mjs.
import type { Coders } from '../base/utf8.js';
import type { Compiled } from '../wasm/module.js';
import type * as core from './${declarations}.js';

/** Everything that the core exports, bound to one instance of it. */
export interface Glue extends Omit<typeof core, 'default' | 'initSync'> {
  /** Instantiates; to be called once, before anything else (or \`initAsync\`). */
  initSync(source: { module: Compiled }): core.InitOutput;
  /** The same where instantiating takes the host's time. */
  initAsync(source: { module: Compiled }): Promise<core.InitOutput>;
  /** After a trap: from now on no finalizer touches this instance. */
  retire(): void;
}

/** Makes the glue of a new instance. */
export declare function createGlue(coders: Coders): Glue;
`;
