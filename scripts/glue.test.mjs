// node --test scripts/glue.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
import { makeFactory } from './glue.mjs';
import { BuildError } from './steps.mjs';

/** The form of wasm-bindgen's output, over a core that exports `next` and imports `./core.js` `log`. */
const GLUE = `\
export class Counter {
    next() { return wasm.next(); }
}
if (Symbol.dispose) Counter.prototype[Symbol.dispose] = () => {};
export function seen() { return log; }
function __wbg_get_imports() { return { './core.js': { log: (x) => { log.push(x); } } }; }
let log = [];
const CounterFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry((ptr) => log.push(ptr));
let wasm;
function __wbg_finalize_init(instance) { wasm = instance.exports; return wasm; }
async function __wbg_load(module) { return fetch(module); }
function initSync({ module }) { return __wbg_finalize_init(new WebAssembly.Instance(module, __wbg_get_imports())); }
async function __wbg_init(path = new URL('core.wasm', import.meta.url)) { return __wbg_load(path); }
export { initSync, __wbg_init as default };
`;

/** A global counter from 0; `next` adds one, logs it and returns it. */
const CORE = new WebAssembly.Module(
  Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9, 2, 0x60, 1, 0x7f, 0, 0x60, 0, 1, 0x7f, 2, 17, 1, 9, 0x2e, 0x2f, 0x63, 0x6f,
    0x72, 0x65, 0x2e, 0x6a, 0x73, 3, 0x6c, 0x6f, 0x67, 0, 0, 3, 2, 1, 1, 6, 6, 1, 0x7f, 1, 0x41, 0, 0x0b, 7, 8, 1, 4,
    0x6e, 0x65, 0x78, 0x74, 0, 1, 10, 17, 1, 15, 0, 0x23, 0, 0x41, 1, 0x6a, 0x24, 0, 0x23, 0, 0x10, 0, 0x23, 0, 0x0b,
  ]),
);

async function load(source) {
  const { createGlue } = await import(`data:text/javascript,${encodeURIComponent(makeFactory(source).text)}`);
  return createGlue;
}

test('instances over one module are independent', async () => {
  const createGlue = await load(GLUE);
  const [a, b] = [createGlue(), createGlue()];
  a.initSync({ module: CORE });
  await b.initAsync({ module: CORE });
  assert.deepEqual([new a.Counter().next(), new a.Counter().next(), new b.Counter().next()], [1, 2, 1]);
  assert.deepEqual([a.seen(), b.seen()], [[1, 2], [1]]);
  assert.notEqual(a.Counter, b.Counter);
  assert.deepEqual(Object.keys(a), ['Counter', 'seen', 'initSync', 'initAsync', 'retire']);
});

test('instantiating a second time gives the first instance', async () => {
  const glue = (await load(GLUE))();
  const [first, second] = await Promise.all([glue.initAsync({ module: CORE }), glue.initAsync({ module: CORE })]);
  assert.equal(first, second);
});

test('the globals in use are reported, those of the loader that goes are not', () => {
  assert.deepEqual(makeFactory(GLUE).globals, ['Symbol', 'WebAssembly']);
  assert.deepEqual(makeFactory(`${GLUE}function now() { return Date.now(); }`).globals, [
    'Date',
    'Symbol',
    'WebAssembly',
  ]);
});

const unknown = {
  'an import': "import { x } from './snippets/x.js';",
  'a re-export': "export { x } from './x.js';",
  'a star': "export * from './x.js';",
  'another default': 'export default function () {}',
  'import.meta': 'const here = import.meta.url;',
  'import()': "function later() { return import('./x.js'); }",
  'await at the top': 'const x = await 1;',
  'a loop': 'for (;;) {}',
  'a name of ours': 'function retire() {}',
  'an export of nothing': 'export { nothing };',
  'a syntax error': 'let = ;',
};
for (const [what, code] of Object.entries(unknown)) {
  test(`${what} in the glue is an error`, () => assert.throws(() => makeFactory(GLUE + code), BuildError));
}

for (const name of ['__wbg_get_imports', '__wbg_finalize_init']) {
  test(`glue without ${name} is an error`, () => {
    assert.throws(() => makeFactory(GLUE.replaceAll(name, 'other')), BuildError);
  });
}
