// `densify prove` with a model, from logs to report. Which steps so small a model takes shows nothing; that each question is
// asked once, and that a second run only reads its answers, does.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MODEL_NAME } from './local-model.mjs';

const MANIFEST = new URL(import.meta.resolve('densify/package.json'));
const CLI = fileURLToPath(new URL(JSON.parse(readFileSync(MANIFEST, 'utf8')).bin.densify, MANIFEST));
const LOGS = ['claude-code.jsonl', 'codex.jsonl', 'gemini-cli.json'].map((name) =>
  fileURLToPath(new URL(`../js-tests/fixtures/transcripts/${name}`, import.meta.url)),
);

/** Runs it twice over some logs; the second time all answers are known. */
export async function proves(lab) {
  await lab.startModel();
  const folder = mkdtempSync(join(tmpdir(), 'densify-proves-'));
  try {
    const state = join(folder, 'state.jsonl');
    const run = async () => {
      const args = [
        '--url',
        lab.proxy.url,
        '--model',
        MODEL_NAME,
        '--prices=0,0',
        '--without-tools',
        `--state=${state}`,
      ];
      const few = ['--policies=aggressive', '--cuts=1', '--window=8000', '--max-tokens=48', '--parallel=1', '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'prove', ...LOGS, ...args, ...few]);
      return JSON.parse(stdout);
    };
    const proof = await run();
    assert.equal(proof.stopped, undefined);
    assert.equal(proof.cuts.planned, LOGS.length);
    const answers = readFileSync(state, 'utf8');
    const asked = answers.split('\n').filter((line) => line.includes('"answer"')).length;
    assert.ok(asked >= 2 * LOGS.length, `${asked} answers`);
    assert.deepEqual(await run(), proof);
    assert.equal(readFileSync(state, 'utf8'), answers);
    return `${asked} answers to ${proof.cuts.planned} points`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
