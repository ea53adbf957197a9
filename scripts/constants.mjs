// Writes down what the modules say of themselves once and for all, so that the package can say it
// without an instance: node scripts/constants.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);

async function instance(glueFile, wasm) {
  const { createGlue } = await import(pathToFileURL(resolve(folder, glueFile)).href);
  const glue = createGlue();
  glue.initSync({ module: new WebAssembly.Module(readFileSync(join(folder, wasm))) });
  return glue;
}

/** Writes constants, of which each has its JSON and its type, which comes from the types of the same module. */
function write(file, types, imported, constants) {
  const values = Object.entries(constants).map(([name, [json]]) => `export const ${name} = ${json};\n`);
  const declared = Object.entries(constants).map(([name, [, type]]) => `export declare const ${name}: ${type};\n`);
  writeFileSync(join(folder, `${file}.js`), values.join(''));
  const head = imported === '' ? '' : `import type { ${imported} } from './${types}.js';\n`;
  writeFileSync(join(folder, `${file}.d.ts`), head + declared.join(''));
}

const core = await instance('glue.js', 'core.wasm');
write('constants', 'densify', 'ErrorCode, StrategyInfo', {
  strategies: [core.strategies(), 'readonly StrategyInfo[]'],
  errorCodes: [core.errorCodes(), 'readonly ErrorCode[]'],
  keyParameters: [core.keyParameters(), 'readonly string[]'],
});

const summary = await instance('summary-glue.js', 'summary.wasm');
write('summary-constants', 'summary', '', {
  summaryStreamVersion: [summary.streamVersion(), 'number'],
});
