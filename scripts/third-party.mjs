// The licences of what the package carries of others, as their authors ask for it: libraries in the JavaScript, crates
// in the wasm files, and the package from which the vocabularies are made.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The text of a licence in a folder: MIT's, where there is a choice. */
function licenceIn(folder) {
  const names = readdirSync(folder).filter((name) => /^(?:un)?licen[cs]e/i.test(name));
  const name = ['MIT', 'LICEN', ''].flatMap((part) => names.filter((each) => each.toUpperCase().includes(part)))[0];
  return name === undefined ? undefined : readFileSync(join(folder, name), 'utf8').trim();
}

/** An npm package that is bundled. */
export function libraryAt(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const by = typeof author === 'object' ? author?.name : author;
  return {
    name,
    version,
    licence: license,
    text: licenceIn(folder) ?? `By ${by ?? name}; the package has no licence file.`,
  };
}

/** The crates that are compiled into the wasm files: those of `cargo metadata` that run, not those that only build. */
export function cratesOf({ packages, resolve }) {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const byId = new Map(packages.map((each) => [each.id, each]));
  const isMacro = (id) => byId.get(id).targets.some(({ kind }) => kind.includes('proc-macro'));
  const found = new Set();
  const visit = (id) => {
    if (found.has(id) || isMacro(id)) return;
    found.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) visit(pkg);
  };
  visit(resolve.root);
  found.delete(resolve.root);
  return [...found].map((id) => {
    const { name, version, license, manifest_path: path, authors } = byId.get(id);
    const folder = dirname(path);
    const text = existsSync(folder) ? licenceIn(folder) : undefined;
    return {
      name,
      version,
      licence: license,
      text: text ?? `By ${authors.join(', ') || name}; the crate has no licence file.`,
    };
  });
}

/** One text: each licence once, under the names of all that have it. */
export function notices(parts) {
  const byText = new Map();
  for (const part of [...parts].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    byText.set(part.text, [...(byText.get(part.text) ?? []), part]);
  }
  const rule = '-'.repeat(80);
  const sections = [...byText].map(([text, named]) => {
    const names = named.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
    return `${rule}\n${[...new Set(names)].join('\n')}\n\n${text}\n`;
  });
  return `The npm package densify contains code of the following projects.\n\n${sections.join('\n')}`;
}
