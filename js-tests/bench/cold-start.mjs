/** Prints, for this fresh process, the CPU milliseconds to compile the core and to instantiate it. */
import { cpuTime } from './measure.mjs';
import { findCoreWasm } from './start-up.mjs';

const { bytes } = /** @type {{bytes: Buffer}} */ (findCoreWasm());
let start = cpuTime();
const module = new WebAssembly.Module(new Uint8Array(bytes));
const compile = cpuTime() - start;

start = cpuTime();
new WebAssembly.Instance(module, emptyImports(module));
const instantiate = cpuTime() - start;

console.log(JSON.stringify({ compile, instantiate }));

/** @param {WebAssembly.Module} module */
function emptyImports(module) {
  /** @type {Record<string, Record<string, any>>} */
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = kind === 'memory' ? new WebAssembly.Memory({ initial: 32 }) : () => 0;
  }
  return imports;
}
