import { chart, escaped, page } from '../replay/html.js';
import {
  COUNT_HEADINGS,
  countRows,
  estimated,
  HEADINGS,
  type Proof,
  RECALL_HEADINGS,
  recallRows,
  rowsOf,
  summaryOf,
} from './report.js';

const WORDS: readonly (readonly [string, string])[] = [
  ['tokens', 'Tokens of the packed histories at the cut points, as a share of the whole ones.'],
  ['quotes kept', 'Next edits whose quoted text still stands verbatim in the history. No model is asked for it.'],
  [
    'tool, arguments, intent',
    'How often the next action after the packed history is that after the whole one, with a 95% interval by session.',
  ],
  ['the model with itself', 'The same question asked twice. No policy can agree more than that, except by chance.'],
  [
    'arguments less noise',
    'Agreement of arguments, less that of the model with itself. An interval that holds 0 shows no change.',
  ],
  ['losses', 'Cut points at which the model agreed with itself and did something else after packing.'],
];

/** A report as one page of HTML: no scripts, nothing of what the logs say but their names and those of tools. */
export function proofHtml(proof: Proof): string {
  const [counts, questions] = [countRows(proof), recallRows(proof)];
  const losses = proof.policies.flatMap(({ policy, losses: own }) =>
    own.map(({ log, entry, full, packed }) => [policy, log, String(entry), full, packed]),
  );
  return page('densify: the next actions', [
    `<h1>Does the agent still do the same?</h1><p>${escaped(summaryOf(proof))}</p>`,
    table(HEADINGS, rowsOf(proof)),
    agreementChart(proof),
    ...(counts.length === 0 ? [] : ['<h2>Pairs that agree</h2>', table(COUNT_HEADINGS, counts)]),
    ...(questions.length === 0 ? [] : ['<h2>Questions about what was cut</h2>', table(RECALL_HEADINGS, questions)]),
    ...(losses.length === 0
      ? []
      : ['<h2>Losses</h2>', table(['policy', 'log', 'entry', 'whole history', 'packed'], losses)]),
    `<h2>Words</h2><dl>${WORDS.map(([word, said]) => `<dt>${escaped(word)}</dt><dd>${escaped(said)}</dd>`).join('')}</dl>`,
  ]);
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<table><thead><tr>${cells(headings, 'th')}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Agreement of arguments with its interval, a line for each policy. */
function agreementChart({ noise, policies }: Proof): string {
  const lines = [
    { name: 'the model with itself', of: noise },
    ...policies.map(({ policy, agreement }) => ({ name: policy, of: agreement })),
  ];
  const x = (share: number) => (220 + 560 * share).toFixed(1);
  const rows = lines.flatMap(({ name, of }, at) => {
    if (of === undefined) return [];
    const y = 24 + at * 26;
    const { value, low = value, high = value } = of.arguments;
    return [
      `<text x="0" y="${y + 4}">${escaped(name)}</text><line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" stroke="#4878cf" stroke-width="2"/>`,
      `<circle cx="${x(value)}" cy="${y}" r="5" fill="#4878cf"/>`,
    ];
  });
  if (rows.length === 0) return '';
  const height = 40 + lines.length * 26;
  const grid = [0, 0.5, 1].map(
    (share) =>
      `<line x1="${x(share)}" x2="${x(share)}" y1="8" y2="${height - 22}" stroke="#8884"/><text x="${x(share)}" y="${height - 6}" text-anchor="middle">${100 * share}%</text>`,
  );
  const label = lines.flatMap(({ name, of }) => (of === undefined ? [] : [`${name} ${estimated(of.arguments)}`]));
  return chart(`How often arguments agree: ${label.join('; ')}`, height, [...grid, ...rows]);
}
