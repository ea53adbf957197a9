// Writes down what the core says of itself once and for all, so that the package can say it without
// an instance: node scripts/constants.mjs FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);
const { createGlue } = await import(pathToFileURL(resolve(folder, 'glue.js')).href);
const glue = createGlue();
glue.initSync({ module: new WebAssembly.Module(readFileSync(join(folder, 'core.wasm'))) });

const constants = {
  strategies: [glue.strategies(), 'readonly StrategyInfo[]'],
  errorCodes: [glue.errorCodes(), 'readonly ErrorCode[]'],
  keyParameters: [glue.keyParameters(), 'readonly string[]'],
};
const values = Object.entries(constants).map(([name, [json]]) => `export const ${name} = ${json};\n`);
const types = Object.entries(constants).map(([name, [, type]]) => `export declare const ${name}: ${type};\n`);
writeFileSync(join(folder, 'constants.js'), values.join(''));
writeFileSync(
  join(folder, 'constants.d.ts'),
  `import type { ErrorCode, StrategyInfo } from './densify.js';\n${types.join('')}`,
);
