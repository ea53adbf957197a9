// The demo's pages: a head and a section per strategy for each conversation, then a table of all.

import { RULES } from './cuts.mjs';
import { excerpt } from './excerpt.mjs';
import { bar } from './screen.mjs';
import { clip, columns, pad, thousands, visible, wrap } from './text.mjs';

const MAX_BAR = 48;

export function printConversation(screen, conversation, { tokens, runs }) {
  printHead(screen, conversation, tokens);
  const shown = new Set();
  for (const run of runs) printRun(screen, conversation, run, shown);
}

function printHead(screen, { title, description, contents }, tokens) {
  const { paint, signs, width } = screen;
  screen.write();
  const head = ` ${clip(visible(title), width - 6, signs.more)} `;
  screen.write(
    paint('cyan', signs.rule.repeat(2)) +
      paint('bold', head) +
      paint('cyan', signs.rule.repeat(Math.max(0, width - 2 - columns(head)))),
  );
  for (const line of wrap(visible(description), width - 4)) screen.write(`   ${paint('dim', line)}`);
  const count = (speaker) => contents.filter((content) => content.speaker === speaker).length;
  const speakers = `${count('human')} human, ${count('ai')} ai, ${count('tool')} tool`;
  screen.write(`   ${thousands(contents.length)} entries (${speakers}), ${thousands(tokens)} tokens`);
  for (const line of wrap(toolNames(contents), width - 4)) screen.write(`   ${paint('dim', line)}`);
}

/** How often each tool was called, the busiest first. */
function toolNames(contents) {
  const counts = new Map();
  for (const { blocks } of contents) {
    for (const block of blocks)
      if (block.type === 'tool_call') counts.set(block.name, (counts.get(block.name) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const named = sorted.slice(0, 8).map(([name, count]) => `${visible(String(name))} ${count}`);
  if (sorted.length > 8) named.push(`${sorted.length - 8} other tools`);
  return named.length > 0 ? `calls: ${named.join(', ')}` : 'no tool calls';
}

function printRun(screen, { contents }, run, shown) {
  const { paint, signs } = screen;
  const name = run.strategy.name;
  const time = milliseconds(run.ms);
  const note = clip(run.strategy.note, screen.width - name.length - time.length - 5, signs.more);
  const left = ` ${paint('bold', name)}  ${paint('dim', note)}`;
  const used = 3 + columns(name) + columns(note);
  screen.write();
  screen.write(left + ' '.repeat(Math.max(2, screen.width - used - columns(time))) + paint('cyan', time));
  printTokens(screen, run);
  printRules(screen, run);
  printKept(screen, run, contents);
  const cut = excerpt(contents, run, shown);
  if (cut) printExcerpt(screen, cut);
}

const milliseconds = (ms) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/** The share that was saved, as `−45.1%`. */
function share(screen, { tokensBefore, tokensAfter }) {
  const percent = tokensBefore > 0 ? ((tokensBefore - tokensAfter) / tokensBefore) * 100 : 0;
  return `${percent > 0 ? screen.signs.minus : ''}${Math.abs(percent).toFixed(1)}%`;
}

function printTokens(screen, run) {
  const { signs, paint } = screen;
  const text = `   ${thousands(run.tokensBefore)} ${signs.arrow} ${thousands(run.tokensAfter)} tokens`;
  const saved = share(screen, run);
  const room = Math.min(MAX_BAR, screen.width - columns(text) - columns(saved) - 6);
  const fraction = run.tokensBefore > 0 ? run.tokensAfter / run.tokensBefore : 1;
  const middle = screen.hasBars && room >= 8 ? `  ${bar(screen, fraction, room)}` : '';
  screen.write(`${text}${middle}  ${paint('bold', saved)}`);
}

function printRules(screen, { rules, result }) {
  const { paint, signs } = screen;
  const used = Object.keys(RULES).filter((rule) => rules[rule]);
  for (const rule of used) {
    const { edits, saved } = rules[rule];
    const count = `${pad(thousands(edits), 6, 'right')} ${edits === 1 ? 'edit ' : 'edits'}`;
    screen.write(`   ${pad(RULES[rule], 22)}${count}${pad(`${signs.minus}${thousands(saved)} tokens`, 16, 'right')}`);
  }
  if (used.length === 0) screen.write(`   ${paint('dim', `nothing cut${result.reason ? `: ${result.reason}` : ''}`)}`);
  for (const warning of result.warnings ?? [])
    screen.write(
      `   ${paint('yellow', 'warning')} ${clip(visible(warningText(warning)), screen.width - 12, signs.more)}`,
    );
  if (result.metadata?.targetReached === false)
    screen.write(`   ${paint('yellow', 'the target could not be reached')}`);
}

function warningText(warning) {
  const { code = 'warning', message = '', index } = typeof warning === 'string' ? { message: warning } : warning;
  return `${code}${index === undefined ? '' : ` in entry ${index + 1}`}${message ? `: ${message}` : ''}`;
}

function printKept({ paint, write, width }, { requests, pairs, untouched, isTold, isInputUntouched }, contents) {
  const parts = [
    [requests.kept === requests.all ? 'green' : 'yellow', `${requests.kept} of ${requests.all} requests`],
    pairs.torn === 0
      ? ['green', `${thousands(pairs.intact)} call/response ${pairs.intact === 1 ? 'pair' : 'pairs'}, none torn`]
      : ['red', `${thousands(pairs.torn)} call/response ${pairs.torn === 1 ? 'pair' : 'pairs'} TORN`],
    ['dim', `${thousands(untouched)} of ${thousands(contents.length)} entries untouched`],
  ];
  if (!isTold) parts.push(['red', 'THE EDITS DO NOT LEAD THERE']);
  if (!isInputUntouched) parts.push(['red', 'THE INPUT WAS CHANGED']);
  let line = '   kept: ';
  let used = line.length;
  parts.forEach(([style, text], index) => {
    const end = index < parts.length - 1 ? '; ' : '';
    if (used + text.length + end.length > width) {
      write(line);
      line = ' '.repeat(9);
      used = line.length;
    }
    line += paint(style, text) + end;
    used += text.length + end.length;
  });
  write(line);
}

function printExcerpt(screen, { title, rows }) {
  const { paint, signs, width } = screen;
  const labelWidth = Math.max(...rows.map((row) => columns(row.label)));
  screen.write(`   ${paint('dim', signs.side)} ${paint('dim', title)}`);
  let last = '';
  for (const row of rows) {
    const label = pad(row.label === last ? '' : row.label, labelWidth);
    last = row.label || last;
    const room = width - labelWidth - 9;
    // Cut before it is made visible: a line may be megabytes long.
    const text = row.more
      ? `${signs.more} ${row.more}`
      : clip(visible(row.text.slice(0, width * 16)), room, signs.more);
    const style = row.sign === '-' ? (row.more ? 'red dim' : 'red') : row.more ? 'green dim' : 'green';
    screen.write(`   ${paint('dim', signs.side)} ${paint('dim', label)} ${paint(style, `${row.sign} ${text}`)}`);
  }
}

/** All conversations and strategies. */
export function printTable(screen, reports) {
  const { paint, signs, width, write } = screen;
  const shown = COLUMNS.filter((column) => width >= (column.from ?? 0));
  const rest = shown.slice(1).reduce((sum, column) => sum + column.width + 2, 0);
  const widths = shown.map((column, i) =>
    i === 0 ? Math.max(column.width, Math.min(28, width - 2 - rest)) : column.width,
  );
  const line = (cells) =>
    ` ${cells.map(([text, style], i) => paint(style ?? '', pad(text, widths[i], i === 0 ? 'left' : 'right'))).join('  ')}`;
  write();
  write(paint('cyan', signs.rule.repeat(width)));
  write(line(shown.map((column) => [column.title, 'bold'])));
  for (const { conversation, runs } of reports) {
    write(paint('dim', signs.thin.repeat(width)));
    write(` ${clip(visible(conversation.title), width - 2, signs.more)}`);
    for (const run of runs) write(line(shown.map((column) => column.cell(run, screen))));
  }
  write(paint('dim', signs.thin.repeat(width)));
  for (const text of wrap(LEGEND, width - 2)) write(paint('dim', ` ${text}`));
}

const COLUMNS = [
  { title: 'all conversations', width: 21, cell: ({ strategy }) => [`  ${strategy.name}`] },
  {
    title: 'tokens',
    width: 18,
    from: 84,
    cell: ({ tokensBefore, tokensAfter }, { signs }) => [
      `${thousands(tokensBefore)} ${signs.arrow} ${thousands(tokensAfter)}`,
    ],
  },
  { title: 'saved', width: 8, cell: (run, screen) => [share(screen, run), 'bold'] },
  {
    title: 'requests',
    width: 9,
    cell: ({ requests: { kept, all } }) => [`${kept}/${all}`, kept === all ? 'green' : 'yellow'],
  },
  {
    title: 'pairs',
    width: 8,
    cell: ({ pairs: { intact, torn } }, { signs }) =>
      torn === 0 ? [`${signs.ok} ${intact}`, 'green'] : [`${torn} TORN`, 'red'],
  },
  { title: 'time', width: 9, cell: ({ ms }) => [milliseconds(ms), 'cyan'] },
];

const LEGEND =
  'requests: human entries whose own words are still there, of all. pairs: calls with their response; none may be torn apart. ' +
  'Both are computed from the packed history. time: median of several runs, without counting the tokens for this table.';
