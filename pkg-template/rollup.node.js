// The files of CommonJS, which Node.js loads for `import`, too: few, since it starts faster with four than with forty.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** An entry that has more code of its own (in characters, before it is minified) has it in a file of its own. */
const LARGE = 15_000;
const ENTRY = /^entry:(.+)$/;
const LAZY = /^lazy:(#wasm.*)$/;

/**
 * What rollup needs for these files.
 *
 * @param entries the file of each entry, by its name
 * @param folder where all files lie
 */
export function nodeForm(entries, folder) {
  const names = Object.keys(entries);
  let chunks;
  return {
    input: Object.fromEntries(names.map((name) => [name, `entry:${name}`])),
    plugins: [thinEntries(entries), lazyHosts, importedNames],
    manualChunks(id, { getModuleInfo }) {
      chunks ??= chunksOf(names, folder, getModuleInfo);
      return chunks.get(id);
    },
  };
}

/** Entries that hold no code: Node.js searches the files that `import` names for their exports, and is slow at it. */
const thinEntries = (entries) => ({
  name: 'thin-entries',
  resolveId: (id) => (ENTRY.test(id) ? id : null),
  load(id) {
    const [, name] = ENTRY.exec(id) ?? [];
    return name === undefined ? null : `export * from ${JSON.stringify(resolve(entries[name]))};`;
  },
});

/** Reads the file behind `#wasm…` when the core is first needed, and none that isn't. */
const lazyHosts = {
  name: 'lazy-hosts',
  resolveId: (id) => (LAZY.test(id) ? id : id.startsWith('#wasm') ? `lazy:${id}` : null),
  load(id) {
    const [, host] = LAZY.exec(id) ?? [];
    if (host === undefined) return null;
    return `export const compile = () => require('${host}').compile();
      export const compileAsync = async () => require('${host}').compileAsync();`;
  },
};

/** For Node.js' `import`, the names that an entry exports. Both ways into the package then share one state. */
const importedNames = {
  name: 'imported-names',
  generateBundle(_options, bundle) {
    for (const { isEntry, name, fileName, exports } of Object.values(bundle)) {
      // `densify/node` is no faster this way, and esbuild can't put its `require` into an ES module.
      if (!isEntry || name === 'node') continue;
      const source = `import entry from '../${fileName}';\nexport const { ${exports.join(', ')} } = entry;\n`;
      this.emitFile({ type: 'asset', fileName: `node/${name}.js`, source });
    }
  },
};

/**
 * The name of each module's file. `core` has what `densify` needs, without `base`, which entries like `densify/validate`
 * need that never load the core. Other modules are together if the same entries need them.
 */
function chunksOf(names, folder, getModuleInfo) {
  const needs = names.map((name) => ({ name, ids: reached(`entry:${name}`, getModuleInfo) }));
  const index = needs.find(({ name }) => name === 'index').ids;
  const light = needs.filter(({ ids }) => !ids.has('lazy:#wasm') && !ids.has('lazy:#wasm-full'));
  const groups = new Map();
  for (const id of new Set(needs.flatMap(({ ids }) => [...ids]))) {
    if (!existsSync(id)) continue;
    const users = needs.filter(({ ids }) => ids.has(id)).map(({ name }) => name);
    const part = light.some(({ ids }) => ids.has(id)) ? 'base' : 'core';
    const group = index.has(id) ? part : users.join();
    groups.set(group, [...(groups.get(group) ?? []), id]);
  }
  const chunks = new Map();
  for (const [group, ids] of groups) {
    const isOwn = names.includes(group);
    const size = ids.reduce((sum, id) => sum + getModuleInfo(id).code.length, 0);
    if (isOwn && size < LARGE) continue;
    const first = relative(folder, ids[0]).replace(/\.js$/, '').replaceAll('/', '-');
    const name = group.includes(',') ? first : isOwn ? `${group}-code` : group;
    for (const id of ids) chunks.set(id, name);
  }
  return chunks;
}

/** The modules that one imports, itself included. */
function reached(root, getModuleInfo, found = new Set()) {
  if (found.has(root)) return found;
  found.add(root);
  for (const id of getModuleInfo(root)?.importedIds ?? []) reached(id, getModuleInfo, found);
  return found;
}
