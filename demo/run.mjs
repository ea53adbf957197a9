// Runs each deterministic strategy on a conversation and measures what it did.

import { fingerprint, keptPairs, keptRequests } from './checks.mjs';
import { findCuts, tallyByRule } from './cuts.mjs';
import { thousands } from './text.mjs';

const OPTIMIZE = [
  { name: 'optimize', note: "the preset 'balanced'" },
  {
    name: 'optimize, seed',
    note: "the documents' rules, with the newest 3 results of each tool",
    options: { preset: 'seed', rules: { recencyPruning: true } },
  },
];

/** The strategies of `compress` that need no model. */
const COMPRESS = ['high-density', 'top-down-truncation'];

/** All deterministic strategies on one conversation; `compress` gets a window that it just fills. */
export function runAll(densify, { contents, workspaceRoot = '/' }) {
  const tokens = densify.estimateTokens(contents);
  const contextLimit = Math.max(1, tokens);
  const optimized = OPTIMIZE.map((strategy) =>
    runOne(densify, strategy, contents, () => densify.optimize(contents, { workspaceRoot, ...strategy.options })),
  );
  const compressed = COMPRESS.map((name) => {
    const strategy = {
      name,
      note: `compress, a full window of ${thousands(contextLimit)} tokens`,
    };
    const action = () => densify.compress(contents, { strategy: name, contextLimit, workspaceRoot });
    return runOne(densify, strategy, contents, action);
  });
  return { tokens, runs: [...optimized, ...compressed] };
}

function runOne(densify, strategy, contents, action) {
  const print = fingerprint(contents);
  const result = action();
  const { messages } = result;
  const { cuts, partners, untouched, isTold } = findCuts(densify, contents, result);
  return {
    strategy,
    result,
    messages,
    cuts,
    untouched,
    tokensBefore: densify.estimateTokens(contents),
    tokensAfter: densify.estimateTokens(messages),
    rules: tallyByRule(densify, contents, result.edits),
    isTold,
    requests: keptRequests(contents, partners),
    pairs: keptPairs(contents, messages),
    isInputUntouched: fingerprint(contents) === print,
    ms: medianTime(action),
  };
}

const WARM_UP_MS = 40;
const MAX_RUNS = 31;
const TIME_BUDGET_MS = 250;

/** The median of several runs, the new history included, the count of tokens not. */
function medianTime(action) {
  const times = [];
  for (const start = performance.now(); performance.now() - start < WARM_UP_MS; ) void action().messages;
  const start = performance.now();
  do {
    const from = performance.now();
    void action().messages;
    times.push(performance.now() - from);
  } while (times.length < MAX_RUNS && performance.now() - start < TIME_BUDGET_MS);
  return times.sort((a, b) => a - b)[times.length >> 1];
}
