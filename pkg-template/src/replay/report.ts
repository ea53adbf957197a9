import { tableText, wrapped } from '../base/columns.js';
import { densifyError } from '../base/errors.js';
import { describe, onlyKnown, optionError } from '../base/options.js';
import { MEASURED, NEWER_CLAUDES } from '../models/measured.js';
import type { PolicyReport, ReplayReport, Share } from './types.js';
import { together } from './used.js';

/**
 * The reports of several logs as one. No report, or reports that were made with other policies, prices or another window,
 * are an `invalid-options`: their sums would say nothing.
 */
export function sumReplays(reports: readonly ReplayReport[]): ReplayReport {
  if (!Array.isArray(reports)) throw wrong(`found ${describe(reports)}`, 'a list of reports');
  const [first, ...others] = reports as readonly ReplayReport[];
  if (first === undefined) throw wrong('found an empty list', 'at least one report');
  others.forEach((other, at) => {
    const key = OPTIONS.find((key) => optionOf(first, key) !== optionOf(other, key));
    const found = `report ${at + 1} was made with other ${key} than the first one`;
    if (key !== undefined) throw wrong(found, 'reports that were made with the same options', at + 1);
  });
  return others.reduce(added, first);
}

/** What reports that are summed have in common. */
const OPTIONS = ['policies', 'prices', 'contextLimit'] as const;

/** An option by which a report was made, as a text; in which order policies were named doesn't matter. */
function optionOf({ policies, prices, contextLimit }: ReplayReport, key: (typeof OPTIONS)[number]): string {
  const names = policies.map(({ policy }) => policy).sort();
  return JSON.stringify({ policies: names, prices: [prices.cached, prices.uncached], contextLimit }[key]);
}

function wrong(found: string, expected: string, index?: number): Error {
  const details = index === undefined ? { key: 'reports' } : { key: 'reports', index };
  return densifyError('invalid-options', `option reports: ${found}, expected ${expected}`, details);
}

function added(one: ReplayReport, other: ReplayReport): ReplayReport {
  const policies = one.policies.map((report) => {
    const more = other.policies.find(({ policy }) => policy === report.policy);
    return more === undefined ? report : addedPolicy(report, more);
  });
  const [logs, requests] = [one.logs + other.logs, one.requests + other.requests];
  return { ...one, logs, requests, coldRequests: one.coldRequests + other.coldRequests, policies };
}

/** The reports of one policy on two logs, or on two segments of one, as one. */
export function addedPolicy(one: PolicyReport, other: PolicyReport): PolicyReport {
  return {
    policy: one.policy,
    tokens: one.tokens + other.tokens,
    largest: Math.max(one.largest, other.largest),
    cachedTokens: one.cachedTokens + other.cachedTokens,
    dollars: one.dollars + other.dollars,
    worst: Math.max(one.worst, other.worst),
    prefixBreaks: one.prefixBreaks + other.prefixBreaks,
    reasoningLost: one.reasoningLost + other.reasoningLost,
    regret: one.regret + other.regret,
    rejected: one.rejected + other.rejected,
    overLimit: one.overLimit + other.overLimit,
    recollection: together(one.recollection, other.recollection),
  };
}

/** A column of reports: its heading, its value, and its explanation. */
export interface Column {
  readonly heading: string;
  readonly explained: string;
  readonly cell: (report: PolicyReport, none: PolicyReport) => string;
}

const count = (value: number) => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`);
const shared = ({ kept, of }: Share) => percent(kept, of);

/** The difference between these token counts, with all figures that depend on them, and the provider's. */
const ESTIMATED = `They are estimates of the log's contents, the same for every model, without tools. Claude and Gemini report about ${MEASURED} times as many, and Claude from Opus 4.7 and Sonnet 5 on about ${NEWER_CLAUDES} times. Their logs cost more and fill a window sooner by this factor, under every policy alike.`;

/** What reports show of each policy. */
export const COLUMNS: readonly Column[] = [
  { heading: 'policy', explained: 'The action before each model call.', cell: ({ policy }) => policy },
  {
    heading: 'tokens',
    explained: `Input tokens of all requests, compared with the log. ${ESTIMATED}`,
    cell: ({ tokens }, none) => percent(tokens, none.tokens),
  },
  {
    heading: 'largest',
    explained: 'Tokens of the largest request.',
    cell: ({ largest }) => count(largest),
  },
  {
    heading: 'dollars',
    explained: 'The cost of the input, with the cache counted, by these tokens.',
    cell: ({ dollars }) => dollars.toFixed(2),
  },
  {
    heading: 'worst',
    explained: "The highest ratio of dollars up to a request to the log's own dollars up to there.",
    cell: ({ worst }) => percent(worst, 1),
  },
  {
    heading: 'cached',
    explained: "The share of the input that came from the provider's cache, which expires after a long pause.",
    cell: ({ cachedTokens, tokens }) => percent(cachedTokens, tokens),
  },
  {
    heading: 'breaks',
    explained: "Requests that don't continue the one before, so everything after the change is read again.",
    cell: ({ prefixBreaks }) => count(prefixBreaks),
  },
  {
    heading: 'identifiers',
    explained:
      'Identifiers that the agent wrote later and knew only from its history: the share still in the context, at their place.',
    cell: ({ recollection }) => shared(recollection.identifiers),
  },
  {
    heading: 'edited lines',
    explained: 'Lines that a later edit names: the share still in the context, between their neighbours.',
    cell: ({ recollection }) => shared(recollection.editedLines),
  },
  {
    heading: 'paths',
    explained: 'Paths that the agent wrote later: the share still in the context.',
    cell: ({ recollection }) => shared(recollection.paths),
  },
  {
    heading: 'requests',
    explained: "The user's requests: the share still there word for word.",
    cell: ({ recollection }) => shared(recollection.requests),
  },
  {
    heading: 'thoughts lost',
    explained: 'Pieces of reasoning missing from the last request.',
    cell: ({ reasoningLost }) => count(reasoningLost),
  },
  {
    heading: 'regret',
    explained: 'Calls that the agent repeated after their first result was cut.',
    cell: ({ regret }) => count(regret),
  },
  {
    heading: 'rejected',
    explained: 'Requests with a fault that the log itself does not have.',
    cell: ({ rejected }) => count(rejected),
  },
  {
    heading: 'over',
    explained: 'Requests over the window.',
    cell: ({ overLimit }) => count(overLimit),
  },
];

/** What a report is about, in one line. */
export function summaryOf({ logs, requests, coldRequests, contextLimit, prices }: ReplayReport): string {
  const { cached, uncached } = prices;
  const gaps = coldRequests === 0 ? '' : `, ${count(coldRequests)} of them with a cold cache`;
  const of = `${count(logs)} ${logs === 1 ? 'log' : 'logs'}, ${count(requests)} calls of the model${gaps}`;
  return `${of}; window ${count(contextLimit)} tokens; a million tokens cost $${cached} from the cache, $${uncached} else`;
}

/** How a report is shown as text. */
interface TableOptions {
  /**
   * The most characters of a line. A wider table becomes several below each other, each with the policies' names.
   *
   * @default no limit
   */
  readonly columns?: number | undefined;
}

/** A report as a table of plain text. */
export function replayTable(report: ReplayReport, options: TableOptions = {}): string {
  onlyKnown(options, ['columns']);
  const { columns } = options;
  if (columns !== undefined && !(Number.isInteger(columns) && columns > 0)) {
    throw optionError('columns', `: found ${describe(columns)}, expected a whole number of characters above 0`);
  }
  const [none] = report.policies;
  const summary = wrapped(summaryOf(report), columns);
  if (none === undefined) return summary;
  const rows = [
    COLUMNS.map(({ heading }) => heading),
    ...report.policies.map((each) => COLUMNS.map(({ cell }) => cell(each, none))),
  ];
  return [summary, '', tableText(rows, columns), ''].join('\n');
}
