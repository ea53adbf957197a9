import type { CutText, Facts, Replay } from '../engine/api.js';
import { KINDS, manyOf, RULES, ruleWords } from '../lib/kinds.js';
import type { Settings } from '../lib/settings.js';
import { snippet } from '../lib/snippet.js';
import { change, plural, thousands } from '../lib/text.js';
import { byRule, statesAt } from '../state/states.js';
import { html, Markup } from './html.js';

/** What a report says. */
export interface ReportInput {
  readonly facts: Facts;
  readonly replay: Replay;
  readonly settings: Settings;
  /** The texts that were cut, redacted; without them the report holds no content at all. */
  readonly cuts?: readonly CutText[];
}

const STYLE = `:root{color-scheme:light dark;--ink:#1c1f1d;--soft:#565c58;--page:#fff;--sunk:#f4f4f0;--line:#ddd;--accent:#0b7a5c;--bad:#be123c;--warn:#b45309}
@media(prefers-color-scheme:dark){:root{--ink:#edf0ee;--soft:#b3bbb6;--page:#151816;--sunk:#1e2320;--line:#38403c;--accent:#3ecf9f;--bad:#fb7a92;--warn:#f0b45a}}
body{max-width:960px;margin:32px auto;padding:0 20px;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page)}
h1{font-size:1.4rem}h2{font-size:1.05rem;margin-top:2em}p{color:var(--soft)}
table{border-collapse:collapse;width:100%}th,td{padding:6px 10px;border-bottom:1px solid var(--line);text-align:left}td+td,th+th{text-align:right;font-variant-numeric:tabular-nums}
pre{padding:12px;border-radius:8px;background:var(--sunk);white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85em}
svg{width:100%;height:auto;display:block}.without{fill:none;stroke:#8fa3b5;stroke-width:2;stroke-dasharray:9 4}.with{fill:none;stroke:var(--accent);stroke-width:2.5}
.big b{font-size:1.6rem;color:var(--ink)}del{opacity:.7}article{margin:14px 0;padding-top:10px;border-top:1px solid var(--line)}
${['#2f6fde', '#7c5cd6', '#bfaee8', '#d99a2b', '#8fa3b5', '#d9699b', '#b6afa2'].map((colour, kind) => `.k${kind}{fill:${colour}}`).join('')}`;

/** A page without scripts and requests. It holds the conversation's content only if texts are given. */
export function reportOf({ facts, replay, settings, cuts }: ReportInput): string {
  const edits = replay.editBlock.length;
  const states = statesAt(facts, replay, facts.calls.length - 1, edits);
  const rules = byRule(replay, edits);
  const title = cuts ? facts.title : `A conversation of ${plural(facts.entries, 'message')}`;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>densify: ${title}</title><style>${new Markup(STYLE)}</style></head><body>
<h1>${title}</h1>
<p class="big"><b>${thousands(states.before)}</b> tokens without densify, <b>${thousands(states.after)}</b> with it: <b>${change(states.before, states.after)}</b></p>
<h2>Tokens sent with each model call</h2>${growth(replay)}<p>Dashed: without densify. Solid: with it.</p>
<h2>Before and after</h2>${band(facts, facts.tokens, states.count)}<br>${band(facts, states.left, states.count)}
<p>${KINDS.filter((_, kind) => facts.kind.includes(kind)).map(({ name }, index) => html`${index > 0 ? ', ' : ''}${name}`)}</p>
<h2>What was cut</h2>
<table><thead><tr><th>rule</th><th>cuts</th><th>tokens saved</th></tr></thead><tbody>
${RULES.map((_, rule) => ((rules[rule]?.count ?? 0) > 0 ? html`<tr><td>${manyOf(rule, settings)}</td><td>${thousands(rules[rule]?.count ?? 0)}</td><td>${thousands(rules[rule]?.saved ?? 0)}</td></tr>` : undefined))}
</tbody></table>
<p>${plural(replay.compressions.length, 'compression')}; ${replay.requestsKept} of ${replay.requests} user messages kept.</p>
<h2>The code</h2><pre>${snippet(settings)}</pre>
${cuts && html`<h2>The cuts, down to the text</h2><p>Well-known credentials are removed, and long texts shortened.</p>${cuts.map((cut) => article(cut, settings))}`}
</body></html>
`;
  return page.text;
}

function article(cut: CutText, settings: Settings): Markup {
  return html`<article><strong>Message #${cut.entry}: ${KINDS[cut.kind]?.name}</strong> · ${ruleWords(cut.rule, settings).name} · before call ${cut.call + 1}
<pre><del>${cut.before}</del></pre>${cut.after === undefined ? undefined : html`<pre>${cut.after}</pre>`}</article>
`;
}

function growth({ before, after }: Replay): Markup {
  const top = Math.max(1, before.at(-1) ?? 1);
  const line = (values: Uint32Array): string => {
    const stride = Math.max(1, Math.floor(values.length / 600));
    return [...values.keys()]
      .filter((call) => call % stride === 0 || call === values.length - 1)
      .map(
        (call) =>
          `${((call / Math.max(1, values.length - 1)) * 900).toFixed(1)},${(178 - ((values[call] ?? 0) / top) * 170).toFixed(1)}`,
      )
      .join(' ');
  };
  const label = `Tokens of the last request: ${thousands(before.at(-1) ?? 0)} without densify, ${thousands(after.at(-1) ?? 0)} with it`;
  return html`<svg viewBox="0 0 900 180" role="img" aria-label="${label}"><polyline class="without" points="${line(before)}"/><polyline class="with" points="${line(after)}"/></svg>`;
}

function band(facts: Facts, sizes: ArrayLike<number>, count: number): Markup {
  const parts: Markup[] = [];
  let [at, drawn] = [0, 0];
  for (let block = 0; block < count; block += 1) {
    at += sizes[block] ?? 0;
    const x = (at / Math.max(1, facts.total)) * 900;
    if (x - drawn < 0.5) continue;
    parts.push(
      html`<rect class="k${facts.kind[block] ?? 6}" x="${drawn.toFixed(1)}" width="${(x - drawn).toFixed(1)}" height="30"/>`,
    );
    drawn = x;
  }
  return html`<svg viewBox="0 0 900 30" aria-hidden="true">${parts}</svg>`;
}
