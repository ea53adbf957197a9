// What all runtimes must say: what the package says here.
import assert from 'node:assert/strict';
import * as densify from 'densify';
import * as tokens from 'densify/tokens';
import * as transcripts from 'densify/transcripts';
import { probe } from '../probe.mjs';

export async function expectation() {
  const said = await probe(densify, tokens, transcripts);
  // A probe that found nothing to do would show nothing.
  assert.match(said, /"kind":"applied"/);
  assert.match(said, /never push to main/);
  return said;
}
