// The figures of the README: every conversation sent again, call by call, without densify and with its defaults.
// readme.test.mjs holds the README's table against them.

import { importPackage } from './load.mjs';
import { thousands } from './text.mjs';

/** The default options, as a policy of `densify/replay`. */
const DEFAULT = 'balanced';

/** CPU time of each call of `optimize` over a conversation, turn by turn, in milliseconds. */
function timesOf({ createOptimizer }, contents) {
  const optimizer = createOptimizer();
  const times = [];
  contents.forEach(({ speaker }, at) => {
    const isCall = speaker === 'ai' && contents[at - 1]?.speaker !== 'ai';
    if (!isCall || at === 0) return;
    const before = process.cpuUsage();
    optimizer.optimize(contents.slice(0, at)).messages;
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  });
  optimizer.dispose();
  return times;
}

const percent = (part, whole) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`);

/** The rows of the README's table and of the demo's: a name, the figures without and with densify, and their ratio. */
export async function savingsOf(conversations) {
  const { replay, sumReplays } = await importPackage('./replay');
  const policies = ['none', DEFAULT];
  const sum = sumReplays(conversations.map(({ contents }) => replay(contents, { policies })));
  const [none, packed] = sum.policies;
  const { identifiers, editedLines, paths } = packed.recollection;
  const shares = [identifiers, editedLines, paths];
  const of = (key) => shares.reduce((total, share) => total + share[key], 0);
  const rows = [
    ['tokens sent', thousands(none.tokens), thousands(packed.tokens), percent(packed.tokens, none.tokens)],
    [
      'input cost in dollars, with cache discounts',
      `$${none.dollars.toFixed(2)}`,
      `$${packed.dollars.toFixed(2)}`,
      percent(packed.dollars, none.dollars),
    ],
    ['text still there when a later step needed it', '100.0%', '', percent(of('kept'), of('of'))],
  ];
  return { requests: sum.requests, rows };
}

export async function printSavings(screen, densify, conversations) {
  const { requests, rows } = await savingsOf(conversations);
  timesOf(densify, conversations[0].contents); // so that the engine has compiled the code
  const times = conversations.flatMap(({ contents }) => timesOf(densify, contents)).sort((a, b) => a - b);
  const time = `${(times[times.length >> 1] ?? 0).toFixed(2)} ms`;
  screen.write();
  screen.write(` ${screen.paint('bold', 'What densify saves')}  ${requests} calls, turn by turn`);
  screen.write(`   ${''.padEnd(45)}${'without'.padStart(11)}${'with'.padStart(11)}`);
  for (const [name, without, withIt, share] of [...rows, ['added CPU time per `optimize` call, median', '', '', time]])
    screen.write(`   ${name.padEnd(45)}${without.padStart(11)}${withIt.padStart(11)}${share.padStart(9)}`);
}
