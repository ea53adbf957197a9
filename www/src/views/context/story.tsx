import type { JSX } from 'preact';
import { billOf, billWithout, dollars } from '../../lib/cost.js';
import { plural, thousands } from '../../lib/text.js';
import { facts, replay, sent, settings } from '../../state/conversation.js';

/** The page in two sentences, for the conversation that is open. */
export function Story(): JSX.Element {
  const [known, run] = [facts.value, replay.value];
  const prices = { fresh: settings.value.priceUncached, cached: settings.value.priceCached };
  const calls = sent.value;
  const bills = run && { without: billWithout(run, prices, calls), with: billOf(run, prices, calls) };
  return (
    <section class="card story" aria-label="What you see here">
      <div>
        <h2>An agent’s session grows with every call. densify keeps it small.</h2>
        <p data-testid="story">
          {known && bills ? (
            <>
              This session called its model {plural(calls, 'time')}. densify sent{' '}
              <b class="number">{thousands(bills.with.sent)}</b> tokens instead of {thousands(bills.without.sent)}, for{' '}
              <b class="number">{dollars(bills.with.cost)}</b> instead of {dollars(bills.without.cost)}, including
              prompt-cache discounts. {run.requestsKept} of {plural(run.requests, 'user message')} kept.
            </>
          ) : (
            'Reading the session …'
          )}
        </p>
      </div>
      <a class="button primary" href="#worth">
        Is it worth it for me?
      </a>
    </section>
  );
}
