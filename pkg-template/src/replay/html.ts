import { COLUMNS, summaryOf } from './report.js';
import type { ReplayReport } from './types.js';

/** A log's report, with the name to show. */
export interface NamedReplay {
  readonly name: string;
  readonly report: ReplayReport;
}

const STYLE = `
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#1b1b1b;background:#fff}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.85rem}
th,td{padding:.3rem .5rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}
th:first-child,td:first-child{text-align:left}th{font-weight:600}summary{cursor:pointer;margin:1rem 0 .3rem}
svg{width:100%;height:auto;margin:.5rem 0 1.5rem}dt{font-weight:600}dd{margin:0 0 .4rem}
@media(prefers-color-scheme:dark){body{background:#16181c;color:#e6e6e6}th,td{border-color:#3a3d44}text{fill:#e6e6e6}}`;

/** Marks pages that densify wrote, so that it may overwrite them. */
export const MADE_BY_DENSIFY = '<meta name="generator" content="densify replay">';

/**
 * A report as one page of HTML that needs nothing else: no scripts, no fonts, no contents of logs apart from the
 * given names.
 */
export function replayHtml(total: ReplayReport, logs: readonly NamedReplay[] = []): string {
  const parts = logs.map(({ name, report }) => {
    return `<details><summary>${escaped(name)}</summary>${tableOf(report)}</details>`;
  });
  const words = COLUMNS.map(({ heading, explained }) => `<dt>${escaped(heading)}</dt><dd>${escaped(explained)}</dd>`);
  return page('densify: a replay', [
    `<h1>What densify would have saved, and lost</h1><p>${escaped(summaryOf(total))}</p>`,
    tableOf(total),
    `<h2>Tokens and dollars, compared with the log</h2>${bars(total)}`,
    `<h2>Content that the agent used later, against the tokens kept</h2>${plot(total)}`,
    parts.length === 0 ? '' : `<h2>Log by log</h2>${parts.join('\n')}`,
    `<h2>Words</h2><dl>${words.join('')}</dl>`,
  ]);
}

/** A whole page of HTML that loads nothing and runs nothing. */
export function page(title: string, body: readonly string[]): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${policy}
${MADE_BY_DENSIFY}<meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head>
<body>${body.join('\n')}</body></html>
`;
}

function tableOf({ policies }: ReplayReport): string {
  const [none] = policies;
  if (none === undefined) return '';
  const head = COLUMNS.map(({ heading, explained }) => `<th title="${escaped(explained)}">${escaped(heading)}</th>`);
  const rows = policies.map((each) => {
    return `<tr>${COLUMNS.map(({ cell }) => `<td>${escaped(cell(each, none))}</td>`).join('')}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Two bars for each policy. */
function bars({ policies }: ReplayReport): string {
  const [none] = policies;
  if (none === undefined) return '';
  const most = Math.max(1, ...policies.map(({ dollars }) => ratio(dollars, none.dollars)));
  const width = (part: number) => ((560 * part) / most).toFixed(1);
  const rows = policies.map((each, at) => {
    const [tokens, dollars] = [ratio(each.tokens, none.tokens), ratio(each.dollars, none.dollars)];
    const top = at * 40;
    return (
      `<text x="0" y="${top + 20}">${escaped(each.policy)}</text>` +
      bar(150, top + 4, width(tokens), '#4878cf', `${share(tokens)} of the tokens`) +
      bar(150, top + 20, width(dollars), '#d1884f', `${share(dollars)} of the dollars`)
    );
  });
  const label = policies.map((each) => {
    const [tokens, dollars] = [ratio(each.tokens, none.tokens), ratio(each.dollars, none.dollars)];
    return `${each.policy} ${share(tokens)} of the tokens, ${share(dollars)} of the dollars`;
  });
  return chart(`Compared with the log: ${label.join('; ')}`, policies.length * 40 + 6, rows);
}

function bar(x: number, y: number, width: string, colour: string, label: string): string {
  const end = x + Number(width) + 6;
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="13" fill="${colour}"/>` +
    `<text x="${end}" y="${y + 11}">${escaped(label)}</text>`
  );
}

/** A dot for each policy: to the left is cheaper, up is better. */
function plot({ policies }: ReplayReport): string {
  const [none] = policies;
  if (none === undefined) return '';
  const x = (part: number) => (60 + 760 * Math.min(1, part)).toFixed(1);
  const y = (part: number) => (330 - 300 * part).toFixed(1);
  const dots = policies.flatMap((each) => {
    const { kept, of } = each.recollection.identifiers;
    if (of === 0) return [];
    const [left, top] = [x(ratio(each.tokens, none.tokens)), y(kept / of)];
    return [
      `<circle cx="${left}" cy="${top}" r="4" fill="#4878cf"/>`,
      `<text x="${Number(left) + 7}" y="${Number(top) + 4}">${escaped(each.policy)}</text>`,
    ];
  });
  const lines = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    `<line x1="60" x2="820" y1="${y(part)}" y2="${y(part)}" stroke="#8884"/>`,
    `<text x="10" y="${Number(y(part)) + 4}">${share(part)}</text>`,
    `<text x="${x(part)}" y="350" text-anchor="middle">${share(part)}</text>`,
  ]);
  const label = policies.flatMap((each) => {
    const { kept, of } = each.recollection.identifiers;
    if (of === 0) return [];
    return `${each.policy} keeps ${share(kept / of)} with ${share(ratio(each.tokens, none.tokens))} of the tokens`;
  });
  return chart(`Content that the agent used later: ${label.join('; ') || 'none'}`, 360, [...lines, ...dots]);
}

/** A chart. Its label holds the figures: screen readers say nothing else of a picture. */
export function chart(label: string, height: number, parts: readonly string[]): string {
  const size = `viewBox="0 0 900 ${height}" font-size="13"`;
  return `<svg ${size} role="img" aria-label="${escaped(label)}">${parts.join('')}</svg>`;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function share(part: number): string {
  return `${Math.round(100 * part)}%`;
}

/** A text as HTML shows it. */
export function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (sign) => names[sign]!);
}
