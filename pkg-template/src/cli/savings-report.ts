/** The figures of `densify savings` as one screen of text, as JSON and as a page. */
import { tableText, wrapped } from '../base/columns.js';
import { chart, escaped, page } from '../replay/html.js';
import { added, type Figures, NO_FIGURES, type Session } from './savings-figures.js';

/** The sessions that were read, and the logs that were left out. */
export interface Savings {
  readonly sessions: readonly Session[];
  /** Logs that couldn't be read, and why. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Logs in which no model was called. */
  readonly empty: number;
}

/** The condition under which every figure of what would have been holds. */
const SAME = 'same trajectory';
/** The most sessions named that would have cost more. */
const NAMED = 5;
/** Below a thousandth more a session counts as costing the same. */
const LOSS = 1.001;

const costsMore = ({ sent, densified }: Figures): boolean => densified > sent * LOSS;
const dollars = (value: number): string => `$${value.toFixed(2)}`;
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`);
const count = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

function totals(sessions: readonly Session[]): Map<string, Figures> {
  const agents = new Map<string, Figures>();
  for (const session of sessions) agents.set(session.agent, added(agents.get(session.agent) ?? NO_FIGURES, session));
  return agents;
}

/** The rows of the table: each agent, then all of them. */
function rowsOf({ sessions }: Savings): string[][] {
  const named: [string, Figures][] = [...totals(sessions), ['all', sessions.reduce(added, NO_FIGURES)]];
  return named.map(([name, of]) => [
    ...[name, count(of.sessions), count(of.requests), count(of.coldRequests)],
    ...[of.reporting === 0 ? '–' : dollars(of.reported), dollars(of.sent), dollars(of.densified)],
    ...[dollars(of.sent - of.densified), percent(of.sent - of.densified, of.sent)],
    count(sessions.filter((session) => (name === 'all' || session.agent === name) && costsMore(session)).length),
  ]);
}

const HEADINGS = [
  ...['agent', 'sessions', 'requests', 'cold cache', 'reported', 'sent', `with densify (${SAME})`],
  ...[`saved (${SAME})`, 'of sent', 'cost more'],
];

/** What the columns mean, as the text and the page explain them. */
const WORDS: readonly (readonly [string, string])[] = [
  ['cold cache', 'requests after the provider’s cache had expired'],
  ['reported', 'all input by the provider’s own counts, with system prompts and tools, if the logs have them'],
  ['sent', 'the messages of the logs, unchanged: estimated tokens, the models’ list prices, with the cache'],
  ['with densify', `the same with densify’s defaults, assuming that the agent acts the same (${SAME})`],
  ['cost more', `sessions that would have cost more (${SAME})`],
];

/** The sessions that would have cost most more. */
function worst({ sessions }: Savings): readonly Session[] {
  const loss = ({ sent, densified }: Session): number => densified - sent;
  return sessions.filter(costsMore).sort((one, other) => loss(other) - loss(one));
}

const lossOf = ({ agent, name, sent, densified, requests }: Session): string =>
  `${agent} ${name}: ${dollars(densified - sent)} more, ${percent(densified - sent, sent)} (${SAME}), ${count(requests)} requests`;

/** Models without a row in the price table, each once. */
function unknownModels({ sessions }: Savings): string {
  const names = new Set(
    sessions.flatMap(({ model, isUnknownModel }) => (isUnknownModel ? [model || 'no model named'] : [])),
  );
  if (names.size === 0) return '';
  return `Unknown prices, counted like Claude Sonnet’s with the most expensive cache: ${[...names].join(', ')}. Pass --prices to set them.`;
}

/** Sessions of free models. */
function freeModels({ sessions }: Savings): string {
  const free = sessions.filter(({ isFreeModel }) => isFreeModel);
  const names = [...new Set(free.map(({ model }) => model))].join(', ');
  return free.length === 0 ? '' : `Free, so there was nothing to save: ${names} (${count(free.length)} sessions).`;
}

/** One screen of text, for a terminal of this width. */
export function savingsText(savings: Savings, columns?: number): string {
  const losers = worst(savings);
  const losses = losers.slice(0, NAMED).map((each) => `  ${lossOf(each)}`);
  const more = losers.length > NAMED ? [`  and ${losers.length - NAMED} more`] : [];
  const notes = [
    unknownModels(savings),
    freeModels(savings),
    savings.empty === 0 ? '' : `${count(savings.empty)} logs without a model call were left out.`,
  ];
  const after = [
    ...(losers.length === 0
      ? ['No session would have cost more.']
      : ['These sessions would have cost more:', ...losses, ...more]),
    ...['', ...WORDS.map(([word, explained]) => `${word}: ${explained}`)],
    ...notes.filter((note) => note !== ''),
  ];
  const title = 'What your agents spent on input, and what densify’s defaults would have saved';
  const table = tableText([HEADINGS, ...rowsOf(savings)], columns);
  return [wrapped(title, columns), '', table, '', wrapped(after.join('\n'), columns, '  '), ''].join('\n');
}

/** The same as JSON, which names every session. */
export function savingsJson(savings: Savings): string {
  const { sessions, skipped, empty } = savings;
  const total = sessions.reduce(added, NO_FIGURES);
  const agents = Object.fromEntries(totals(sessions));
  return `${JSON.stringify({ version: 1, trajectory: 'same', total, agents, sessions, skipped, empty })}\n`;
}

/** A page with charts that needs nothing else. */
export function savingsHtml(savings: Savings): string {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('');
  const table = `<table><thead><tr>${cells('th', HEADINGS)}</tr></thead><tbody>${rowsOf(savings)
    .map((row) => `<tr>${cells('td', row)}</tr>`)
    .join('')}</tbody></table>`;
  const agents = [...totals(savings.sessions)];
  const most = Math.max(...agents.map(([, { sent }]) => sent), 1e-9);
  const bar = (top: number, value: number, colour: string, label: string): string => {
    const width = (560 * value) / most;
    const rect = `<rect x="150" y="${top}" width="${width.toFixed(1)}" height="14" fill="${colour}"/>`;
    return `${rect}<text x="${(156 + width).toFixed(1)}" y="${top + 12}">${escaped(label)}</text>`;
  };
  const bars = agents.map(([name, { sent, densified }], at) => {
    const [top, label] = [at * 44, `${dollars(densified)} with densify (${SAME})`];
    const name_ = `<text x="0" y="${top + 22}">${escaped(name)}</text>`;
    return (
      name_ + bar(top + 4, sent, '#4878cf', `${dollars(sent)} as sent`) + bar(top + 21, densified, '#d1884f', label)
    );
  });
  const totalsLabel = agents.map(
    ([name, { sent, densified }]) => `${name} ${dollars(sent)} as sent, ${dollars(densified)} with densify (${SAME})`,
  );
  const agentChart = chart(`Dollars of input: ${totalsLabel.join('; ')}`, agents.length * 44 + 6, bars);
  const dots = savings.sessions.map(({ sent, densified, name }) => {
    const share = sent === 0 ? 1 : densified / sent;
    const x = 60 + 190 * Math.max(0, Math.min(4, Math.log10(Math.max(sent, 1e-3)) + 3));
    const y = 30 + 200 * Math.min(1.5, share);
    const title = `<title>${escaped(name)}</title>`;
    // Sessions that would have cost more are squares: not everyone sees their colour.
    if (share > LOSS) {
      return `<rect x="${(x - 4).toFixed(1)}" y="${(y - 4).toFixed(1)}" width="8" height="8" fill="#c44">${title}</rect>`;
    }
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4" fill="#4878cf">${title}</circle>`;
  });
  const marks = [0, 0.5, 1, 1.5].map(
    (share) =>
      `<line x1="60" x2="830" y1="${30 + 200 * share}" y2="${30 + 200 * share}" stroke="#8884"/><text x="5" y="${34 + 200 * share}">${100 * share}%</text>`,
  );
  const scale = ['$0.001', '$0.01', '$0.10', '$1', '$10'].map(
    (label, at) => `<text x="${60 + 190 * at}" y="352" text-anchor="middle">${label}</text>`,
  );
  const losers = worst(savings);
  const plotLabel = `${count(savings.sessions.length)} sessions, of which ${count(losers.length)} would have cost more; the table has the figures`;
  const plot = chart(plotLabel, 360, [...marks, ...scale, ...dots]);
  const losses = losers.map((each) => `<li>${escaped(lossOf(each))}</li>`);
  const body = [
    `<h1>What your agents spent, and what densify would have saved</h1>${table}`,
    `<h2>Dollars of input by agent</h2>${agentChart}`,
    `<h2>Sessions: remaining share of the cost (${SAME}), by size</h2><p>Squares: sessions that would have cost more.</p>${plot}`,
    losses.length === 0 ? '' : `<h2>Sessions that would have cost more</h2><ul>${losses.join('')}</ul>`,
    `<h2>Words</h2><dl>${WORDS.map(([word, explained]) => `<dt>${escaped(word)}</dt><dd>${escaped(explained)}</dd>`).join('')}</dl>`,
    `<p>${escaped(unknownModels(savings))}</p><p>${escaped(freeModels(savings))}</p>`,
  ];
  return page('densify: savings', body);
}
