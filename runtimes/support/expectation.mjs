// What all runtimes must say: what the package says here.
import assert from 'node:assert/strict';
import * as parts from '../parts.mjs';
import { probe } from '../probe.mjs';

export async function expectation() {
  const said = await probe(parts);
  // A probe that found nothing to do would show nothing.
  assert.match(said, /"kind":"applied"/);
  assert.match(said, /never push to main/);
  assert.match(said, /"rule":"stale-reads"/);
  assert.match(said, /"reference":"r[0-9a-z]{13}"/);
  assert.match(said, /"policy":"lossless"/);
  assert.match(said, /"orphan-call"/);
  return said;
}
