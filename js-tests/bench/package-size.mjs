/**
 * What the package weighs: its tarball, and what a page loads that imports one function of it.
 *
 * @import {Context, Row} from './cases.mjs'
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const CASE = 'package size';

/** A page's bundle of one import, with the core's wasm as pages get it. @param {string} statement */
function bundled(statement) {
  const { outputFiles } = buildSync({
    stdin: { contents: statement, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outdir: '/',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  const bytes = Buffer.concat(outputFiles.map(({ contents }) => contents));
  return { raw: bytes.length / 1000, gzip: gzipSync(bytes, { level: 9 }).length / 1000 };
}

/**
 * @param {Context} context
 * @returns {Row[]}
 */
export function packageSize({ note }) {
  note(CASE);
  const unit = /** @type {const} */ ('kB');
  const imports = {
    '`optimize`, neutral messages': "export { optimize } from 'densify';",
    '`optimize`, Anthropic messages': "export { optimize } from 'densify/anthropic';",
    '`optimize`, AI SDK messages': "export { optimize } from 'densify/ai-sdk';",
    '`createConversation`': "export { createConversation } from 'densify';",
    '`validate`': "export { validate } from 'densify/validate';",
  };
  const rows = Object.entries(imports).map(([name, statement]) => {
    const { raw, gzip } = bundled(statement);
    return { case: CASE, name: `${name}: bundle, gzip`, value: gzip, unit, detail: `${raw.toFixed(0)} kB raw` };
  });
  const folder = new URL('../../target/package/', import.meta.url);
  const tarballs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.tgz')) : [];
  return [
    ...rows,
    ...tarballs.map((file) => ({
      case: CASE,
      name: 'tarball',
      value: statSync(new URL(file, folder)).size / 1000,
      unit,
      detail: 'with every wasm file and vocabulary',
    })),
  ];
}
