import { batch, effect, signal } from '@preact/signals';
import type { NamedReplay, ReportOptions, Reports } from '../conversed/api.js';
import type { Facts } from '../engine/api.js';
import { engine } from '../engine/client.js';
import { rootOption } from '../lib/settings.js';
import { facts, open, settings } from './conversation.js';
import { demoOf } from './demos.js';
import { view } from './route.js';

/** Each log's report, as far as they are made, and all of them as one. */
export const named = signal<readonly NamedReplay[]>([]);
export const reports = signal<Reports | undefined>(undefined);
/** The log that is being sent again. */
export const working = signal<string | undefined>(undefined);
export const problem = signal<string | undefined>(undefined);

/** What is sent again: the user's own conversations, or else the example that is looked at. */
function wanted(): readonly Facts[] {
  const own = open.value.filter(({ id }) => demoOf(id) === undefined);
  return own.length > 0 ? own : facts.value ? [facts.value] : [];
}

const known = new Map<string, NamedReplay>();
let newest = 0;

/** Sends the logs again while the view is looked at, one after the other. */
export function keepReplays(): () => void {
  return effect(() => {
    const [logs, { contextLimit, priceCached: cached, priceUncached: uncached }] = [wanted(), settings.value];
    if (view.value !== 'replay' || logs.length === 0) return;
    newest += 1;
    void run(logs, { contextLimit, prices: { cached, uncached } }, newest);
  });
}

async function run(logs: readonly Facts[], options: ReportOptions, mine: number): Promise<void> {
  const done: NamedReplay[] = [];
  problem.value = undefined;
  try {
    for (const { id, title, entries, workspaceRoot } of logs) {
      const key = JSON.stringify([id, entries, options]);
      working.value = title;
      const one = known.get(key) ?? {
        name: title,
        report: await engine.report(id, { ...options, ...rootOption(workspaceRoot) }),
      };
      if (mine !== newest) return;
      known.set(key, one);
      done.push(one);
      const next = await engine.reports(done);
      if (mine !== newest) return;
      batch(() => {
        named.value = [...done];
        reports.value = next;
      });
    }
  } catch (error) {
    if (mine === newest) problem.value = error instanceof Error ? error.message : String(error);
  }
  if (mine === newest) working.value = undefined;
}
