// The package in Vercel's edge runtime, which Next.js has, too: it compiles wasm files in another realm than the code's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { EdgeRuntime } from 'edge-runtime';
import { Workshop } from './support/build.mjs';
import { expectation } from './support/expectation.mjs';

const workshop = new Workshop();
const WASM = ['core', 'full', 'tokens'];
let expected;

before(async () => {
  expected = await expectation();
});
after(() => workshop.remove());

/** The compiled wasm files, as the host hands them to the code. */
const compiled = () =>
  Object.fromEntries(
    WASM.map((name) => {
      const file = new URL(`node_modules/densify/dist/${name}.wasm`, import.meta.url);
      return [`wasm_${name}`, new WebAssembly.Module(readFileSync(file))];
    }),
  );

test("Vercel's edge runtime", async () => {
  const file = await workshop.edge('edge');
  const said = [];
  const runtime = new EdgeRuntime({
    extend: (context) => Object.assign(context, compiled(), { report: (text) => said.push(text) }),
  });
  const { report } = runtime.context;
  assert.equal(typeof report, 'function');
  await runtime.evaluate(
    `${readFileSync(file, 'utf8')}\nbundled.finished.then(report, (thrown) => report(String(thrown)));`,
  );
  while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(said[0], expected);
});
