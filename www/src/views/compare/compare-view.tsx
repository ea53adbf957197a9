import type { JSX } from 'preact';
import { dollars } from '../../lib/cost.js';
import { countedRule, RULES } from '../../lib/kinds.js';
import type { StrategyChoice } from '../../lib/settings.js';
import { STRATEGY_WORDS } from '../../lib/strategies.js';
import { change, short, thousands } from '../../lib/text.js';
import { codeFor } from '../../state/code.js';
import { type Row, rows, use, winner, without } from '../../state/compare.js';
import { facts, settings } from '../../state/conversation.js';
import { byRule } from '../../state/states.js';
import { CopyButton } from '../../ui/copy-button.js';
import { PriceFields } from '../../ui/price-fields.js';
import { Words } from '../../ui/words.js';
import { Sparkline } from './sparkline.js';

/** The strategies side by side: what each sends, keeps and costs. */
export function CompareView(): JSX.Element {
  const best = winner.value;
  return (
    <div class="page compare">
      <section class="card block" aria-label="Result">
        <div class="result">
          <div>
            <h2>{facts.value?.title ?? ''}</h2>
            <p class="faint">
              This replays every model call of the session, with the settings of the Context tab: a window of{' '}
              {short(settings.value.contextLimit)} tokens. Each preset has its default rules.
            </p>
          </div>
          {best?.bill && without.value && (
            <div class="best">
              <p>
                Least cost{best.fits ? '' : ', but no strategy fits the window'}: <strong>{best.variant.name}</strong>,{' '}
                <b class="number">{dollars(best.bill.cost)}</b> instead of {dollars(without.value.cost)}
              </p>
              <div class="row-of-buttons">
                <CopyButton label="Copy its code" text={() => codeFor(best.variant.settings)} primary />
                <button type="button" class="button" onClick={() => use(best.variant)}>
                  See what it cuts
                </button>
              </div>
            </div>
          )}
        </div>
      </section>
      <section class="card table-box" aria-label="Comparison">
        <Table />
      </section>
      <Prices />
      <Words title="What the strategies do" words={STRATEGY_WORDS} />
      <p class="faint">Names kept: {NAMES} The agent must look up the rest.</p>
    </div>
  );
}

const NAMES = 'the share of paths and identifiers still in context when the agent used them.';

function Table(): JSX.Element {
  const plain = without.value;
  return (
    <table class="comparison number">
      <thead>
        <tr>
          <th scope="col">Strategy</th>
          <th scope="col">Tokens by call</th>
          <th scope="col" class="right">
            Final tokens
          </th>
          <th scope="col" class="right">
            Peak tokens
          </th>
          <th scope="col" class="right">
            Tokens sent
          </th>
          <th scope="col" class="right">
            From cache
          </th>
          <th scope="col" class="right">
            Input cost
          </th>
          <th scope="col">Cuts</th>
          <th scope="col" class="right">
            User messages kept
          </th>
          <th scope="col" class="right" title={NAMES}>
            Names kept
          </th>
          <th scope="col">
            <span class="unseen">Use it</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <tr class="plain">
          <th scope="row">Without densify</th>
          <td />
          <td class="right">{plain && thousands(plain.end)}</td>
          <td class="right">
            {plain && thousands(plain.peak)} {plain && plain.peak > settings.value.contextLimit && <Over />}
          </td>
          <td class="right">{plain && short(plain.sent)}</td>
          <td class="right">{plain && share(plain.cached, plain.sent)}</td>
          <td class="right">{plain && dollars(plain.cost)}</td>
          <td />
          <td class="right">all</td>
          <td class="right">all</td>
          <td />
        </tr>
        {rows.value.map((row) => (
          <Line key={row.variant.name} row={row} />
        ))}
      </tbody>
    </table>
  );
}

const share = (part: number, whole: number): string => (whole === 0 ? '' : `${Math.round((part / whole) * 100)}%`);

function Over(): JSX.Element {
  return <span class="chip gone">too big</span>;
}

function Line({ row }: { readonly row: Row }): JSX.Element {
  const { variant, run, names, bill, fits } = row;
  const plain = without.value;
  const isBest = winner.value === row;
  return (
    <tr class={isBest ? 'winner' : ''}>
      <th scope="row">
        {variant.name}
        {isBest && (
          <>
            <br />
            <span class="chip good">least cost</span>
          </>
        )}
      </th>
      <td>{run && <Sparkline run={run} />}</td>
      <td class="right">{bill && thousands(bill.end)}</td>
      <td class="right">
        {bill && thousands(bill.peak)} {bill && !fits && <Over />}
      </td>
      <td class="right">{bill && short(bill.sent)}</td>
      <td class="right">{bill && share(bill.cached, bill.sent)}</td>
      <td class="right">
        {bill && <b>{dollars(bill.cost)}</b>}{' '}
        {bill && plain && <span class="faint">{change(plain.cost, bill.cost)}</span>}
      </td>
      <td>{run && <Cuts row={row} />}</td>
      <td class="right">{run && `${run.requestsKept} of ${run.requests}`}</td>
      <td class="right">{names && names.used > 0 && `${((names.atHand / names.used) * 100).toFixed(1)}%`}</td>
      <td>
        <button
          type="button"
          class="button"
          disabled={!run}
          onClick={() => use(variant)}
          aria-label={`Use: ${variant.name}`}
        >
          Use
        </button>
      </td>
    </tr>
  );
}

/** The cut that a strategy makes at its threshold. */
const COMPRESSING: Readonly<Partial<Record<StrategyChoice, string>>> = {
  'high-density': 'result-summary',
  'top-down-truncation': 'truncation',
};

function Cuts({ row: { run, variant } }: { readonly row: Row }): JSX.Element | null {
  if (!run) return null;
  const found = byRule(run, run.editBlock.length);
  const compressing = COMPRESSING[variant.settings.strategy];
  const isIdle =
    compressing !== undefined && !RULES.some(({ key }, rule) => key === compressing && (found[rule]?.count ?? 0) > 0);
  return (
    <span class="cuts">
      {isIdle && <span class="chip">threshold not reached: rules only</span>}
      {RULES.map(
        ({ key }, rule) =>
          (found[rule]?.count ?? 0) > 0 && (
            <span key={key} class="chip">
              {countedRule(rule, found[rule]?.count ?? 0, variant.settings)}
            </span>
          ),
      )}
    </span>
  );
}

function Prices(): JSX.Element {
  return (
    <section class="card block prices" aria-label="Prices">
      <p class="faint">
        Example prices: enter your provider’s. For new tokens, use its cache-write price. Output cost is not included.
      </p>
      <PriceFields />
    </section>
  );
}
