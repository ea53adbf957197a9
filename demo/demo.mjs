// Packs conversations with every deterministic strategy, and one with a model, and shows what happens.
//
//   node demo/demo.mjs                  the bundled conversations
//   node demo/demo.mjs LOG…             your own logs (pi, Claude Code, OpenAI-style chat)
//   FILES="a.jsonl b.json" node demo/demo.mjs
//
// DENSIFY_PACKAGE_DIR names the folder of a package to use instead of the installed one.

import { bundledSources, importPackage, logSources } from './load.mjs';
import { printConversation, printTable } from './report.mjs';
import { runAll } from './run.mjs';
import { printSavings } from './savings.mjs';
import { createScreen } from './screen.mjs';
import { showSummary } from './summary.mjs';
import { visible } from './text.mjs';

async function main() {
  const screen = createScreen(process.stdout, process.env);
  const files =
    process.argv.length > 2 ? process.argv.slice(2) : (process.env.FILES ?? '').split(/\s+/).filter(Boolean);
  const densify = await importPackage();
  const sources =
    files.length > 0
      ? logSources(files, (await importPackage('./transcripts')).readTranscriptStream)
      : bundledSources();
  const reports = [];
  for (const source of sources) {
    const report = await runSource(densify, source);
    if (!report) continue;
    printConversation(screen, report.conversation, report);
    reports.push(report);
  }
  if (reports.length === 0) return;
  printTable(screen, reports);
  const conversations = reports.map(({ conversation }) => conversation);
  await printSavings(screen, densify, conversations);
  await showSummary(screen, { ...densify, ...(await importPackage('./host')) }, reports[0].conversation);
}

/** One conversation. If it can't be read, the demo prints a line on stderr and continues. */
async function runSource(densify, { name, load }) {
  try {
    const conversation = await load();
    return { conversation, ...runAll(densify, conversation) };
  } catch (error) {
    // Without the system call that failed, which names the file once more.
    complain(`${name}: ${error.message.replace(/, \w+( '.*')?$/, '')}`);
    return undefined;
  }
}

function complain(text) {
  process.exitCode = 1;
  process.stderr.write(`demo: ${visible(text.split('\n', 1)[0])}\n`);
}

// `make demo | head` closes the pipe early; that's no fault.
process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

main().catch((error) => {
  const isMissing = error.code === 'ERR_MODULE_NOT_FOUND' && /'densify'/.test(error.message);
  complain(isMissing ? 'the package is not there: run `make demo`, or set DENSIFY_PACKAGE_DIR' : error.message);
});
