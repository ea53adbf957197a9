// The package in each runtime that people run servers and tools with.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { expectation } from './support/expectation.mjs';
import { PROGRAMS, said, whyNot } from './support/programs.mjs';

let expected;
before(async () => {
  expected = await expectation();
});

for (const name of Object.keys(PROGRAMS)) {
  describe(name, { skip: whyNot(name) }, () => {
    test('import', async () => assert.equal(await said(name, 'entries/import.mjs'), expected));
    test('require', async () => assert.equal(await said(name, 'entries/require.cjs'), expected));
  });
}
