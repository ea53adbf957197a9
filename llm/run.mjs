// Runs whole conversations through the strategies that need a model, with one:
//
//   node llm/run.mjs [WORD]...    only the cases with one of these words in their names
//
// `make test-llm` sets everything up before. What is asserted is the path and what must be true of
// every history, never what the model writes.

import * as messages from 'densify';
import * as host from 'densify/host';
import * as transcripts from 'densify/transcripts';
import { allCases } from './cases.mjs';
import { conversations } from './conversations.mjs';
import { createLab, START_MS } from './lab.mjs';

const densify = { ...messages, ...host };

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const write = (line = '') => process.stdout.write(`${line}\n`);

async function main(words) {
  const lab = await createLab(process.env);
  const counts = { passed: 0, failed: 0, 'not run': 0 };
  try {
    const isWanted = ({ name }) => words.length === 0 || words.some((word) => name.includes(word));
    const cases = allCases(densify, lab, conversations(transcripts)).filter(isWanted);
    if (cases.length === 0) throw new Error(`no case's name has one of: ${words.join(' ')}`);
    write(`test-llm: ${cases.length} cases, ${lab.name}; what isn't needed isn't started after ${seconds(START_MS)}`);
    for (const one of cases) counts[await runCase(lab, one)] += 1;
  } finally {
    await lab.close();
  }
  report(lab, counts);
  if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
}

async function runCase(lab, { name, run, isNeeded = false }) {
  const unrun = isNeeded ? 'failed' : 'not run';
  if (isNeeded ? lab.isOver() : !lab.mayStart()) {
    write(`--       -  ${name}: no time left`);
    return unrun;
  }
  const from = performance.now();
  const line = (sign, text) => write(`${sign} ${seconds(performance.now() - from).padStart(8)}  ${name}: ${text}`);
  try {
    line('ok', await run());
    return 'passed';
  } catch (error) {
    if (lab.isOver()) {
      line('--', 'cut short, no time left');
      return unrun;
    }
    line('FAILED', error.stack);
    return 'failed';
  } finally {
    lab.proxy.clear();
    await lab.proxy.up();
  }
}

function report(lab, counts) {
  write();
  for (const [what, { count, total }] of [...lab.notes].sort(([a], [b]) => (a < b ? -1 : 1)))
    write(`${String(count).padStart(7)}  ${what}${total > 0 ? `, ${seconds(total / count)} each` : ''}`);
  const summary = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  write(`cases: ${summary.join(', ')}; ${seconds(lab.elapsed())} in all`);
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`test-llm: ${error.message}\n`);
  process.exitCode = 1;
});
