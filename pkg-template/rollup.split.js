// Moves what a format's entry exports of other wasm files than the core's into files of their own. Turbopack keeps all
// that a used file imports, so the entry itself may import the core alone.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The file of a module: several modules may be made of one. */
const fileOf = (id) => id.split('?')[0];

/** @param verbs the file that exports what makes the functions of a format, from one file for each part of the core. */
export function splitEntries(verbs) {
  let parts;
  return {
    name: 'split-entries',
    buildStart() {
      parts = partsOf(this.parse(readFileSync(verbs, 'utf8')));
    },
    resolveId: (id) => (/\.js\?\w+$/.test(id) ? id : null),
    load: (id) => (id.includes('?') ? readFileSync(fileOf(id), 'utf8') : null),
    transform(code, id) {
      const statements = this.parse(code).body.map((node) => ({ node, part: partOf(node, parts) }));
      const found = [...new Set(statements.flatMap(({ part }) => part ?? []))];
      if (found.length === 0) return null;
      const [file, own] = id.split('?');
      if (own !== undefined) {
        const others = statements.filter(({ node, part }) => node.type.startsWith('Export') && part !== own);
        return { code: blanked(code, others), map: null };
      }
      const exported = found.map((part) => {
        const target = `${file}?${part}`;
        this.emitFile({ type: 'chunk', id: target, name: `${basename(file, '.js')}-${part}` });
        const names = statements.filter((one) => one.part === part).map(({ node }) => declared(node).id.name);
        return `export { ${names.join(', ')} } from ${JSON.stringify(target)};\n`;
      });
      const moved = statements.filter(({ part }) => part !== undefined);
      return { code: `${blanked(code, moved)}\n${exported.join('')}`, map: null };
    },
  };
}

/** The part of the core that each maker needs; none if that is what `core.wasm` has. */
function partsOf({ body }) {
  const exported = body.filter(({ type, source }) => type === 'ExportNamedDeclaration' && source);
  return new Map(
    exported.flatMap(({ source, specifiers }) => {
      const [, part] = /^\.\/(\w+)-verbs\.js$/.exec(source.value);
      return part === 'core' ? [] : specifiers.map(({ exported: { name } }) => [name, part]);
    }),
  );
}

const declared = (node) => node.declaration?.declarations?.[0];

/** The part that a statement like `export const digest = verbs.digestOf(format)` needs. */
function partOf(node, parts) {
  const call = node.type === 'ExportNamedDeclaration' ? declared(node)?.init : undefined;
  if (call?.type !== 'CallExpression' || call.callee.object?.name !== 'verbs') return undefined;
  return parts.get(call.callee.property.name);
}

/** A text without some statements; the others keep their places. */
function blanked(code, statements) {
  return statements.reduce(
    (text, { node: { start, end } }) =>
      text.slice(0, start) + text.slice(start, end).replace(/\S/g, ' ') + text.slice(end),
    code,
  );
}
