import type { ReplayReport } from 'densify/replay';
import type { JSX } from 'preact';
import { dollars } from '../../lib/cost.js';
import { save } from '../../lib/save.js';
import { POLICY_WORDS } from '../../lib/strategies.js';
import { plural, short, thousands } from '../../lib/text.js';
import { settings } from '../../state/conversation.js';
import { named, problem, reports, working } from '../../state/replays.js';
import { PriceFields } from '../../ui/price-fields.js';
import { Words } from '../../ui/words.js';

type PolicyReport = ReplayReport['policies'][number];

interface Column {
  readonly heading: string;
  readonly explained: string;
  readonly cell: (policy: PolicyReport, none: PolicyReport) => string;
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%`);
const shareOf = ({ kept, of }: { readonly kept: number; readonly of: number }): string => percent(kept, of);

const COLUMNS: readonly Column[] = [
  {
    heading: 'Tokens',
    explained: 'Input tokens of all requests, compared with the log.',
    cell: ({ tokens }, none) => percent(tokens, none.tokens),
  },
  {
    heading: 'Dollars',
    explained: 'Input cost, including prompt-cache discounts.',
    cell: (policy) => dollars(policy.dollars),
  },
  {
    heading: 'From cache',
    explained: 'The share of the input that came from the prompt cache.',
    cell: ({ cachedTokens, tokens }) => percent(cachedTokens, tokens),
  },
  {
    heading: 'Cache breaks',
    explained: 'API requests that change earlier messages, so the cache after the change is lost.',
    cell: ({ prefixBreaks }) => thousands(prefixBreaks),
  },
  {
    heading: 'Repeated calls',
    explained: 'Calls that the agent repeated after their result was cut.',
    cell: ({ regret }) => thousands(regret),
  },
  {
    heading: 'Identifiers kept',
    explained: 'Of the identifiers that the agent used later, the share that was still in its context.',
    cell: ({ recollection }) => shareOf(recollection.identifiers),
  },
  {
    heading: 'Edited lines kept',
    explained: 'The same for lines that the agent edited.',
    cell: ({ recollection }) => shareOf(recollection.editedLines),
  },
  { heading: 'Paths kept', explained: 'The same for paths.', cell: ({ recollection }) => shareOf(recollection.paths) },
  {
    heading: 'User messages kept',
    explained: 'User messages kept word for word.',
    cell: ({ recollection }) => shareOf(recollection.requests),
  },
  {
    heading: 'Rejected',
    explained: 'API requests that the provider would reject only because of densify’s edits.',
    cell: ({ rejected }) => thousands(rejected),
  },
  {
    heading: 'Too big',
    explained: 'API requests that are larger than the window.',
    cell: ({ overLimit }) => thousands(overLimit),
  },
];

const COLUMN_WORDS = COLUMNS.map(({ heading, explained }) => ({ name: heading, what: explained }));

/** The logs sent again under every policy, as densify/replay does it. */
export function ReplayView(): JSX.Element {
  const found = reports.value;
  return (
    <div class="page">
      <section class="card block result" aria-label="Replay">
        <div>
          <h2>{titleOf()}</h2>
          <p class="faint">
            This replays every model call under each policy: a preset or strategy with its default options, in a window
            of {short(settings.value.contextLimit)} tokens. Unlike in Compare, top-down-truncation edits nothing before
            its threshold. It shows the savings, and how much of the content that the agent used later was kept. No data
            leaves your browser.
          </p>
          <p class="faint" aria-live="polite">
            {working.value === undefined ? '' : `Replaying: ${working.value} …`}
          </p>
        </div>
        <div class="row-of-buttons">
          <button
            type="button"
            class="button primary"
            disabled={!found}
            onClick={() => found && save('densify-replay.html', found.html, 'text/html')}
          >
            Download the report
          </button>
          <button
            type="button"
            class="button"
            disabled={!found}
            onClick={() =>
              found && save('densify-replay.json', JSON.stringify(found.total, undefined, 1), 'application/json')
            }
          >
            Download as JSON
          </button>
        </div>
      </section>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      {found && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys
        <section class="card table-box" aria-label="Policies" tabIndex={0}>
          <Table policies={found.total.policies} />
        </section>
      )}
      <section class="card block prices" aria-label="Prices">
        <p class="faint">Example prices: enter your provider’s. For new tokens, use its cache-write price.</p>
        <PriceFields />
      </section>
      {named.value.length > 1 && <ByLog />}
      <Words title="What the policies do" words={POLICY_WORDS} />
      <Words title="What the columns mean" words={COLUMN_WORDS} />
    </div>
  );
}

function titleOf(): string {
  const found = named.value;
  if (found.length === 0) return 'The session, replayed';
  const requests = found.reduce((sum, { report }) => sum + report.requests, 0);
  const what = found.length === 1 ? (found[0]?.name ?? '') : plural(found.length, 'log');
  return `${what}, ${plural(requests, 'model call')}`;
}

/** The policy that costs least, of those whose requests all fit; none if nothing is cheaper than the log as it was. */
function cheapest(policies: readonly PolicyReport[]): PolicyReport | undefined {
  const fitting = policies.filter(({ overLimit }) => overLimit === 0);
  const best = (fitting.length > 0 ? fitting : policies).reduce((least, policy) =>
    policy.dollars < least.dollars ? policy : least,
  );
  return best === policies[0] ? undefined : best;
}

function Table({ policies }: { readonly policies: readonly PolicyReport[] }): JSX.Element | null {
  const [none] = policies;
  if (!none) return null;
  const best = cheapest(policies);
  return (
    <table class="comparison number">
      <thead>
        <tr>
          <th scope="col">Policy</th>
          {COLUMNS.map(({ heading, explained }) => (
            <th key={heading} scope="col" class="right" title={explained}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {policies.map((policy) => (
          <tr key={policy.policy} class={policy === none ? 'plain' : policy === best ? 'winner' : ''}>
            <th scope="row">
              {policy === none ? 'without densify' : policy.policy}{' '}
              {policy === best && <span class="chip good">least cost</span>}
            </th>
            {COLUMNS.map(({ heading, cell }) => (
              <td key={heading} class="right">
                {cell(policy, none)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ByLog(): JSX.Element {
  return (
    <section class="stack" aria-label="Log by log">
      {named.value.map(({ name, report }, index) => (
        <details key={index} class="card block">
          <summary>{name}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keys */}
          <section class="table-box" aria-label={name} tabIndex={0}>
            <Table policies={report.policies} />
          </section>
        </details>
      ))}
    </section>
  );
}
