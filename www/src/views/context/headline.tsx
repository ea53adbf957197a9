import type { JSX } from 'preact';
import { countedRule, RULES } from '../../lib/kinds.js';
import { change, placeOf, plural, short, thousands } from '../../lib/text.js';
import { call, calmStates, facts, replay, sent, settings, states } from '../../state/conversation.js';
import { byRule } from '../../state/states.js';

/** What densify makes of the conversation, at the place that is looked at, in one line. */
export function Headline(): JSX.Element {
  const [known, now, run] = [facts.value, states.value, replay.value];
  if (!known) return <div class="headline" />;
  const place = placeOf(call.value, sent.value);
  return (
    <div class="headline">
      <div>
        <h2>{known.title}</h2>
        <p class="faint">{known.description || plural(known.entries, 'message')}</p>
      </div>
      <p class="figures number" data-testid="figures">
        <span class="figure">
          <b>{thousands(now?.before ?? known.total)}</b>
          <small>tokens in context, without densify</small>
        </span>
        <span class="arrow" aria-hidden="true">
          →
        </span>
        <span class="figure with">
          <b>{now ? thousands(now.after) : '…'}</b>
          <small>in context, with densify</small>
        </span>
        <span class="figure">
          <b>{now ? change(now.before, now.after) : '…'}</b>
          <small>{call.value < sent.value ? `at ${place}` : place}</small>
        </span>
      </p>
      {run && <Ledger />}
    </div>
  );
}

/** What each rule did up to here. */
export function Ledger(): JSX.Element | null {
  const now = calmStates.value;
  if (!now) return null;
  const run = now.replay;
  const rules = byRule(run, now.edits);
  const compressions = run.compressions.filter((one) => one.call <= now.call).length;
  return (
    <p class="ledger">
      {RULES.map(({ key }, rule) => {
        const { count = 0, saved = 0 } = rules[rule] ?? {};
        return (
          count > 0 && (
            <span key={key} class="chip">
              {countedRule(rule, count, settings.value)} <b class="number">−{short(saved)}</b>
            </span>
          )
        );
      })}
      {compressions > 0 && <span class="chip">{plural(compressions, 'compression')}</span>}
      {run.editBlock.length === 0 && (
        <span class="chip changed">Nothing to cut: try a smaller window or a longer log</span>
      )}
      <span class="chip">
        {run.requestsKept} of {run.requests} user messages kept
      </span>
    </p>
  );
}
